"""Spans and positions, paths and URIs."""

from pathlib import PurePath, PurePosixPath, PureWindowsPath

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lsprotocol import types

from planact.base.positions import Encoding
from planact.base.span import Span
from planact.lsp.documents.convert import TextIndex, path_of, uri_of

ENCODINGS: tuple[Encoding, ...] = ("utf-8", "utf-16", "utf-32")
TEXT = st.text(st.sampled_from("aä€😀\n\r\t \x0b\x0c\x85\u2028\ud83d"), max_size=40)


@pytest.mark.parametrize(
    ("text", "offset", "expected"),
    [
        pytest.param("a😀b", 2, {"utf-8": (0, 5), "utf-16": (0, 3), "utf-32": (0, 2)}, id="after an astral character"),
        pytest.param("€ä\nä", 4, {"utf-8": (1, 2), "utf-16": (1, 1), "utf-32": (1, 1)}, id="second line"),
        pytest.param("a\r\nb\rc", 5, dict.fromkeys(ENCODINGS, (2, 0)), id="all three line ends"),
        pytest.param("a\r\nb", 2, dict.fromkeys(ENCODINGS, (0, 1)), id="inside a line end"),
        pytest.param("a\x0c\u2028b", 3, {"utf-8": (0, 5), "utf-16": (0, 3), "utf-32": (0, 3)}, id="no line ends"),
        pytest.param("", 0, dict.fromkeys(ENCODINGS, (0, 0)), id="empty"),
        pytest.param("a\n", 2, dict.fromkeys(ENCODINGS, (1, 0)), id="after the last line end"),
    ],
)
def test_an_offset_is_seen_at(text: str, offset: int, expected: dict[Encoding, tuple[int, int]]) -> None:
    seen = {encoding: TextIndex(text, encoding).position(offset) for encoding in ENCODINGS}
    assert {encoding: (at.line, at.character) for encoding, at in seen.items()} == expected


@pytest.mark.parametrize(
    ("text", "position", "encoding", "offset"),
    [
        pytest.param("ab\ncd", (0, 99), "utf-16", 2, id="beyond a line"),
        pytest.param("ab\ncd", (1, 99), "utf-16", 5, id="beyond the last line"),
        pytest.param("ab\r\ncd", (0, 3), "utf-16", 2, id="beyond a line that ends in two characters"),
        pytest.param("ä\ncd", (0, 99), "utf-8", 1, id="beyond a wide line"),
        pytest.param("ab", (7, 0), "utf-8", 2, id="beyond the text"),
        pytest.param("a😀b", (0, 2), "utf-16", 1, id="inside a character"),
        pytest.param("a😀b", (0, 3), "utf-8", 1, id="deeper inside a character"),
    ],
)
def test_a_position_means(text: str, position: tuple[int, int], encoding: Encoding, offset: int) -> None:
    assert TextIndex(text, encoding).offset(types.Position(*position)) == offset


@given(TEXT, st.sampled_from(ENCODINGS), st.data())
def test_an_offset_survives_the_way_there_and_back(text: str, encoding: Encoding, data: st.DataObject) -> None:
    offset = data.draw(st.integers(0, len(text)))
    index = TextIndex(text, encoding)
    # Between the two characters of a line end there is no position.
    expected = offset - 1 if text[offset - 1 : offset + 1] == "\r\n" and offset else offset
    assert index.offset(index.position(offset)) == expected


@given(TEXT, st.sampled_from(ENCODINGS), st.integers(0, 50), st.integers(0, 50))
def test_any_position_means_some_place_in_the_text(text: str, encoding: Encoding, line: int, character: int) -> None:
    assert 0 <= TextIndex(text, encoding).offset(types.Position(line, character)) <= len(text)


def test_spans_and_ranges() -> None:
    index = TextIndex("one\n😀two", "utf-16")
    assert index.range(Span(1, 5)) == types.Range(types.Position(0, 1), types.Position(1, 2))
    assert index.span(types.Range(types.Position(0, 1), types.Position(1, 2))) == Span(1, 5)
    assert index.span(types.Range(types.Position(1, 0), types.Position(0, 0))) == Span(4, 4)


@pytest.mark.parametrize(
    ("uri", "path"),
    [
        ("file:///home/a%20b/%C3%A9.py", PurePosixPath("/home/a b/é.py")),
        ("file:///home/a b/é.py", PurePosixPath("/home/a b/é.py")),
        ("FILE://localhost/x", PurePosixPath("/x")),
        ("file:/x", PurePosixPath("/x")),
        ("file:///c%23.py", PurePosixPath("/c#.py")),
        ("file:///c#?.py", PurePosixPath("/c#?.py")),
        ("file:///100%25", PurePosixPath("/100%")),
        ("file:///%FF", PurePosixPath("/\udcff")),
        ("file://server/share/x", None),
        ("file:///a%00b", None),
        ("file:///half/\ud800.py", None),
        ("file:relative", None),
        ("file:", None),
        ("untitled:Untitled-1", None),
        ("vscode-notebook-cell:/x/a.ipynb#W0", None),
        ("git:/x/a.py?ref", None),
        ("", None),
        ("/x", None),
    ],
)
def test_a_uri_names_a_path(uri: str, path: PurePath | None) -> None:
    assert path_of(uri, is_windows=False) == path


@pytest.mark.parametrize(
    ("uri", "path"),
    [
        ("file:///c%3A/a%20b/x.py", PureWindowsPath("c:/a b/x.py")),
        ("file:///C:/x.py", PureWindowsPath("c:/x.py")),
        ("file://server/share/x.py", PureWindowsPath("//server/share/x.py")),
    ],
)
def test_a_uri_names_a_path_on_windows(uri: str, path: PureWindowsPath) -> None:
    assert path_of(uri, is_windows=True) == path


@pytest.mark.parametrize("path", ["/a b/é😀.py", "/100%", "/c#?.py", "/\udcff"])
def test_a_path_survives_the_way_there_and_back(path: str) -> None:
    assert path_of(uri_of(PurePosixPath(path)), is_windows=False) == PurePosixPath(path)
