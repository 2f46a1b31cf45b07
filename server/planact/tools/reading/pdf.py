"""Pages of a PDF file as text."""

import re
from collections.abc import Iterator

from planact.base.errors import InvalidInput
from planact.base.text import without_controls
from planact.model.file import PdfText
from planact.tools.read_access import ReadAccess

_SUFFIX = ".pdf"
_MAGIC = b"%PDF-"
_MAGIC_WITHIN = 1024


async def read_pages(path: str, pages: str, limit: int, access: ReadAccess) -> str | None:
    """Return pages of a PDF file (`3`, `3-7`, empty = all) in about `limit` characters; None where it is none.

    Raises:
        InvalidInput: INVALID_ARGUMENTS, where there are no such pages; FILE_UNREADABLE, where they have no text.
    """
    if not path.lower().endswith(_SUFFIX):
        return None
    data = await access.read_bytes(path)
    if _MAGIC not in data[:_MAGIC_WITHIN]:
        return None
    first, last = _range(pages)
    found = await access.pdf_text(path, data, first, last)
    end = min(last or found.count, found.count)
    if first > end:
        message = f"{path} has {found.count} pages, and {pages} is none of them"
        raise InvalidInput("INVALID_ARGUMENTS", message, "Name pages that are there.")
    if not any(text.strip() for text in found.texts):
        shown = f"{first}-{first + len(found.texts) - 1}"
        message = f"pages {shown} of {path} have no text: they may be pictures"
        raise InvalidInput("FILE_UNREADABLE", message, "Name other pages, or ask the user for the text.")
    return "\n".join(_shown(path, found, first, end, limit))


def _range(pages: str) -> tuple[int, int | None]:
    named = re.fullmatch(r"([0-9]{1,6})(?:-([0-9]{1,6}))?", pages)
    if named is None:
        return 1, None
    return max(1, int(named[1])), int(named[2] or named[1])


def _shown(path: str, found: PdfText, first: int, end: int, limit: int) -> Iterator[str]:
    room, kept = limit, list[str]()
    for text in map(without_controls, found.texts):
        if kept and len(text) > room:
            break
        cut = f"\n[… {len(text) - limit} more characters of this page]" if len(text) > limit else ""
        kept.append(f"{text[:limit]}{cut}")
        room -= len(text)
    last = first + len(kept) - 1
    yield f"{path}: pages {first}-{last} of {found.count}, their text alone"
    for number, text in enumerate(kept, first):
        yield f"--- page {number}"
        yield text.strip() or "(no text: it may be a picture)"
    if last < end:
        yield f"… read on from page {last + 1}"
