"""Open documents: their texts, and which file each of them shows."""

import os
from pathlib import Path, PurePosixPath

import pytest
from lsprotocol import types

from planact.base.paths import Place
from planact.lsp.documents.open_documents import Document, Documents


def place(path: Path) -> Place:
    real = Path(os.path.realpath(path))
    return Place(str(path), real, PurePosixPath(real.name), real.exists())


def opened(documents: Documents, uri: str, text: str, version: int = 1) -> Document:
    documents.open(types.TextDocumentItem(uri, "text", version, text))
    document = documents.get(uri)
    assert document is not None
    return document


def change(documents: Documents, uri: str, version: int, *changes: types.TextDocumentContentChangeEvent) -> None:
    documents.change(types.VersionedTextDocumentIdentifier(version=version, uri=uri), changes)


def partial(start: tuple[int, int], end: tuple[int, int], text: str) -> types.TextDocumentContentChangePartial:
    return types.TextDocumentContentChangePartial(types.Range(types.Position(*start), types.Position(*end)), text)


def test_changes_apply_one_after_the_other() -> None:
    documents = Documents()
    opened(documents, "untitled:x", "a😀b\x0cc\r\nd")
    change(
        documents,
        "untitled:x",
        2,
        partial((0, 3), (0, 4), "B"),
        partial((0, 99), (1, 0), "\n"),
        partial((1, 0), (1, 0), "->"),
    )
    document = documents.get("untitled:x")
    assert document is not None
    assert (document.text, document.version) == ("a😀B\x0cc\n->d", 2)


def test_a_whole_text_can_be_sent_too() -> None:
    documents = Documents()
    opened(documents, "untitled:x", "a")
    change(documents, "untitled:x", 5, types.TextDocumentContentChangeWholeDocument("b"))
    assert [(document.text, document.version) for document in documents.all()] == [("b", 5)]


def test_a_change_of_what_is_not_open_changes_nothing() -> None:
    documents = Documents()
    change(documents, "untitled:x", 1, types.TextDocumentContentChangeWholeDocument("b"))
    assert documents.all() == ()


def test_listeners_hear_of_each_version() -> None:
    documents = Documents()
    heard: list[tuple[int, str]] = []
    documents.listeners.append(lambda document: heard.append((document.version, document.text)))
    opened(documents, "untitled:x", "a")
    change(documents, "untitled:x", 2, partial((0, 1), (0, 1), "b"))
    documents.close("untitled:x")
    assert heard == [(1, "a"), (2, "ab")]
    assert documents.get("untitled:x") is None


@pytest.mark.parametrize("uri", ["file:///a%20b%3A.plan", "file:///a b:.plan", "file:///a%20b:.plan"])
def test_a_uri_is_the_same_however_it_is_escaped(uri: str) -> None:
    documents = Documents()
    opened(documents, "file:///a%20b%3A.plan", "x")
    document = documents.get(uri)
    assert document is not None
    assert document.is_plan


def test_a_plan_is_parsed_once_for_each_version() -> None:
    documents = Documents()
    first = opened(documents, "untitled:a.plan", "# Do it")
    assert first.plan is first.plan
    assert first.plan.goal == "Do it"
    change(documents, "untitled:a.plan", 2, types.TextDocumentContentChangeWholeDocument("# Do that"))
    second = documents.get("untitled:a.plan")
    assert second is not None
    assert second.plan.goal == "Do that"


def test_a_file_is_found_by_where_it_really_is(tmp_path: Path) -> None:
    documents = Documents()
    (tmp_path / "real").mkdir()
    (tmp_path / "real" / "x").write_text("x")
    (tmp_path / "link").symlink_to(tmp_path / "real")
    (tmp_path / "hard").hardlink_to(tmp_path / "real" / "x")
    document = opened(documents, (tmp_path / "link" / "x").as_uri(), "x")
    assert documents.at(place(tmp_path / "real" / "x")) is document
    assert documents.at(place(tmp_path / "hard")) is document
    assert documents.at(place(tmp_path / "real" / "y")) is None
    assert documents.below(place(tmp_path / "real")) == (document,)
    assert documents.below(place(tmp_path / "rea")) == ()


def test_a_new_file_behind_a_link_is_found(tmp_path: Path) -> None:
    documents = Documents()
    (tmp_path / "real").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "real")
    document = opened(documents, (tmp_path / "link" / "new").as_uri(), "x")
    assert documents.at(place(tmp_path / "real" / "new")) is document


def test_a_link_that_leads_elsewhere_now_is_followed_anew(tmp_path: Path) -> None:
    documents = Documents()
    for name in ("one", "two"):
        (tmp_path / name).write_text(name)
    (tmp_path / "link").symlink_to(tmp_path / "one")
    document = opened(documents, (tmp_path / "link").as_uri(), "one")
    assert documents.at(place(tmp_path / "one")) is document
    (tmp_path / "link").unlink()
    (tmp_path / "link").symlink_to(tmp_path / "two")
    assert documents.at(place(tmp_path / "one")) is None
    assert documents.at(place(tmp_path / "two")) is document


@pytest.mark.parametrize(
    ("data", "text", "is_dirty"),
    [
        (b"x\n", "x\n", False),
        (b"x\r\ny", "x\ny\n", False),
        (b"\xef\xbb\xbfx", "x", False),
        ("é".encode("latin-1"), "é", False),
        ("é".encode("utf-16"), "é", False),
        (b"x", "y", True),
        (b"x", "x\n\n", True),
        (None, "", True),
    ],
)
def test_a_document_is_dirty_when_the_disk_shows_another_text(
    tmp_path: Path, data: bytes | None, text: str, is_dirty: bool
) -> None:
    path = tmp_path / "x"
    if data is not None:
        path.write_bytes(data)
    documents = Documents()
    assert documents.is_dirty(opened(documents, path.as_uri(), text)) is is_dirty


def test_a_pipe_is_never_read(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    documents = Documents()
    opened(documents, (tmp_path / "pipe").as_uri(), "x")
    buffer = documents.buffer(place(tmp_path / "pipe"))
    assert buffer is not None
    assert (buffer.text, buffer.sha256) == ("x", "")
