"""What commands change is found, with what it said before; a real git keeps the files."""

import shutil
import subprocess
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from planact.adapters.store.files import DiskFiles
from planact.adapters.store.git import file_states, footprints, index
from planact.adapters.store.git.blobs import GitBlobs
from planact.adapters.store.git.changed_since import has_reliable_times
from planact.adapters.store.git.file_states import FileStates, WatchedPaths
from planact.adapters.store.git.footprints import FileFootprints
from planact.model.runs.touch import NOTHING, FileState, Touch
from tests.fakes.store import MemoryStore

GIT = shutil.which("git")
FOLDER = FileState(kind="directory", mode=0o755)


class Yard:
    """A folder, and what was found in it while something was done."""

    def __init__(self, root: Path, *, in_git: bool = True) -> None:
        self.root = root
        self.journal = MemoryStore().journal
        self.later = 0.0
        self.looker = FileFootprints(
            DiskFiles(root),
            self.journal.keep_all,
            GitBlobs(root, GIT, {"PATH": "/usr/bin"}),
            1000,
            lambda: time.time() + self.later,
        )
        if in_git:
            self.git("init", "-q", "-b", "main")

    def git(self, *words: str, at: Path | None = None) -> None:
        settings = (
            "-c",
            "user.name=n",
            "-c",
            "user.email=e",
            "-c",
            "core.autocrlf=false",
            "-c",
            "protocol.file.allow=always",
        )
        subprocess.run(["git", *settings, *words], cwd=at or self.root, check=True, capture_output=True, timeout=180)

    def write(self, path: str, text: str, mode: int = 0o644) -> None:
        file = self.root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(text.encode())
        file.chmod(mode)

    def commit(self, **files: str) -> None:
        for name, text in files.items():
            self.write(name.replace("__", "/").replace("_", "."), text)
        self.git("add", "-A")
        self.git("commit", "-q", "-m", "c")

    def found(self, act: Callable[[], object], *named: str) -> list[Touch]:
        before = self.looker.snapshot(named)
        act()
        return sorted(before.found(), key=lambda touch: touch.path)

    def file(self, text: str, mode: int = 0o644) -> FileState:
        return FileState(kind="file", sha256=self.journal.keep(text.encode()), mode=mode)

    def touch(self, path: str, before: str | None, after: str | None) -> Touch:
        states = [NOTHING if text is None else self.file(text) for text in (before, after)]
        return Touch(path=path, before=states[0], after=states[1])


@pytest.fixture
def yard(tmp_path: Path) -> Yard:
    return Yard(tmp_path)


def test_what_git_has_of_a_changed_file_is_kept_and_nothing_is_read_beforehand(yard: Yard) -> None:
    yard.commit(a_py="old\n", b_py="same\n", src__c_py="gone\n")
    before = yard.looker.snapshot(())
    assert yard.journal.images == {}
    yard.write("a.py", "new\n")
    (yard.root / "src/c.py").unlink()
    assert sorted(before.found(), key=lambda touch: touch.path) == [
        yard.touch("a.py", "old\n", "new\n"),
        yard.touch("src/c.py", "gone\n", None),
    ]


def test_what_is_not_committed_is_kept_beforehand(yard: Yard) -> None:
    yard.commit(a_py="committed\n")
    yard.write("a.py", "my own words\n")
    assert yard.found(lambda: yard.write("a.py", "new\n")) == [yard.touch("a.py", "my own words\n", "new\n")]


@pytest.mark.parametrize("in_git", [True, False])
def test_what_the_work_is_about_is_found_though_git_does_not_track_it(tmp_path: Path, *, in_git: bool) -> None:
    yard = Yard(tmp_path, in_git=in_git)
    yard.write("a.txt", "old\n")
    yard.write("other.txt", "old\n")

    def act() -> None:
        for path in ("a.txt", "other.txt", "new/deep/b.txt"):
            yard.write(path, "new\n")

    assert yard.found(act, "a.txt", "new/deep/b.txt") == [
        yard.touch("a.txt", "old\n", "new\n"),
        Touch(path="new", before=NOTHING, after=FOLDER),
        Touch(path="new/deep", before=NOTHING, after=FOLDER),
        yard.touch("new/deep/b.txt", None, "new\n"),
    ]


def test_a_mode_that_changes_is_found_and_a_file_that_is_written_anew_with_the_same_is_not(yard: Yard) -> None:
    yard.commit(a_py="x\n", b_py="y\n")

    def act() -> None:
        yard.write("a.py", "x\n", 0o755)
        (yard.root / "b.py").unlink()
        yard.write("b.py", "y\n")

    assert yard.found(act) == [Touch(path="a.py", before=yard.file("x\n"), after=yard.file("x\n", 0o755))]


def test_a_filter_that_makes_other_bytes_of_as_many_leaves_a_file_uncovered(yard: Yard) -> None:
    yard.git("config", "filter.up.clean", "tr a-z A-Z")
    yard.git("config", "filter.up.smudge", "tr A-Z a-z")
    yard.write(".gitattributes", "a.py filter=up\n")
    yard.commit(a_py="old\n", b_py="old\n")

    def act() -> None:
        yard.write("a.py", "new\n")
        yard.write("b.py", "new\n")

    [first, second] = yard.found(act)
    assert (first.path, first.before, first.is_covered) == ("a.py", None, False)
    assert second == yard.touch("b.py", "old\n", "new\n")


def test_line_ends_that_git_would_change_leave_a_file_uncovered(yard: Yard) -> None:
    yard.write(".gitattributes", "* text eol=crlf\n")
    yard.commit(a_py="old\r\n")
    assert [touch.is_covered for touch in yard.found(lambda: yard.write("a.py", "new\r\n"))] == [False]


def test_a_link_that_takes_the_place_of_a_file_is_covered_and_its_target_is_not_read(yard: Yard) -> None:
    yard.commit(a_py="old\n")

    def act() -> None:
        (yard.root / "a.py").unlink()
        (yard.root / "a.py").symlink_to("/etc/hostname")

    link = FileState(kind="link", sha256=yard.journal.keep(b"/etc/hostname"))
    assert yard.found(act) == [Touch(path="a.py", before=yard.file("old\n"), after=link)]
    assert sorted(yard.journal.images.values()) == [b"/etc/hostname", b"old\n"]


def test_what_is_too_large_to_keep_is_found_and_not_covered(yard: Yard, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(footprints, "MAX_BEFORE_IMAGE_BYTES", 10)
    yard.commit(a_py="committed\n")
    yard.write("a.py", "longer than ten bytes\n")
    yard.write("named", "x" * 2000)
    act = lambda: (yard.write("a.py", "new\n"), yard.write("named", "new\n"))  # noqa: E731
    assert [(touch.path, touch.is_covered) for touch in yard.found(act, "named")] == [("a.py", False), ("named", False)]


def test_a_workspace_within_a_repository_sees_its_own_files(tmp_path: Path) -> None:
    Yard(tmp_path).commit(inner__a_py="old\n", outer_py="old\n")
    yard = Yard(tmp_path / "inner", in_git=False)
    assert yard.found(lambda: yard.write("a.py", "new\n")) == [yard.touch("a.py", "old\n", "new\n")]


def test_a_worktree_is_a_repository(tmp_path: Path) -> None:
    (tmp_path / "main").mkdir()
    main = Yard(tmp_path / "main")
    main.commit(a_py="old\n")
    main.git("worktree", "add", "-q", str(tmp_path / "other"))
    yard = Yard(tmp_path / "other", in_git=False)
    assert yard.found(lambda: yard.write("a.py", "new\n")) == [yard.touch("a.py", "old\n", "new\n")]


@pytest.mark.parametrize("version", ["2", "3", "4"])
def test_each_version_of_the_index_is_read(yard: Yard, version: str) -> None:
    yard.commit(a_py="1\n", src__ab_py="2\n", src__abc__d_py="3\n", z_py="4\n")
    if version == "3":
        yard.git("update-index", "--skip-worktree", "z.py")
    yard.git("update-index", "--force-write-index", "--index-version", version)
    found = index.index_file(yard.root)
    assert found is not None
    assert {*index.read_index(*found).files} == {"a.py", "src/ab.py", "src/abc/d.py", "z.py"}
    assert {*index.read_index(found[0], "src/").files} == {"ab.py", "abc/d.py"}


@pytest.mark.parametrize("version", ["2", "4"])
def test_names_longer_than_an_index_tells_their_length_are_read_whole(yard: Yard, version: str) -> None:
    yard.commit(a_py="1\n")
    names = ["d/" * 2_000 + "x" * (length - 4_000) for length in (4_094, 4_095, 4_096)]
    for name in names:
        yard.git("update-index", "--add", "--cacheinfo", "100644," + "1" * 40 + f",{name}")
    yard.git("update-index", "--force-write-index", "--index-version", version)
    assert {*index.read_index(yard.root / ".git/index", "").files} == {"a.py", *names}


def test_an_index_that_is_damaged_or_split_tells_nothing(yard: Yard) -> None:
    yard.commit(a_py="1\n")
    whole = yard.root / ".git/index"
    data = whole.read_bytes()
    flags = data.index(b"a.py") - 1
    shorter = data[:flags] + b"\x03" + data[flags + 1 :]
    for broken in (b"", b"DIRC", data[:70], b"x" * 500, shorter):
        copy = yard.root / ".git/copy"
        copy.write_bytes(broken)
        assert index.read_index(copy, "") == index.NO_INDEX
    yard.git("update-index", "--split-index")
    assert index.read_index(whole, "").files == {}


@pytest.mark.parametrize("is_current", [True, False])
def test_each_file_with_attributes_is_known_to_be_lost(yard: Yard, *, is_current: bool) -> None:
    yard.write(".gitattributes", "*.bin filter=up\n*.txt -filter\nname working-tree-encoding=utf-16le\n")
    yard.write("sub/.gitattributes", "*.txt filter=up\nplain.bin !filter\n")
    yard.write(".git/info/attributes", "ü filter\n")
    yard.commit(a_txt="1\n", sub__b_txt="2\n", sub__plain_bin="3\n", c_bin="4\n", name="5\0\n\0", ü="6\n", d="7\n")
    found = index.index_file(yard.root)
    assert found is not None
    files = index.read_index(*found).files
    if not is_current:
        yard.git("rm", "-q", "--cached", "c.bin")
    blobs = GitBlobs(yard.root, GIT, {"PATH": "/usr/bin"})
    assert blobs.lost(files, lambda: is_current) == {"sub/b.txt", "c.bin", "name", "ü"}


def test_nothing_that_a_repository_names_is_started(yard: Yard) -> None:
    mark = yard.root / "started"
    script = yard.root / "evil"
    yard.write("evil", f"#!/bin/sh\ncat /proc/$PPID/cmdline >> {mark}\n", 0o755)
    yard.commit(a_py="old\n")
    for name in ("core.fsmonitor", "core.sshCommand", "core.hooksPath", "uploadpack.packObjectsHook", "core.pager"):
        yard.git("config", name, str(script))
    yard.git("config", "remote.o.url", f"ext::{script}")
    yard.git("config", "remote.o.promisor", "true")
    yard.git("config", "extensions.partialClone", "o")
    shutil.rmtree(yard.root / ".git/objects/pack", ignore_errors=True)
    blob = subprocess.run(["git", "hash-object", "a.py"], cwd=yard.root, capture_output=True, text=True, check=True)
    name = blob.stdout.strip()
    (yard.root / ".git/objects" / name[:2] / name[2:]).unlink()
    mark.unlink(missing_ok=True)  # by what the test itself did
    assert [touch.is_covered for touch in yard.found(lambda: yard.write("a.py", "new\n"))] == [False]
    assert not mark.exists()


def test_a_large_repository_costs_a_look_at_each_file_and_no_more(yard: Yard) -> None:
    for number in range(300):
        yard.write(f"d{number % 7}/f{number}.py", f"{number}\n")
    yard.commit()
    before = yard.looker.snapshot(())
    assert (len(before.tracked.modes), before.statuses, yard.journal.images) == (300, {}, {})
    assert before.found() == []


def test_without_git_only_what_the_work_is_about_is_looked_at(tmp_path: Path) -> None:
    yard = Yard(tmp_path, in_git=False)
    for number in range(300):
        yard.write(f"d{number % 7}/f{number}.py", f"{number:03}\n")
    before = yard.looker.snapshot(["d0/f0.py", "d1/f1.py"])
    assert (before.tracked.modes, before.statuses.keys()) == ({}, {"d0/f0.py", "d1/f1.py"})
    assert sorted(yard.journal.images.values()) == [b"000\n", b"001\n"]


def test_what_stays_as_it_is_is_kept_anew_each_day_since_nothing_may_name_it(yard: Yard) -> None:
    if not has_reliable_times(yard.root):
        pytest.skip("on this disk it is kept anew each time")
    yard.later = 60  # what changed just now isn't known
    yard.write("named", "old\n")
    yard.looker.snapshot(["named"])
    yard.journal.images.clear()
    yard.looker.snapshot(["named"])
    assert yard.journal.images == {}
    yard.later += file_states.KNOWN_FOR
    yard.looker.snapshot(["named"])
    assert [*yard.journal.images.values()] == [b"old\n"]


def test_many_paths_of_one_folder_are_found_as_one_by_one(tmp_path: Path) -> None:
    for name in ("Here.txt", "ä.txt", "sub/there.txt"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).touch()
    (tmp_path / "link").symlink_to("nowhere")
    odd = [
        ".",
        "..",
        "Here.txt",
        "here.txt",
        "ä.txt",
        "link",
        "sub",
        "sub/",
        "sub/there.txt",
        "sub/../Here.txt",
        "a\0b",
    ]
    paths = [*odd, *(f"{folder}part_{at}" for folder in ("", "sub/", "none/") for at in range(100))]
    states = FileStates(DiskFiles(tmp_path), MemoryStore().journal.keep_all, GitBlobs(tmp_path, GIT, {}))
    one_by_one = {path: status for path in paths if (status := states.status(path)) is not None}
    assert states.there(WatchedPaths.of(paths)) == one_by_one
