"""PLAN004: a step's mark says how far it is."""

from collections.abc import Iterator

from planact.base.span import TextEdit
from planact.model.plan import StepStatus
from planact.plan.lint_context import LintContext
from planact.plan.syntax import grammar
from planact.plan.syntax.tree import Fix, PlanProblem, PlanTree

_HINT = "Use " + ", ".join(f"`[{mark}]` {status.value}" for status, mark in grammar.MARKS.items()) + "."
# No mark that claims finished work: none was done.
_OFFERED = (StepStatus.PENDING, StepStatus.SKIPPED)


def check(tree: PlanTree, _context: LintContext) -> Iterator[PlanProblem]:
    """Report marks that the language doesn't have."""
    for step in tree.steps:
        if step.mark not in grammar.STATUSES:
            message = f"step {step.step_number} has the unknown mark `[{step.mark}]`"
            fixes = tuple(
                Fix(f"Mark it as {status.value}", (TextEdit(step.mark_span, grammar.MARKS[status]),))
                for status in _OFFERED
            )
            yield PlanProblem(step.mark_span, "PLAN004", "error", message, _HINT, fixes)
