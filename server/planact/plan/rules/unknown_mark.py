"""PLAN004: a step's mark says how far it is."""

from collections.abc import Collection, Iterator

from planact.plan import grammar
from planact.plan.problem import Problem
from planact.plan.tree import PlanTree

_HINT = "Use " + ", ".join(f"`[{mark}]` {status.value}" for status, mark in grammar.MARKS.items()) + "."


def check(tree: PlanTree, _known_tools: Collection[str]) -> Iterator[Problem]:
    """Report marks that mean nothing."""
    for step in tree.steps:
        if step.mark not in grammar.STATUSES:
            message = f"step {step.step_number} has the unknown mark `[{step.mark}]`"
            yield Problem(step.mark_span, "PLAN004", "error", message, _HINT)
