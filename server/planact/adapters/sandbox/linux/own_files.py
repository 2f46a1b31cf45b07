"""Modes, times and owners of the files that a jailed command may write, which Landlock doesn't hold.

Programs set them of what they write all the time, and fail where they can't. So the kernel asks here; the file that the
command named is opened, looked at and changed here.
"""

import contextlib
import errno
import os
import re
import stat
from collections.abc import Collection, Iterator, Mapping
from functools import partial

from planact.adapters.sandbox.linux.kernel import NO_MAGIC_LINKS
from planact.adapters.sandbox.linux.listener import AskedCall

ASKED_FOR_FILES = ("chmod", "fchmod", "fchmodat", "fchmodat2", "chown", "fchown", "fchownat", "lchown", "utimensat")
_INT, _AT_CWD, _SET_USER_ID = 0xFFFFFFFF, 0xFFFFFF9C, 0o4000
_AT_SYMLINK_NOFOLLOW, _AT_EMPTY_PATH = 0x100, 0x1000
_LONGEST_PATH, _TIMES_BYTES = 4096, 32
_O_PATH = getattr(os, "O_PATH", 0)
_OWN_DESCRIPTOR = re.compile(rb"(?:/proc/(?:thread-)?self|/dev)/fd/([0-9]{1,9})")


class OwnFiles:
    """`CallJudge` of `ASKED_FOR_FILES`, and of sockets that would lead to the network, which it refuses.

    Args:
        numbers: the calls of this machine.
        folders: real paths of all that the command may write, with what is below them.

    Attributes:
        wanted_network: whether such a socket was asked for.
    """

    def __init__(self, numbers: Mapping[str, int], folders: Collection[str]) -> None:
        self._numbers = numbers
        self._names = {numbers[name]: name for name in (*ASKED_FOR_FILES, "socket") if name in numbers}
        self._folders = frozenset(folders)
        self.wanted_network = False

    def judge(self, asked: AskedCall) -> int:
        """Change a mode or times, without the bit that has a program run as its owner; leave an owner as it is."""
        name, (first, second, third, fourth, fifth, _) = self._names.get(asked.number, ""), asked.arguments
        match name:
            case "socket":
                self.wanted_network = True
            case "chmod":
                return self._set_mode(asked, _AT_CWD, first, 0, second)
            case "fchmod":
                return self._set_mode(asked, first, 0, 0, second)
            case "fchmodat" | "fchmodat2":
                return self._set_mode(asked, first, second, fourth if name == "fchmodat2" else 0, third)
            case "chown" | "lchown":
                flags = _AT_SYMLINK_NOFOLLOW if name == "lchown" else 0
                return self._keep_owner(asked, _AT_CWD, first, flags, (second, third))
            case "fchown":
                return self._keep_owner(asked, first, 0, 0, (second, third))
            case "fchownat":
                return self._keep_owner(asked, first, second, fifth, (third, fourth))
            case "utimensat":
                return self._set_times(asked, first, second, fourth, third)
        return errno.EPERM

    def _set_mode(self, asked: AskedCall, at: int, path: int, flags: int, mode: int) -> int:
        with _opened(asked, at, path, flags) as file:
            if stat.S_IMODE(os.fstat(file).st_mode) == mode & 0o7777:
                return 0
            if mode & _SET_USER_ID or not self._is_own(file):
                return errno.EPERM
            asked.kernel.call("fchmodat2", self._numbers["fchmodat2"], file, b"", mode & 0o7777, _AT_EMPTY_PATH)
            return 0

    def _set_times(self, asked: AskedCall, at: int, path: int, flags: int, times: int) -> int:
        given = asked.memory(times, _TIMES_BYTES) if times else None
        with _opened(asked, at, path, flags) as file:
            if not self._is_own(file) or (given is not None and len(given) < _TIMES_BYTES):
                return errno.EPERM
            asked.kernel.call("utimensat", self._numbers["utimensat"], file, b"", given, _AT_EMPTY_PATH)
            return 0

    def _keep_owner(self, asked: AskedCall, at: int, path: int, flags: int, wanted: tuple[int, int]) -> int:
        with _opened(asked, at, path, flags) as file:
            found = os.fstat(file)
            is_kept = all(
                each & _INT in (_INT, own) for each, own in zip(wanted, (found.st_uid, found.st_gid), strict=True)
            )
            return 0 if is_kept and self._is_own(file) else errno.EPERM

    def _is_own(self, file: int) -> bool:
        """Return whether a file lies in what the command may write: it can't bring others there, nor name them so."""
        path = os.readlink(f"/proc/self/fd/{file}")  # noqa: PTH115 - it may be no path
        while path not in self._folders and path.strip("/"):
            path = os.path.dirname(path)  # noqa: PTH120 - it may be no path
        return path in self._folders


@contextlib.contextmanager
def _opened(asked: AskedCall, at: int, path: int, flags: int) -> Iterator[int]:
    """Open the file that a call names, for no reading. Raises OSError, ValueError."""
    file = _open(asked, at, path, flags)
    try:
        asked.check()
        yield file
    finally:
        os.close(file)


def _open(asked: AskedCall, at: int, path: int, flags: int) -> int:
    name = asked.memory(path, _LONGEST_PATH).split(b"\0", 1)[0] if path else b""
    follows = not flags & _AT_SYMLINK_NOFOLLOW
    if not path or (not name and flags & _AT_EMPTY_PATH):
        return asked.descriptor(at)
    if follows and (own := _OWN_DESCRIPTOR.fullmatch(name)):
        return asked.descriptor(int(own[1]))
    # Other links of that kind mean this process here, or lead among other mounts, where paths say nothing.
    opened = partial(asked.kernel.open_path, name, NO_MAGIC_LINKS, flags=0 if follows else os.O_NOFOLLOW)
    if name.startswith(b"/"):
        return opened()
    is_cwd = at & _INT == _AT_CWD
    base = os.open(f"/proc/{asked.task}/cwd", _O_PATH | os.O_CLOEXEC) if is_cwd else asked.descriptor(at)
    try:
        return opened(at=base)
    finally:
        os.close(base)
