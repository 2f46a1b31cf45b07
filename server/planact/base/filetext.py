"""A text file as text, with what it takes to turn it back into the same bytes. Newlines are never translated."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class FileText:
    """Decoded content.

    Attributes:
        text: without a byte order mark, with its own line endings.
        encoding: Python codec name; `bytes` = unknown charset, decoded 1:1, where only ASCII may be put in.
        has_bom: whether the bytes begin with a byte order mark.
        sha256: of the bytes on disk, in hex; empty for a buffer that was never saved.
        version: the editor's version when the text comes from an open buffer, else None.
    """

    text: str
    encoding: str = "utf-8"
    has_bom: bool = False
    sha256: str = ""
    version: int | None = None
