"""PLAN015: front-matter values that are understood to mean nothing, rather than guessed at."""

from collections.abc import Collection, Iterator

from planact.model.plan import PlanStatus
from planact.plan.lower import context_files
from planact.plan.problem import Problem
from planact.plan.tree import FrontMatterKey, PlanTree

_WORDS = {
    "status": frozenset(status.value for status in PlanStatus),
    "infrastructure": frozenset({"true", "yes", "on", "false", "no", "off"}),
}


def check(tree: PlanTree, _known_tools: Collection[str]) -> Iterator[Problem]:
    """Report a status, a yes or no, or a list of files that isn't one, and lists where a word belongs."""
    for key in tree.front_matter.keys if tree.front_matter else ():
        if key.value is not None and (wanted := _fault(tree, key)):
            message = f"the value of '{key.name}' is not {wanted}, and is ignored"
            yield Problem(key.value_span, "PLAN015", "warning", message, "Correct or remove it.")


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
