"""What of an interrupted step may happen twice, and so is asked about before it runs again."""

import asyncio
from pathlib import Path
from typing import Any

import pytest

from planact.adapters.store.git.footprints import FileFootprints
from planact.model.plan import Step
from planact.model.runs.execution import Execution
from planact.model.runs.journal import JournalEntry
from planact.model.settings import Settings
from planact.workflows.history.interruption import interrupted_step
from planact.workflows.runs.execute import Confirmation
from tests.fakes.world import answer, call, calls
from tests.workflows.scene import SAID, WRITE_A, Scene, until

RUN = {"call_id": "c", "shown": "make", "tool": "execute_command", "is_unsure": True}


@pytest.mark.parametrize(
    ("outcome", "ended_by", "asks"),
    [
        ("done", "question", False),
        ("BLOCKED_BY_SANDBOX", "question", False),
        ("done", "limit", False),
        ("interrupted", "user", True),
        ("done", "kill", True),
        ("done", "", True),
    ],
)
def test_a_command_that_ended_before_an_orderly_pause_is_not_asked_about(
    outcome: str, ended_by: str, *, asks: bool
) -> None:
    data: list[tuple[str, dict[str, Any]]] = [
        ("step_started", {"step": Step(step_number=1, action="Build").model_dump(), "attempt": 1}),
        ("call_started", RUN),
        ("call_finished", {"call_id": "c", "outcome": outcome}),
        *([("step_finished", {"status": "pending", "ended_by": ended_by})] if ended_by else []),
    ]
    entries = [JournalEntry(number, "s", "e", kind, "", each) for number, (kind, each) in enumerate(data)]
    found = interrupted_step(entries)
    assert found is not None
    assert (bool(found.unsure), bool(found.done)) == (asks, outcome == "done")


COMMAND = "touch made.log; rm made.log; sleep 60"
"""It leaves nothing in the workspace by which it could be looked up."""


@pytest.mark.parametrize("again", ["again", "stop"])
def test_a_command_that_was_stopped_is_asked_about_where_its_step_did_nothing_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, again: str
) -> None:
    monkeypatch.setattr(FileFootprints, "can_try", lambda _: False)  # what one on trial did is known
    settings = Settings(model="played", approval="acceptAll")
    it = Scene(tmp_path, calls(call("execute_command", command=COMMAND)), WRITE_A, SAID, settings=settings)
    it.write_plan()

    async def stop() -> Execution:
        running = asyncio.ensure_future(it.executing(Confirmation.BY_FLAG, 1))
        await until(lambda: any(entry.kind == "call_started" for entry in it.world.store.journal.entries))
        await it.ws.stop(it.session_id)
        return await running

    assert asyncio.run(stop()).status == "paused"
    it.answers(answer(interrupted=again))
    status = it.execute(step=1).status
    question = it.asked[-1].questions[0]
    assert f"was interrupted after it began `execute_command {COMMAND}`" in question.question
    assert f"Begun, and perhaps not done: execute_command {COMMAND}" in question.context
    told = [message.content for message in it.ws.ports.sessions.messages(it.session_id)]
    assert any("Step 1 was interrupted. Begun" in text for text in told) is (again == "again")
    assert (status, (tmp_path / "a.txt").exists()) == (("success", True) if again == "again" else ("paused", False))
