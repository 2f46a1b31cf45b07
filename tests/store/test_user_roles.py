"""The user's own role files: whatever lies there, reading them ends."""

import os
from pathlib import Path

import pytest

from planact.adapters.store.user_roles import UserRoleFolder
from planact.base.errors import StorageFailure


def test_files_are_listed_and_read_as_they_are(tmp_path: Path) -> None:
    (tmp_path / "writer.md").write_text("Schön.", "utf-8")
    (tmp_path / "notes.txt").write_text("")
    (tmp_path / "elsewhere").write_text("kept elsewhere")
    (tmp_path / "linked.md").symlink_to(tmp_path / "elsewhere")
    roles = UserRoleFolder(tmp_path)
    assert roles.list() == ["elsewhere", "linked.md", "notes.txt", "writer.md"]
    assert (roles.read("writer.md"), roles.read("linked.md")) == ("Schön.", "kept elsewhere")
    assert roles.shown("writer.md") == str(tmp_path / "writer.md")


def test_where_there_is_no_folder_there_are_no_roles(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    for folder in (tmp_path / "none", tmp_path / "file"):
        assert (UserRoleFolder(folder).list(), UserRoleFolder(folder).read("a.md")) == ((), None)


@pytest.mark.parametrize("kind", ["huge", "fifo", "folder", "binary", "loop"])
def test_what_is_no_text_of_a_sensible_size_is_a_failure_that_names_it(tmp_path: Path, kind: str) -> None:
    path = tmp_path / "a.md"
    match kind:
        case "huge":
            path.write_bytes(b"x" * 200_000)
        case "fifo":
            os.mkfifo(path)
        case "folder":
            path.mkdir()
        case "binary":
            path.write_bytes(b"\xff\xfe")
        case "loop":
            path.symlink_to(path)
    with pytest.raises(StorageFailure, match=r"a\.md") as failure:
        UserRoleFolder(tmp_path).read("a.md")
    assert failure.value.hint
