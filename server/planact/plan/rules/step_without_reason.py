"""PLAN009: a reason lets the reader judge a step, and the actor adapt it."""

from collections.abc import Collection, Iterator

from planact.plan.problem import Problem
from planact.plan.tree import PlanTree


def check(tree: PlanTree, _known_tools: Collection[str]) -> Iterator[Problem]:
    """Report steps that don't say why."""
    for step in tree.steps:
        if step.action and not any(detail.key == "reason" and any(detail.values) for detail in step.details):
            message = f"step {step.step_number} gives no reason"
            yield Problem(step.action_span, "PLAN009", "hint", message, "Add `  - reason: …` below it.")
