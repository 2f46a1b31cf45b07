"""PLAN001: a plan says what it is for. A request may leave that to the planner."""

from collections.abc import Iterator

from planact.base.span import Span
from planact.plan.edits import insertion
from planact.plan.problem import Fix, Problem
from planact.plan.surroundings import Surroundings
from planact.plan.tree import PlanTree


def check(tree: PlanTree, _around: Surroundings) -> Iterator[Problem]:
    """Report a missing or empty heading of the first level."""
    if tree.is_request or tree.goal:
        return
    at = tree.goal_span or Span(tree.body_start, tree.body_start)
    heading = insertion(tree.body_start, f"# {tree.line_end * 2}")
    fixes = () if tree.goal_span else (Fix("Add a heading for the goal", (heading,), is_preferred=True),)
    hint = "Begin it with a line such as `# What is to be reached`."
    yield Problem(at, "PLAN001", "error", "the plan has no goal", hint, fixes)
