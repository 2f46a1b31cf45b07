"""PLAN001: a plan says what it is for. A request may leave that to the planner."""

from collections.abc import Collection, Iterator

from planact.base.span import Span
from planact.plan.problem import Problem
from planact.plan.tree import PlanTree


def check(tree: PlanTree, _known_tools: Collection[str]) -> Iterator[Problem]:
    """Report a missing or empty heading of the first level."""
    if tree.is_request or tree.goal:
        return
    at = tree.goal_span or Span(tree.body_start, tree.body_start)
    yield Problem(
        at, "PLAN001", "error", "the plan has no goal", "Begin it with a line such as `# What is to be reached`."
    )
