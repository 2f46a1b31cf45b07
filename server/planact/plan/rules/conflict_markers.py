"""PLAN022: a plan in which a merge left two versions is none."""

import re
from collections.abc import Iterator

from planact.base.span import Span, line_spans
from planact.plan.lint_context import LintContext
from planact.plan.syntax.lines import scan
from planact.plan.syntax.tree import PlanProblem, PlanTree

HINT = "Keep one side, and remove the markers."

_MARKER = re.compile(r"(?:<{7}|>{7}|\|{7})(?: |$)")


def check(tree: PlanTree, _context: LintContext) -> Iterator[PlanProblem]:
    """Report the lines that version control puts around each side, outside fences."""
    for at in _markers(tree):
        yield PlanProblem(at, "PLAN022", "error", "a merge conflict is unresolved here", HINT)


def has_conflict(tree: PlanTree) -> bool:
    """Return True if no tool should write into this text, since neither version in it is the plan."""
    return next(_markers(tree), None) is not None


def _markers(tree: PlanTree) -> Iterator[Span]:
    if "<<<<<<<" not in tree.text and ">>>>>>>" not in tree.text:
        return
    for line in scan(tree.text, line_spans(tree.text)).lines:
        if not line.is_fenced and _MARKER.match(line.text):
            yield Span(line.start, line.end)
