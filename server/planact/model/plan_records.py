"""Records of plan documents: earlier texts, approvals, and texts that planact or the user wrote."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

Author = Literal["planner", "user"]


@dataclass(frozen=True, slots=True)
class Revision:
    """`number` counts from 1 in each document; `text` has no secrets."""

    number: int
    path: str
    plan_id: str
    text: str
    author: Author
    time: str


@dataclass(frozen=True, slots=True)
class Approval:
    """The user's yes to one text of one plan.

    Attributes:
        hash: `plan.approval.approval_hash(text)`.
        implied_files: files that only the text of steps names, by the number of the step, as they were at the yes.
    """

    plan_id: str
    path: str
    hash: str
    text: str
    time: str
    implied_files: Mapping[int, tuple[str, ...]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class OwnPlan:
    """The last text of the document at `path` that planact wrote or the user approved or saved, on this machine."""

    path: str
    plan_id: str
    hash: str
    time: str
