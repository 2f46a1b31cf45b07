"""What is wrong with a plan, and where. The codes are stable; people look them up.

PLAN001  error    the goal is missing
PLAN002  error    there are no steps
PLAN003  both     steps out of order (warning), or two with the same number (error)
PLAN004  error    a mark between the brackets that means nothing
PLAN005  error    front matter that can't be read, or isn't closed
PLAN006  warning  a front-matter key that means nothing
PLAN007  error    a format_version that isn't supported
PLAN008  warning  a tool that doesn't exist
PLAN009  hint     a step without a reason
PLAN010  error    a step that says nothing
PLAN011  error    a list item among the steps that isn't one
PLAN012  warning  a box below a step: steps are one level deep
PLAN013  both     a key or section given twice: the first counts (error for Steps, else warning)
PLAN014  error    a fence that isn't closed
PLAN015  warning  a front-matter value that makes no sense
"""

from dataclasses import dataclass
from typing import Literal

from planact.base.span import Span

Severity = Literal["error", "warning", "hint"]


@dataclass(frozen=True, slots=True)
class Problem:
    """A fault at `span`: `message` names thing and cause, `hint` the next step. Errors keep a plan from running."""

    span: Span
    code: str
    severity: Severity
    message: str
    hint: str = ""
