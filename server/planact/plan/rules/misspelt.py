"""PLAN023: keys and headings that are nearly ones of the language. Others are the user's own and stay."""

from collections.abc import Iterator
from difflib import get_close_matches

from planact.base.span import Span, TextEdit
from planact.plan.lint_context import LintContext
from planact.plan.syntax import grammar
from planact.plan.syntax.tree import Fix, PlanProblem, PlanTree

_MAX_GUESSES = 20  # each takes longer than parsing a step
_NEAR = 0.8


def check(tree: PlanTree, _context: LintContext) -> Iterator[PlanProblem]:
    """Report unknown details and sections that resemble known ones."""
    if tree.is_request:
        return
    yield from _details(tree)
    missing = [title for title, name in grammar.SECTIONS.items() if tree.section(name) is None]
    own = [section for section in tree.sections if not section.name]
    for section in own[:_MAX_GUESSES]:
        for title in get_close_matches(section.title[:64].capitalize(), missing, 1, _NEAR):
            yield _problem(section.title_span, "section", section.title, title)


def _details(tree: PlanTree) -> Iterator[PlanProblem]:
    nearest: dict[str, list[str]] = {}
    for step in tree.steps:
        for detail in step.details:
            if detail.key in grammar.DETAILS:
                continue
            if detail.key not in nearest and len(nearest) < _MAX_GUESSES:
                nearest[detail.key] = get_close_matches(detail.key, grammar.DETAILS, 1, _NEAR)
            for name in nearest.get(detail.key, ()):
                yield _problem(detail.key_span, "key", detail.key, name)


def _problem(at: Span, kind: str, written: str, meant: str) -> PlanProblem:
    fix = Fix(f"Change it to '{meant}'", (TextEdit(at, meant),), is_preferred=True)
    message = f"the {kind} '{written}' means nothing"
    return PlanProblem(at, "PLAN023", "warning", message, f"Did you mean '{meant}'?", (fix,))
