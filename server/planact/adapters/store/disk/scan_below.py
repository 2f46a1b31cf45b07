"""List folders below a root without following links on the way, also such as another process puts there meanwhile."""

import ctypes
import errno
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

_OPENAT2 = 437  # on every processor
_NO_SYMLINKS, _BENEATH = 0x04, 0x08
_FOLDER = os.O_RDONLY | getattr(os, "O_DIRECTORY", 0) | getattr(os, "O_CLOEXEC", 0)


class _HowToOpen(ctypes.Structure):
    _fields_ = (("flags", ctypes.c_uint64), ("mode", ctypes.c_uint64), ("resolve", ctypes.c_uint64))


_HOW = _HowToOpen(_FOLDER, 0, _NO_SYMLINKS | _BENEATH)


class FolderScanner:
    """Folders below `root`, which is the path of a folder without links. Where the kernel can't refuse links on the
    way (Linux before 5.6, other systems), a folder is opened by its path.
    """

    def __init__(self, root: Path) -> None:
        self._root = os.fspath(root)
        self._handle: int | None = None
        self._open_below = _open_below_by_kernel() if sys.platform == "linux" else None

    @contextmanager
    def entries(self, directory: str) -> Iterator[list["os.DirEntry[str]"]]:
        """Yield the entries of a directory (relative to the root, empty = the root), whose kinds can be asked for as
        long as the context lasts. Raises OSError.
        """
        handle = self._open(directory)
        if handle is None:
            with os.scandir(os.path.join(self._root, directory)) as scanned:  # noqa: PTH118 (speed)
                yield list(scanned)
            return
        try:
            with os.scandir(handle) as scanned:
                yield list(scanned)
        finally:
            os.close(handle)

    def close(self) -> None:
        if self._handle is not None:
            os.close(self._handle)
            self._handle = None

    def _open(self, directory: str) -> int | None:
        if self._open_below is None:
            return None
        if self._handle is None:
            self._handle = os.open(self._root, _FOLDER)
        try:
            return self._open_below(self._handle, os.fsencode(directory) or b".")
        except OSError as error:
            if error.errno not in (errno.ENOSYS, errno.EPERM):  # as old kernels and some containers say
                raise
            self._open_below = None
            return None


def _open_below_by_kernel() -> Callable[[int, bytes], int] | None:
    try:
        call: Any = ctypes.CDLL(None, use_errno=True).syscall
    except (OSError, AttributeError):
        return None

    def open_below(above: int, path: bytes) -> int:
        handle: int = call(_OPENAT2, above, path, ctypes.byref(_HOW), ctypes.sizeof(_HOW))
        if handle < 0:
            number = ctypes.get_errno()
            raise OSError(number, os.strerror(number))
        return handle

    return open_below
