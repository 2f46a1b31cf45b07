"""PLAN001: a plan names its goal. A request may leave that to the planner."""

from collections.abc import Iterator

from planact.base.span import Span
from planact.plan.lint_context import LintContext
from planact.plan.syntax.edits import insertion
from planact.plan.syntax.tree import Fix, PlanProblem, PlanTree


def check(tree: PlanTree, _context: LintContext) -> Iterator[PlanProblem]:
    """Report a missing or empty heading of the first level."""
    if tree.is_request or tree.goal:
        return
    at = tree.goal_span or Span(tree.body_start, tree.body_start)
    heading = insertion(tree.body_start, f"# {tree.line_end * 2}")
    fixes = () if tree.goal_span else (Fix("Add a heading for the goal", (heading,), is_preferred=True),)
    hint = "Begin it with a line such as `# What is to be reached`."
    yield PlanProblem(at, "PLAN001", "error", "the plan has no goal", hint, fixes)
