"""What a command makes of files, folders and links is put back whole, or nothing is."""

import shutil
import subprocess
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

from planact.adapters.store.git import trial
from planact.adapters.store.git.file_states import Budget
from planact.base.errors import EditFailure
from planact.model.runs.touch import Touch
from tests.fakes.world import World
from tests.workflows.discarded import discard, shown, undo_of


@pytest.fixture
def root(tmp_path: Path) -> Path:
    for path, data, mode in (
        ("a", b"one\n", 0o644),
        ("d/f", b"two\r\n", 0o755),
        ("d/sub/g", b"\0\xff", 0o600),
        ("other/f", b"theirs\n", 0o644),
    ):
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_bytes(data)
        (tmp_path / path).chmod(mode)
    (tmp_path / "d/sub").chmod(0o700)
    (tmp_path / "empty").mkdir(0o750)
    (tmp_path / "link").symlink_to("other")
    (tmp_path / "twin").hardlink_to(tmp_path / "a")
    return tmp_path


def folder_to_file(root: Path) -> None:
    shutil.rmtree(root / "d")
    (root / "d").write_bytes(b"a file\n")


def folder_to_link(root: Path) -> None:
    shutil.rmtree(root / "d")
    (root / "d").symlink_to("other")


def file_to_folder(root: Path) -> None:
    (root / "a").unlink()
    (root / "a/deep/er").mkdir(parents=True)
    (root / "a/deep/er/x").write_bytes(b"x")


def link_to_folder(root: Path) -> None:
    (root / "link").unlink()
    (root / "link/deep").mkdir(parents=True)
    (root / "link/deep/f").write_bytes(b"theirs\n")


def file_to_link(root: Path) -> None:
    (root / "d/f").unlink()
    (root / "d/f").symlink_to("/etc/hostname")


def link_to_other_link(root: Path) -> None:
    (root / "link").unlink()
    (root / "link").symlink_to("d")


def moved_folder(root: Path) -> None:
    (root / "d").rename(root / "moved")


def moved_into_a_former_file(root: Path) -> None:
    (root / "other/f").unlink()
    (root / "d").rename(root / "other/f")


def modes_of_folders(root: Path) -> None:
    (root / "d/sub/g").write_bytes(b"changed")
    (root / "d/sub").chmod(0o500)
    (root / "empty").chmod(0o777)


def swapped(root: Path) -> None:
    (root / "d").rename(root / "aside")
    (root / "other").rename(root / "d")
    (root / "aside").rename(root / "other")


def written_under_two_names(root: Path) -> None:
    with (root / "twin").open("ab") as file:
        file.write(b"more\n")


def parted_names(root: Path) -> None:
    (root / "twin").unlink()
    (root / "twin").write_bytes(b"alone\n")


def link(root: Path, target: str, path: str) -> None:
    (root / path).unlink()
    (root / path).hardlink_to(root / target)


def name_of_another(root: Path) -> None:
    link(root, "other/f", "d/f")
    (root / "d/f").chmod(0o600)


def name_of_another_that_changes(root: Path) -> None:
    link(root, "other/f", "d/f")
    link(root, "other/f", "a")
    (root / "other/f").write_bytes(b"changed\n")


def names_swapped_for_one(root: Path) -> None:
    link(root, "other/f", "twin")
    link(root, "d/f", "a")


def name_removed(root: Path) -> None:
    (root / "d/f").unlink()


def name_made_of_another(root: Path) -> None:
    (root / "d/f").hardlink_to(root / "other/f")


ACTS = (
    *(folder_to_file, folder_to_link, file_to_folder, link_to_folder, file_to_link, link_to_other_link),
    *(moved_folder, moved_into_a_former_file, modes_of_folders, swapped, written_under_two_names, parted_names),
    *(name_of_another, name_of_another_that_changes, names_swapped_for_one),
)


def done(root: Path, *acts: Callable[[Path], None]) -> tuple[World, list[Touch]]:
    world = World(root)
    touches: list[Touch] = []
    for act in acts:
        before = world.ports.footprints.trial(())
        assert before.unchangeable == []
        act(root)
        touches += before.found()
    return world, touches


@pytest.mark.parametrize("act", ACTS, ids=lambda act: act.__name__)
def test_it_is_as_before(root: Path, act: Callable[[Path], None]) -> None:
    before = shown(root)
    world, touches = done(root, act)
    assert shown(root) != before
    discard(world, touches)
    assert shown(root) == before


@pytest.mark.parametrize("act", ACTS, ids=lambda act: act.__name__)
def test_it_is_as_before_also_where_nothing_more_is_kept_of_what_a_command_made(
    root: Path, act: Callable[[Path], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    before = shown(root)
    monkeypatch.setattr(trial, "Budget", partial(Budget, files=0))
    world, touches = done(root, act)
    discard(world, touches)
    assert shown(root) == before


def test_several_commands_are_put_back_together(root: Path) -> None:
    before = shown(root)
    discard(*done(root, folder_to_link, file_to_folder, link_to_folder, written_under_two_names))
    assert shown(root) == before


def test_a_name_of_another_file_is_put_back_apart_from_it(root: Path) -> None:
    before = shown(root)
    discard(*done(root, name_removed, name_made_of_another, written_under_two_names))
    assert shown(root) == before
    assert (root / "d/f").stat().st_nlink == 1
    assert (root / "a").samefile(root / "twin")


@pytest.mark.parametrize("act", ACTS, ids=lambda act: act.__name__)
def test_a_change_of_the_user_is_seen_and_where_it_came_too_late_nothing_is_put_back(
    root: Path, act: Callable[[Path], None]
) -> None:
    world, touches = done(root, act, lambda root: (root / "new").write_bytes(b"new"))
    left = shown(root)
    (root / "new").write_bytes(b"mine")
    assert [moved.path for moved in undo_of(world, touches).moved_on] == ["new"]
    (root / "new").write_bytes(b"new")

    def meanwhile() -> None:
        (root / "new").write_bytes(b"mine")

    world.editor.meanwhile = meanwhile
    with pytest.raises(EditFailure):
        discard(world, touches)
    assert {**shown(root), "new": ("file", 0o644, b"new")} == left


def test_a_file_of_the_user_in_a_folder_that_took_the_place_of_a_file_stays(root: Path) -> None:
    world, touches = done(root, file_to_folder)
    (root / "a/mine").write_bytes(b"mine")
    left = shown(root)
    with pytest.raises(EditFailure):
        discard(world, touches)
    assert shown(root) == left


def test_a_discard_that_was_cut_short_goes_on(root: Path) -> None:
    before = shown(root)
    world, touches = done(root, folder_to_file)
    (root / "d").unlink()  # all that the first try came to
    discard(world, touches)
    assert shown(root) == before


def test_what_ignore_files_of_an_earlier_command_hide_counts_until_that_is_judged(root: Path) -> None:
    world = World(root)
    before = shown(root)
    subprocess.run(["git", "init", "-q"], cwd=root, check=True, timeout=180)
    first = world.ports.footprints.trial(())
    (root / ".gitignore").write_bytes(b"hidden\ndist/\nd\n")
    touches = [*first.found()]
    later = world.ports.footprints.trial((), first)
    assert later.unchangeable == []
    (root / "hidden").write_bytes(b"x")
    (root / "dist").mkdir()
    (root / "dist/x").write_bytes(b"x")
    shutil.rmtree(root / "d")
    touches += later.found()
    discard(world, touches)
    assert shown(root) == before


@pytest.mark.parametrize("path", ["a", "d/f", "link"])
def test_what_comes_in_place_of_what_an_earlier_command_removed_counts_though_it_is_ignored(
    root: Path, path: str
) -> None:
    subprocess.run(["git", "init", "-q"], cwd=root, check=True, timeout=180)
    subprocess.run(["git", "add", "."], cwd=root, check=True, timeout=180)
    (root / ".git/info/exclude").write_text("a/\nf/\nlink/\n")
    world = World(root)
    before = shown(root)
    there = root / path
    first = world.ports.footprints.trial(())
    there.unlink()
    touches = [*first.found()]
    assert [touch.path for touch in touches] == [path]
    second = world.ports.footprints.trial((), first)
    (root / "dist").mkdir()
    touches += second.found()
    third = world.ports.footprints.trial((), first)
    there.mkdir()
    (there / "x").write_bytes(b"x")
    touches += third.found()
    discard(world, touches)
    assert shown(root) == before
