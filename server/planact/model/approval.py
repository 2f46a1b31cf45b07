"""The user's yes."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Approval:
    """The user's yes to one text of one plan. `hash` is `plan.approval.approval_hash(text)`."""

    plan_id: str
    path: str
    hash: str
    text: str
    time: str
