"""PLAN002: a plan has steps. A document without the section is a request, and fine."""

from collections.abc import Collection, Iterator

from planact.base.span import Span
from planact.plan.problem import Problem
from planact.plan.tree import PlanTree


def check(tree: PlanTree, _known_tools: Collection[str]) -> Iterator[Problem]:
    """Report an empty section, or a template without one."""
    if tree.is_request or tree.steps:
        return
    section = tree.section("steps")
    at = section.title_span if section else tree.goal_span or Span(tree.body_start, tree.body_start)
    yield Problem(at, "PLAN002", "error", "the plan has no steps", "Add one below `## Steps`: `- [ ] 1. What to do`.")
