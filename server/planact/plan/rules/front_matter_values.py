"""PLAN015: front-matter values without a meaning are ignored rather than guessed at."""

from collections.abc import Iterator
from difflib import get_close_matches

from planact.base.span import TextEdit
from planact.model.plan import PlanStatus
from planact.plan.lint_context import LintContext
from planact.plan.syntax.lower import context_files
from planact.plan.syntax.tree import Fix, FrontMatterKey, PlanProblem, PlanTree

_WORDS = {
    "status": frozenset(status.value for status in PlanStatus),
    "infrastructure": frozenset({"true", "yes", "on", "false", "no", "off"}),
}


def check(tree: PlanTree, _context: LintContext) -> Iterator[PlanProblem]:
    """Report a status, a yes or no, or a list of files that isn't one, and lists where a word belongs."""
    for key in tree.front_matter.keys if tree.front_matter else ():
        if key.value is not None and (wanted := _fault(tree, key)):
            message = f"the value of '{key.name}' is not {wanted}, and is ignored"
            yield PlanProblem(key.value_span, "PLAN015", "warning", message, "Correct or remove it.", _fixes(key))


def _fixes(key: FrontMatterKey) -> tuple[Fix, ...]:
    words = _WORDS.get(key.name, frozenset()) - {"yes", "on", "no", "off"}
    nearest = get_close_matches(key.value[:64].lower(), sorted(words), 1) if isinstance(key.value, str) else []
    return tuple(Fix(f"Write '{word}'", (TextEdit(key.value_span, word),), is_preferred=True) for word in nearest)


def _fault(tree: PlanTree, key: FrontMatterKey) -> str:
    if key.name in _WORDS:
        is_known = isinstance(key.value, str) and key.value.lower() in _WORDS[key.name]
        return "" if is_known else f"one of {', '.join(sorted(_WORDS[key.name]))}"
    if key.name == "context":
        is_list = isinstance(key.value, list) and len(context_files(tree)) == len(key.value)
        return "" if is_list or not key.value else "a list of `{path, sha256}`"
    if key.name in {"id", "created", "role", "model"}:
        return "" if isinstance(key.value, str) else "text"
    return ""
