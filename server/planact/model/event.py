"""Observable facts. Recorded for the user, sent nowhere."""

from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field

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
]


class Event(BaseModel):
    """`data` is JSON; secrets are redacted before it is stored."""

    model_config = ConfigDict(frozen=True, defer_build=True)

    kind: EventKind
    session_id: str
    time: str
    data: dict[str, Any] = Field(default_factory=dict)
