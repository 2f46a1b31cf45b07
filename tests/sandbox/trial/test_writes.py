"""What a command on trial may write in the workspace, and what stays as it is, at any depth and by any way."""

import asyncio
import tempfile
from pathlib import Path

import pytest

from planact.adapters.sandbox.runner.command_runner import CommandRunner
from planact.model.rights.command import CommandResult
from tests.sandbox.trial.ground import FREE, GUARDED, each_jail, on_ground, outcomes, picture, try_out
from tests.sandbox.yard import Yard


def test_it_writes_whatever_lies_free() -> None:
    commands = [f"mkdir -p {Path(name).parent} && echo x > {name}" for name in FREE]
    commands += ["rm -r d", "mv a src/", "ln -s f g", "chmod 700 f", "touch -d 2001-01-01 f", "git status --short"]
    found = outcomes(commands)
    assert {command: code for command, (code, _) in found.items() if code != 0} == {}
    assert [changed for _, changed in found.values()][:2] == [["work/f"], ["work/src/inner.py"]]


WAYS = (
    "echo x > {}",
    "echo x >> {}",
    "rm -f {}",
    "mv {} gone",
    "echo x > y && mv -f y {}",
    "chmod 777 {}",
    "touch -d 2001-01-01 {}",
    "truncate -s 0 {}",
    "ln -f {} other && echo x > other",
    "cp --remove-destination f {}",
    "echo x > /proc/self/root/WORK/{}",
    "echo x > /proc/self/cwd/{}",
    "exec 3< {} && echo x > /proc/self/fd/3",
    'python3 -c \'import os; os.rename("f", "{}")\'',
)


@each_jail
def test_what_is_guarded_stays_as_it_is_however_it_is_written() -> None:
    every = [f"echo x > {name}; rm -f {name}" for name in GUARDED]
    found = outcomes([*every, *(way.format(name) for name in GUARDED[::6] for way in WAYS)])
    assert {command: changed for command, (_, changed) in found.items() if guarded(changed)} == {}


def guarded(changed: list[str]) -> list[str]:
    return [name for name in changed if name.removeprefix("work/") in GUARDED]


PARENTS = (
    "mv .vscode x; mkdir .vscode; echo x > .vscode/settings.json",
    "mv .github x; mkdir -p .github/workflows; echo x > .github/workflows/ci.yml",
    "mv deep x; mkdir -p deep/er/.claude; echo x > deep/er/.claude/settings.json",
    "mv deep/er x; mkdir -p deep/er/sub/.git/hooks; echo x > deep/er/sub/.git/hooks/x",
    "mv src x; mkdir src; echo x > src/GEMINI.md",
    "mv certs x; mkdir certs; echo x > certs/server.pem",
    "rm -rf deep src certs .git .venv node_modules vendor own bare.git",
    "mv WORK WORK.away; mkdir WORK; echo x > WORK/AGENTS.md",
    "mv ../work ../elsewhere; ln -s /etc ../work",
    "rm -rf ../work; rm -rf WORK",
)


@each_jail
def test_a_folder_that_holds_what_is_guarded_cannot_be_moved_away() -> None:
    found = outcomes(PARENTS)
    assert {command: guarded(changed) for command, (_, changed) in found.items() if guarded(changed)} == {}


MADE = (
    *(".git/hooks/pre-commit", ".vscode/settings.json", ".zed/settings.json", ".cursor/mcp.json", ".idea/x.xml"),
    *(".mcp.json", ".envrc", ".env", "sub/.env", ".gitmodules", "AGENTS.md", "deep/er/AGENTS.md", "deep/.vscode/x"),
    *(".github/workflows/x.yml", ".claude/settings.json", ".venv/bin/python", "src/node_modules/x/index.js"),
    *("vendor/x.go", "any/pyvenv.cfg", "sub/.git/config", "sub/.git/HEAD", "keys/server.key", "x.code-workspace"),
    *("loaded.pth", "src/__pycache__/inner.cpython-311.pyc"),
)


@each_jail
def test_what_loads_by_itself_cannot_be_made_and_nothing_is_left_of_it() -> None:
    async def make(yard: Yard, runner: CommandRunner) -> list[tuple[str, object, object]]:
        for name in (".git", ".planact"):
            (yard.workspace / name).rename(yard.base / name)
        wrong: list[tuple[str, object, object]] = []
        for name in MADE:
            result = await try_out(runner, yard, f"mkdir -p {Path(name).parent}; echo x > {name}; echo x > src/free")
            if (yard.workspace / name).exists() or not (yard.workspace / "src/free").exists():
                wrong.append((name, result.output, result.removed))
        left = [name for name in (".git", ".vscode", ".zed", ".cursor") if (yard.workspace / name).exists()]
        return [*wrong, *[(name, "left", "") for name in left]]

    assert on_ground(make, is_filled=False) == []


def test_it_is_told_what_was_taken_away_and_that_is_kept_aside_once() -> None:
    async def make(yard: Yard, runner: CommandRunner) -> tuple[CommandResult, list[str]]:
        scratch = yard.base / "scratch"
        scratch.mkdir()
        made = "mkdir -p src/.vscode venv/x && echo one > src/.vscode/settings.json && echo two > .envrc"
        result = await try_out(runner, yard, made, scratch=str(scratch))
        return result, sorted(path.name for path in scratch.rglob("*") if not path.name.startswith("removed-"))

    result, aside = on_ground(make, is_filled=False)
    assert (result.exit_code, result.removed) == (0, (".envrc", "src/.vscode", "venv"))
    assert (result.packages, result.held_back) == (("venv",), "`venv`")
    assert aside == [".envrc", ".vscode", "settings.json"]


def test_what_was_taken_away_is_kept_aside_on_another_disk_only_where_it_is_small() -> None:
    async def make(yard: Yard, runner: CommandRunner) -> tuple[CommandResult, dict[str, int]]:
        made = "truncate -s 200M .envrc && mkdir -p .github .githooks && echo one > .github/ci.yml"
        many = "for i in $(seq 2000); do : > .githooks/$i; done; mkfifo .github/pipe .npmrc"
        with tempfile.TemporaryDirectory(dir="/dev/shm") as scratch:
            result = await try_out(runner, yard, f"{made} && {many}", scratch=scratch)
            return result, sizes_below(Path(scratch))

    result, aside = on_ground(make, is_filled=False)
    assert result.removed == (".envrc", ".githooks", ".github", ".npmrc")
    assert aside == {"ci.yml": 4}


def sizes_below(folder: Path) -> dict[str, int]:
    return {path.name: path.stat().st_size for path in folder.rglob("*") if path.is_file()}


def test_pipes_that_git_would_wait_for_are_taken_away() -> None:
    async def make(yard: Yard, runner: CommandRunner) -> tuple[CommandResult, list[str]]:
        (yard.workspace / ".gitignore").write_text("x\n")
        pipes = "rm .gitignore; mkdir sub; mkfifo .gitignore sub/.gitignore sub/.gitattributes pipe"
        result = await try_out(runner, yard, f"{pipes}; echo x > .gitattributes")
        names = (".gitignore", ".gitattributes", "pipe", "sub/.gitignore", "sub/.gitattributes")
        return result, [name for name in names if (yard.workspace / name).exists()]

    result, left = on_ground(make, is_filled=False)
    assert (result.exit_code, result.removed) == (0, (".gitignore", "sub/.gitattributes", "sub/.gitignore"))
    assert left == [".gitattributes", "pipe"]


def test_what_was_taken_away_is_told_as_text_whatever_its_name() -> None:
    async def make(yard: Yard, runner: CommandRunner) -> CommandResult:
        return await try_out(runner, yard, "mkdir -p $'a\\xff/.github' $'a\\xff/node_modules'")

    result = on_ground(make, is_filled=False)
    assert (result.removed, result.packages) == (("a\\xff/.github", "a\\xff/node_modules"), ("a\\xff/node_modules",))


LINKS = (
    "rm CLAUDE.md && echo x > CLAUDE.md",
    "ln -sfn f CLAUDE.md",
    "rm -rf linked && mkdir linked",
    "echo x > CLAUDE.md",
    "rm -rf inner",
    "echo x > config/settings.json",
    "echo x > linked/settings.json",
)


@each_jail
def test_a_link_stays_and_so_does_where_it_leads_in_the_workspace() -> None:
    async def change(yard: Yard, runner: CommandRunner) -> list[str]:
        work = yard.workspace
        for name in ("config", "inner"):
            (work / name).mkdir()
        (work / "config/settings.json").write_text("{}")
        (work / "docs/agents.txt").write_text("be kind")
        for link, target in (("CLAUDE.md", "docs/agents.txt"), (".vscode", "config"), ("inner/AGENTS.md", "../f")):
            (work / link).symlink_to(target)
        (work / "linked").symlink_to(".vscode")
        before = picture(yard)
        wrong = []
        for command in LINKS:
            await try_out(runner, yard, command)
            after = picture(yard)
            paths = ("CLAUDE.md", ".vscode", "inner/AGENTS.md", "config/settings.json", "docs/agents.txt", "f")
            wrong += [f"{command}: {path}" for path in paths if before[f"work/{path}"] != after.get(f"work/{path}")]
        return wrong

    assert on_ground(change, is_filled=False) == []


@each_jail
def test_what_is_unchangeable_stays_and_its_folder_cannot_be_moved() -> None:
    named = ("d/data.sqlite", "d/uploads", "deep/er/plain.txt", "docs/missing/file")
    prepare = "mkdir -p d/uploads; echo x > d/uploads/a; echo x > d/data.sqlite"
    ways = ("rm -rf {0}", "echo x > {0}", "echo x > {0}/a", "mv {0} x", "mv $(dirname {0}) x", "mkdir -p {0}")
    found = outcomes([prepare, *(way.format(name) for name in named for way in ways)], named)
    touched = {
        command: changed
        for command, (_, changed) in found.items()
        if command != prepare and any(name.split("/", 1)[1].startswith(named[:3]) for name in changed)
    }
    assert touched == {}
    assert any("work/docs/missing/file" in changed for _, changed in found.values()), "what isn't there may be made"


@each_jail
def test_what_the_user_puts_into_an_editors_folder_meanwhile_stays() -> None:
    async def write(yard: Yard, runner: CommandRunner) -> tuple[str, tuple[str, ...]]:
        running = asyncio.create_task(try_out(runner, yard, "until [ -e go ]; do sleep 0.02; done"))
        while not (yard.workspace / ".vscode").exists():  # noqa: ASYNC110 - only the disk tells
            await asyncio.sleep(0.01)
        (yard.workspace / ".vscode/settings.json").write_text("mine")
        (yard.workspace / "go").touch()
        return (await running).removed, (yard.workspace / ".vscode/settings.json").read_text()

    assert on_ground(write, is_filled=False) == ((), "mine")


@each_jail
@pytest.mark.parametrize("count", [60, 400])
def test_with_many_of_them_more_is_held_and_never_less(count: int) -> None:
    async def change(yard: Yard, runner: CommandRunner) -> tuple[list[str], str]:
        for number in range(count):
            (yard.workspace / f"packages/p{number}/node_modules").mkdir(parents=True)
            (yard.workspace / f"packages/p{number}/node_modules/x.js").write_text("1")
        (yard.workspace / "packages/p7/AGENTS.md").write_text("1")
        before = picture(yard)
        commands = (
            "for p in packages/*; do echo x > $p/node_modules/x.js; rm -rf $p/node_modules; done",
            "mv packages/p7 q; mkdir -p packages/p7/node_modules; cd packages/p7; > node_modules/x.js; > AGENTS.md",
            "cd packages; for p in *; do mv $p $p.x; mkdir -p $p/node_modules; echo x > $p/node_modules/x.js; done",
            "echo > src/a",
        )
        told = [(await try_out(runner, yard, command)).output for command in commands]
        after = picture(yard)
        held = [name for name in before if name.endswith(("x.js", "AGENTS.md"))]
        wrong = [name for name in held if name in after and after[name] != before[name]]
        made = [
            name
            for name in after
            if name.endswith("x.js") and after[name][5] != before["work/packages/p1/node_modules/x.js"][5]
        ]
        return [*wrong, *made], "" if (yard.workspace / "src/a").exists() else "\n".join(told)[-500:]

    assert on_ground(change, is_filled=False) == ([], "")


def test_tools_of_node_keep_their_files_in_an_empty_folder_that_is_gone_afterwards() -> None:
    async def write(yard: Yard, runner: CommandRunner) -> tuple[int | None, list[str], str]:
        modules = yard.workspace / "node_modules"
        (modules / ".cache").mkdir(parents=True)
        (modules / ".cache/kept.js").write_text("kept")
        (modules / "a.js").write_text("a")
        tools = (
            "cd node_modules; ls .cache/kept.js && exit 3; echo x > .cache/kept.js && echo x > .vite-temp/config.mjs"
        )
        result = await try_out(runner, yard, f"{tools} && mkdir .vite/deps && ! echo x > a.js")
        left = sorted(str(path.relative_to(modules)) for path in modules.rglob("*"))
        return result.exit_code, left, (modules / ".cache/kept.js").read_text()

    assert on_ground(write, is_filled=False) == (0, [".cache", ".cache/kept.js", "a.js"], "kept")


def test_no_link_is_put_back_outside_of_the_workspace() -> None:
    async def lead(yard: Yard, runner: CommandRunner) -> tuple[bool, list[str]]:
        for number in range(260):
            (yard.workspace / f"packages/{number}").mkdir(parents=True)
            (yard.workspace / f"packages/{number}/node_modules").symlink_to("../../src")
        moved = await try_out(runner, yard, "mv packages/7 q && ln -s HOME_OF_USER packages/7")
        assert moved.exit_code == 0, moved.output
        links = [str(path.readlink()) for path in (yard.workspace / "packages").glob("*/node_modules")]
        return (yard.home / "node_modules").is_symlink(), sorted(set(links))

    assert on_ground(lead, is_filled=False) == (False, ["../../src"])


SETTINGS_OF_GIT = """[core]
	hooksPath = dev/hooks
	fsmonitor = "sh tools/watch.sh -x"
[include]
	path = ../shared.cfg
[gc][include] path = ../mo"re".cfg ; in a form that is unusual
[filter "x"]
	clean = ./tools/clean.py %f
[alias]
	a = "!tools/alias.sh"
[remote "origin"]
	url = ./src
"""
NAMED_BY_GIT = ("dev/hooks/pre-commit", "shared.cfg", "more.cfg", "tools/watch.sh", "tools/clean.py", "tools/alias.sh")


@each_jail
@pytest.mark.parametrize("is_there", [True, False])
def test_what_git_s_settings_name_stays_as_it_is_and_is_not_made(*, is_there: bool) -> None:
    async def change(yard: Yard, runner: CommandRunner) -> list[str]:
        work = yard.workspace
        (work / ".git").mkdir(exist_ok=True)
        (work / ".git/config").write_text(SETTINGS_OF_GIT)
        for name in ("tools", "src", "elsewhere"):
            (work / name).mkdir(exist_ok=True)
        (work / "dev").symlink_to("elsewhere")
        for name in NAMED_BY_GIT if is_there else ():
            (work / name).parent.mkdir(exist_ok=True)
            (work / name).write_text("mine\n")
        before = picture(yard)
        ways = ("echo x > {0}", "rm {0}; echo x > {0}", "mv $(dirname {0}) x; mkdir -p $(dirname {0}); echo x > {0}")
        for way in ways:
            for name in (*NAMED_BY_GIT, "dev/hooks/post-index-change"):
                await try_out(runner, yard, way.format(name))
        await try_out(runner, yard, "rm dev; mkdir -p dev/hooks; echo x > dev/hooks/pre-commit")
        result = await try_out(runner, yard, "echo x > src/new")
        assert result.exit_code == 0, result.output
        after = picture(yard)
        named = (
            *NAMED_BY_GIT,
            "dev",
            "elsewhere/hooks",
            "elsewhere/hooks/pre-commit",
            "elsewhere/hooks/post-index-change",
        )
        return [name for name in named if before.get(f"work/{name}") != after.get(f"work/{name}")]

    assert on_ground(change, is_filled=False) == []


@pytest.mark.parametrize("mode", ["1777", "0"])
def test_the_folder_itself_keeps_its_mode(mode: str) -> None:
    async def change(yard: Yard, runner: CommandRunner) -> tuple[int | None, int, list[str]]:
        yard.workspace.chmod(0o750)
        result = await try_out(runner, yard, f"mkdir -p sub/.claude && chmod {mode} .")
        left = sorted(path.name for path in yard.workspace.iterdir() if path.name in (".zed", ".cursor", ".claude"))
        return result.exit_code, yard.workspace.stat().st_mode & 0o7777, left

    assert on_ground(change, is_filled=False) == (0, 0o750, [])


@each_jail
def test_a_file_that_was_made_anew_as_it_was_is_no_difference_to_git() -> None:
    same = "touch -d 2001-01-01 f && git diff && git diff --stat && git diff --quiet && git diff --exit-code"

    async def run(yard: Yard, runner: CommandRunner) -> list[CommandResult]:
        return [await try_out(runner, yard, command) for command in (same, f"echo more >> f; {same}")]

    found = [(result.exit_code, result.output) for result in on_ground(run, is_filled=False)]
    assert found[0] == (0, "")
    assert found[1][0] == 1
    assert "+more" in found[1][1]
