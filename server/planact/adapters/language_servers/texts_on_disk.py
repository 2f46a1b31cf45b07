"""Texts of files that a language server was shown before, as they are on disk now."""

import os
import stat
from collections.abc import Iterable, Mapping
from pathlib import Path

from planact.base.filetext import decode_text

_LARGEST = 10_000_000
# Not every system has these; where they're missing, the checks by path have to do.
_FLAGS = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_CLOEXEC", 0)


def texts_on_disk(root: Path, paths: Iterable[str]) -> Mapping[str, str | None]:
    """Return the texts by path; None for one that is gone, or in whose place something else stands. A command may have
    put a link there, to what the server mustn't see, or a pipe, which would be waited for.
    """
    real = os.path.realpath(root)
    return {path: _text_of(os.path.join(real, path)) for path in paths}  # noqa: PTH118 - `realpath` is a text


def _text_of(path: str) -> str | None:
    try:
        if os.path.realpath(path) != path or not stat.S_ISREG(os.lstat(path).st_mode):
            return None
        with open(os.open(path, _FLAGS | getattr(os, "O_BINARY", 0)), "rb") as stream:  # noqa: PTH123 - a handle
            is_file = stat.S_ISREG(os.fstat(stream.fileno()).st_mode)
            data = stream.read(_LARGEST + 1) if is_file else b""
    except (OSError, ValueError):
        return None
    file = decode_text(data) if is_file and len(data) <= _LARGEST else None
    return file.text if file else None
