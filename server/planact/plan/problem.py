"""What is wrong with a plan, where, and how to mend it. The codes are stable; `plan.codes` explains each."""

from dataclasses import dataclass
from typing import Literal

from planact.base.span import Span, TextEdit

Severity = Literal["error", "warning", "hint"]


@dataclass(frozen=True, slots=True)
class Fix:
    """One way to mend a problem. `is_preferred` = it is surely what was meant."""

    title: str
    edits: tuple[TextEdit, ...]
    is_preferred: bool = False


@dataclass(frozen=True, slots=True)
class Problem:
    """A fault at `span`: `message` names thing and cause, `hint` the next step. Errors keep a plan from running."""

    span: Span
    code: str
    severity: Severity
    message: str
    hint: str = ""
    fixes: tuple[Fix, ...] = ()
