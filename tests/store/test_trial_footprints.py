"""What a command on trial may change is found whole and can be put back; what couldn't be is named beforehand."""

import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from planact.adapters.store.git import footprints, trial
from planact.model.runs.touch import NOTHING, OTHER, FileState, Touch
from tests.store.test_footprints import FOLDER, Yard


@pytest.fixture
def yard(tmp_path: Path) -> Yard:
    return Yard(tmp_path)


@pytest.fixture
def bare(tmp_path: Path) -> Yard:
    """A folder without a repository."""
    return Yard(tmp_path, in_git=False)


def tried(yard: Yard, act: Callable[[], object], *named: str) -> list[Touch]:
    before = yard.looker.trial(named)
    act()
    return list(before.found())


def held(yard: Yard, *named: str) -> list[str]:
    return sorted(os.path.relpath(path, yard.root) for path in yard.looker.trial(named).unchangeable)


def link(yard: Yard, target: str) -> FileState:
    return FileState(kind="link", sha256=yard.journal.keep(target.encode()))


def folder(mode: int = 0o755) -> FileState:
    return FileState(kind="directory", mode=mode)


@pytest.mark.parametrize("in_git", [True, False])
def test_untracked_files_folders_and_links_are_found_with_what_they_said(tmp_path: Path, *, in_git: bool) -> None:
    yard = Yard(tmp_path, in_git=in_git)
    yard.write("scratch/notes.txt", "mine\n")
    yard.write("scratch/run.sh", "x\n", 0o755)
    (yard.root / "scratch/empty").mkdir(mode=0o700)
    (yard.root / "scratch/link").symlink_to("notes.txt")

    def act() -> None:
        shutil.rmtree(yard.root / "scratch")
        yard.write("new/a.txt", "a\n")
        (yard.root / "new/a.link").symlink_to("/etc/hostname")

    assert tried(yard, act) == [
        Touch(path="new", before=NOTHING, after=FOLDER),
        Touch(path="new/a.link", before=NOTHING, after=link(yard, "/etc/hostname")),
        yard.touch("new/a.txt", None, "a\n"),
        Touch(path="scratch", before=FOLDER, after=NOTHING),
        Touch(path="scratch/empty", before=folder(0o700), after=NOTHING),
        Touch(path="scratch/link", before=link(yard, "notes.txt"), after=NOTHING),
        yard.touch("scratch/notes.txt", "mine\n", None),
        Touch(path="scratch/run.sh", before=yard.file("x\n", 0o755), after=NOTHING),
    ]


def test_tracked_files_are_found_as_without_a_trial_and_modes_of_folders_too(yard: Yard) -> None:
    yard.commit(a_py="old\n", src__b_py="x\n", dirty_py="committed\n")
    yard.write("dirty.py", "mine\n")

    def act() -> None:
        yard.write("a.py", "new\n")
        yard.write("dirty.py", "other\n")
        (yard.root / "src/b.py").chmod(0o755)
        (yard.root / "src").chmod(0o700)

    assert tried(yard, act) == [
        yard.touch("a.py", "old\n", "new\n"),
        yard.touch("dirty.py", "mine\n", "other\n"),
        Touch(path="src", before=FOLDER, after=folder(0o700)),
        Touch(path="src/b.py", before=yard.file("x\n"), after=yard.file("x\n", 0o755)),
    ]


def test_a_change_in_the_moment_of_the_look_that_leaves_the_size_is_found(yard: Yard) -> None:
    yard.write("a", "old\n")
    status = (yard.root / "a").stat()

    def act() -> None:
        yard.write("a", "new\n")
        os.utime(yard.root / "a", ns=(status.st_atime_ns, status.st_mtime_ns))

    before = yard.looker.trial(())
    act()
    before.scope.tree.files["a"] = (yard.root / "a").stat()  # as with a clock that stood meanwhile
    assert before.found() == [yard.touch("a", "old\n", "new\n")]


def test_ignored_build_outputs_change_unseen_and_all_else_that_is_ignored_must_not_change(yard: Yard) -> None:
    rules = "/dist/\n__pycache__/\n*.log\n.env\n/uploads/\n*.sqlite\n/build/*\n!/build/.gitkeep\n/bin/*\n!/bin/tool\n"
    yard.write(".gitignore", rules)
    for path in ("dist/a.js", "pkg/__pycache__/m.pyc", "run.log", ".env", "uploads/u.png", "data.sqlite"):
        yard.write(path, "x\n")
    for path in ("build/out.o", "build/.gitkeep", "bin/tool", "bin/local"):
        yard.write(path, "x\n")
    yard.commit(pkg__m_py="1\n")
    assert held(yard) == [".env", "bin/local", "data.sqlite", "uploads"]

    def act() -> None:
        shutil.rmtree(yard.root / "dist")
        yard.write("pkg/__pycache__/n.pyc", "y\n")
        yard.write("build/more.o", "y\n")
        yard.write("run.log", "y\n")

    assert tried(yard, act) == []


def test_a_tracked_file_in_an_ignored_folder_counts_as_tracked(yard: Yard) -> None:
    yard.write(".gitignore", "/data/\n/dist\n")
    yard.write("data/big.bin", "x\n")
    yard.write("dist/other.js", "x\n")
    yard.write("data/.gitkeep", "")
    yard.write("dist/kept.js", "x\n")
    (yard.root / "dist/kept.link").symlink_to("kept.js")
    yard.git("add", "-f", "data/.gitkeep", "dist/kept.js", "dist/kept.link", ".gitignore")
    yard.git("commit", "-qm", "c")
    assert held(yard) == ["data/big.bin", "dist/other.js"]

    def act() -> None:
        (yard.root / "data/.gitkeep").unlink()
        yard.write("dist/kept.js", "y\n")
        (yard.root / "dist/kept.link").unlink()

    assert [(touch.path, touch.is_covered) for touch in tried(yard, act)] == [
        ("data/.gitkeep", True),
        ("dist/kept.js", True),
        ("dist/kept.link", True),
    ]


def test_repositories_and_dependencies_within_must_not_change(yard: Yard) -> None:
    for path in ("lib/repo/.git/HEAD", "web/node_modules/m/i.js", "vendor/v.go", ".venv/bin/python", "sub/.git"):
        yard.write(path, "x\n")
    yard.write("lib/repo/a.py", "x\n")
    assert held(yard) == [".venv", "lib/repo", "sub", "vendor", "web/node_modules"]


def test_a_new_repository_is_found_with_all_that_is_in_it(yard: Yard) -> None:
    found = tried(yard, lambda: yard.git("init", "-q", "new"))
    assert {"new", "new/.git", "new/.git/HEAD", "new/.git/objects"} <= {touch.path for touch in found}
    assert all(touch.before == NOTHING for touch in found)


def test_git_and_planact_themselves_are_left_out(yard: Yard) -> None:
    yard.commit(a_py="1\n")
    yard.write(".planact/plans/a.plan", "x\n")

    def act() -> None:
        yard.write(".planact/plans/a.plan", "y\n")
        yard.git("commit", "--allow-empty", "-qm", "more")

    assert tried(yard, act) == []
    assert held(yard) == []


def test_a_repository_that_a_command_makes_of_the_folder_is_found(bare: Yard) -> None:
    bare.write("a.log", "x\n")
    found = [touch.path for touch in tried(bare, lambda: bare.git("init", "-q"))]
    assert {".git", ".git/HEAD"} <= {*found}
    assert "a.log" not in found


def test_rules_that_a_command_changes_hide_nothing_and_reveal_nothing(yard: Yard) -> None:
    yard.write(".gitignore", "/dist/\n")
    yard.commit(a_py="1\n")
    yard.write("dist/old.js", "x\n")
    yard.write("mine.txt", "mine\n")

    def act() -> None:
        yard.write(".gitignore", "*\n!dist\n!dist/*\n")
        yard.write("dist/new.js", "y\n")
        yard.write("hidden/new.txt", "y\n")
        (yard.root / "mine.txt").unlink()

    assert [touch.path for touch in tried(yard, act)] == [".gitignore", "hidden", "hidden/new.txt", "mine.txt"]


def test_a_folder_that_ignores_itself_hides_nothing_unless_it_is_a_known_output(yard: Yard) -> None:
    yard.commit(a_py="1\n")

    def act() -> None:
        for name in (".pytest_cache", "hidden"):
            yard.write(f"{name}/.gitignore", "*\n")
            yard.write(f"{name}/v/x", "x\n")

    found = [touch.path for touch in tried(yard, act)]
    assert {"hidden", "hidden/.gitignore", "hidden/v", "hidden/v/x"} <= {*found}
    shutil.rmtree(yard.root)
    yard.root.mkdir()
    yard.git("init", "-q")

    def alone() -> None:
        yard.write(".pytest_cache/.gitignore", "*\n")
        yard.write(".pytest_cache/v/x", "x\n")

    assert tried(yard, alone) == []


def test_what_is_too_large_or_holds_credentials_must_not_change(yard: Yard, monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (trial, footprints):
        monkeypatch.setattr(module, "LARGEST", 100)
    yard.commit(clean_big="x" * 200, small_txt="x\n")
    yard.write("big", "x" * 200)
    yard.write("key.pem", "secret\n")
    yard.write("app/.env.local", "secret\n")
    os.mkfifo(yard.root / "pipe")
    assert held(yard) == ["app/.env.local", "big", "clean.big", "key.pem", "pipe"]
    assert b"secret\n" not in yard.journal.images.values()


def test_a_new_file_that_is_too_large_to_keep_can_still_be_told_apart(
    yard: Yard, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(trial, "LARGEST", 100)
    [touch] = tried(yard, lambda: yard.write("big", "x" * 200))
    assert touch == Touch(path="big", before=NOTHING, after=yard.file("x" * 200))


@pytest.mark.parametrize(
    "attributes", ["a.py filter=up\n", "* text eol=crlf\n", "a.py working-tree-encoding=utf-16le\n"]
)
def test_clean_files_that_git_would_give_back_with_other_bytes_are_kept_beforehand(yard: Yard, attributes: str) -> None:
    yard.git("config", "filter.up.clean", "tr a-z A-Z")
    yard.git("config", "filter.up.smudge", "tr A-Z a-z")
    yard.write(".gitattributes", attributes)
    yard.commit(a_py="o\0l\0d\0\r\0\n\0" if "encoding" in attributes else "old\r\n")

    def act() -> None:
        yard.write("a.py", "new\r\n")
        (yard.root / ".gitattributes").unlink()

    [_, touch] = tried(yard, act)
    assert touch.before is not None
    assert yard.journal.kept(touch.before.sha256) in (b"old\r\n", b"o\0l\0d\0\r\0\n\0")


def test_names_that_are_no_text_must_not_change_and_new_ones_are_told(yard: Yard) -> None:
    name = os.fsdecode(b"\xff.txt")
    yard.write(name, "x\n")
    yard.write("new\nline", "x\n")
    before = yard.looker.trial(())
    assert [os.fsencode(path) for path in before.unchangeable] == [os.fsencode(yard.root / name)]
    yard.write(os.fsdecode(b"\xfe"), "x\n")
    yard.write("new\nline", "y\n")
    found = before.found()
    assert found == [
        yard.touch("new\nline", "x\n", "y\n"),
        Touch(path="\\xfe", before=None, after=OTHER),
    ]


def test_a_file_that_shares_its_content_with_what_was_not_seen_must_not_change(yard: Yard, tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    inner = Yard(tmp_path / "in")
    yard.write("outside", "x\n")
    inner.write("one", "x\n")
    (inner.root / "two").hardlink_to(inner.root / "one")
    (inner.root / "shared").hardlink_to(tmp_path / "outside")
    assert held(inner) == ["shared"]
    inner.write(".gitignore", "secret.db\n")
    inner.write("secret.db", "x\n")
    (inner.root / "also").hardlink_to(inner.root / "secret.db")
    assert held(inner) == ["also", "secret.db", "shared"]


def test_a_file_that_changes_by_a_name_that_was_not_seen_is_covered(yard: Yard) -> None:
    yard.write(".gitignore", "/dist/\n")
    yard.commit(a_py="old\n")
    yard.write("b.py", "old\n")
    for name in ("a.py", "b.py"):
        (yard.root / "dist").mkdir(exist_ok=True)
        (yard.root / "dist" / name).hardlink_to(yard.root / name)
    assert held(yard) == ["a.py", "b.py"]

    def act() -> None:
        yard.write("dist/a.py", "new\n")
        yard.write("dist/b.py", "new\n")

    assert tried(yard, act) == [yard.touch("a.py", "old\n", "new\n"), yard.touch("b.py", "old\n", "new\n")]


def test_an_ignored_folder_that_becomes_a_link_is_found(yard: Yard) -> None:
    yard.write(".gitignore", "dist/\n")
    yard.write("dist/a.js", "x\n")

    def act() -> None:
        shutil.rmtree(yard.root / "dist")
        (yard.root / "dist").symlink_to("/etc")

    assert tried(yard, act) == [Touch(path="dist", before=NOTHING, after=link(yard, "/etc"))]


def test_all_is_found_in_a_folder_that_took_the_place_of_a_file(yard: Yard) -> None:
    yard.write(".gitignore", "*.log\n")
    yard.commit(a="old\n")

    def act() -> None:
        (yard.root / "a").unlink()
        yard.write("a/b/x.log", "x\n")

    assert [touch.path for touch in tried(yard, act)] == ["a", "a/b", "a/b/x.log"]


def test_what_moved_away_though_it_is_held_is_told(yard: Yard) -> None:
    yard.write(".gitignore", ".env.local\n")
    yard.commit(app__a_py="1\n")
    yard.write("app/.env.local", "x\n")
    found = tried(yard, lambda: (yard.root / "app").rename(yard.root / "moved"))
    assert Touch(path="app/.env.local", before=None, after=NOTHING) in found


def test_an_ignored_file_that_the_plan_names_may_change_and_is_covered(yard: Yard) -> None:
    yard.write(".gitignore", "local.json\ncache.json\n")
    yard.commit(a_py="1\n")
    yard.write("local.json", "old\n")
    yard.write("cache.json", "old\n")
    assert held(yard, "local.json") == ["cache.json"]
    assert tried(yard, lambda: yard.write("local.json", "new\n"), "local.json") == [
        yard.touch("local.json", "old\n", "new\n")
    ]


@pytest.mark.parametrize("flag", ["--assume-unchanged", "--skip-worktree"])
def test_flags_of_the_index_hide_no_change(yard: Yard, flag: str) -> None:
    yard.commit(a_py="old\n")
    yard.git("update-index", flag, "a.py")
    yard.write("new.py", "")
    yard.git("add", "-N", "new.py")

    def act() -> None:
        yard.write("a.py", "new\n")
        yard.write("new.py", "x\n")

    assert tried(yard, act) == [yard.touch("a.py", "old\n", "new\n"), yard.touch("new.py", "", "x\n")]


def test_a_sparse_checkout_a_worktree_and_a_folder_within_a_repository_are_covered(tmp_path: Path) -> None:
    (tmp_path / "main").mkdir()
    main = Yard(tmp_path / "main")
    main.write(".gitignore", "*.log\n")
    main.commit(inner__a_py="old\n", other__b_py="old\n")
    main.git("worktree", "add", "-q", str(tmp_path / "tree"))
    main.git("sparse-checkout", "set", "inner", at=tmp_path / "tree")
    worktree = Yard(tmp_path / "tree", in_git=False)

    def act() -> None:
        worktree.write("inner/a.py", "new\n")
        worktree.write("other/b.py", "new\n")
        worktree.write("x.log", "new\n")

    found = [(touch.path, touch.before and touch.before.kind) for touch in tried(worktree, act)]
    assert found == [("inner/a.py", "file"), ("other", "nothing"), ("other/b.py", "nothing")]
    inner = Yard(tmp_path / "main/inner", in_git=False)

    def within() -> None:
        inner.write("a.py", "new\n")
        inner.write("x.log", "new\n")
        main.write("outside.py", "new\n")

    assert tried(inner, within) == [inner.touch("a.py", "old\n", "new\n")]


def test_a_folder_that_a_repository_above_ignores_as_a_whole_is_one_without_git(tmp_path: Path) -> None:
    outer = Yard(tmp_path)
    outer.write(".gitignore", "*\n")
    (tmp_path / "project").mkdir()
    yard = Yard(tmp_path / "project", in_git=False)
    yard.write("a.py", "old\n")
    assert held(yard) == []
    assert tried(yard, lambda: yard.write("a.py", "new\n")) == [yard.touch("a.py", "old\n", "new\n")]


def test_a_link_that_takes_the_place_of_a_folder_is_not_followed(yard: Yard) -> None:
    yard.write("d/f", "x\n")
    yard.write("other/f", "y\n")

    def act() -> None:
        shutil.rmtree(yard.root / "d")
        (yard.root / "d").symlink_to("other")

    assert tried(yard, act) == [
        Touch(path="d", before=FOLDER, after=link(yard, "other")),
        yard.touch("d/f", "x\n", None),
    ]
