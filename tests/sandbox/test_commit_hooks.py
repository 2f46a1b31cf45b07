"""Where a commit runs more than git, no rule for all commits is offered: what git really runs there is the measure."""

import os
import subprocess
from functools import partial
from pathlib import Path

import pytest

from planact.adapters.sandbox.limits.run_by_git import runs_more_than_git
from planact.tools.commands.reader import LineReader

RUN = '#!/bin/sh\ntouch "$MARK"\n'
HOOKS = ("pre-commit", "prepare-commit-msg", "commit-msg", "post-commit", "post-index-change", "reference-transaction")
LINE = "git add -A && git commit -m more"
CASES: dict[str, dict[str, str]] = {
    "nothing": {},
    "samples of hooks": {".git/hooks/pre-commit.sample": RUN},
    "hooks of other commands": {
        ".git/hooks/pre-push": RUN,
        ".git/hooks/post-checkout": RUN,
        ".git/hooks/post-merge": RUN,
    },
    "plain settings": {".git/config": "[user]\n\temail = a@b.example\n[core]\n\tfsmonitor = false\n"},
    **{name: {f".git/hooks/{name}": RUN} for name in HOOKS},
    "hooks of the project": {".git/config": "[core]\n\thooksPath = .husky\n", ".husky/pre-commit": RUN},
    "hooks by settings that are included": {
        ".git/config": "[include]\n\tpath = ../more\n",
        "more": "[core]\n\thooksPath = hooks\n",
        "hooks/commit-msg": RUN,
    },
    "a filter": {
        ".git/config": '[filter "x"]\n\tclean = touch \\"$MARK\\"; cat\n',
        ".gitattributes": "*.txt filter=x\n",
    },
    "a watcher": {".git/config": "[core]\n\tfsmonitor = tools/watch\n", "tools/watch": RUN},
    "a signature": {".git/config": "[commit]\n\tgpgSign = true\n[gpg]\n\tprogram = tools/sign\n", "tools/sign": RUN},
}


@pytest.fixture
def work(tmp_path: Path) -> Path:
    folder = tmp_path / "work"
    git(folder, "init", "-q", str(folder), at=tmp_path)
    (folder / "a.txt").write_text("one\n")
    git(folder, "add", "-A")
    git(folder, "commit", "-qm", "first")
    return folder


def git(folder: Path, *words: str, at: Path | None = None, must_work: bool = True) -> None:
    who = ["-c", "user.name=a", "-c", "user.email=a@b.example"]
    clean = {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_SYSTEM": os.devnull, "MARK": str(folder.parent / "ran")}
    subprocess.run(
        ["git", *who, *words], cwd=at or folder, env=os.environ | clean, check=must_work, capture_output=True
    )


def put(folder: Path, files: dict[str, str]) -> None:
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("a") as file:
            file.write(text)
        path.chmod(0o755 if text == RUN else 0o644)


def similar(folder: Path, directory: Path | None = None) -> tuple[str, ...]:
    reader = LineReader(
        str(folder), None, lambda _: (), is_windows=False, commits_run_more=partial(runs_more_than_git, folder)
    )
    return reader.read_now(LINE, str(directory or folder)).similar


@pytest.mark.parametrize("case", CASES)
def test_a_rule_for_all_commits_is_offered_where_git_runs_nothing_else(case: str, work: Path) -> None:
    put(work, CASES[case])
    (work / "a.txt").write_text("two\n")
    git(work, "add", "-A", must_work=False)
    git(work, "commit", "-m", "more", must_work=False)
    ran = (work.parent / "ran").exists()
    assert runs_more_than_git(work, ["."]) is ran
    assert bool(similar(work)) is not ran


def test_the_repository_around_the_folder_counts_and_that_of_a_worktree(work: Path) -> None:
    (work / "sub").mkdir()
    git(work, "worktree", "add", "-q", "../other")
    assert not runs_more_than_git(work / "sub", ["."])
    assert not runs_more_than_git(work.parent / "other", ["."])
    put(work, {".git/hooks/pre-commit": RUN})
    assert runs_more_than_git(work / "sub", ["."])
    assert runs_more_than_git(work.parent / "other", ["."])
    assert similar(work.parent / "other") == ()
    assert similar(work, work / "sub") == ()


def test_settings_that_cannot_be_read_may_run_anything(work: Path) -> None:
    put(work, {".git/config": "#" * 1_100_000})
    assert runs_more_than_git(work, ["."])
