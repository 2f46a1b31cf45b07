"""PLAN022: a plan in which a merge left two versions is none, and part of a marker would pass for a comment."""

import re
from collections.abc import Iterator

from planact.base.span import Span, line_spans
from planact.plan.lines import scan
from planact.plan.problem import Problem
from planact.plan.surroundings import Surroundings
from planact.plan.tree import PlanTree

_MARKER = re.compile(r"(?:<{7}|>{7}|\|{7})(?: |$)")


def check(tree: PlanTree, _around: Surroundings) -> Iterator[Problem]:
    """Report the lines that version control puts around each side, outside fences."""
    if "<<<<<<<" not in tree.text and ">>>>>>>" not in tree.text:
        return
    for line in scan(tree.text, line_spans(tree.text)).lines:
        if not line.is_fenced and _MARKER.match(line.text):
            at, message = Span(line.start, line.end), "a merge conflict is unresolved here"
            yield Problem(at, "PLAN022", "error", message, "Keep one side, and remove the markers.")
