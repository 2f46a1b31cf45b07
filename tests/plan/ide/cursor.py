"""A place in a text, as `‸`."""

from planact.plan.syntax.parser import parse
from planact.plan.syntax.tree import PlanTree

CURSOR = "‸"


def parsed(marked: str) -> tuple[PlanTree, int]:
    """The plan without the mark, and where it stood."""
    return parse(marked.replace(CURSOR, "", 1)), marked.index(CURSOR)
