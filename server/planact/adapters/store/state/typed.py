"""The history of the terminal's prompt: JSON texts, one a line, for the user alone, without secrets.

Lines that can't be read or written are left out: no work depends on them.
"""

import contextlib
import json
import os
from collections.abc import Callable, Sequence
from pathlib import Path

from planact.adapters.store.disk.lock import open_private
from planact.base.errors import StorageFailure

MAX_TYPED_TEXTS = 1_000
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
        """Return the texts, the oldest first, each once, at its last place."""
        try:
            with self._path.open("rb") as file:
                file.seek(max(0, os.fstat(file.fileno()).st_size - _LARGEST))
                lines = file.read().decode("utf-8", "replace").splitlines()
        except OSError:
            return ()
        texts = [text for line in lines if (text := _text(line))]
        kept = [*dict.fromkeys(reversed(texts))][:MAX_TYPED_TEXTS]
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
        """Rewrite the file in place, since others write here too: texts that they add meanwhile may be lost."""
        kept = "".join(f"{json.dumps(text, ensure_ascii=True)}\n" for text in self.list())
        self._path.write_text(kept, "utf-8")


def _text(line: str) -> str:
    try:
        text = json.loads(line)
    except (ValueError, RecursionError):
        return ""
    return text if isinstance(text, str) else ""
