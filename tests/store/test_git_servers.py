"""The servers that a repository's own settings name."""

import subprocess
from pathlib import Path

import pytest

from planact.adapters.store.git.servers import git_servers


def repository(folder: Path, settings: str = "") -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    subprocess.run(["git", "init", "-q", str(folder)], check=True)
    with (folder / ".git/config").open("a") as file:
        file.write(settings)
    return folder


ORIGIN = '[remote "origin"]\n\turl = https://git.example.org/a/b.git\n'
PROXY = "[http]\n\tproxy = http://p.example:8080\n"
SHORT = '[url "https://c.example/"]\n\tinsteadOf = gh:\n[remote "o"]\n\turl = gh:x\n'
SSH = '[remote "o"]\n\turl = git@a.example:x/y\n[REMOTE "p"] URL = ssh://u@b.example:22/x\n'


@pytest.mark.parametrize(
    ("settings", "servers"),
    [
        ("", ()),
        (ORIGIN, ("git.example.org",)),
        (SSH, ("a.example", "b.example")),
        (SHORT, ("c.example", "gh")),
        (ORIGIN + PROXY, ("git.example.org", "p.example")),
        # Where one isn't known, none is said to be.
        (ORIGIN + '[remote "p"]\n\turl = /srv/x\n', None),
        (ORIGIN + "[include]\n\tpath = ../other\n", None),
        (ORIGIN + '[includeIf "gitdir:/"]\n\tpath = ../other\n', None),
        (ORIGIN + "#" * 1_000_001, None),
        # Forms that git reads, too.
        (f"# note \\\n{ORIGIN}", ("git.example.org",)),
        (f"[core]{ORIGIN}", ("git.example.org",)),
        ('[remote "o"]\n\turl = \\\r\n "https://a.example"/x # https://b.example\n', ("a.example",)),
        ('[branch "main"]\n\tremote = https://a.example/x\n', ("a.example",)),
        (ORIGIN + '[branch "main"]\n\tremote = origin\n[branch "x"]\n\tremote = .\n', ("git.example.org",)),
    ],
)
def test_servers_are_named_where_all_are_known(tmp_path: Path, settings: str, servers: tuple[str, ...] | None) -> None:
    assert git_servers(repository(tmp_path / "w", settings), ["."]) == servers


def test_the_repository_around_each_path_counts_and_that_of_a_worktree(tmp_path: Path) -> None:
    outer = repository(tmp_path / "w", ORIGIN)
    repository(outer / "inner", SSH)
    assert git_servers(outer, ["src/deep"]) == ("git.example.org",)
    assert git_servers(outer, ["src", "inner/a/b.py"]) == ("a.example", "b.example", "git.example.org")
    author = ["-c", "user.name=a", "-c", "user.email=a@b"]
    subprocess.run(["git", "-C", str(outer), *author, "commit", "-q", "--allow-empty", "-m", "x"], check=True)
    subprocess.run(["git", "-C", str(outer), "worktree", "add", "-q", str(tmp_path / "t")], check=True)
    assert git_servers(tmp_path / "t", ["."]) == ("git.example.org",)


def test_what_a_work_tree_alone_sets_counts(tmp_path: Path) -> None:
    root = repository(tmp_path, "[extensions]\n\tworktreeConfig = true\n")
    (root / ".git/config.worktree").write_text(ORIGIN)
    assert git_servers(root, ["."]) == ("git.example.org",)


def test_a_remote_of_the_old_form_is_not_known(tmp_path: Path) -> None:
    root = repository(tmp_path, ORIGIN)
    (root / ".git/remotes").mkdir()
    (root / ".git/remotes/other").write_text("URL: https://a.example/x\n")
    assert git_servers(root, ["."]) is None


def test_settings_of_another_program_in_the_repository_may_name_another_server(tmp_path: Path) -> None:
    root = repository(tmp_path, ORIGIN)
    (root / ".git/glab-cli").mkdir()
    (root / ".git/glab-cli/config.yml").write_text("api_host: a.example\n")
    assert git_servers(root, ["."]) is None


def test_a_folder_that_git_takes_for_no_repository_hides_none(tmp_path: Path) -> None:
    outer = repository(tmp_path, ORIGIN)
    (outer / "src/.git").mkdir(parents=True)
    assert git_servers(outer, ["src"]) == ("git.example.org",)


def test_a_git_file_that_leads_nowhere_names_no_server(tmp_path: Path) -> None:
    (tmp_path / ".git").write_text("gitdir: .git\n")
    assert git_servers(tmp_path, ["."]) is None
