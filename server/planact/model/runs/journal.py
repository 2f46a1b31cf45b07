"""Lines of the durable log, and observable events: recorded for the user, sent nowhere."""

from dataclasses import dataclass
from typing import Any, Literal

from pydantic import Field

from planact.base.frozen_model import FrozenModel


@dataclass(frozen=True, slots=True)
class JournalEntry:
    """One entry of the journal. `kind` is a word like `call_started`; `data` is JSON."""

    sequence: int
    session_id: str
    execution_id: str
    kind: str
    time: str
    data: dict[str, Any]


EventKind = Literal[
    "mode_entered",
    "execution_intent_detected",
    "mode_switched_by_intent",
    "disallowed_tool_attempt_in_planning",
    "plan_created",
    "plan_approved",
    "plan_stale",
    "step_started",
    "step_finished",
    "tool_called",
    "tool_refused",
    "question_asked",
    "question_resolved",
    "execution_finished",
    "model_called",
    "model_retried",
]


class Event(FrozenModel):
    """`data` is JSON; secrets are redacted before it is stored."""

    kind: EventKind
    session_id: str
    time: str
    data: dict[str, Any] = Field(default_factory=dict)
