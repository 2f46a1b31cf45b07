"""What of an interrupted step may happen twice, and so is asked about before it runs again."""

from typing import Any

import pytest

from planact.model.plan import Step
from planact.model.runs.journal import JournalEntry
from planact.workflows.history.interruption import interrupted_step

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
