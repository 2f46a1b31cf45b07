"""PLAN026: files that planning read, and that the plan neither names nor rests on, are unchanged. A hint: they make no
plan stale.
"""

from collections.abc import Iterator

from planact.base.span import Span
from planact.plan.lint_context import LintContext, names_of
from planact.plan.references import context_paths, files_of
from planact.plan.syntax.tree import PlanProblem, PlanTree

_HINT = "Look at what changed, and re-plan if the plan depends on it."


def check(tree: PlanTree, context: LintContext) -> Iterator[PlanProblem]:
    """Report the changed files at the goal of a plan that has open steps."""
    if not context.also_changed or not any(step.is_open for step in tree.steps):
        return
    named = {file.path for file in context_paths(tree)}
    named.update(file.path for step in tree.steps for file in files_of(tree, step))
    if changed := [file for file in context.also_changed if file.path not in named]:
        at = tree.goal_span or Span(tree.body_start, tree.body_start)
        message = f"changed since it was read for this plan, which doesn't name it: {names_of(changed)}"
        yield PlanProblem(at, "PLAN026", "hint", message, _HINT)
