"""Leaves a workspace in which a run was interrupted in its second step, as a window that is reloaded leaves it."""

import asyncio
import os
import sys
from pathlib import Path

from planact.lsp.protocol import messages
from tests.lsp.commands.greetings import FIRST, PATH, SECOND, set_up
from tests.lsp.commands.planact_client import PlanactClient, planact_client, say, scene
from tests.lsp.raw_client import until

_SLOW_SECOND = scene("Carry out step 2 ", say("a word " * 400, delay=0.05), mode="act")


async def _interrupt(workspace: Path) -> None:
    async with planact_client(workspace) as client:
        running = asyncio.ensure_future(client.execute(uri=set_up(client, FIRST, _SLOW_SECOND)))
        await until(lambda: _writes(client, step=2))
    running.cancel()
    client.script(SECOND)


def _writes(client: PlanactClient, step: int) -> bool:
    works = [each.work for each in client.heard(messages.WORK_CHANGED)]
    return any(work.step == step and work.activity == "writing" for work in works)


def interrupt_a_run(workspace: Path, environment: dict[str, str]) -> str:
    """Return the path of its plan. The state lies where `environment` says; the model goes on by `model.yaml`."""
    before = dict(os.environ)
    os.environ.clear()
    os.environ.update(environment, PATH=f"{Path(sys.executable).parent}:{environment['PATH']}")
    try:
        asyncio.run(_interrupt(workspace))
    finally:
        os.environ.clear()
        os.environ.update(before)
    return PATH
