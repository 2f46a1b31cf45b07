"""A text file as text, with the facts that turn it back into the same bytes. Newlines are never translated.

No charset is ever guessed: bytes that no byte order mark, UTF-8 or declaration explains are carried one by one.
"""

import codecs
import hashlib
import itertools
import re
from collections import Counter, deque
from dataclasses import dataclass, replace

from planact.base.errors import EditFailure


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


BYTE_ORDER_MARK = "\ufeff"
"""No part of a text, which its file keeps or lacks."""

# The mark of UTF-32 LE begins with that of UTF-16 LE, so it comes first.
_MARKS = {
    "utf-32-le": codecs.BOM_UTF32_LE,
    "utf-32-be": codecs.BOM_UTF32_BE,
    "utf-8": codecs.BOM_UTF8,
    "utf-16-le": codecs.BOM_UTF16_LE,
    "utf-16-be": codecs.BOM_UTF16_BE,
}

_DECLARATIONS = (
    re.compile(rb"\A(?:[^\r\n]*(?:\r\n|\r|\n))?[ \t\f]*#[^\r\n]*?coding[:=][ \t]*([-\w.]{1,40})"),
    re.compile(rb"\A\s*<\?xml\s[^>]{0,200}?\bencoding\s*=\s*[\"']([-\w.]{1,40})[\"']"),
    re.compile(rb"\A@charset \"([-\w.]{1,40})\";"),
    re.compile(rb"<meta\s[^>]{0,200}?\bcharset\s*=\s*[\"']?([-\w.]{1,40})", re.IGNORECASE),
)
_DECLARED_WITHIN = 1024

# Only codecs for text, and none that keeps state between characters.
_DECLARABLE = re.compile(
    r"big5(hkscs)?|cp(125\d|437|85\d|866|874|932|949|950)|euc_(jp|kr)|gb(18030|2312|k)|iso8859-\d+|johab|koi8-[ru]|"
    r"mac-roman|shift_jis|tis-620"
)

_LINE_END = re.compile(r"\r\n|\n|\r")
_INDENT = re.compile(r"^([ \t]*)\S", re.MULTILINE)


_REMEMBERED = range(100_000, 10_000_000)
_digests: deque[tuple[bytes, str]] = deque(maxlen=2)


def digest_of(data: bytes) -> str:
    """Return the SHA-256 (hex) of a file's bytes. Those of the last large ones are remembered: a run looks six times at
    its plan for each mark.
    """
    is_large = len(data) in _REMEMBERED
    for known, digest in tuple(_digests) if is_large else ():
        if known == data:
            return digest
    digest = hashlib.sha256(data).hexdigest()
    if is_large:
        _digests.append((data, digest))
    return digest


def decode_text(data: bytes) -> FileText | None:
    """Return the text in `data`, or None when it is binary (has NUL characters)."""
    file = _decode(data)
    return file and replace(file, sha256=digest_of(data))


def _decode(data: bytes) -> FileText | None:
    """`decode_text` without the hash."""
    for encoding, mark in _MARKS.items():
        if data.startswith(mark):
            text = _strictly(data[len(mark) :], encoding)
            if text is not None and "\0" not in text:
                return FileText(text, encoding, has_bom=True)
    if b"\0" in data:
        return None
    for encoding in ("utf-8", _declared(data)):
        text = _strictly(data, encoding) if encoding else None
        if text is not None:
            return FileText(text, encoding)
    return FileText(data.decode("latin-1"), "bytes")


def fingerprint(file: FileText) -> str:
    """SHA-256 (hex) of the bytes that saving the text would give."""
    try:
        data = encode(file, file.text)
    except EditFailure:  # nothing that could be saved; still it must not look like anything else
        data = file.text.encode("utf-8", "surrogatepass")
    return digest_of(data)


def encode(file: FileText, text: str) -> bytes:
    """Return the bytes of `file` with its text changed to `text`.

    Raises:
        EditFailure: EDIT_REFUSED when the file's encoding can't hold `text`, which then would not be read back as
            it was written.
    """
    if file.encoding == "bytes":
        return _encode_bytes(file, text)
    mark = _MARKS[file.encoding] if file.has_bom else b""
    try:
        data = mark + text.encode(file.encoding)
    except UnicodeEncodeError as error:
        raise _refusal(f"{text[error.start : error.end][:8]!r} can't be written in {file.encoding}") from error
    if file.encoding == "utf-8" and "\0" not in text and (file.has_bom or not text.startswith(BYTE_ORDER_MARK)):
        return data
    again = _decode(data)
    if again is None or again.text != text:
        raise _refusal(f"the text would not be read back as {file.encoding} as it was written")
    if again.encoding != file.encoding and not text.isascii():
        raise _refusal(f"the file declares another charset after the edit, and its bytes are {file.encoding}")
    return data


def newline(text: str) -> str:
    r"""The line ending that `text` uses most, `\n` where there's a tie; empty when it has none."""
    counts = Counter(_LINE_END.findall(text))
    return max(("\n", "\r\n", "\r"), key=lambda end: counts[end]) if counts else ""


def line_ending(text: str) -> str:
    """Return the kind of line ends, for people: `LF`, `CRLF`, `CR`, `mixed` or `none`."""
    kinds = set(_LINE_END.findall(text))
    if len(kinds) > 1:
        return "mixed"
    return {"\n": "LF", "\r\n": "CRLF", "\r": "CR", "": "none"}["".join(kinds)]


def indent(text: str) -> str:
    """Return the indentation, for people: `tabs`, `4 spaces` (any number), `mixed` or `none`."""
    found = _INDENT.findall(text)
    tabs = sum(blanks.startswith("\t") for blanks in found)
    spaces = sum(blanks.startswith(" ") for blanks in found)
    if 10 * min(tabs, spaces) > tabs + spaces:
        return "mixed"
    if tabs > spaces:
        return "tabs"
    widths = [0, *(len(blanks) for blanks in found if not blanks.startswith("\t"))]
    steps = Counter(after - before for before, after in itertools.pairwise(widths) if after - before > 1)
    return f"{steps.most_common(1)[0][0]} spaces" if steps else "none"


def _strictly(data: bytes, encoding: str) -> str | None:
    """Return the text, if encoding it again gives the same bytes."""
    try:
        text = data.decode(encoding)
        return text if encoding == "utf-8" or text.encode(encoding) == data else None
    except UnicodeError:
        return None


def _declared(data: bytes) -> str:
    head = data[:_DECLARED_WITHIN]
    for declaration in _DECLARATIONS:
        if found := declaration.search(head):
            try:
                name = codecs.lookup(found[1].decode("ascii")).name
            except (LookupError, UnicodeError):
                continue
            if _DECLARABLE.fullmatch(name):
                return name
    return ""


def _encode_bytes(file: FileText, text: str) -> bytes:
    foreign = Counter(_beyond_ascii(text)) - Counter(_beyond_ascii(file.text))
    if foreign or "\0" in text:
        what = repr(next(iter(foreign), "\0"))
        raise _refusal(f"{what} can't be written: the file's charset is unknown, so only ASCII can be added")
    return text.encode("latin-1")


def _beyond_ascii(text: str) -> list[str]:
    return [] if text.isascii() else [character for character in text if character > "\x7f"]


def _refusal(message: str) -> EditFailure:
    return EditFailure("EDIT_REFUSED", message, "Use only characters that the file's encoding has")
