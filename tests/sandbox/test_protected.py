import contextlib
import os
import resource
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from types import FrameType

import pytest

from planact.adapters.sandbox.limits import protected
from planact.adapters.sandbox.limits.profiles import git_folders
from planact.adapters.sandbox.limits.protected import ProtectedFolders
from tests.fakes.ordinary_user import as_ordinary_user


@pytest.fixture
def work(tmp_path: Path) -> Path:
    return make_work(tmp_path)


def make_work(folder: Path) -> Path:
    """Make a repository with a hook, and planact's folder."""
    folder = folder / "work"
    for name in (".git/hooks/pre-commit", ".git/config", ".git/info/attributes", ".git/objects/ab", ".git/HEAD", "f"):
        write(folder, name)
    for name in ("config.toml", "roles/mine.md", "plans/a.plan", "sessions/s.chat", "executions/e.json", ".gitignore"):
        write(folder, f".planact/{name}")
    (folder / ".git/hooks/pre-commit").chmod(0o755)
    return folder


def write(folder: Path, name: str, text: str = "text\n") -> None:
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)


def run(folder: Path, command: str) -> None:
    subprocess.run(["bash", "-c", command], cwd=folder, check=True)


def remove_hooks(folder: Path) -> None:
    (folder / ".git/hooks/pre-commit").unlink()
    (folder / ".git/hooks").rmdir()


def link_hooks_elsewhere(folder: Path) -> None:
    remove_hooks(folder)
    write(folder, "own/pre-commit")
    (folder / ".git/hooks").symlink_to(folder / "own")


CHANGES: dict[str, tuple[Callable[[Path], object], list[str]]] = {
    "a new hook": (lambda folder: write(folder, ".git/hooks/post-merge"), [".git/hooks/post-merge"]),
    "another hook": (lambda folder: write(folder, ".git/hooks/pre-commit", "evil"), [".git/hooks/pre-commit"]),
    "a hook switched on": (lambda folder: (folder / ".git/hooks/pre-commit").chmod(0o777), [".git/hooks/pre-commit"]),
    "a folder for others": (lambda folder: (folder / ".git/hooks").chmod(0o777), [".git/hooks"]),
    "no hooks": (remove_hooks, [".git/hooks", ".git/hooks/pre-commit"]),
    "hooks elsewhere": (link_hooks_elsewhere, [".git/hooks", ".git/hooks/pre-commit"]),
    "settings of git": (lambda folder: write(folder, ".git/config", "[core]"), [".git/config"]),
    "new settings of git": (lambda folder: write(folder, ".git/config.worktree"), [".git/config.worktree"]),
    "attributes": (lambda folder: write(folder, ".git/info/attributes", "* diff=evil"), [".git/info/attributes"]),
    "a hook of a submodule": (
        lambda folder: write(folder, ".git/modules/m/hooks/h"),
        [".git/modules/m/hooks", ".git/modules/m/hooks/h"],
    ),
    "a hook of a submodule in a folder": (
        lambda folder: write(folder, ".git/modules/vendor/m/hooks/h"),
        [".git/modules/vendor/m/hooks", ".git/modules/vendor/m/hooks/h"],
    ),
    "the settings of another repository": (
        lambda folder: write(folder, ".git/commondir", "../evil"),
        [".git/commondir"],
    ),
    "settings of planact": (lambda folder: write(folder, ".planact/config.toml", "x = 1"), [".planact/config.toml"]),
    "a role": (lambda folder: write(folder, ".planact/roles/evil.md"), [".planact/roles/evil.md"]),
    "a pipe": (lambda folder: os.mkfifo(folder / ".planact/pipe"), [".planact/pipe"]),
    "what git does": (lambda folder: write(folder, ".git/HEAD", "other"), []),
    "what planact writes itself": (lambda folder: write(folder, ".planact/sessions/s.chat", "more"), []),
    "plans": (lambda folder: write(folder, ".planact/plans/b.plan"), []),
    "other files": (lambda folder: write(folder, "f", "other"), []),
}


@pytest.mark.parametrize(("act", "expected"), CHANGES.values(), ids=CHANGES)
def test_what_a_command_did_to_protected_entries_is_seen_and_put_back(
    work: Path, act: Callable[[Path], object], expected: list[str]
) -> None:
    before = ProtectedFolders(work).snapshot()
    act(work)
    assert [*before.changed()] == expected
    assert before.put_back() == []
    assert before.changed() == {}
    assert ProtectedFolders(work).snapshot().entries == before.entries


CLOSING = (
    "chmod 511 .git/hooks",
    "chmod 000 .git/hooks",
    "echo x > .git/hooks/post-merge; chmod 555 .git/hooks",
    "echo x > .git/hooks/post-merge; chmod 300 .git/hooks",
    "mkdir -p .git/hooks/a/b; echo x > .git/hooks/a/b/c; chmod 000 .git/hooks/a/b .git/hooks/a .git/hooks",
    "echo x > .git/config; chmod 100 .git",
    "mkdir .planact/mine; echo x > .planact/mine/x; chmod 000 .planact/mine .planact",
    "echo x > .planact/roles/mine.md; chmod 444 .planact/roles",
    "rm -r .git/hooks; echo x > .git/hooks",
)


@pytest.mark.parametrize("command", CLOSING)
def test_what_an_ordinary_user_closed_is_opened_and_put_back(command: str) -> None:
    async def close() -> tuple[bool, object, object]:
        with tempfile.TemporaryDirectory() as name:
            folder = make_work(Path(name))
            (folder / ".git/hooks").chmod(0o555)
            before = ProtectedFolders(folder).snapshot()
            (folder / ".git/hooks").chmod(0o755)
            run(folder, command)
            is_seen = bool(before.changed())
            return is_seen, before.put_back(), ProtectedFolders(folder).snapshot().entries == before.entries

    assert as_ordinary_user(close) == (True, [], True)


def test_what_was_closed_before_stays_unread_and_unchanged() -> None:
    async def close() -> tuple[object, object, bool]:
        with tempfile.TemporaryDirectory() as name:
            folder = make_work(Path(name))
            (folder / ".git/hooks").chmod(0)
            before = ProtectedFolders(folder).snapshot()
            write(folder, ".git/config", "x")
            found = [*before.changed()], before.put_back()
            (folder / ".git/hooks").chmod(0o755)
            before.put_back()
            return *found, (folder / ".git/hooks/pre-commit").exists()

    assert as_ordinary_user(close) == ([".git/config"], [], True)


def test_nothing_is_put_back_through_a_link(work: Path) -> None:
    before = ProtectedFolders(work).snapshot()
    link_hooks_elsewhere(work)
    assert before.put_back() == []
    assert (work / "own/pre-commit").read_text() == "text\n"
    assert not (work / ".git/hooks").is_symlink()


def test_what_is_too_large_to_keep_is_seen_and_left_as_it_is(work: Path) -> None:
    large = work / ".git/hooks/large"
    write(work, ".git/hooks/large", "x" * 2_000_000)
    before = ProtectedFolders(work).snapshot()
    large.write_text("y" * 2_000_000)
    assert [*before.changed()] == [".git/hooks/large"]
    assert before.put_back() == [".git/hooks/large"]
    assert large.stat().st_size == 2_000_000


@contextlib.contextmanager
def full_disk() -> Iterator[None]:
    """Let no file be longer than a few bytes."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (2, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


def test_where_the_disk_is_full_new_entries_go_and_of_others_none_is_lost(work: Path) -> None:
    before = ProtectedFolders(work).snapshot()
    for name in (".git/config", ".git/hooks/pre-commit", ".git/hooks/post-merge", ".planact/new/role.md"):
        write(work, name, "evil\n")
    (work / ".git/info/attributes").unlink()
    with full_disk():
        left = before.put_back()
    assert left == [".git/config", ".git/hooks/pre-commit", ".git/info/attributes"]
    assert (work / ".git/config").read_text() == "evil\n"
    assert [path.name for path in (work / ".git/hooks").iterdir()] == ["pre-commit"]
    assert not (work / ".planact/new").exists()
    assert before.put_back() == []
    assert ProtectedFolders(work).snapshot().entries == before.entries


def test_killed_at_any_moment_each_entry_is_the_one_of_before_or_the_commands(
    work: Path,
) -> None:
    before = ProtectedFolders(work).snapshot()
    names = (".git/config", ".git/hooks/pre-commit", ".planact/config.toml")
    for name in names:
        write(work, name, "evil\n")
    seen: set[str] = set()

    def look(frame: FrameType, _event: str, _argument: object) -> Callable[..., object]:
        if frame.f_code.co_filename == protected.__file__:
            seen.update((work / name).read_text() if (work / name).exists() else "gone" for name in names)
        return look

    sys.settrace(look)
    try:
        assert before.put_back() == []
    finally:
        sys.settrace(None)
    assert seen == {"text\n", "evil\n"}


def test_a_worktree_is_known_by_its_repository_and_not_by_its_own_word(tmp_path: Path) -> None:
    git = ["git", "-c", "user.name=A", "-c", "user.email=a@example.org"]
    main, other = tmp_path / "main", tmp_path / "other"
    for arguments in (
        ["init", "-q", str(main)],
        ["-C", str(main), "commit", "-q", "--allow-empty", "-m", "one"],
        ["-C", str(main), "worktree", "add", "-q", str(other)],
    ):
        subprocess.run([*git, *arguments], check=True, capture_output=True)
    assert (git_folders(main), git_folders(other)) == ((), (main / ".git",))
    for claim in (
        f"gitdir: {main}/.git/worktrees/other\n",
        "gitdir: mine/worktrees/x\n",
        "gitdir: /\n",
        "\n",
        "gitdir: \0",
        f"gitdir: /{'x' * 5000}",
    ):
        liar = tmp_path / f"liar-{len(claim)}"
        write(liar, ".git", claim)
        write(liar, "mine/worktrees/x/gitdir", str(liar / ".git"))
        assert git_folders(liar) == ()
