"""PLAN007: a plan of a later format may mean what this version can't know."""

from collections.abc import Iterator

from planact.base.span import TextEdit
from planact.model.plan import FORMAT_VERSION
from planact.plan.problem import Fix, Problem
from planact.plan.surroundings import Surroundings
from planact.plan.tree import PlanTree


def check(tree: PlanTree, _around: Surroundings) -> Iterator[Problem]:
    """Report every version but the one there is."""
    key = tree.front_matter.key("format_version") if tree.front_matter else None
    if key and key.value is not None and key.value != FORMAT_VERSION:
        message = f"format_version {str(key.value)[:40]!r} is not supported"
        hint = f'Write `format_version: "{FORMAT_VERSION}"`, or use a version of planact that knows it.'
        fix = Fix(f"Write version {FORMAT_VERSION}", (TextEdit(key.value_span, f'"{FORMAT_VERSION}"'),))
        yield Problem(key.value_span, "PLAN007", "error", message, hint, (fix,))
