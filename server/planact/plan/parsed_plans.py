"""The plans of a workspace as they were parsed last: a text is parsed once, and the next one by what changed."""

from threading import Lock

from planact.plan.syntax.parser import parse
from planact.plan.syntax.tree import PlanTree

_MOST_KEPT = 20_000_000
"""Characters of the texts that are kept, those that were read last."""


class ParsedPlans:
    """May be asked from any thread."""

    def __init__(self) -> None:
        self._trees: dict[str, PlanTree] = {}
        self._kept = 0
        self._lock = Lock()

    def parse(self, path: str, text: str) -> PlanTree:
        """Return the tree of a plan's text; `path` only tells which text came before."""
        tree = parse(text, self._trees.get(path))
        with self._lock:
            before = self._trees.pop(path, None)
            self._trees[path] = tree
            self._kept += len(text) - (len(before.text) if before else 0)
            while self._kept > _MOST_KEPT and len(self._trees) > 1:
                self._kept -= len(self._trees.pop(next(iter(self._trees))).text)
        return tree
