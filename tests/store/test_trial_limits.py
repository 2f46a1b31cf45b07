"""Where a command can't be covered, it isn't tried; and asking git changes nothing and starts nothing."""

import contextlib
import dataclasses
import os
import shutil
import stat
import tempfile
import time
from pathlib import Path

import pytest

from planact.adapters.store.disk.process_folder import remove_tree
from planact.adapters.store.files import DiskFiles
from planact.adapters.store.git import changeable, footprints, tree, trial
from planact.adapters.store.git.blobs import GitBlobs
from planact.adapters.store.git.changed_since import has_reliable_times
from planact.adapters.store.git.footprints import FileFootprints
from planact.adapters.store.git.ignored import GitIgnores
from planact.base.errors import CommandFailure
from planact.model.runs.touch import LARGEST_UNDONE
from tests.fakes.ordinary_user import WITH_DISK, as_ordinary_user
from tests.store.test_footprints import GIT, Yard
from tests.store.test_trial_footprints import held, tried


@pytest.fixture
def yard(tmp_path: Path) -> Yard:
    return Yard(tmp_path)


def test_a_folder_with_too_many_files_is_not_covered(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    bare = Yard(tmp_path, in_git=False)
    monkeypatch.setattr(tree, "MOST_UNTRACKED", 10)
    for number in range(10):
        bare.write(f"f{number}", "x\n")
    assert bare.looker.can_try()
    bare.write("more", "x\n")
    bare.later += footprints.COVERED_FOR - 10
    assert bare.looker.can_try()  # it isn't looked at for each command
    with pytest.raises(CommandFailure):
        bare.looker.trial(())
    assert not bare.looker.can_try()
    (bare.root / "more").unlink()
    bare.later += footprints.ANSWER_FOR
    assert bare.looker.can_try()
    for number in range(10):
        bare.write(f"g{number}", "x\n")
    bare.later += footprints.COVERED_FOR
    assert not bare.looker.can_try()


@pytest.mark.parametrize(
    "program",
    ['echo a notice; exec git "$@"', "head -c 100000 /dev/urandom", "printf 'a\\0b\\0c\\0d\\0'", "exit 0", "exit 1"],
)
def test_a_git_that_answers_something_else_is_not_believed(yard: Yard, tmp_path: Path, program: str) -> None:
    yard.commit(a_py="1\n", _gitignore="*.log\n")
    yard.write("x.log", "x\n")
    odd = tmp_path.parent / f"{tmp_path.name}-git"
    odd.write_text(f"#!/bin/sh\n{program}\n")
    odd.chmod(0o755)
    blobs = GitBlobs(yard.root, str(odd), {"PATH": "/usr/bin:/bin"})
    looker = FileFootprints(DiskFiles(yard.root), yard.journal.keep_all, blobs, 1000, time.time)
    looker.can_try()  # by a look at some of its answers alone
    with pytest.raises(CommandFailure):
        looker.trial(())
    assert not looker.can_try()


def test_a_git_that_says_more_than_its_answers_is_not_believed(yard: Yard, tmp_path: Path) -> None:
    yard.commit(a_py="1\n")
    yard.write("b.py", "x\n")
    odd = tmp_path.parent / f"{tmp_path.name}-git"
    odd.write_text('#!/bin/sh\ncase "$*" in *check-ignore*) echo a notice;; esac; exec git "$@"\n')
    odd.chmod(0o755)
    git = GitBlobs(yard.root, str(odd), {"PATH": "/usr/bin:/bin"}).git
    with contextlib.closing(GitIgnores(git)) as rules, pytest.raises(OSError, match="another question"):
        rules.among(["b.py"])


@pytest.mark.parametrize("place", [".gitignore", "src/.gitignore", ".git/info/exclude"])
def test_git_is_not_asked_where_it_would_wait_for_a_pipe(yard: Yard, place: str) -> None:
    pipe = yard.root / place
    pipe.parent.mkdir(parents=True, exist_ok=True)
    pipe.unlink(missing_ok=True)
    os.mkfifo(pipe)
    git = GitBlobs(yard.root, shutil.which("git"), {"PATH": "/usr/bin:/bin"}).git
    begun = time.monotonic()
    with contextlib.closing(GitIgnores(git)) as rules, pytest.raises(OSError, match="pipe"):
        rules.among(["src/deep/b.py"])
    assert time.monotonic() - begun < 30


@pytest.mark.parametrize("place", [".gitignore", "src/.gitignore", ".git/info/exclude"])
def test_git_is_not_asked_where_it_would_read_a_file_of_any_size_into_memory(yard: Yard, place: str) -> None:
    large = yard.root / place
    large.parent.mkdir(parents=True, exist_ok=True)
    with large.open("wb") as file:
        file.truncate(1_000_000_000)
    git = GitBlobs(yard.root, shutil.which("git"), {"PATH": "/usr/bin:/bin"}).git
    with contextlib.closing(GitIgnores(git)) as rules, pytest.raises(OSError, match="too large"):
        rules.among(["src/deep/b.py"])


def test_dependencies_count_for_nothing_and_a_large_untracked_folder_is_held(
    yard: Yard, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tree, "MOST_UNTRACKED", 20)
    monkeypatch.setattr(tree, "MOST_IN_FOLDER", 5)
    yard.commit(a_py="1\n")
    for number in range(30):
        yard.write(f"node_modules/m{number}/i.js", "x\n")
        yard.write(f"data/d{number}/i.csv", "x\n")
    yard.write("few/a", "x\n")
    assert held(yard) == ["data", "node_modules"]


def test_many_held_files_become_their_folder_and_too_many_are_not_tried(
    yard: Yard, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(changeable, "MOST_UNCHANGEABLE", 30)
    yard.write(".gitignore", "*.db\n")
    yard.commit(src__a_py="1\n")
    for number in range(25):
        yard.write(f"data/{number}.db", "x\n")
    assert len(held(yard)) == 25
    for number in range(10):
        yard.write(f"src/{number}.db", "x\n")
    assert held(yard) == ["data", *sorted(f"src/{number}.db" for number in range(10))]
    for number in range(10, 35):
        yard.write(f"src/{number}.db", "x\n")
    with pytest.raises(CommandFailure):
        yard.looker.trial(())


def test_what_only_a_whole_look_finds_is_remembered(yard: Yard, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(changeable, "MOST_UNCHANGEABLE", 3)
    monkeypatch.setattr(trial, "LARGEST", 100)
    yard.commit(**{f"src__f{number}": "1\n" for number in range(5)})
    for number in range(5):
        yard.write(f"src/f{number}", "x" * 200)
    with pytest.raises(CommandFailure):
        yard.looker.trial(())
    for _ in range(3):
        assert not yard.looker.can_try()
        yard.later += footprints.ANSWER_FOR
    yard.git("checkout", "-q", ".")
    assert yard.looker.can_try()


def test_large_tracked_files_count_where_they_are_there(yard: Yard, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(changeable, "MOST_UNCHANGEABLE", 3)
    for module in (footprints, trial):
        monkeypatch.setattr(module, "LARGEST", 100)
    yard.commit(**{f"src__f{number}": "x" * 200 for number in range(5)})
    assert not yard.looker.can_try()
    yard.later += footprints.ANSWER_FOR
    for number in range(2):
        (yard.root / f"src/f{number}").unlink()
    assert yard.looker.can_try()


def test_where_git_cannot_be_asked_nothing_is_tried(tmp_path: Path) -> None:
    yard = Yard(tmp_path)
    yard.write("a", "x\n")
    looker = FileFootprints(DiskFiles(tmp_path), yard.journal.keep_all, GitBlobs(tmp_path, None, {}), 1000)
    assert not looker.can_try()
    yard.git("config", "core.repositoryFormatVersion", "99")
    assert not yard.looker.can_try()


def test_asking_git_starts_nothing_that_a_repository_names_and_writes_nothing(yard: Yard) -> None:
    mark = yard.root.parent / f"{yard.root.name}-started"
    script = yard.root / "evil"
    yard.write("evil", f"#!/bin/sh\ntouch {mark}\n", 0o755)
    yard.write(".gitattributes", "* filter=x diff=x\n")
    yard.write(".gitignore", "*.log\n")
    yard.commit(a_py="old\n")
    for name in (
        "core.fsmonitor",
        "core.hooksPath",
        "core.pager",
        "filter.x.clean",
        "filter.x.process",
        "diff.x.textconv",
    ):
        yard.git("config", name, str(script))
    mark.unlink(missing_ok=True)  # by what the test itself did
    index = yard.root / ".git/index"
    was = (index.read_bytes(), index.stat().st_mtime_ns)
    yard.write("b.log", "x\n")
    tried(yard, lambda: yard.write("a.py", "new\n"))
    assert not mark.exists()
    assert (index.read_bytes(), index.stat().st_mtime_ns) == was
    assert not [*(yard.root / ".git").glob("*.lock")]


def test_content_that_stays_as_it_is_is_read_and_kept_once(yard: Yard) -> None:
    if not has_reliable_times(yard.root):
        pytest.skip("on this disk it is read each time")
    yard.later = 60
    for number in range(40):
        yard.write(f"d{number % 3}/f{number}", f"{number}\n")
    yard.looker.trial(())
    yard.journal.images.clear()
    assert tried(yard, lambda: None) == []
    assert yard.journal.images == {}


def test_a_file_that_goes_while_a_folder_is_listed_closes_nothing(yard: Yard, monkeypatch: pytest.MonkeyPatch) -> None:
    yard.commit(a_py="1\n")
    yard.write("sub/b.py", "2\n")
    names = os.listdir
    monkeypatch.setattr(os, "listdir", lambda path: [*names(path), "gone"])
    assert yard.looker.can_try()


def test_what_a_command_closed_is_opened_and_seen() -> None:
    async def close() -> list[tuple[str, str, int | None]]:
        with tempfile.TemporaryDirectory(dir="/var/tmp") as root:
            yard = Yard(Path(root))
            yard.commit(a__b__kept_py="1\n", a__gone_py="2\n")

            def act() -> None:
                (yard.root / "a/gone.py").unlink()
                yard.write("a/b/new.py", "x\n")
                yard.write("c/d/new.py", "x\n")
                for path in ("a/b", "a", "c/d", "c"):
                    (yard.root / path).chmod(0)

            return [(each.path, each.after.kind, each.after.mode) for each in tried(yard, act)]

    assert as_ordinary_user(close, own_folders=WITH_DISK) == [
        *(("a", "directory", 0o700), ("a/b", "directory", 0o700), ("a/b/new.py", "file", 0o644)),
        *(("a/gone.py", "nothing", None), ("c", "directory", 0o700), ("c/d", "directory", 0o700)),
        ("c/d/new.py", "file", 0o644),
    ]


def test_a_closed_folder_in_place_of_one_that_a_command_before_removed_is_opened() -> None:
    async def close() -> list[tuple[str, str, int | None]]:
        with tempfile.TemporaryDirectory(dir="/var/tmp") as root:
            yard = Yard(Path(root))
            yard.commit(a__kept_py="1\n")
            first = yard.looker.trial(())
            remove_tree(yard.root / "a")
            assert [touch.path for touch in first.found()] == ["a", "a/kept.py"]
            second = yard.looker.trial((), first)
            (yard.root / "a").mkdir(0o444)
            return [(each.path, each.after.kind, each.after.mode) for each in second.found()]

    assert as_ordinary_user(close, own_folders=WITH_DISK) == [("a", "directory", 0o744)]


def test_a_file_of_two_names_that_a_command_closed_is_opened_for_both() -> None:
    async def close() -> tuple[set[int | None], set[int]]:
        with tempfile.TemporaryDirectory(dir="/var/tmp") as root:
            yard = Yard(Path(root))
            yard.commit(a_py="1\n")
            names = [yard.root / "a.py", yard.root / "b.py"]
            names[1].hardlink_to(names[0])
            touches = tried(yard, lambda: names[0].chmod(0))
            return {touch.after.mode for touch in touches}, {stat.S_IMODE(name.stat().st_mode) for name in names}

    assert as_ordinary_user(close, own_folders=WITH_DISK) == ({0o400}, {0o400})


@pytest.mark.skipif(os.getuid() != 0, reason="only root can give a repository to another user")
def test_a_repository_of_another_user_is_not_covered_until_git_may_work_there(tmp_path: Path) -> None:
    (tmp_path / "work").mkdir()
    yard = Yard(tmp_path / "work")
    yard.commit(a_txt="x\n")
    for path in (yard.root, *yard.root.rglob("*")):
        os.chown(path, 65534, 65534)
    blobs = GitBlobs(yard.root, GIT, {"PATH": "/usr/bin", "HOME": str(tmp_path)})
    looker = FileFootprints(DiskFiles(yard.root), yard.journal.keep_all, blobs, 1000)
    assert (looker.can_try(), looker.refusal()) == (False, f"git config --global --add safe.directory {yard.root}")
    with pytest.raises(CommandFailure, match="another user owns") as refused:
        looker.trial(())
    assert looker.refusal() in refused.value.hint
    (tmp_path / ".gitconfig").write_text(f"[safe]\n\tdirectory = {yard.root}\n")
    looker = FileFootprints(DiskFiles(yard.root), yard.journal.keep_all, blobs, 1000)
    assert (looker.can_try(), looker.refusal()) == (True, "")


@pytest.mark.parametrize("mode", [0o444, 0o555, 0o300, 0])
def test_what_lies_in_a_folder_that_its_owner_closed_is_held_with_it(mode: int) -> None:
    async def look() -> list[str]:
        with tempfile.TemporaryDirectory() as name:
            yard = Yard(Path(name))
            yard.write("closed/inner/a.txt", "x\n")
            (yard.root / "closed").chmod(mode)
            found = held(yard)
            (yard.root / "closed").chmod(0o700)
            return found

    assert as_ordinary_user(look) == ([] if mode == 0o555 else ["closed"])


@pytest.mark.skipif(os.getuid() != 0, reason="only root can make files of another user")
def test_what_another_user_alone_may_write_is_held_since_it_could_only_be_replaced() -> None:
    folder = Path(tempfile.mkdtemp(dir="/var/tmp"))
    try:
        yard = Yard(folder)
        for name, mode in (("theirs.log", 0o644), ("shared.log", 0o666), ("shut/theirs.log", 0o644)):
            yard.write(name, "x\n", mode)
        for path in (folder, folder / ".git", *(folder / ".git").rglob("*")):
            os.chown(path, 65534, 65534)

        async def look() -> list[str]:
            return held(yard)

        assert as_ordinary_user(look, own_folders=WITH_DISK) == ["theirs.log"]
    finally:
        remove_tree(folder)


def test_of_a_file_that_is_too_large_to_read_it_is_told_which_one_was_left(yard: Yard) -> None:
    yard.commit(a_py="1\n", b_py="1\n")
    before = yard.looker.trial(())
    for name in ("a.py", "new"):
        with (yard.root / name).open("ab") as file:
            file.truncate(LARGEST_UNDONE + 1)
    files = DiskFiles(yard.root)
    left = {touch.path: touch.left for touch in before.found()}
    assert left == {path: files.identity(files.resolve_entry(path)) for path in ("a.py", "new")}
    assert all(left.values())
    killed = dataclasses.replace(before, ended=(yard.root / "a.py").stat().st_ctime_ns - 1)
    assert {touch.path: touch.left for touch in killed.found()} == {"a.py": "", "new": ""}


def test_a_file_is_removed_by_its_identity_under_all_its_names_and_only_then(yard: Yard) -> None:
    files = DiskFiles(yard.root)
    for name in ("a", "b", "c", "d"):
        yard.write(name, "x")
    (yard.root / "twin").hardlink_to(yard.root / "a")
    names = ("a", "twin", "b", "c", "d")
    identities = {place: files.identity(place) for place in map(files.resolve_entry, names)}
    time.sleep(0.05)
    yard.write("b", "y")
    (yard.root / "c").chmod(0o755)
    files.remove_identical(identities)
    assert sorted(path.name for path in yard.root.iterdir() if path.is_file()) == ["b", "c"]
