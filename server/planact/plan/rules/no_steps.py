"""PLAN002: a plan has steps. A document without the section is a request, and fine."""

from collections.abc import Iterator

from planact.base.span import Span
from planact.plan.lint_context import LintContext
from planact.plan.syntax.edits import insertion
from planact.plan.syntax.tree import Fix, PlanProblem, PlanTree


def check(tree: PlanTree, _context: LintContext) -> Iterator[PlanProblem]:
    """Report an empty section, or a template without one."""
    if tree.is_request or tree.steps:
        return
    section = tree.section("steps")
    at = section.title_span if section else tree.goal_span or Span(tree.body_start, tree.body_start)
    added = [insertion(section.title_span.end, f"{tree.line_end}- [ ] 1. ")] if section else []
    fixes = tuple(Fix("Add a step", (edit,), is_preferred=True) for edit in added)
    hint = "Add one below `## Steps`: `- [ ] 1. What to do`."
    yield PlanProblem(at, "PLAN002", "error", "the plan has no steps", hint, fixes)
