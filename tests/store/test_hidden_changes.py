"""What a hostile command on trial would hide is found: by rules, by mapped memory, in folders that can't be listed."""

import mmap
import os
import stat
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from planact.adapters.store.git.index import NO_INDEX
from planact.adapters.store.git.tree import Tree, Walk, tracked_files
from planact.model.runs.touch import NOTHING, OTHER, Touch
from tests.fakes.ordinary_user import as_ordinary_user
from tests.store.test_footprints import Yard
from tests.store.test_trial_footprints import held, link, tried


@pytest.fixture
def yard(tmp_path: Path) -> Yard:
    return Yard(tmp_path)


@pytest.mark.parametrize("where", ["bin", "tools/bin"])
def test_rules_in_a_folder_named_like_outputs_hide_nothing_that_was_there(yard: Yard, where: str) -> None:
    yard.commit(a_py="x\n")
    yard.write(f"{where}/deploy.sh", "mine\n")
    first = yard.looker.trial(())
    yard.write(f"{where}/.gitignore", "*\n")
    assert first.found() == [yard.touch(f"{where}/.gitignore", None, "*\n")]
    second = yard.looker.trial((), first)
    yard.write(f"{where}/deploy.sh", "theirs\n")
    assert second.found() == [yard.touch(f"{where}/deploy.sh", "mine\n", "theirs\n")]


@pytest.mark.parametrize("name", ["tracked", "untracked"])
def test_outputs_count_in_a_folder_that_an_earlier_command_put_in_place_of_a_file(yard: Yard, name: str) -> None:
    yard.write(".gitignore", "dist/\n")
    yard.commit(tracked="old\n")
    (yard.root / name).write_text("old\n")
    first = yard.looker.trial(())
    (yard.root / name).unlink()
    yard.write(f"{name}/dist/a", "1\n")
    assert [touch.path for touch in first.found()] == [name, f"{name}/dist", f"{name}/dist/a"]
    second = yard.looker.trial((), first)
    yard.write(f"{name}/dist/b", "1\n")
    assert second.found() == [yard.touch(f"{name}/dist/b", None, "1\n")]
    third = yard.looker.trial((), second)
    yard.write(f"{name}/dist/a", "2\n")
    yard.write(f"{name}/b/dist/c", "2\n")
    assert [(each.path, each.is_covered) for each in third.found()] == [
        *((f"{name}/b", True), (f"{name}/b/dist", True), (f"{name}/b/dist/c", True), (f"{name}/dist/a", True))
    ]


def test_rules_that_a_program_brings_with_its_folder_of_outputs_count_for_it(yard: Yard) -> None:
    yard.commit(a_py="x\n")

    def act() -> None:
        yard.write(".pytest_cache/.gitignore", "*\n")
        yard.write(".pytest_cache/v/lastfailed", "{}\n")

    assert tried(yard, act) == []
    assert tried(yard, act) == []


RULES = "*.pyc\n*.so\n*.egg-info/\n/docs/_build/\nlocal_settings.py\ndocker-compose.override.yml\n*.db\n/lib\n"


def test_what_is_new_and_ignored_but_no_build_output_is_found(yard: Yard) -> None:
    yard.write(".gitignore", RULES)
    yard.commit(a_py="1\n", docs__a_md="1\n")

    first = yard.looker.trial(())
    made = ["e.egg-info", "e.egg-info/entry_points.txt", "lib", "local_settings.py", "random.pyc", "random.so"]
    for path in (made[1], *made[3:], "docs/_build/a.html"):
        yard.write(path, "y\n")
    (yard.root / "lib").symlink_to("/etc")
    assert [(touch.path, touch.before) for touch in first.found()] == [(path, NOTHING) for path in made]

    later = yard.looker.trial((), first)
    assert {*made}.isdisjoint(os.path.relpath(path, yard.root) for path in later.unchangeable)
    yard.write("random.so", "z\n")
    yard.write("e.egg-info/more", "z\n")
    (yard.root / "lib").unlink()
    assert later.found() == [
        yard.touch("e.egg-info/more", None, "z\n"),
        Touch(path="lib", before=link(yard, "/etc"), after=NOTHING),
        yard.touch("random.so", "y\n", "z\n"),
    ]
    assert held(yard) == ["e.egg-info", "local_settings.py", "random.pyc", "random.so"]


def test_a_name_of_an_output_that_leads_elsewhere_is_found(yard: Yard) -> None:
    """What a later command with more rights writes to its log would go there."""
    yard.write(".gitignore", "*.log\n.coverage\n")
    yard.commit(a_py="1\n")
    yard.write("old.log", "x\n")
    first = yard.looker.trial(())
    yard.write("plain.log", "x\n")
    (yard.root / "link.log").symlink_to("a.py")
    (yard.root / "old.log").unlink()
    (yard.root / "old.log").symlink_to("a.py")
    (yard.root / ".coverage").hardlink_to(yard.root / "a.py")
    os.mkfifo(yard.root / "pipe.log")
    found = {touch.path: (touch.before, touch.after.kind) for touch in first.found()}
    kinds = {".coverage": "file", "link.log": "link", "old.log": "link", "pipe.log": "other"}
    assert found == {path: (NOTHING, kind) for path, kind in kinds.items()}
    assert yard.looker.trial((), first).found() == []


def test_a_named_folder_that_is_ignored_must_not_change(yard: Yard) -> None:
    yard.write(".gitignore", "/uploads/\n/own.txt\n")
    yard.commit(a_py="1\n")
    yard.write("uploads/mine", "x\n")
    yard.write("own.txt", "x\n")
    assert held(yard, "uploads", "own.txt") == ["uploads"]


@pytest.fixture
def memory() -> Iterator[Path]:
    if not os.access("/dev/shm", os.W_OK):
        pytest.skip("there is no disk in memory here")
    with tempfile.TemporaryDirectory(dir="/dev/shm") as folder:
        yield Path(folder)


def test_a_change_by_mapped_memory_is_found_on_a_disk_that_gives_it_no_time(memory: Path) -> None:
    yard = Yard(memory)
    yard.write(".gitignore", "own.db\n")
    yard.write("own.db", "old\n")
    yard.commit(tracked_py="old\n")
    yard.write("new.py", "old\n")
    os.utime(yard.root / "new.py", (1, 1))
    names = ("new.py", "own.db", "tracked.py")
    yard.later = 60

    def act() -> None:
        for name in names:
            with (yard.root / name).open("r+b") as file, mmap.mmap(file.fileno(), 0) as mapped:
                assert mapped[:1] == b"o"
                mapped[:3] = b"NEW"

    for _ in range(2):
        yard.looker.snapshot(names)
        assert yard.looker.can_try()
        assert tried(yard, act, "own.db") == [yard.touch(name, "old\n", "NEW\n") for name in names]
        for name in names:
            with (yard.root / name).open("r+b") as file, mmap.mmap(file.fileno(), 0) as mapped:
                assert mapped[:1] == b"N"
                mapped[:3] = b"old"


@pytest.mark.parametrize("mode", [0o000, 0o311])
def test_what_lies_in_a_new_folder_that_cannot_be_listed_is_found(mode: int) -> None:
    async def look() -> list[str]:
        with tempfile.TemporaryDirectory() as folder:
            yard = Yard(Path(folder))
            yard.commit(a_py="x\n")

            def act() -> None:
                yard.write("pkg/deep/__init__.py", "theirs\n")
                (yard.root / "pkg/deep").chmod(mode)
                (yard.root / "pkg").chmod(mode)

            return [touch.path for touch in tried(yard, act)]

    assert as_ordinary_user(look) == ["pkg", "pkg/deep", "pkg/deep/__init__.py"]


def test_a_new_folder_that_is_too_deep_to_be_looked_into_is_told(yard: Yard) -> None:
    def act() -> None:
        here = os.open(yard.root, os.O_RDONLY)
        for _ in range(20):
            os.mkdir("d" * 250, dir_fd=here)
            below = os.open("d" * 250, os.O_RDONLY, dir_fd=here)
            os.close(here)
            here = below
        os.close(os.open("evil.py", os.O_CREAT, dir_fd=here))
        os.close(here)

    assert tried(yard, act)[-1].after == OTHER
    subprocess.run(["rm", "-rf", "d" * 250], cwd=yard.root, check=True)


@pytest.mark.parametrize("folder", ["d", "p/d"])
def test_a_folder_is_opened_and_not_what_was_put_in_its_place(tmp_path: Path, folder: str) -> None:
    root, theirs = tmp_path / "w", tmp_path / "theirs"
    root.mkdir()
    (theirs / "d").mkdir(parents=True)
    (theirs / "d").chmod(0o311)
    link = folder.split("/")[0]
    (root / link).symlink_to(theirs / "d" if link == folder else theirs)
    walk = Walk(f"{root}/", tracked_files(NO_INDEX, 1), lambda _: (), Tree())
    walk.tree.folders[folder] = 0o311  # as it was seen just before
    walk.enter([(folder, "")])
    assert stat.S_IMODE((theirs / "d").stat().st_mode) == 0o311
    assert walk.tree.closed == {folder}
