"""A language server that is killed while MCP servers, language servers and commands run beside it."""

import asyncio
import fcntl
import sys
from pathlib import Path
from typing import Any

import psutil
import pytest

from planact.adapters.store.state.database import state_folder
from planact.model.plan import StepStatus
from tests.language_servers.conftest import PYTHON, Yard
from tests.lsp.commands.planact_client import call, calls, planact_client, say, scene
from tests.lsp.raw_client import until

pytestmark = [
    pytest.mark.asyncio(loop_scope="session"),
    pytest.mark.timeout(600),
    pytest.mark.skipif(sys.platform != "linux", reason="only there all processes of a program are found"),
]

PATH = "greet.plan"
PLAN = """---
format_version: "1.0"
id: plan_20261120_k3v9
status: draft
---
# Greet

## Steps
- [ ] 1. Say hello in `a.txt`
  - reason: it is polite
  - tools: update_file, execute_command, start_command
  - files: a.txt
  - check: `grep -q hello a.txt`
"""
HEEDS_NOTHING = (
    "import runpy, signal, sys, time; sys.argv = sys.argv[1:]; signal.signal(signal.SIGTERM, signal.SIG_IGN)\n"
    "runpy.run_path(sys.argv[0], run_name='__main__')\n"
    "time.sleep(600)"
)
"""Lets a server go on for ten minutes after the end of its input, whatever it is asked."""
FIRST = scene(
    "Carry out step 1 ",
    calls(call("start_command", command="sleep 600")),
    calls(call("update_file", path="a.txt", edits=[{"old": "good day", "new": "hello"}])),
    calls(call("execute_command", command="touch begun; sleep 601; sleep 602")),
    mode="act",
)
AGAIN = scene("Carry out step 1 ", calls(call("read_file", path="a.txt")), say("It says hello."), mode="act")


def settings(folder: Path) -> dict[str, Any]:
    """An MCP server that a launcher starts, as `npx` does, and a language server for `.txt` files."""
    line = f'"{sys.executable}" -c "$0" "$@"; exit'
    words = [str(Path(__file__).with_name("odd_server.py")), str(folder)]
    server = {"command": [PYTHON, "-I", str(folder / "server.py"), "versioned"], "files": {".txt": "plaintext"}}
    return {
        "model": "scripted:model.yaml",
        "approval": "acceptAll",
        "mcp": {"servers": {"it": {"command": "sh", "args": ["-c", line, HEEDS_NOTHING, *words]}}},
        "languageServers": {"scripted": server},
    }


def living(folder: Path) -> list[str]:
    """The last word of each process that names the folder in its words or environment, but for the tests' own."""
    own = {process.pid for process in (psutil.Process(), *psutil.Process().parents())}
    found = []
    for process in psutil.process_iter():
        try:
            words = process.cmdline()
            is_alive = process.pid not in own and process.status() != psutil.STATUS_ZOMBIE
            if is_alive and any(str(folder) in word for word in (*words, *process.environ().values())):
                found.append(words[-1])
        except psutil.Error:
            continue
    return found


def held_locks(folder: Path) -> list[str]:
    found = []
    for path in (*state_folder(folder).rglob("*.lock"), *folder.rglob("*.lock")):
        with path.open("r+") as file:
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                found.append(path.name)
    return found


async def test_nothing_is_left_running_and_the_next_server_goes_on(tmp_path: Path) -> None:
    folder = Yard(tmp_path / "ws").root
    (folder / "a.txt").write_text("good day\n")
    async with planact_client(folder, settings=settings(folder)) as client:
        client.script(FIRST)
        running = asyncio.ensure_future(client.execute(uri=client.write(PATH, PLAN)))
        await until(lambda: (folder / "begun").exists())
        await until(lambda: {"600", "601", "versioned", str(folder)} <= {*living(folder)})
        await client.kill()
        with pytest.raises(RuntimeError, match="exited"):
            await running
    for _ in range(100):
        if not (left := await asyncio.to_thread(living, folder)):
            break
        await asyncio.sleep(0.1)
    assert (left, await asyncio.to_thread(held_locks, folder)) == ([], [])
    async with planact_client(folder, settings=settings(folder)) as client:
        client.script(AGAIN)
        assert (await client.do("showStatus")).work.state == "interrupted"
        running = asyncio.ensure_future(client.execute(uri=client.uri(PATH)))
        asked = await client.question()
        assert "it began `execute_command touch begun; sleep 601" in asked.questions[0].question
        await client.answer(asked, interrupted="again")
        assert (await running).status == "success"
        assert client.marks(PATH) == [StepStatus.DONE]
        assert (folder / "a.txt").read_text() == "hello\n"
    assert await asyncio.to_thread(living, folder) == []
