"""Commands on trial commit in the user's name, and get nothing else of their home's settings."""

from pathlib import Path

import pytest

from planact.adapters.sandbox.limits.git_environment import settings_of_git_user
from planact.adapters.sandbox.runner.command_runner import CommandRunner
from tests.sandbox.trial.ground import SUPPORT, on_ground, trial_runner, try_out
from tests.sandbox.yard import Yard

SETTINGS = """[user]
	name = "Ada \\"L\\" # x"
	signingkey = KEY
[include]
	path = more
[commit]
	gpgsign = true
[alias]
	st = !touch ran
[credential]
	helper = !echo password=s3cr3t
[url "https://s3cr3t@example.org/"]
	insteadOf = https://example.org/
[core]
	hooksPath = ~/hooks
	autocrlf = input
[init]
	defaultBranch = trunk
"""
COMMITS = (
    "git init -q $TMPDIR/r && cd $TMPDIR/r && echo x > f && git add f && git commit -qm one && git tag -a v1 -m one"
    " && git log -1 --format='%an <%ae>' && git branch --show-current && git config --global --list --name-only | sort"
    " && git config --global user.name Other && git config user.name"
)
TOLD = 'Ada "L" # x <ada@example.org>\ntrunk\ncore.autocrlf\ninit.defaultbranch\nuser.email\nuser.name\nOther\n'


def fill(home: Path) -> None:
    (home / ".gitconfig").write_text(SETTINGS)
    (home / "more").write_text("[user]\n\temail = ada@example.org\n[http]\n\textraHeader = s3cr3t\n")


@pytest.mark.skipif(not SUPPORT.bubblewrap, reason="the jail needs bubblewrap")
def test_a_command_on_trial_commits_in_the_users_name() -> None:
    async def commit(yard: Yard, _: CommandRunner) -> list[str]:
        fill(yard.home)
        runner = trial_runner(yard)
        (yard.base / "scratch").mkdir()
        told = [(await try_out(runner, yard, COMMITS, scratch=str(yard.base / "scratch"))).output]
        told.append((await try_out(runner, yard, "git config user.name; cat HOME_OF_USER/more")).output)
        return [*told, (yard.home / ".gitconfig").read_text()]

    told, later, kept = on_ground(commit, is_filled=False)
    assert told == TOLD
    assert later.startswith('Ada "L" # x\n')
    assert "s3cr3t" not in later
    assert kept == SETTINGS


def test_settings_are_taken_as_git_takes_them(tmp_path: Path) -> None:
    (tmp_path / ".config/git").mkdir(parents=True)
    (tmp_path / ".config/git/config").write_text('[user]\n\tname = A\n\temail = a\n[user "x"]\n\tname = no\n')
    (tmp_path / ".gitconfig").write_text("[include]\n\tpath = .gitconfig\n[user]\n\tname = B\n")
    assert settings_of_git_user({}, tmp_path) == '[user]\n\tname = "B"\n[user]\n\temail = "a"\n'
    (tmp_path / "other").write_text("[author]\n\tname = C\n")
    given = settings_of_git_user({"GIT_CONFIG_GLOBAL": str(tmp_path / "other")}, tmp_path)
    assert given == '[author]\n\tname = "C"\n'
    assert settings_of_git_user({"GIT_CONFIG_GLOBAL": "/dev/null"}, tmp_path) == ""
