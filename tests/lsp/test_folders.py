"""Which folders are open, and which of them is meant."""

from pathlib import Path

import pytest
from lsprotocol import types

from planact.base.errors import InvalidInput, NotFound
from planact.lsp.host.folders import Folders


def change(folders: Folders, added: tuple[Path, ...] = (), removed: tuple[Path, ...] = ()) -> tuple[list[Path], ...]:
    event = types.WorkspaceFoldersChangeEvent(
        [types.WorkspaceFolder(path.as_uri(), path.name) for path in added],
        [types.WorkspaceFolder(path.as_uri(), path.name) for path in removed],
    )
    return folders.change(event)


def test_the_first_is_meant_where_none_is_named(tmp_path: Path) -> None:
    folders = Folders()
    one, two = tmp_path / "one", tmp_path / "two"
    with pytest.raises(NotFound, match="no folder is open"):
        folders.named("")
    change(folders, (one, two))
    assert (folders.named(""), folders.named(two.as_uri())) == (one, two)
    with pytest.raises(NotFound, match="is not a workspace folder"):
        folders.named((tmp_path / "three").as_uri())
    change(folders, removed=(one,))
    assert folders.named("") == two


@pytest.mark.parametrize(
    ("path", "uri", "meant"),
    [
        ("/old one/100%25", None, ["/old one/100%25"]),
        ("/old", "file:///new", ["/new"]),
        ("old", None, []),
        ("/half/\ud800", None, []),
        ("/nul/\0", None, []),
    ],
)
def test_an_old_client_names_its_folder_by_a_path(path: str, uri: str | None, meant: list[str]) -> None:
    folders = Folders()
    folders.initialize(types.InitializeParams(types.ClientCapabilities(), root_path=path, root_uri=uri))
    assert [root.as_posix() for root in folders.roots] == meant


def test_a_document_whose_name_is_not_utf_8_is_told() -> None:
    folders = Folders()
    change(folders, (Path("/strange\udcff"),))
    assert folders.containing("file:///strange%FF/a.plan")[0] == Path("/strange\udcff")
    with pytest.raises(InvalidInput, match="is not UTF-8") as told:
        folders.containing("file:///strange%FF/%FF.plan")
    assert told.value.code == "FILE_UNREADABLE"


def test_a_document_is_in_the_innermost_folder(tmp_path: Path) -> None:
    folders = Folders()
    inner = tmp_path / "inner"
    change(folders, (tmp_path, inner))
    assert folders.containing((inner / "a.txt").as_uri()) == (inner, inner / "a.txt")
    assert folders.containing((tmp_path / "a.txt").as_uri())[0] == tmp_path
    for uri in ("untitled:Untitled-1", tmp_path.parent.as_uri()):
        with pytest.raises(InvalidInput):
            folders.containing(uri)


def test_a_folder_is_left_with_the_last_of_its_names(tmp_path: Path) -> None:
    folders = Folders()
    real, link = (tmp_path / "real").resolve(), tmp_path / "link"
    real.mkdir()
    link.symlink_to(real)
    assert change(folders, (real, link)) == ([real, link], [])
    assert change(folders, removed=(real,)) == ([], [])
    assert folders.client_path(real) == link
    assert change(folders, removed=(link,)) == ([], [real])


def test_a_folder_is_told_apart_only_where_there_are_several(tmp_path: Path) -> None:
    folders = Folders()
    one, two = tmp_path / "one", tmp_path / "two"
    change(folders, (one,))
    assert folders.label(one) == ""
    change(folders, (two,))
    assert (folders.label(one), folders.label(two)) == ("one", "two")
