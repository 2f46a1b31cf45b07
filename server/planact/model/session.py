"""One conversation: its mode, role, plan and usage. The messages are kept beside it."""

from pydantic import BaseModel, ConfigDict, Field

from planact.model.permission import Mode
from planact.model.usage import Usage


class Session(BaseModel):
    """Persisted after every change; a stored session without a mode is in Plan.

    Attributes:
        id: UUIDv7.
        plan_file: the plan in hand, relative to the workspace folder; empty = none.
        made_plans: paths of the plans this session wrote, the only ones it may delete in Plan.
        model: the model chosen for this session; empty = by the settings.
    """

    model_config = ConfigDict(frozen=True, defer_build=True)

    id: str
    title: str = ""
    mode: Mode = Mode.PLAN
    role: str = "planner"
    plan_file: str = ""
    made_plans: tuple[str, ...] = ()
    model: str = ""
    usage: Usage = Field(default_factory=Usage)
    created_at: str = ""
    updated_at: str = ""
