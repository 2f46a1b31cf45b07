"""A workspace with one of each thing that a command on trial must not change, and the jail to run it in."""

import contextlib
import os
from collections.abc import Awaitable, Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path, PurePosixPath
from typing import Any

import pytest

from planact.adapters.sandbox.choose import Jail, probe
from planact.adapters.sandbox.limits.profiles import JailEnvironment, make_profiles
from planact.adapters.sandbox.runner.command_runner import CommandRunner
from planact.adapters.sandbox.runner.descendants import Descendants
from planact.base.paths import Place
from planact.model.rights.command import CommandResult
from tests.fakes.ordinary_user import as_ordinary_user
from tests.sandbox.yard import Yard

SUPPORT = probe()
JAILS = {"bubblewrap": SUPPORT, "landlock": replace(SUPPORT, bubblewrap=None)}
each_jail = pytest.mark.parametrize("jail", JAILS, indirect=True)
"""Marks what holds for a command on trial by whatever it is held."""

_in_use = ["bubblewrap"]


@contextlib.contextmanager
def held_by(jail: str) -> Iterator[None]:
    """Hold commands on trial by that meanwhile."""
    _in_use.append(jail)
    yield
    _in_use.pop()


def jail_in_use() -> Jail:
    return Jail(JAILS[_in_use[-1]], "auto")


GUARDED = (
    *(".git/config", ".git/hooks/pre-commit", ".planact/config.toml", ".vscode/settings.json", ".idea/workspace.xml"),
    *(".mcp.json", ".gitmodules", ".envrc", ".bashrc", ".github/workflows/ci.yml", ".gitlab-ci.yml", "AGENTS.md"),
    *("CLAUDE.md", "src/GEMINI.md", ".cursor/rules/a.mdc", "deep/er/.claude/settings.json", ".codex/config.toml"),
    *(".venv/lib/site.py", "deep/venv/lib/x.py", "node_modules/a/index.js", "deep/er/node_modules/b/index.js"),
    *("vendor/c/c.go", "own/pyvenv.cfg", "own/lib/y.py", "bare.git/HEAD", "bare.git/objects/x", "bare.git/refs/x"),
    *(".env", "deep/.env.local", "certs/server.pem", "deep/er/sub/.git/config", "deep/er/sub/.git/hooks/x"),
)
FREE = ("f", "src/inner.py", "deep/er/plain.txt", "deep/er/sub/code.py", "build/inner.py", ".coverage", "new/er")


def make_ground(yard: Yard) -> None:
    """Fill the yard's workspace with all that is guarded, and with files beside it."""
    for name in (*GUARDED, *FREE[:-1]):
        path = yard.workspace / name
        path.parent.mkdir(parents=True, exist_ok=True)
        if not path.exists():
            path.write_text(f"secret of {name}\n")


def trial_runner(
    yard: Yard, environment: Mapping[str, str] | None = None, readable: Sequence[Path] = ()
) -> CommandRunner:
    """Return a runner of commands on trial in the yard's workspace."""
    known = {**yard.environment, **(environment or {})}
    jail = jail_in_use()
    can_mount = jail.mounts_in(yard.workspace)
    around = JailEnvironment(*(known, yard.home, yard.workspace, []), readable=readable, can_mount=can_mount)
    spawner = jail.spawner(make_profiles(around)["trial"])
    return CommandRunner(str(yard.workspace), known, Descendants(), spawner)


async def try_out(
    runner: CommandRunner,
    yard: Yard,
    command: str,
    unchangeable: Sequence[str] = (),
    scratch: str = "",
    seconds: float = 180,
    outside: Sequence[str] = (),
) -> CommandResult:
    """Run one command on trial."""
    place = Place(".", yard.workspace, PurePosixPath(), exists=True, is_directory=True)
    line = command.replace("HOME_OF_USER", str(yard.home)).replace("WORK", str(yard.workspace))
    limits = (seconds, 20_000, lambda text: None, None, outside, scratch)
    return await runner.run(line, place, *limits, unchangeable=unchangeable)


def on_ground(
    work: Callable[[Yard, CommandRunner], Awaitable[Any]], *, is_filled: bool = True, stays_root: bool = False
) -> Any:
    """Return what `work` does in a yard of its own, as an ordinary user."""

    async def do() -> Any:
        yard = Yard.make()
        try:
            if is_filled:
                make_ground(yard)
            return await work(yard, trial_runner(yard))
        finally:
            yard.remove()

    return as_ordinary_user(do, stays_root=stays_root)


def outcomes(commands: Iterable[str], unchangeable: Sequence[str] = ()) -> dict[str, tuple[int | None, list[str]]]:
    """Return the exit code of each command and the paths of the yard that it changed, in one ground after another."""

    async def run(yard: Yard, runner: CommandRunner) -> dict[str, tuple[int | None, list[str]]]:
        found = {}
        for command in commands:
            before = picture(yard)
            fixed = [str(yard.workspace / name) for name in unchangeable]
            result = await try_out(runner, yard, command, fixed)
            after = picture(yard)
            changed = sorted(name for name in {*before, *after} if before.get(name) != after.get(name))
            found[command] = (result.exit_code, changed)
        return found

    return dict(on_ground(run))


def picture(yard: Yard) -> dict[str, tuple[object, ...]]:
    """Return all there is in the yard but for the caches of trials and times of folders, by path below it."""
    caches = f"{yard.home}/.cache"
    found = {path: look for path, look in yard.picture().items() if not path.startswith(caches)}
    return {
        os.path.relpath(path, yard.base): look[:3] + look[5:] if Path(path).is_dir() else look
        for path, look in found.items()
        if path not in (str(yard.home), str(yard.workspace))
    }
