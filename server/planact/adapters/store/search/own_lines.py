"""The lines of a file as they are in the workspace itself. The programs that search open files by their paths, which
another process may lead outside by a link, so no line is shown that isn't found here, too.
"""

import asyncio
import codecs
import os
from itertools import islice
from pathlib import Path
from typing import BinaryIO, Self

from planact.adapters.store.disk.atomic import read_regular
from planact.adapters.store.disk.pinned_folder import pinned_entry
from planact.adapters.store.search.large_files import LARGEST_FILE
from planact.base.filetext import decode_text

_READ = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
_WIDE = ((codecs.BOM_UTF16_LE, "utf-16-le"), (codecs.BOM_UTF16_BE, "utf-16-be"))


class LinesOnDisk:
    """The files of a folder, one after the other. Lines are as the programs that search read them."""

    def __init__(self, root: Path) -> None:
        self._root = root
        self._path = ""
        self._lines: list[str] | None = None
        self._large: BinaryIO | None = None
        self._read = 0

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        self._close()

    async def is_text(self, path: str) -> bool:
        """Go on with a file, and return whether it is text; False also where it can't be read."""
        if path != self._path:
            self._close()
            self._path = path
            try:
                await asyncio.to_thread(self._open)
            except OSError:
                self._lines = None
        return self._lines is not None

    async def line(self, number: int) -> str | None:
        """Return a line of the file; None where it has none of that number. In large files, numbers never get lower."""
        if self._large is not None:
            await asyncio.to_thread(self._go_to, number, self._large)
            number = 1 if number == self._read else 2
        lines = self._lines or []
        return lines[number - 1] if number <= len(lines) else None

    def _open(self) -> None:
        with pinned_entry(self._root, self._root / self._path) as pinned:
            if pinned.lstat().st_size > LARGEST_FILE:  # and has lines, or it isn't searched
                self._large = os.fdopen(os.open(pinned, _READ), "rb")
                self._lines = []
                return
            data = read_regular(pinned, LARGEST_FILE)
        self._lines = None if decode_text(data) is None else _lines(data)

    def _go_to(self, number: int, large: BinaryIO) -> None:
        for line in islice(large, max(0, number - self._read)):
            self._lines, self._read = _lines(line)[:1], self._read + 1

    def _close(self) -> None:
        if self._large is not None:
            self._large.close()
        self._lines, self._large, self._read = None, None, 0


def text_below(root: Path, path: str) -> str:
    """Return the text of a file; empty where it can't be read."""
    try:
        with pinned_entry(root, root / path) as pinned:
            file = decode_text(read_regular(pinned, LARGEST_FILE))
    except OSError:
        return ""
    return file.text if file else ""


def _lines(data: bytes) -> list[str]:
    for mark, encoding in _WIDE:
        if data.startswith(mark):
            return data[len(mark) :].decode(encoding, "replace").split("\n")
    return data.removeprefix(codecs.BOM_UTF8).decode("utf-8", "replace").split("\n")
