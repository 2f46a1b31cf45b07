"""Plans as they were parsed last: a text is parsed once, and the next one by what changed."""

from planact.plan.syntax.parser import parse
from planact.plan.syntax.tree import PlanTree

_MOST_KEPT = 20_000_000
"""Characters of the texts that are kept, those that were read last."""


class ParsedPlans:
    """Trees by path. May be asked from any thread: a tree that another one takes out meanwhile is only made again."""

    def __init__(self) -> None:
        self._trees: dict[str, PlanTree] = {}

    def parse(self, path: str, text: str) -> PlanTree:
        """Return the tree of a plan's text; `path` only tells which text came before."""
        tree = parse(text, self._trees.pop(path, None))
        self._trees[path] = tree
        kept = 0
        for name, each in reversed(list(self._trees.items())):
            kept += len(each.text)
            if kept > _MOST_KEPT and each is not tree:
                self._trees.pop(name, None)
        return tree
