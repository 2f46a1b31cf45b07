"""Conversion between spans of code points and positions in the client's encoding, and between paths and URIs.

pygls' own conversion is not used: it ends lines where LSP doesn't (form feeds, U+2028), and misplaces positions beyond
the end of a line.
"""

import os
import re
from bisect import bisect_right
from collections.abc import Sequence
from pathlib import PurePath, PurePosixPath, PureWindowsPath
from urllib.parse import quote, unquote, unquote_to_bytes

from lsprotocol import types

from planact.base.positions import Encoding, units_of
from planact.base.span import Span, line_spans

REVISION_SCHEME = "planact-revision"
"""Scheme of read-only documents: earlier texts of plans."""

CONTENT_SCHEME = "planact-file"
"""Scheme of read-only documents: earlier contents of files."""

_SHA256 = re.compile(r"(?:[0-9a-f]{64})?")


class TextIndex:
    """Converts places of one text, whose lines may be known already."""

    def __init__(self, text: str, encoding: Encoding, lines: Sequence[Span] = ()) -> None:
        self._text = text
        self._encoding = encoding
        self._lines = lines or line_spans(text)
        self._starts = [line.start for line in self._lines]

    def position(self, offset: int) -> types.Position:
        """Return the position of `offset`; inside a line's end it is the end of the line."""
        number = self.line(offset)
        line = self._lines[number]
        return types.Position(number, units_of(self._text[line.start : min(offset, line.end)], self._encoding))

    def line(self, offset: int) -> int:
        """Return the number, from 0, of the line that `offset` lies in."""
        return max(bisect_right(self._starts, offset) - 1, 0)

    def line_span(self, number: int) -> Span:
        """Return the line with that number, from 1; the last one for a number that is too high."""
        return self._lines[min(number, len(self._lines)) - 1]

    def range(self, span: Span) -> types.Range:
        """Return the range of `span`."""
        return types.Range(self.position(span.start), self.position(span.end))

    def offset(self, position: types.Position) -> int:
        """Return the offset of a position; beyond a line's end it is the end, inside a character its beginning."""
        if len(self._lines) <= position.line:
            return len(self._text)
        line = self._lines[position.line]
        text = self._text[line.start : line.end]
        if self._encoding == "utf-32" or text.isascii():
            return line.start + min(position.character, len(text))
        units = 0
        for index, character in enumerate(text):
            units += units_of(character, self._encoding)
            if position.character < units:
                return line.start + index
        return line.end

    def span(self, range_: types.Range) -> Span:
        """Return the span of a range; one that ends before it begins is empty."""
        start = self.offset(range_.start)
        return Span(start, max(start, self.offset(range_.end)))


def path_of(uri: str, *, is_windows: bool = os.name == "nt") -> PurePath | None:
    """Return the path that a `file:` URI names, links not followed; None for other schemes and machines."""
    scheme, colon, rest = uri.partition(":")
    if not colon or scheme.lower() != "file":
        return None
    host = ""
    if rest.startswith("//"):
        host, slash, path = rest[2:].partition("/")
        rest = slash + path
    # `?` and `#` are kept: they are parts of file names that a client forgot to escape.
    try:
        path = os.fsdecode(unquote_to_bytes(rest))
    except UnicodeEncodeError:  # half a character, which no path has
        return None
    if not path.startswith("/") or "\0" in path:
        return None
    is_here = host.lower() in ("", "localhost")
    if is_windows:
        return PureWindowsPath(path[1:] if is_here else f"//{host}{path}")
    return PurePosixPath(path) if is_here else None


def uri_of(path: PurePath) -> str:
    """Return the URI of an absolute path."""
    return path.as_uri()


def revision_uri(uri: str, number: int) -> str:
    """Return the URI under which a client reads revision `number` of the plan in the file at `uri`."""
    return f"{REVISION_SCHEME}:{uri.partition(':')[2]}?{number}"


def parse_revision_uri(uri: str) -> tuple[str, int] | None:
    """Return the URI of the plan's file and the revision's number; None for URIs not made by `revision_uri`."""
    scheme, _, rest = uri.partition(":")
    path, mark, number = rest.rpartition("?")
    is_one = scheme == REVISION_SCHEME and mark and number.isdecimal() and len(number) < 10
    return (f"file:{path}", int(number)) if is_one else None


def content_uri(path: str, sha256: str) -> str:
    """Return the URI under which a client reads the content that the file at `path`, relative to its folder, had with
    that SHA-256 (hex); empty = there was no file.
    """
    return f"{CONTENT_SCHEME}:/{quote(path)}?{sha256}"


def parse_content_uri(uri: str) -> tuple[str, str] | None:
    """Return the path and the SHA-256; None for other URIs than `content_uri` makes."""
    scheme, _, rest = uri.partition(":")
    path, _, sha256 = rest.partition("?")
    is_one = scheme == CONTENT_SCHEME and path.startswith("/") and _SHA256.fullmatch(sha256)
    return (unquote(path.lstrip("/")), sha256) if is_one else None
