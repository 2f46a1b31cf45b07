"""Runs part of a test in a process of its own: as an ordinary user where the tests run as root, with `/tmp`, `/dev/shm`
and `/var/tmp` of its own and no network but loopback there.

Jails are for ordinary users, and what they keep from changing is watched: nobody else may change it meanwhile. The
folders are in memory: ext4 searches long for a new file's place where others were deleted in the last minutes.
"""

import asyncio
import concurrent.futures.thread  # noqa: F401 - the ordinary user may have no right to load it later
import ctypes
import encodings.unicode_escape  # noqa: F401 - nor this
import fcntl
import functools
import os
import pickle
import select
import signal
import socket
import struct
import traceback
import warnings
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path
from time import monotonic
from typing import Any

from planact.adapters.sandbox.limits import find_credentials
from tests.fakes.loaded_data import look_at_system

NOBODY = 65534
_NEW_MOUNTS, _NEW_QUEUES, _NEW_NETWORK, _NEW_USERS = 0x00020000, 0x08000000, 0x40000000, 0x10000000
_SET_FLAGS, _UP = 0x8914, 0x41
_SET_DUMPABLE = 4
_PRIVATE = 1 << 18 | 1 << 14  # MS_PRIVATE, MS_REC


WITH_DISK = ("/tmp", "/dev/shm")
"""Leave `/var/tmp` on the disk: trials believe no times of a tmpfs."""
OWN_FOLDERS = (*WITH_DISK, "/var/tmp")


def as_ordinary_user(
    work: Callable[[], Awaitable[Any]],
    timeout: float = 100,
    *,
    stays_root: bool = False,
    own_folders: Sequence[str] = OWN_FOLDERS,
) -> Any:
    """What `work` returns there; what it raises is an AssertionError here. Root may stay who it is, with the folders
    of all.
    """
    _look_at_system()
    return _in_fork(work, timeout, () if stays_root else own_folders)


@functools.cache
def _look_at_system() -> None:
    """Look at the system's folders as either user, once for all that is run there."""

    async def look() -> Any:
        look_at_system()
        return find_credentials._system_found

    look_at_system()
    find_credentials._system_found.update(_in_fork(look, 100, OWN_FOLDERS))


def _in_fork(work: Callable[[], Awaitable[Any]], timeout: float, own_folders: Sequence[str]) -> Any:
    reader, writer = os.pipe()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # other tests may have left threads; none is used there
        child = os.fork()
    if child == 0:
        outcome: tuple[bool, Any] = (False, "ended early")
        try:
            os.close(reader)
            os.setsid()
            if own_folders:
                _become_ordinary(own_folders)
            outcome = (True, asyncio.run(work()))
        except BaseException:  # noqa: BLE001 - this process ends here, whatever it is
            outcome = (False, traceback.format_exc())
        finally:
            with os.fdopen(writer, "wb") as pipe:
                pickle.dump(outcome, pipe)
            os._exit(0)
    os.close(writer)
    try:
        data = _read(reader, monotonic() + timeout)
    finally:
        os.close(reader)
        if os.getpgid(child) == child:
            os.killpg(child, signal.SIGKILL)
        os.waitpid(child, 0)
    is_done, result = pickle.loads(data)
    assert is_done, result
    return result


def _become_ordinary(own_folders: Sequence[str]) -> None:
    libc = ctypes.CDLL(None, use_errno=True)
    user, group = os.getuid(), os.getgid()
    is_root = user == 0
    users = 0 if is_root else _NEW_USERS  # only there may an ordinary user do the rest
    if libc.unshare(_NEW_MOUNTS | _NEW_QUEUES | _NEW_NETWORK | users):
        if not is_root:
            return  # the system lets no ordinary user do so: others' files in /tmp are seen, too
        raise OSError(ctypes.get_errno(), "unshare")
    if libc.mount(b"none", b"/", None, _PRIVATE, None):
        raise OSError(ctypes.get_errno(), "mount")
    for folder in own_folders:
        if libc.mount(b"tmpfs", folder.encode(), b"tmpfs", 0, b"mode=1777"):
            raise OSError(ctypes.get_errno(), "mount")
    with socket.socket() as any_socket:
        fcntl.ioctl(any_socket, _SET_FLAGS, struct.pack("16sh14x", b"lo", _UP))
    if is_root:
        os.setgroups([])
        os.setresgid(NOBODY, NOBODY, NOBODY)
        os.setresuid(NOBODY, NOBODY, NOBODY)
    else:
        libc.prctl(_SET_DUMPABLE, 1, 0, 0, 0)  # else these files are root's: planact keeps its memory to itself
        Path("/proc/self/setgroups").write_text("deny")
        Path("/proc/self/gid_map").write_text(f"{group} {group} 1")
        Path("/proc/self/uid_map").write_text(f"{user} {user} 1")


def _read(descriptor: int, until: float) -> bytes:
    data = b""
    while True:
        ready, _, _ = select.select([descriptor], [], [], max(0, until - monotonic()))
        assert ready, "took too long"
        chunk = os.read(descriptor, 1 << 16)
        if not chunk:
            return data
        data += chunk
