"""A plan as data: what the model submits, what a `*.plan` document says, and the JSON form.

The document is the truth; this is its meaning. How it looks as text is `plan/`'s business.
"""

import re
from enum import StrEnum
from typing import Any, Literal

from pydantic import Field

from planact.base.frozen_model import FrozenModel

FORMAT_VERSION = "1.0"

_CODE = re.compile(r"`([^`\n]+)`")
_NO_RISK = re.compile(
    r"(?:there (?:is|are) )?(?:none|nothing|no|n/a)(?: (?:known|real|major|significant|particular|specific))?"
    r"(?: risks?)?(?: known| identified| expected)?|-"
)
"""Words that models write as an item where there is no risk, in lower case and without marks around them."""


class StepStatus(StrEnum):
    """The state of one step; `plan.grammar` knows the mark of each."""

    PENDING = "pending"
    RUNNING = "running"
    DONE = "done"
    SKIPPED = "skipped"
    FAILED = "failed"


class PlanStatus(StrEnum):
    """The state of a plan, as the document shows it. It grants no rights: approval lives in the state database."""

    DRAFT = "draft"
    APPROVED = "approved"
    RUNNING = "running"
    PAUSED = "paused"
    DONE = "done"
    PARTIAL = "partial"
    FAILED = "failed"
    ABORTED = "aborted"


class ContextFile(FrozenModel):
    """A file the plan rests on, with the SHA-256 (hex) of the bytes that planning read."""

    path: str
    sha256: str


class Step(FrozenModel):
    """One task of a plan. Only `action` is required."""

    step_number: int = Field(default=0, ge=0)
    action: str = Field(min_length=1)
    reason: str = ""
    tools_needed: tuple[str, ...] = ()
    files: tuple[str, ...] = ()
    estimated_time: str = ""
    expected_outcome: str = ""
    validation_checks: tuple[str, ...] = ()
    status: StepStatus = StepStatus.PENDING


class Plan(FrozenModel):
    """A goal and the steps to it."""

    format_version: str = FORMAT_VERSION
    id: str = ""
    type: Literal["plan"] = "plan"
    goal: str = Field(min_length=1)
    description: str = ""
    analysis: str = ""
    assumptions: tuple[str, ...] = ()
    prerequisites: tuple[str, ...] = ()
    steps: tuple[Step, ...] = Field(min_length=1)
    risks: tuple[str, ...] = ()
    validation: tuple[str, ...] = ()
    estimated_total_time: str = ""
    has_infrastructure_changes: bool = False
    context: tuple[ContextFile, ...] = ()
    created_at: str = ""
    status: PlanStatus = PlanStatus.DRAFT
    role: str = ""
    model: str = ""

    @property
    def validation_commands(self) -> tuple[str, ...]:
        """The items of `validation` that consist of code alone; the others are for people."""
        return tuple(match[1] for item in self.validation if (match := _CODE.fullmatch(item)))

    @property
    def named_risks(self) -> tuple[str, ...]:
        """The risks without items that only say that there are none."""
        return tuple(filter(names_risk, self.risks))


def names_risk(item: str) -> bool:
    """Return whether an item of the section for risks says more than that there is none."""
    return not _NO_RISK.fullmatch(item.strip(" `*_.").casefold())


PlanOrigin = Literal["own", "changed", "foreign"]
"""Origin of a plan's text. `own`: planact wrote exactly this text here, or the user approved or saved it here.
`changed`: it was `own` and has changed since. `foreign`: neither, for example a plan that came with the repository.
"""


class PlanSummary(FrozenModel):
    """One row of the list of plans; derived from the documents and rebuilt when missing."""

    id: str
    goal: str
    path: str
    status: PlanStatus
    steps_total: int
    steps_done: int
    created_at: str = ""
    has_infrastructure_changes: bool = False
    origin: PlanOrigin = "foreign"

    def index_row(self) -> dict[str, Any]:
        """Return the row of the index, without whose it is: the index goes into version control."""
        return self.model_dump(mode="json", exclude={"origin"})
