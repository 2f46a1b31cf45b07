"""A server that the agent keeps running: it ends with the run and with planact, however that ends. Real processes."""

import signal
import subprocess
import time
from pathlib import Path

import psutil
import pytest
import yaml

from tests.cli.program import Program, interrupt_when

SERVER = "touch serving; sleep 300 & setsid sleep 301 & wait"
PLAN = f"""---
id: plan_20261120_aaaa
---
# Serve
## Steps
- [ ] 1. Start `{SERVER}` and wait
  - reason: it is needed
  - tools: start_command, execute_command
  - check: `test -e serving`
"""


@pytest.fixture
def serving(planact: Program) -> Program:
    calls = [{"tool": "start_command", "args": {"command": SERVER}}]
    wait = [{"tool": "execute_command", "args": {"command": "touch busy; while [ ! -e go ]; do sleep 0.02; done"}}]
    scene = {"when": "Carry out", "mode": "act", "turns": [{"calls": calls}, {"calls": wait}, {"say": "It serves."}]}
    model = planact.home / "serve.yaml"
    model.write_text(yaml.safe_dump({"scenes": [scene]}))
    planact.variables |= {
        "PLANACT_MODEL": f"scripted:{model}",
        "PLANACT_COMMANDS_ALLOW": '["touch busy; while [ ! -e go ]; do sleep 0.02; done"]',
    }
    (planact.folder / "serve.plan").write_text(PLAN)
    return planact


def sleepers(folder: Path) -> set[str]:
    found = set()
    for process in psutil.process_iter():
        try:
            if process.cwd() == str(folder) and process.status() != psutil.STATUS_ZOMBIE:
                found.add(" ".join(process.cmdline()))
        except psutil.Error:
            continue
    return {command for command in found if command in ("sleep 300", "sleep 301")}


def begin(planact: Program) -> "subprocess.Popen[str]":
    return planact.start("act", "serve.plan", "--hash", planact.hash("plan_20261120_aaaa"))


def gone(folder: Path) -> bool:
    end = time.monotonic() + 180
    while sleepers(folder):
        if time.monotonic() > end:
            return False
        time.sleep(0.02)
    return True


def test_it_runs_while_the_run_goes_on_and_ends_with_it(serving: Program) -> None:
    process = begin(serving)
    interrupt_when(process, (serving.folder / "busy").exists, 0)
    assert sleepers(serving.folder) == {"sleep 300", "sleep 301"}
    (serving.folder / "go").touch()
    out, err = process.communicate(timeout=180)
    assert (process.returncode, sleepers(serving.folder)) == (0, set()), out + err


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
def test_it_ends_with_planact(serving: Program, number: signal.Signals) -> None:
    process = begin(serving)
    interrupt_when(process, (serving.folder / "busy").exists, number)
    try:
        assert gone(serving.folder)
    finally:
        (serving.folder / "go").touch()
        process.communicate(timeout=180)


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP, signal.SIGKILL])
def test_a_command_that_is_waited_for_ends_with_planact(serving: Program, number: signal.Signals) -> None:
    """Nobody would hear of what it changes, and it has the user's rights."""
    calls = [{"tool": "execute_command", "args": {"command": SERVER}}]
    scene = {"when": "Carry out", "mode": "act", "turns": [{"calls": calls}, {"say": "It served."}]}
    (serving.home / "serve.yaml").write_text(yaml.safe_dump({"scenes": [scene]}))
    process = begin(serving)
    interrupt_when(process, lambda: len(sleepers(serving.folder)) == 2, number)
    try:
        assert gone(serving.folder)
    finally:
        process.communicate(timeout=180)
