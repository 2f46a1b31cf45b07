"""Commands in namespaces made by bubblewrap, with a filter on top, where Landlock is missing.

Other processes are absent from the namespace and can't be signalled. bubblewrap must not be asked to die with its
parent: to Linux the parent is the thread.
"""

import os
from collections.abc import Collection, Iterator
from pathlib import Path

from planact.adapters.sandbox.limits.view import View
from planact.adapters.sandbox.linux.seccomp import FilterLimits, make_filter
from planact.adapters.sandbox.linux.syscalls import Machine
from planact.adapters.sandbox.spawner import Start, Started, unavailable
from planact.model.rights.jail import JailProfile

NAMESPACES = ("--unshare-user", "--unshare-pid", "--unshare-ipc", "--unshare-uts", "--unshare-cgroup-try")
MOUNTS = ("--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc")
_STATUS_BYTES = 4096


class BubblewrapSpawner:
    """`Spawner` for Linux with the program `bubblewrap`. Unreadable paths are missing or empty."""

    def __init__(self, bubblewrap: str, machine: Machine, profile: JailProfile) -> None:
        self.profile = profile
        self._bubblewrap = bubblewrap
        limits = FilterLimits(is_read_only=profile.is_read_only, network=profile.network)
        self._filter = make_filter(machine, limits)

    def start(self, start: Start) -> Started:
        """Start the shell in namespaces of its own. Raises CommandFailure SANDBOX_UNAVAILABLE when there is no
        filter.
        """
        filter_end, status = _memory(self._filter), _memory(b"")
        try:
            prefix = [*self._prefix(start, status), "--seccomp", str(filter_end), "--"]
            shell = start.open(prefix, pass_fds=(filter_end, status))
        except BaseException:
            os.close(status)
            raise
        finally:
            os.close(filter_end)
        # It reports the end of the command only where it came to start one.
        return Started(shell, lambda: os.close(status), lambda: b"exit-code" in os.pread(status, _STATUS_BYTES, 0))

    def _prefix(self, start: Start, status: int) -> Iterator[str]:
        yield from (self._bubblewrap, *NAMESPACES, "--json-status-fd", str(status))
        if self.profile.network == "none":
            yield "--unshare-net"
        empty = [path for path in (*map(str, start.view.closed), *start.view.hidden) if Path(path).is_dir()]
        yield from _reading(start.view, empty)
        for path in (*self.profile.writable, *start.scratch):
            yield from ("--bind-try", str(path), str(path))
        for path in self.profile.kept:
            yield from ("--ro-bind-try", str(path), str(path))
        for path in (*empty, *(() if start.view.readable is None else ("/",))):
            yield from ("--remount-ro", path)
        yield from ("--chdir", str(start.directory), "--cap-drop", "ALL")


def _reading(view: View, empty: Collection[str]) -> Iterator[str]:
    """Yield the options that mount the readable paths, folders before their entries; `empty` are hidden folders."""
    mounts: dict[str, tuple[str, ...]] = {}
    for path in map(str, view.readable or ()):
        if not _is_made(path):
            mounts[path] = ("--ro-bind-try", path, path)
    for path in (*map(str, view.closed), *view.hidden):
        mounts[path] = ("--tmpfs", path) if path in empty else ("--ro-bind-try", os.devnull, path)
    if view.readable is None:
        yield from MOUNTS
    else:
        yield from ("--dev", "/dev", "--proc", "/proc")
        yield from _links_of_root()
    for path in sorted(mounts, key=lambda path: path.count("/")):
        if os.path.lexists(path):
            yield from mounts[path]


def _is_made(path: str) -> bool:
    return path.startswith("/dev/") or path == "/proc"


def _links_of_root() -> Iterator[str]:
    """Yield the links such as `/bin`, which stand in no mounted folder."""
    with os.scandir("/") as entries:
        for entry in entries:
            if entry.is_symlink():
                yield from ("--symlink", os.readlink(entry.path), entry.path)  # noqa: PTH115 - each command waits


def _memory(data: bytes) -> int:
    try:
        descriptor = os.memfd_create("planact")
        os.write(descriptor, data)
        os.lseek(descriptor, 0, os.SEEK_SET)
    except OSError as error:
        raise unavailable(str(error)) from error
    return descriptor
