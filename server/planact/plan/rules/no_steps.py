"""PLAN002: a plan has steps. A document without the section is a request, and fine."""

from collections.abc import Iterator

from planact.base.span import Span
from planact.plan.edits import insertion
from planact.plan.problem import Fix, Problem
from planact.plan.surroundings import Surroundings
from planact.plan.tree import PlanTree


def check(tree: PlanTree, _around: Surroundings) -> Iterator[Problem]:
    """Report an empty section, or a template without one."""
    if tree.is_request or tree.steps:
        return
    section = tree.section("steps")
    at = section.title_span if section else tree.goal_span or Span(tree.body_start, tree.body_start)
    added = [insertion(section.title_span.end, f"{tree.line_end}- [ ] 1. ")] if section else []
    fixes = tuple(Fix("Add a step", (edit,), is_preferred=True) for edit in added)
    hint = "Add one below `## Steps`: `- [ ] 1. What to do`."
    yield Problem(at, "PLAN002", "error", "the plan has no steps", hint, fixes)
