"""Reads and changes of single files that leave no half-written file after a crash or on a full disk.

A new file replaces the old one by renaming, unless that would change the path's owner, group, attributes or hard links,
or the directory takes no new files: then the file is written in place. A writer holds a lock on its new file, so that
the leftover of a killed process can be told from a file that is being written.
"""

import contextlib
import errno
import os
import secrets
import stat
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from time import time

from planact.base.filetext import digest_of

if sys.platform != "win32":
    import fcntl

TEMPORARY_PREFIX, TEMPORARY_SUFFIX = ".planact-", ".tmp"

# Not every system has these; where they're missing, the check by `stat` has to do.
_READ = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_BINARY", 0)
_WRITE = os.O_WRONLY | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_BINARY", 0)
_NO_LINK = getattr(os, "O_NOFOLLOW", 0)
_SURELY_LEFT_SECONDS = 3600.0
"""So old must a new file be to count as left behind, where files can't be locked."""

_LINKS_UNSUPPORTED = {errno.EPERM, errno.ENOTSUP, errno.EOPNOTSUPP, errno.ENOSYS, errno.EMLINK, errno.EXDEV}


def is_temporary(name: str) -> bool:
    """Return True for names of files that are being written."""
    return name.startswith(TEMPORARY_PREFIX) and name.endswith(TEMPORARY_SUFFIX)


def read_regular(path: Path, limit: int, *, follow: bool = False) -> bytes:
    """Return the bytes of a regular file; never waits for a pipe or a device.

    Raises:
        OSError: also EFBIG when there are more than `limit` bytes, EISDIR for a directory, and EINVAL for all else
            that is no regular file.
    """
    # A device must not even be opened: that can already do something.
    mode = path.stat(follow_symlinks=follow).st_mode
    if stat.S_ISDIR(mode):
        raise OSError(errno.EISDIR, "it is a directory")
    if not stat.S_ISREG(mode):
        raise OSError(errno.EINVAL, "it is not a regular file")
    handle = os.open(path, _READ | (0 if follow else _NO_LINK))
    with open(handle, "rb") as file:  # noqa: PTH123 - a handle, not a path
        status = os.fstat(handle)
        if not stat.S_ISREG(status.st_mode):
            raise OSError(errno.EINVAL, "it is not a regular file")
        # Python has room made for all that it may read, which costs more than to read it.
        data = file.read(status.st_size + 1) if status.st_size <= limit else b""
        if len(data) > status.st_size:  # it grows, or its system doesn't tell its size
            data += file.read(limit + 1 - len(data))
    if status.st_size > limit or len(data) > limit:
        raise OSError(errno.EFBIG, f"it has {max(status.st_size, len(data))} bytes, and the limit is {limit}")
    return data


def create(path: Path, data: bytes, mode: int | None) -> None:
    """Create a missing file, with these permission bits or the usual ones. Raises OSError, FileExistsError."""
    with _temporary(path.parent, data, is_private=mode is not None) as temporary:
        if mode is not None:
            temporary.chmod(mode)
        try:
            os.link(temporary, path)
        except OSError as error:
            if error.errno not in _LINKS_UNSUPPORTED:
                raise
            _create_directly(path, data)
            if mode is not None:
                path.chmod(mode)
    _sync_directory(path.parent)


def replace(
    path: Path, data: bytes, expected: str, limit: int, mode: int | None = None, *, is_apart: bool = False
) -> bool:
    """Replace a regular file's bytes if they still have the SHA-256 `expected`, and return True if so. Its permission
    bits stay, unless `mode` gives others, and its hard links, unless it `is_apart`. Raises OSError.
    """
    old = read_regular(path, limit)
    if digest_of(old) != expected:
        return False
    status = path.stat(follow_symlinks=False)
    if mode is None and not os.access(path, os.W_OK):
        raise PermissionError(errno.EACCES, "it is read-only")
    is_apart = is_apart and status.st_nlink > 1
    if is_apart or not _keeps_its_place(path, status):
        with _temporary(path.parent, data, is_private=True) as temporary:
            is_alike = _copy_attributes(path, temporary, status)
            if mode is not None:
                temporary.chmod(mode)
            if read_regular(path, limit) != old:
                return False
            if is_alike or is_apart:
                os.replace(temporary, path)  # noqa: PTH105 - all of this is os
                _sync_directory(path.parent)
                return True
    with contextlib.nullcontext() if mode is None else _writable(path, status):
        _overwrite(path, old, data)
    if mode is not None and mode != stat.S_IMODE(status.st_mode):
        path.chmod(mode)
    elif stat.S_IMODE(path.stat().st_mode) != stat.S_IMODE(status.st_mode):
        with contextlib.suppress(OSError):  # the system takes rights from what is written to
            path.chmod(stat.S_IMODE(status.st_mode))
    return True


def put(path: Path, data: bytes, mode: int | None, made_in: Path | None = None, *, is_synced: bool = True) -> None:
    """Create or replace a file of planact's own, with these permission bits or the usual ones. The bytes are written in
    `made_in` first, by default the file's own folder. One that isn't synced may be lost when the machine stops, but not
    when the process does. Raises OSError.
    """
    with _temporary(made_in or path.parent, data, is_private=mode is not None, is_synced=is_synced) as temporary:
        if os.name == "posix" and mode is not None:
            temporary.chmod(mode)
        os.replace(temporary, path)  # noqa: PTH105 - all of this is os
    if is_synced:
        _sync_directory(path.parent)


def abandoned(root: Path) -> Sequence[Path]:
    """Return new files that killed processes left unfinished, anywhere below `root` but in git's own folder."""
    found: list[Path] = []
    for folder, folders, names in os.walk(root):
        folders[:] = [name for name in folders if name != ".git"]
        found += [path for name in names if is_temporary(name) and _is_abandoned(path := Path(folder, name))]
    return found


def remove_abandoned(root: Path) -> Sequence[Path]:
    """Remove unfinished files of killed processes and return them. Files that can't be removed stay."""
    removed: list[Path] = []
    for path in abandoned(root):
        with contextlib.suppress(OSError):
            if _is_abandoned(path, remove=True):
                removed.append(path)
    return removed


def remove_special(path: Path) -> bool:
    """Remove a pipe, a socket that no process has any more, or a whiteout (the device of no number, which Linux lets
    every user make); return whether that was one. Never raises.
    """
    with contextlib.suppress(OSError):
        found = path.lstat()
        mode = found.st_mode
        is_whiteout = stat.S_ISCHR(mode) and found.st_rdev == 0
        if stat.S_ISFIFO(mode) or is_whiteout or (stat.S_ISSOCK(mode) and not _is_listened_to(path)):
            path.unlink()
            return True
    return False


def _is_listened_to(path: Path) -> bool:
    # Each line ends with the name that the socket was given, which may be a relative one.
    lines = Path("/proc/net/unix").read_bytes().splitlines() if sys.platform == "linux" else ()
    name = os.fsencode(path.name)
    return sys.platform != "linux" or any(line.endswith((b"/" + name, b" " + name)) for line in lines)


def rename(source: Path, target: Path) -> None:
    """Move a file or directory without overwriting. Raises OSError, FileExistsError."""
    if not source.is_dir():
        try:
            os.link(source, target, follow_symlinks=os.link not in os.supports_follow_symlinks)
        except OSError as error:
            if error.errno not in _LINKS_UNSUPPORTED:
                raise
        else:
            source.unlink()
            _sync_directory(source.parent)
            _sync_directory(target.parent)
            return
    # There is no exclusive rename that works everywhere; this leaves a moment between look and act.
    if os.path.lexists(target):
        raise FileExistsError(errno.EEXIST, "it exists")
    source.rename(target)
    _sync_directory(target.parent)


@contextlib.contextmanager
def _temporary(directory: Path, data: bytes, *, is_private: bool, is_synced: bool = True) -> Iterator[Path]:
    """Yield a file beside the target that is whole and, if synced, on disk; it is removed at the end in any case."""
    path, handle = _begin(directory, 0o600 if is_private else 0o666)
    try:
        with open(handle, "wb") as file:  # noqa: PTH123 - a handle, not a path
            file.write(data)
            file.flush()
            if is_synced:
                os.fsync(handle)
            if os.name == "posix":  # elsewhere an open file can't be moved
                yield path
        if os.name != "posix":
            yield path
    finally:
        path.unlink(missing_ok=True)


def _begin(directory: Path, mode: int) -> tuple[Path, int]:
    """Open a new file, locked while it is open."""
    while True:
        path = directory / f"{TEMPORARY_PREFIX}{secrets.token_hex(8)}{TEMPORARY_SUFFIX}"
        handle = os.open(path, _WRITE | os.O_CREAT | os.O_EXCL | _NO_LINK, mode)
        if _try_lock(handle) is not False and os.fstat(handle).st_nlink:
            return path, handle
        os.close(handle)  # another process took it for abandoned before it was locked


def _try_lock(handle: int) -> bool | None:
    """Return True if the lock was taken; None where files can't be locked."""
    if sys.platform == "win32":
        return None
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except OSError:
        return None
    return True


def _is_abandoned(path: Path, *, remove: bool = False) -> bool:
    """Return True if no process writes the file any more; it is removed, if at all, before a process can begin to."""
    try:
        handle = os.open(path, _READ | _NO_LINK)
    except OSError:
        return False
    try:
        status = os.fstat(handle)
        is_free = _try_lock(handle)
        is_left = is_free or (is_free is None and time() - status.st_mtime > _SURELY_LEFT_SECONDS)
        if not is_left or not stat.S_ISREG(status.st_mode):
            return False
        if remove:
            path.unlink()
        return True
    finally:
        os.close(handle)


def _create_directly(path: Path, data: bytes) -> None:
    handle = os.open(path, _WRITE | os.O_CREAT | os.O_EXCL | _NO_LINK, 0o666)
    try:
        with open(handle, "wb") as file:  # noqa: PTH123 - a handle, not a path
            file.write(data)
            file.flush()
            os.fsync(handle)
    except OSError:
        path.unlink(missing_ok=True)
        raise


def _keeps_its_place(path: Path, status: os.stat_result) -> bool:
    if status.st_nlink > 1 or not os.access(path.parent, os.W_OK | os.X_OK):
        return True
    return hasattr(os, "geteuid") and status.st_uid != os.geteuid()


@contextlib.contextmanager
def _writable(path: Path, status: os.stat_result) -> Iterator[None]:
    """Let the owner write to a file; if that fails, its mode is as before."""
    if not os.access(path, os.W_OK):
        path.chmod(stat.S_IMODE(status.st_mode) | stat.S_IWUSR)
    try:
        yield
    except OSError:
        with contextlib.suppress(OSError):
            path.chmod(stat.S_IMODE(status.st_mode))
        raise


def _overwrite(path: Path, old: bytes, data: bytes) -> None:
    handle = os.open(path, _WRITE | _NO_LINK)
    try:
        # A full disk is to show before the first byte is lost.
        if hasattr(os, "posix_fallocate") and len(data) > len(old):
            os.posix_fallocate(handle, len(old), len(data) - len(old))
        _put(handle, data)
    except OSError:
        with contextlib.suppress(OSError):
            _put(handle, old)
        raise
    finally:
        os.close(handle)


def _put(handle: int, data: bytes) -> None:
    os.lseek(handle, 0, os.SEEK_SET)
    rest = memoryview(data)
    while rest:
        rest = rest[os.write(handle, rest) :]
    os.ftruncate(handle, len(data))
    os.fsync(handle)


def _copy_attributes(source: Path, target: Path, status: os.stat_result) -> bool:
    """Copy mode, group and the attributes of access control lists; not the times, which build tools go by. Return False
    where the user may not give the target the group or an attribute.
    """
    is_alike = True
    try:
        if hasattr(os, "chown") and target.stat().st_gid != status.st_gid:
            os.chown(target, -1, status.st_gid)
        for name in _attributes(source):
            os.setxattr(target, name, os.getxattr(source, name))
    except OSError:
        is_alike = False
    target.chmod(stat.S_IMODE(status.st_mode))
    return is_alike


def _attributes(path: Path) -> Sequence[str]:
    try:
        return os.listxattr(path) if hasattr(os, "listxattr") else ()
    except OSError:  # there are none on this disk
        return ()


def _sync_directory(path: Path) -> None:
    if not hasattr(os, "O_DIRECTORY"):
        return
    with contextlib.suppress(OSError):
        handle = os.open(path, os.O_RDONLY | os.O_DIRECTORY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
