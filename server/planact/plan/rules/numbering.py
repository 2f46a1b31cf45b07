"""PLAN003: numbers rise, so that each number names one step."""

from collections.abc import Iterator

from planact.plan.lint_context import LintContext
from planact.plan.syntax.edits import renumber
from planact.plan.syntax.tree import Fix, PlanProblem, PlanTree

_HINT = "Number the steps 1, 2, 3 from the top."


def check(tree: PlanTree, _context: LintContext) -> Iterator[PlanProblem]:
    """Report steps with the number of another one, or with a lower number than one above."""
    seen: set[int] = set()
    highest = 0
    fixes: tuple[Fix, ...] = ()
    for step in tree.steps:
        number, at = step.step_number, step.number_span or step.action_span
        if number in seen or number < highest:
            fixes = fixes or (Fix("Renumber the steps", renumber(tree), is_preferred=True),)
        if number in seen:
            yield PlanProblem(at, "PLAN003", "error", f"there is a step {number} above already", _HINT, fixes)
        elif number < highest:
            yield PlanProblem(at, "PLAN003", "warning", f"step {number} comes after step {highest}", _HINT, fixes)
        seen.add(number)
        highest = max(highest, number)
