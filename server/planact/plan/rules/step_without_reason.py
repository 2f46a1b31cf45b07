"""PLAN009: a reason lets the reader judge a step, and the actor adapt it."""

from collections.abc import Iterator

from planact.plan.lint_context import LintContext
from planact.plan.syntax.edits import add_detail
from planact.plan.syntax.tree import Fix, PlanProblem, PlanTree


def check(tree: PlanTree, _context: LintContext) -> Iterator[PlanProblem]:
    """Report steps that don't say why."""
    for step in tree.steps:
        reason = next((detail for detail in step.details if detail.key == "reason"), None)
        if step.action and not (reason and any(reason.values)):
            message = f"step {step.step_number} gives no reason"
            fixes = () if reason else (Fix("Add a reason", (add_detail(tree, step, "reason", ""),)),)
            yield PlanProblem(step.action_span, "PLAN009", "hint", message, "Add `  - reason: …` below it.", fixes)
