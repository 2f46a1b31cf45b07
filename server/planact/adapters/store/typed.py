"""What the user typed at the terminal, to be found again: JSON texts, one a line, for the user alone, without secrets.

A convenience: what can't be read or written is left out, and stops nothing.
"""

import contextlib
import json
import os
from collections.abc import Callable, Sequence
from pathlib import Path

from planact.adapters.store.lock import open_private
from planact.base.errors import StorageFailure

MOST = 1_000
"""So many texts are kept."""

_LONGEST = 10_000
_LARGEST = 4_000_000
"""Characters of a text, and bytes of a file that is looked at: its end counts."""


class TypedTexts:
    """The file at `path`, which several terminals may write to."""

    def __init__(self, path: Path, redact: Callable[[str], str]) -> None:
        self._path = path
        self._redact = redact

    def list(self) -> Sequence[str]:
        """The texts, the oldest first, each once, where it was typed last."""
        try:
            with self._path.open("rb") as file:
                file.seek(max(0, os.fstat(file.fileno()).st_size - _LARGEST))
                lines = file.read().decode("utf-8", "replace").splitlines()
        except OSError:
            return ()
        texts = [text for line in lines if (text := _text(line))]
        kept = [*dict.fromkeys(reversed(texts))][:MOST]
        return kept[::-1]

    def add(self, text: str) -> None:
        """Keep a text."""
        line = json.dumps(self._redact(text[:_LONGEST]), ensure_ascii=True)
        with contextlib.suppress(StorageFailure, OSError):
            descriptor = open_private(self._path)
            try:
                if os.fstat(descriptor).st_size > _LARGEST:
                    self._shorten()
                os.lseek(descriptor, 0, os.SEEK_END)
                os.write(descriptor, f"{line}\n".encode())
            finally:
                os.close(descriptor)

    def _shorten(self) -> None:
        """In place, since others write here too: what they add meanwhile may be lost."""
        kept = "".join(f"{json.dumps(text, ensure_ascii=True)}\n" for text in self.list())
        self._path.write_text(kept, "utf-8")


def _text(line: str) -> str:
    try:
        text = json.loads(line)
    except (ValueError, RecursionError):
        return ""
    return text if isinstance(text, str) else ""
