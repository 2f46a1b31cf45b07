"""PLAN006: an unknown front-matter key may be a slip of the pen. It is kept all the same."""

from collections.abc import Iterator
from difflib import get_close_matches

from planact.base.span import TextEdit
from planact.plan.lint_context import LintContext
from planact.plan.syntax import grammar
from planact.plan.syntax.tree import Fix, PlanProblem, PlanTree

_MAX_GUESSES = 20  # each takes longer than parsing a step


def check(tree: PlanTree, _context: LintContext) -> Iterator[PlanProblem]:
    """Report keys that the language doesn't have, with the nearest it has."""
    keys = tree.front_matter.keys if tree.front_matter else ()
    for index, key in enumerate(key for key in keys if key.name not in grammar.FRONT_MATTER_KEYS):
        nearest = get_close_matches(key.name[:64], grammar.FRONT_MATTER_KEYS, 1) if index < _MAX_GUESSES else []
        hint = f"Did you mean `{nearest[0]}`?" if nearest else "It is kept, and means nothing to planact."
        fixes = tuple(Fix(f"Change it to '{name}'", (TextEdit(key.key_span, name),), True) for name in nearest)
        yield PlanProblem(key.key_span, "PLAN006", "warning", f"there is no key '{key.name}' in plans", hint, fixes)
