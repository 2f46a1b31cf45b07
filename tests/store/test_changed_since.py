"""A look at only what changed finds the same as a look at everything, whatever happened."""

import os
import random
import shutil
import subprocess
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from hashlib import sha256
from pathlib import Path

import pytest

from planact.adapters.store.files import DiskFiles
from planact.adapters.store.git import changed_since, file_states, footprints, tree, tree_update, trial
from planact.adapters.store.git.blobs import GitBlobs
from planact.adapters.store.git.changed_since import (
    ChangedSince,
    LookMoment,
    has_reliable_times,
    keeps_times,
    this_moment,
)
from planact.adapters.store.git.footprints import FileFootprints
from planact.base.errors import CommandFailure
from planact.ports import TrialBefore
from tests.soak import times
from tests.workflows.test_discard_properties import ATTRIBUTES, RULES, Hands, git

FIND = shutil.which("find")
LAG = 0.05
"""Seconds by which the kernel's time of files may lag behind, at most."""

NAMED = ("a/x",)
"""What the work is about."""


def is_told(root: Path) -> bool:
    return ChangedSince(root, FIND).among([""], this_moment(root)) is not None


@pytest.fixture
def told(tmp_path: Path) -> ChangedSince:
    if not is_told(tmp_path):
        pytest.skip("there is no GNU find here, or the file system isn't known to keep times")
    return ChangedSince(tmp_path, FIND)


def looker(root: Path, changed: ChangedSince | None) -> FileFootprints:
    blobs = GitBlobs(root, shutil.which("git"), {"PATH": os.environ["PATH"]})
    return FileFootprints(DiskFiles(root), kept, blobs, 1_000, changed=changed)


def kept(contents: Sequence[bytes]) -> list[str]:
    return [sha256(each).hexdigest() for each in contents]


class Prankster(Hands):
    """Does more than a jail lets commands do: what users, git and hostile programs do."""

    def meddle(self, count: int) -> None:
        for _ in range(count):
            self.chance.choice((self.act, self.act, self.prank))()

    def prank(self) -> None:
        deeds = (self.put_back_time, self.swap, self.exchange_folders, self.link_elsewhere, self.commit, self.status)
        more = (self.worktree, self.submodule, self.rules_elsewhere, self.checkout, self.same_again)
        try:
            self.chance.choice((*deeds, *more))(self.any_path())
        except (OSError, RuntimeError, shutil.Error):
            return

    def put_back_time(self, path: Path) -> None:
        """Change a file to as many other bytes, with the time that it had."""
        before = path.stat()
        data = path.read_bytes()
        path.write_bytes(bytes(each ^ 1 for each in data))
        os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))

    def same_again(self, path: Path) -> None:
        path.write_bytes(path.read_bytes())

    def swap(self, path: Path) -> None:
        other, between = self.any_path(), self.root / "between"
        path.rename(between)
        other.rename(path)
        between.rename(other)

    def exchange_folders(self, path: Path) -> None:
        """Put a copy of a folder in its place, made before and with one file changed."""
        folder = path if path.is_dir() else path.parent
        if folder == self.root or folder.is_symlink():
            return
        outside = Path(tempfile.mkdtemp(dir=self.root.parent)) / "copy"
        shutil.copytree(folder, outside, symlinks=True)
        for file in [each for each in outside.rglob("*") if each.is_file() and not each.is_symlink()][:1]:
            file.write_bytes(b"of another folder")
        time.sleep(LAG)  # so that only the folder itself has a late time
        shutil.rmtree(folder)
        outside.rename(folder)

    def link_elsewhere(self, path: Path) -> None:
        """Write to a file by another name, outside of the folder."""
        other = Path(tempfile.mkdtemp(dir=self.root.parent)) / "name"
        other.hardlink_to(path)
        with other.open("ab") as file:
            file.write(b"from outside")
        if self.chance.random() < 0.5:
            other.unlink()

    def commit(self, path: Path) -> None:
        git(self.root, "add", "-A", str(path))
        git(self.root, "commit", "-qm", "more")

    def status(self, _: Path) -> None:
        git(self.root, "status")

    def checkout(self, path: Path) -> None:
        git(self.root, "checkout", "-q", "HEAD", "--", str(path))

    def worktree(self, path: Path) -> None:
        git(self.root, "worktree", "add", "-f", str(path))

    def submodule(self, path: Path) -> None:
        git(self.root, "-c", "protocol.file.allow=always", "submodule", "add", str(self.root), str(path))

    def rules_elsewhere(self, _: Path) -> None:
        name, texts = self.chance.choice((("exclude", RULES), ("attributes", ATTRIBUTES)))
        (self.root / ".git/info" / name).write_bytes(self.chance.choice(texts))


@pytest.mark.soak
@pytest.mark.slow
@pytest.mark.timeout(3_600)
def test_both_looks_find_the_same(
    told: ChangedSince, request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(changed_since, "SLACK", LAG)
    monkeypatch.setattr(changed_since, "FINE_SLACK", LAG)
    monkeypatch.setattr(footprints, "FEW_TRACKED", 0)
    for module in (trial, footprints):
        monkeypatch.setattr(module, "LARGEST", 2_000)
    monkeypatch.setattr(tree, "MOST_IN_FOLDER", 6)
    updates: list[bool] = []
    monkeypatch.setattr(trial, "updated_tree", counted(updates))
    seed = request.config.getoption("seed")
    cases = times(80, 1_000)
    for number in range(cases):
        with tempfile.TemporaryDirectory(dir=told._root) as folder:
            label = f"{seed} {number}"
            one_case(Path(folder).resolve() / "w", random.Random(label), label)
    assert sum(updates) > cases, "the quick look was hardly ever taken"


def counted(updates: list[bool]) -> Callable[..., tree.Tree | None]:
    def update(*args: object, **more: object) -> tree.Tree | None:
        found = tree_update.updated_tree(*args, **more)  # type: ignore[arg-type]
        updates.append(found is not None)
        return found

    return update


def one_case(root: Path, chance: random.Random, label: str) -> None:
    root.mkdir()
    hands = Prankster(root, chance)
    if chance.random() < 0.85:
        git(root, "init", "-q")
    if chance.random() < 0.6:
        (root / ".gitignore").write_bytes(chance.choice(RULES))
    for _ in range(chance.randrange(25)):
        hands.act()
    if chance.random() < 0.9:
        git(root, "add", "-f" if chance.random() < 0.3 else "-A", ".")
        git(root, "commit", "-qm", "c")
    lookers = (looker(root, ChangedSince(root, FIND)), looker(root, None))
    since: Sequence[TrialBefore | None] = (None, None)
    for turn in range(chance.randrange(2, 5)):
        hands.meddle(chance.choice((0, 0, 1, 2)))
        if chance.random() < 0.7:
            time.sleep(LAG)  # else the last changes are in the same moment
        since = one_command(lookers, hands, since, f"{label} {turn}")
        since = since if chance.random() < 0.5 else (None, None)


def one_command(
    lookers: Sequence[FileFootprints], hands: Prankster, since: Sequence[TrialBefore | None], where: str
) -> Sequence[TrialBefore | None]:
    """Look before it and after it in both ways; return the states before, for the next one."""
    quick, plain = (each.can_try() for each in lookers)
    assert quick == plain, where
    states = [each.snapshot(NAMED) for each in lookers]
    trials = [begun(each, earlier) for each, earlier in zip(lookers, since, strict=True)]
    quick_held, plain_held = ([] if each is None else sorted(each.unchangeable) for each in trials)
    assert (quick_held, trials[0] is None) == (plain_held, trials[1] is None), where
    hands.meddle(hands.chance.choice((0, 1, 1, 2, 5)))
    for found in (states, [each for each in trials if each is not None]):
        told = [sorted(each.found(), key=lambda touch: touch.path) for each in found]
        assert told[:1] == told[1:], where
    return [earlier or before for earlier, before in zip(since, trials, strict=True)]


def begun(looker: FileFootprints, since: TrialBefore | None) -> TrialBefore | None:
    """The state before a trial; None where the folder can't be covered."""
    try:
        return looker.trial(NAMED, since)
    except CommandFailure:
        return None


def test_a_clock_that_was_set_back_is_no_answer(told: ChangedSince, tmp_path: Path) -> None:
    now = this_moment(tmp_path)
    assert told.among([""], now) is not None
    assert told.among([""], replace(now, wall=now.wall + 3)) is None


def test_a_folder_that_is_gone_is_no_answer(told: ChangedSince, tmp_path: Path) -> None:
    assert told.among(["", "gone"], this_moment(tmp_path)) is None


def test_without_the_program_there_is_no_answer(tmp_path: Path) -> None:
    other = tmp_path / "find"
    other.write_text("#!/bin/sh\necho ./x\n")
    other.chmod(0o755)
    for program in (None, str(tmp_path / "nothing"), str(other)):
        assert ChangedSince(tmp_path, program).among([""], this_moment(tmp_path)) is None


def test_only_changed_entries_are_told_by_whatever_names(told: ChangedSince, tmp_path: Path) -> None:
    for name in ("-x", "new\nline", "ü", "a b"):
        (tmp_path / "folder" / name).mkdir(parents=True)
        (tmp_path / "folder" / name / "file").touch()
    later = this_moment(tmp_path)
    moment = replace(later, wall=later.wall + changed_since.SLACK + 1, steady=later.steady + changed_since.SLACK + 1)
    folders = ["", "folder", *(f"folder/{name}" for name in ("-x", "new\nline", "ü", "a b"))]
    assert told.among(folders, moment) == set()
    assert told.among(folders[:2], later) == {"", *folders[1:]}
    assert told.among([folders[3]], later) == {folders[3], f"{folders[3]}/file"}


def test_what_changed_just_before_counts_only_on_disks_that_cut_times(told: ChangedSince, tmp_path: Path) -> None:
    now = this_moment(tmp_path)
    ago = {"long": 1.0, "just": changed_since.FINE_SLACK / 2, "after": -1.0}
    lines = [f"{now.wall - seconds:.9f}0 ./{name}" for name, seconds in ago.items()]
    lines += [f"{now.wall - 1:.0f}.0000000000 ./cut", f"{now.wall:.9f}0 ./"]
    find = tmp_path / "find"
    find.write_text("#!/bin/sh\nprintf '%s\\0' " + " ".join(f"'{line}'" for line in lines) + "\n")
    find.chmod(0o755)
    assert ChangedSince(tmp_path, str(find)).among([""], now) == {"", "just", "after", "cut"}


def test_a_moment_is_never_after_the_time_of_a_later_change(told: ChangedSince, tmp_path: Path) -> None:
    for number in range(200):
        moment = this_moment(tmp_path)
        (tmp_path / f"{number}").touch()
        assert (tmp_path / f"{number}").stat().st_ctime_ns / 1e9 >= moment.wall - 1e-6


@pytest.mark.parametrize(
    ("lines", "is_kept", "is_told"),
    [
        (["1 0 8:1 / / rw - ext4 /dev/sda rw"], True, True),
        (["1 0 8:1 / / rw - ext4 /dev/sda rw", "2 1 0:1 / /home rw - nfs4 server rw"], True, True),
        (["1 0 8:1 / / rw - ext4 /dev/sda rw", "2 1 0:1 / /work rw - nfs4 server rw"], False, True),
        (["1 0 8:1 / / rw - ext4 /dev/sda rw", "2 1 0:1 / /work/a\\040b/c rw - fuse.sshfs x rw"], False, False),
        (["1 0 8:1 / / rw - ext4 /dev/sda rw", "2 1 0:1 / /work/a\\040bc rw - fuse.sshfs x rw"], True, True),
        (["1 0 8:1 / / rw - 9p x rw", "2 1 8:1 / /work/a\\040b rw shared:1 - xfs /dev/sda rw"], True, True),
        (["1 0 8:1 / / rw - ext4 /dev/sda rw", "2 1 0:1 / /work rw - tmpfs none rw"], False, False),
        ([], False, False),
    ],
)
def test_times_are_trusted_only_on_known_file_systems(
    lines: list[str], *, is_kept: bool, is_told: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "mountinfo").write_text("\n".join(lines))
    monkeypatch.setattr(changed_since, "_MOUNTS", tmp_path / "mountinfo")
    assert keeps_times(Path("/work/a b")) is is_kept
    monkeypatch.setattr("sys.platform", "linux")
    assert has_reliable_times(Path("/work/a b")) is is_told


def test_a_change_by_another_name_is_found(told: ChangedSince, tmp_path: Path) -> None:
    root = tmp_path / "w"
    root.mkdir()
    (root / "file").write_text("one\n")
    subprocess.run(["touch", "-d", "2001-01-01", root / "file"], check=True)
    quick = looker(root, ChangedSince(root, FIND))
    assert quick.can_try()
    before = quick.trial(())
    (tmp_path / "other").hardlink_to(root / "file")
    (tmp_path / "other").write_text("two\n")
    (tmp_path / "other").unlink()
    subprocess.run(["touch", "-d", "2001-01-01", root / "file"], check=True)
    assert [touch.path for touch in before.found()] == ["file"]


def test_another_folder_in_the_place_of_the_workspace_is_looked_at(
    told: ChangedSince, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(file_states, "SETTLED_AFTER", 0.0)
    root, other = tmp_path / "w", tmp_path / "other"
    for folder, text in ((root, "one\n"), (other, "two\n")):
        (folder / "a").mkdir(parents=True)
        (folder / "a/x").write_text(text)
    time.sleep(changed_since.FINE_SLACK + LAG)
    quick = looker(root, ChangedSince(root, FIND))
    states = (quick.snapshot(NAMED), quick.trial(()))
    root.rename(tmp_path / "away")
    other.rename(root)
    assert [[touch.path for touch in before.found()] for before in states] == [["a/x"], ["a/x"]]


def test_after_a_commit_only_what_changed_is_looked_at(
    told: ChangedSince, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = tmp_path / "w"
    root.mkdir()
    git(root, "init", "-q")
    for name in "abc":
        (root / name).write_text("one\n")
    git(root, "add", ".")
    git(root, "commit", "-qm", "c")
    monkeypatch.setattr(footprints, "FEW_TRACKED", 0)
    quick = looker(root, ChangedSince(root, FIND))
    quick.snapshot(())
    quick.trial(())
    updates: list[bool] = []
    monkeypatch.setattr(trial, "updated_tree", counted(updates))
    (root / "a").write_text("two\n")
    git(root, "commit", "-qam", "d")
    states = (quick.snapshot(()), quick.trial(()))
    assert updates == [True]
    (root / "a").write_text("three\n")
    (root / "b").write_text("two\n")
    for before in states:
        found = {touch.path: touch.before for touch in before.found()}
        sums = dict(zip("ab", kept([b"two\n", b"one\n"]), strict=True))
        assert {path: before and before.sha256 for path, before in found.items()} == sums
    git(root, "rm", "-q", "--cached", "c")
    quick.trial(())
    assert updates == [True, True], "an index with other files was taken for the one before"


@pytest.mark.parametrize(("few", "is_asked"), [(3, True), (4, False)])
def test_for_few_files_no_program_is_started(
    told: ChangedSince, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, few: int, is_asked: bool
) -> None:
    monkeypatch.setattr(footprints, "FEW_TRACKED", few)
    git(tmp_path, "init", "-q")
    for name in "abc":
        (tmp_path / name).write_text("one\n")
    git(tmp_path, "add", ".")
    git(tmp_path, "commit", "-qm", "c")
    asked: list[LookMoment] = []

    def among(_: object, since: LookMoment) -> set[str]:
        asked.append(since)
        return {"b"}

    monkeypatch.setattr(told, "among", among)
    quick = looker(tmp_path, told)
    for _ in range(2):
        before = quick.snapshot(())
        with (tmp_path / "b").open("a") as file:
            file.write("more\n")
        assert [touch.path for touch in before.found()] == ["b"]
    assert bool(asked) is is_asked


def test_rules_that_are_gone_are_missed(told: ChangedSince, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(changed_since, "SLACK", LAG)
    for name in ("top", "folder"):
        root = tmp_path / name
        (root / "folder").mkdir(parents=True)
        git(root, "init", "-q")
        rules = root / name / ".gitignore" if name == "folder" else root / ".gitignore"
        rules.write_text("data\n")
        (root / "folder/data").write_text("one\n")
        time.sleep(3 * LAG)  # so that the folders aren't looked at for their own sake
        quick = looker(root, ChangedSince(root, FIND))
        assert [*quick.trial(()).unchangeable] == [str(root / "folder/data")]
        rules.rename(rules.with_name("elsewhere"))
        assert [*quick.trial(()).unchangeable] == []
