"""git runs no program that a repository's settings name, when it only looks; on every rung, and without a jail."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from planact.adapters.sandbox.choose import JailSupport
from planact.adapters.sandbox.limits.git_drivers import without_drivers
from tests.fakes.ordinary_user import as_ordinary_user
from tests.sandbox.yard import PATH, Yard, abilities_of_each_rung

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="the jails that are tested here are Linux's")

RUNGS = {**abilities_of_each_rung(), "none": JailSupport()}

SETTINGS = """
[core]
	fsmonitor = EVIL
	pager = EVIL
	hooksPath = HOOKS
	sshCommand = EVIL
[pager]
	diff = EVIL
	log = EVIL
[diff]
	external = EVIL
[diff "evil"]
	textconv = EVIL
	cachetextconv = true
[diff "command"]
	command = EVIL
[diff.old]
	textconv = EVIL
[filter "evil"]
	clean = EVIL
	smudge = EVIL
	required = true
[filter "a \\"process\\" too"]
	process = EVIL
[gpg]
	program = EVIL
[log]
	showSignature = true
[include] path = "mo"re ; in a form that is unusual
[gc][diff "line"] textconv = EVIL
# a note \\
[diff "note"]
	textconv = EVIL
[diff "bytes-\udcff"]
	textconv = EVIL
"""

LOOKS = (
    *("git status", "git diff", "git log -p", "git show", "git blame x.txt", "git diff HEAD", "git log --stat -p"),
    *(
        "git diff --ext-diff --textconv",
        "git show --ext-diff",
        "git -C sub status",
        "git -C sub diff",
        "git stash list",
    ),
    *("git grep --textconv x", "git cat-file --textconv HEAD:x.txt", "git cat-file --filters HEAD:x.txt"),
)


def make_repository(folder: Path, environment: dict[str, str]) -> None:
    """A repository in which each file has a driver, and something to compare; EVIL makes the file `ran`."""
    evil, hooks = folder / "evil", folder / "hooks"
    hooks.mkdir(parents=True)
    for program in (evil, hooks / "post-index-change", hooks / "post-checkout"):
        program.write_text(f'#!/bin/sh\necho "$0" >> {folder}/ran\ncat\n')
        program.chmod(0o755)
    drivers = {
        "x.txt": "diff=evil filter=evil",
        "y": "diff=command",
        "z": "diff=old",
        "p": 'filter="a',
        "q": "diff=more",
        "l": "diff=line",
        "n": "diff=note",
        "b": "diff=bytes-\udcff",
    }
    attributes = "".join(f"{name} {driver}\n" for name, driver in drivers.items())
    (folder / ".gitattributes").write_bytes(os.fsencode(attributes))
    for name in drivers:
        (folder / name).write_text("one\n")
    git = "git init -q && git add . && git -c user.name=A -c user.email=a@b commit -qm one && git rm -rq --cached evil"
    subprocess.run(git, shell=True, cwd=folder, env=environment, check=True)
    for name in drivers:
        (folder / name).write_text("two\n")
    settings = SETTINGS.replace("EVIL", str(evil)).replace("HOOKS", str(hooks))
    with (folder / ".git/config").open("ab") as file:
        file.write(os.fsencode(settings))
    (folder / ".git/more").write_text(f'[diff "more"]\n\ttextconv = {evil}\n')
    (folder / ".git/info/attributes").write_text("z diff=old filter=evil\n")


class YardWithOldGit(Yard):
    """Its git knows neither settings that have a variable each, nor that a repository must be called `.git`."""

    @property
    def environment(self) -> dict[str, str]:
        return super().environment | {"PATH": f"{self.base}/bin:{PATH}"}

    def fill(self) -> None:
        old = self.base / "bin/git"
        old.parent.mkdir()
        less = '$(printf %s "$GIT_CONFIG_PARAMETERS" | sed "s/\'safe.bareRepository=explicit\'//")'
        old.write_text(f'#!/bin/sh\nunset GIT_CONFIG_COUNT\nGIT_CONFIG_PARAMETERS="{less}" exec /usr/bin/git "$@"\n')
        old.chmod(0o755)
        super().fill()


def make_bare(work: Path, environment: dict[str, str]) -> None:
    """Two copies of the repository that git takes for one, too: with its files beside each other, and elsewhere."""
    git = "git clone -q --bare repo bare; mkdir linked; echo ../bare > linked/commondir; cp bare/HEAD linked"
    subprocess.run(git, shell=True, cwd=work, env=environment, check=True)
    (work / "bare/info/attributes").write_text("* diff=bare\n")
    with (work / "bare/config").open("a") as file:
        file.write(f'[diff "bare"]\n\ttextconv = {work / "repo/evil"}\n')


async def look_with_old_git(abilities: JailSupport | None) -> tuple[str, list[str]]:
    yard = YardWithOldGit.make()
    try:
        make_repository(yard.workspace / "repo", yard.environment)
        make_bare(yard.workspace, yard.environment)
        runner = yard.runner(abilities, "local-read")
        looks = [f"cd repo; {look}" for look in LOOKS]
        looks += [f"git -C {name} show HEAD:x.txt --textconv; git -C {name} show" for name in ("bare", "linked")]
        outputs = [(await yard.run(runner, look)).output for look in looks]
        return outputs[-1], [path.read_text() for path in yard.workspace.rglob("ran")]
    finally:
        yard.remove()


@pytest.mark.parametrize("rung", RUNGS)
def test_an_old_git_runs_nothing_that_a_repository_names(rung: str) -> None:
    shown, ran = as_ordinary_user(lambda: look_with_old_git(RUNGS[rung]))
    assert ran == []
    assert "+one" in shown


async def look(abilities: JailSupport | None) -> tuple[dict[str, str], list[str]]:
    """Outputs of all looks, and what the repositories' programs wrote."""
    yard = Yard.make()
    try:
        for folder in (yard.workspace / "repo", yard.workspace / "repo/sub"):
            make_repository(folder, yard.environment)
        runner = yard.runner(abilities, "local-read")
        outputs = {look: (await yard.run(runner, f"cd repo && {look}")).output for look in LOOKS}
        return outputs, [path.read_text() for path in yard.workspace.rglob("ran")]
    finally:
        yard.remove()


@pytest.mark.parametrize("rung", RUNGS)
def test_git_runs_nothing_that_the_repository_names(rung: str) -> None:
    outputs, ran = as_ordinary_user(lambda: look(RUNGS[rung]))
    assert ran == []
    assert [look for look, output in outputs.items() if "fatal" in output or "error:" in output] == []
    assert all(line in outputs["git diff"] for line in ("-one", "+two"))


def test_otherwise_git_runs_them() -> None:
    assert len(as_ordinary_user(lambda: look(None))[1]) == 2


def test_the_users_own_drivers_stay() -> None:
    assert without_drivers({"GIT_CONFIG_COUNT": "3"}, []) == {}


def test_a_name_that_an_old_git_would_read_as_another_hides_the_repository(tmp_path: Path) -> None:
    (tmp_path / "config").write_text('[diff "a=b"]\n\ttextconv = ./evil\n')
    assert without_drivers({}, [str(tmp_path)]) == {"GIT_DIR": os.devnull}


@pytest.mark.parametrize("count", [100, 3_000])
def test_so_many_drivers_keep_no_program_from_starting(count: int, tmp_path: Path) -> None:
    (tmp_path / "config").write_text("".join(f'[filter "number {n}"]\n\tclean = ./evil\n' for n in range(count)))
    told = without_drivers({}, [str(tmp_path)])
    assert ("filter.number 99.clean" in told.values()) is (count == 100)
    assert subprocess.run(["true"], env={"PATH": PATH, **told}).returncode == 0


@pytest.mark.parametrize("place", ["modules/deep/er/config", "config.worktree"])
def test_settings_of_submodules_and_worktrees_count(tmp_path: Path, place: str) -> None:
    git = tmp_path / "repo/.git"
    (git / place).parent.mkdir(parents=True)
    (git / place).write_text('[filter "x"]\n\tclean = ./evil\n')
    assert "filter.x.clean" in without_drivers({}, [str(git)]).values()


def test_a_file_in_the_place_of_a_repository_is_followed_to_its_settings(tmp_path: Path) -> None:
    own = tmp_path / "main/.git/worktrees/w"
    own.mkdir(parents=True)
    (own / "commondir").write_text("../..\n")
    (tmp_path / "main/.git/config").write_text('[diff "x"]\n\ttextconv = ./evil\n')
    (tmp_path / ".git").write_text(f"gitdir: {own}\n")
    assert "diff.x.textconv" in without_drivers({}, [str(tmp_path / ".git")]).values()
    (own / "commondir").write_text(f"{tmp_path / '.git'}\n")  # leads back to itself
    without_drivers({}, [str(tmp_path / ".git")])


@pytest.mark.parametrize("pointer", ["gitdir: with blank \n", "gitdir: two\nlines\n\n"])
def test_a_path_to_settings_is_read_as_git_reads_it(tmp_path: Path, pointer: str) -> None:
    own = tmp_path / pointer.removeprefix("gitdir: ").rstrip("\n")
    own.mkdir()
    (own / "config").write_text('[diff "x"]\n\ttextconv = ./evil\n')
    (tmp_path / ".git").write_text(pointer)
    assert "diff.x.textconv" in without_drivers({}, [str(tmp_path / ".git")]).values()


def test_where_git_is_installed_no_settings_are_looked_for(tmp_path: Path) -> None:
    (tmp_path / "config").write_text("[include]\n\tpath = %(prefix)/../x\n")
    assert without_drivers({}, [str(tmp_path)]) == {"GIT_DIR": os.devnull}


def test_where_settings_cant_be_read_to_their_end_git_finds_no_repository(tmp_path: Path) -> None:
    git = tmp_path / ".git"
    git.mkdir()
    (git / "config").write_text("#" * 1_000_001)
    assert without_drivers({}, [str(git)]) == {"GIT_DIR": os.devnull}
