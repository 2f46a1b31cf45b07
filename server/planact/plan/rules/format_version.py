"""PLAN007: a plan of a later format may have a meaning that this version doesn't know."""

from collections.abc import Iterator

from planact.base.span import TextEdit
from planact.model.plan import FORMAT_VERSION
from planact.plan.lint_context import LintContext
from planact.plan.syntax.tree import Fix, PlanProblem, PlanTree


def check(tree: PlanTree, _context: LintContext) -> Iterator[PlanProblem]:
    """Report every version but the one there is."""
    key = tree.key("format_version")
    if key and key.value is not None and key.value != FORMAT_VERSION:
        message = f"format_version {str(key.value)[:40]!r} is not supported"
        hint = f'Write `format_version: "{FORMAT_VERSION}"`, or use a version of planact that knows it.'
        fix = Fix(f"Write version {FORMAT_VERSION}", (TextEdit(key.value_span, f'"{FORMAT_VERSION}"'),))
        yield PlanProblem(key.value_span, "PLAN007", "error", message, hint, (fix,))
