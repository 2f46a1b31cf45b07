"""Problems of a plan, with their place and fixes. The codes are stable; `plan.codes` explains each."""

from dataclasses import dataclass
from typing import Literal

from planact.base.span import Span, TextEdit

PlanProblemSeverity = Literal["error", "warning", "hint"]


@dataclass(frozen=True, slots=True)
class Fix:
    """One way to solve a problem. `is_preferred` = the author surely meant this."""

    title: str
    edits: tuple[TextEdit, ...]
    is_preferred: bool = False


@dataclass(frozen=True, slots=True)
class PlanProblem:
    """A fault at `span`: `message` names subject and cause, `hint` the next step. Errors keep a plan from running."""

    span: Span
    code: str
    severity: PlanProblemSeverity
    message: str
    hint: str = ""
    fixes: tuple[Fix, ...] = ()
