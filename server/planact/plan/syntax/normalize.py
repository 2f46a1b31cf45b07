"""The normal form of a plan: the values of its fields after they have been written down and read again.

Names, actions and list items are one line without blanks around them; empty items are gone; commands and names stand
without the backticks of a code span. Text keeps its lines, which end with a line feed, loses the blank lines around it,
and an open fence is closed. Steps without a number (or with one too long to be one) get that of their position.
"""

from collections.abc import Iterable

from planact.base.errors import InvalidInput
from planact.base.span import line_spans
from planact.model.plan import Plan, Step
from planact.plan.syntax.code_span import unwrap
from planact.plan.syntax.grammar import MAX_NUMBER
from planact.plan.syntax.lines import scan, trim, unbroken
from planact.plan.syntax.path_name import split_line


def normalize(plan: Plan) -> Plan:
    """Return `plan` in normal form; normalizing twice is harmless.

    Raises:
        InvalidInput: PLAN_INVALID, the goal or an action is blank.
    """
    goal = unbroken(plan.goal)
    if not goal:
        raise InvalidInput("PLAN_INVALID", "the plan's `goal` is blank", "Say in one line what is to be reached.")
    return plan.model_copy(
        update={
            "goal": goal,
            "description": text(plan.description),
            "analysis": text(plan.analysis),
            "assumptions": items(plan.assumptions),
            "prerequisites": items(plan.prerequisites),
            "steps": tuple(_step(step, position) for position, step in enumerate(plan.steps, 1)),
            "risks": items(plan.risks),
            "validation": items(plan.validation),
            "estimated_total_time": unbroken(plan.estimated_total_time),
        }
    )


def _step(step: Step, position: int) -> Step:
    action = unbroken(step.action)
    if not action:
        raise InvalidInput("PLAN_INVALID", f"`steps[{position - 1}].action` is blank", "Say what is to be done.")
    return step.model_copy(
        update={
            "step_number": step.step_number if 0 < step.step_number <= MAX_NUMBER else position,
            "action": action,
            "reason": unbroken(step.reason),
            "tools_needed": names(step.tools_needed),
            "files": file_names(step.files),
            "estimated_time": unbroken(step.estimated_time),
            "expected_outcome": unbroken(step.expected_outcome),
            "validation_checks": names(step.validation_checks),
        }
    )


def text(value: str) -> str:
    """Several lines of Markdown."""
    lines = value.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    trimmed = trim(lines)
    open_fence = scan(trimmed, line_spans(trimmed)).open_fence
    return f"{trimmed}\n{open_fence}" if open_fence else trimmed


def items(values: Iterable[str]) -> tuple[str, ...]:
    """List items of prose."""
    return tuple(item for value in values if (item := unbroken(value)))


def names(values: Iterable[str]) -> tuple[str, ...]:
    """Commands, and names of tools."""
    return tuple(item for value in values if (item := _name(value)))


def file_names(values: Iterable[str]) -> tuple[str, ...]:
    """Names of files, each once and without a line: a step that names `app.py:12` may change `app.py`."""
    return tuple(dict.fromkeys(split_line(name)[0] for name in names(values)))


def _name(value: str) -> str:
    if len(value) > 2 and value[0] == value[-1] == "`" and value.count("`") == 2:
        return unbroken(value[1:-1])  # as nearly all commands are written
    before, name = "", unbroken(value)
    while name != before:
        before, name = name, unbroken(unwrap(name))
    return name
