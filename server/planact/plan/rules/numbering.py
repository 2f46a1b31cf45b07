"""PLAN003: numbers rise, so that everybody means the same step by one."""

from collections.abc import Iterator

from planact.plan.edits import renumber
from planact.plan.problem import Fix, Problem
from planact.plan.surroundings import Surroundings
from planact.plan.tree import PlanTree

_HINT = "Number the steps 1, 2, 3 from the top."


def check(tree: PlanTree, _around: Surroundings) -> Iterator[Problem]:
    """Report steps whose number another one has, or that is lower than one above."""
    seen: set[int] = set()
    highest = 0
    fixes: tuple[Fix, ...] = ()
    for step in tree.steps:
        number, at = step.step_number, step.number_span or step.action_span
        if number in seen or number < highest:
            fixes = fixes or (Fix("Renumber the steps", renumber(tree), is_preferred=True),)
        if number in seen:
            yield Problem(at, "PLAN003", "error", f"there is a step {number} above already", _HINT, fixes)
        elif number < highest:
            yield Problem(at, "PLAN003", "warning", f"step {number} comes after step {highest}", _HINT, fixes)
        seen.add(number)
        highest = max(highest, number)
