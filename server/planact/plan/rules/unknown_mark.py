"""PLAN004: a step's mark says how far it is."""

from collections.abc import Iterator

from planact.base.span import TextEdit
from planact.model.plan import StepStatus
from planact.plan import grammar
from planact.plan.problem import Fix, Problem
from planact.plan.surroundings import Surroundings
from planact.plan.tree import PlanTree

_HINT = "Use " + ", ".join(f"`[{mark}]` {status.value}" for status, mark in grammar.MARKS.items()) + "."
# Not those that say that work was done: nobody has.
_OFFERED = (StepStatus.PENDING, StepStatus.SKIPPED)


def check(tree: PlanTree, _around: Surroundings) -> Iterator[Problem]:
    """Report marks that mean nothing."""
    for step in tree.steps:
        if step.mark not in grammar.STATUSES:
            message = f"step {step.step_number} has the unknown mark `[{step.mark}]`"
            fixes = tuple(
                Fix(f"Mark it as {status.value}", (TextEdit(step.mark_span, grammar.MARKS[status]),))
                for status in _OFFERED
            )
            yield Problem(step.mark_span, "PLAN004", "error", message, _HINT, fixes)
