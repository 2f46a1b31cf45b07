"""The text of what a server sent: pages as Markdown, which a process of its own makes, and other texts as they are."""

import asyncio
import codecs
import re
import sys
from email.message import Message
from subprocess import DEVNULL, PIPE

from planact.base.errors import PageFailure
from planact.base.text import counted

MOST_CHARACTERS = 100_000
"""Characters of a page that are read."""

_SECONDS = 10.0
_PAGES = ("text/html", "application/xhtml+xml")
_TEXTS = ("application/json", "application/xml", "application/javascript", "application/x-yaml", "application/toml")
_MOST_OF_KIND = 1_000  # characters; Python takes time in proportion to the square of the length
_CHARACTER_SETS = re.compile(
    r"ascii|utf-(?:8|8-sig|7|16|32)(?:-[lb]e)?|iso8859-\d+|cp\d+|koi8-\w|mac-\w+|gb2312|gbk|gb18030|hz|big5(?:hkscs)?"
    r"|euc_\w+|iso2022_\w+|shift_jis\w*|johab|tis-620|ptcp154"
)
"""Character sets, by Python's name. Its other encodings do more: one takes hours for a page (`punycode`)."""


async def page_text(data: bytes, content_type: str, address: str) -> tuple[str, bool]:
    """Return the text of a page and whether it was cut.

    Raises:
        PageFailure: PAGE_NOT_FETCHED, where it isn't text, or has none.
    """
    kind, charset = _kind(content_type)
    if kind in _PAGES or (not kind and b"<html" in data[:1_000].lower()):
        text = await _markdown(data, charset, address)
    elif kind.startswith("text/") or kind in _TEXTS or kind.endswith(("+json", "+xml")):
        text = data.decode(charset or "utf-8", "replace")
    else:
        raise not_fetched(
            address, f"is no text but {kind[:60] or 'of no kind that it names'} ({counted(len(data), 'byte')})"
        )
    if not text.strip():
        raise not_fetched(address, "has no text; it may need a browser that runs its scripts")
    return text[:MOST_CHARACTERS], len(text) > MOST_CHARACTERS


def _kind(content_type: str) -> tuple[str, str]:
    """Return the media type and the character set, each empty where it isn't named."""
    header = Message()
    header["content-type"] = " ".join(content_type[:_MOST_OF_KIND].split()) or "text/x-unknown"
    kind = header.get_content_type()
    try:
        charset = str(header.get_content_charset(""))
    except (TypeError, ValueError):  # parts of one value that are numbered in no order
        charset = ""
    return ("" if kind == "text/x-unknown" else kind), _known(charset)


def _known(charset: str) -> str:
    """Return the name of a character set; empty where it is none."""
    try:
        name = codecs.lookup(charset).name
    except (LookupError, ValueError):
        return ""
    return name if _CHARACTER_SETS.fullmatch(name) else ""


async def _markdown(data: bytes, charset: str, address: str) -> str:
    """Have another process read the page, so that one that is made to take forever takes only that process."""
    program = (
        sys.executable,
        "-P",
        "-m",
        "planact.adapters.web.to_markdown",
        address,
        charset,
        str(MOST_CHARACTERS + 1),
    )
    process = await asyncio.create_subprocess_exec(*program, stdin=PIPE, stdout=PIPE, stderr=DEVNULL)
    try:
        async with asyncio.timeout(_SECONDS):
            text, _ = await process.communicate(data)
    except TimeoutError as error:
        raise not_fetched(address, f"takes longer than {_SECONDS:g} seconds to read") from error
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()
    if process.returncode != 0:
        raise not_fetched(address, "can't be read as a page")
    return text.decode("utf-8", "replace")


def not_fetched(address: str, cause: str) -> PageFailure:
    """Return the failure of one page; `cause` goes on the sentence that begins with its address."""
    return PageFailure("PAGE_NOT_FETCHED", f"{address} {cause}", "Try another page, or go on without it.")
