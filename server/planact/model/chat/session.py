"""One conversation: its mode, role, plan and usage. The messages are kept beside it."""

from pydantic import Field

from planact.base.frozen_model import FrozenModel
from planact.model.chat.usage import Usage
from planact.model.rights.permission import Mode


class Session(FrozenModel):
    """Persisted after every change; a stored session without a mode is in Plan.

    Attributes:
        id: UUIDv7.
        plan_file: the plan in hand, relative to the workspace folder; empty = none.
        made_plans: paths of the plans this session wrote, the only ones it may delete in Plan.
        model: the model chosen for this session; empty = by the settings.
    """

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
