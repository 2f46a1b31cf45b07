"""What is wrong with the open plans, found once for each version, however many features ask."""

from collections.abc import Callable, Sequence

from planact.base.errors import PlanactError
from planact.lsp.documents import Document
from planact.plan.changes import ChangedFile
from planact.plan.problem import Problem
from planact.workflows.lint_plan import Linter
from planact.workflows.workspace import Workspace


class PlanProblems:
    """The problems of the last version of each document that was asked about. `locate` finds its workspace, `changed`
    the files that have changed since planning, if that is known.
    """

    def __init__(
        self,
        locate: Callable[[str], tuple[Workspace, str]],
        changed: Callable[[Document], Sequence[ChangedFile] | None],
    ) -> None:
        self._locate = locate
        self._changed = changed
        self._linter = Linter()
        self._found: dict[str, tuple[Document, tuple[Problem, ...]]] = {}

    def of(self, document: Document) -> tuple[Problem, ...]:
        """All of them, in the order of the text."""
        known = self._found.get(document.uri)
        if known is None or known[0] is not document:
            changed = self._changed(document) or ()
            found = self._linter.lint(self._workspace(document), document.plan, changed)
            known = self._found[document.uri] = (document, found)
        return known[1]

    def forget(self, uri: str) -> None:
        """Find them anew when they are asked for: the files around changed, or the document is closed."""
        self._found.pop(uri, None)

    def _workspace(self, document: Document) -> Workspace | None:
        try:
            return self._locate(document.uri)[0]
        except PlanactError:
            return None
