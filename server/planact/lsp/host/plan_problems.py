"""Problems of the open plans, computed once for each version, for all features that ask."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence

from planact.base.errors import PlanactError
from planact.lsp.documents.open_documents import Document
from planact.plan.changes import ChangedFile
from planact.plan.syntax.problem import PlanProblem
from planact.workflows.history.half_calls import half_call_problems
from planact.workflows.plans.lint import Linter, missing_files
from planact.workflows.workspace import Workspace


class PlanProblems:
    """Problems of the last version of each document. `find` finds its workspace, `changed` the files that have changed
    since planning, if that is known.
    """

    def __init__(
        self,
        find: Callable[[str], Awaitable[tuple[Workspace, str]]],
        changed: Callable[[Document], Sequence[ChangedFile] | None],
    ) -> None:
        self._find = find
        self._changed = changed
        self._linter = Linter()
        self._cached: dict[str, tuple[Document, asyncio.Task[tuple[PlanProblem, ...]]]] = {}

    async def of(self, document: Document) -> tuple[PlanProblem, ...]:
        """Return all problems, in the order of the text. Cancelling one caller leaves the others waiting."""
        known = self._cached.get(document.uri)
        if known is None or known[0] is not document:
            known = self._cached[document.uri] = (document, asyncio.ensure_future(self._compute(document)))
        return await asyncio.shield(known[1])

    def forget(self, uri: str) -> None:
        """Compute the problems anew at the next call: files around changed, or the document is closed."""
        self._cached.pop(uri, None)

    async def _compute(self, document: Document) -> tuple[PlanProblem, ...]:
        try:
            ws, _ = await self._find(document.uri)
        except PlanactError:
            return self._linter.lint(None, document.plan)
        missing = await asyncio.to_thread(missing_files, ws, document.plan)
        try:
            half_made = await asyncio.to_thread(half_call_problems, ws, document.plan)
        except PlanactError:  # planact's own state can't be read, which every command says
            half_made = ()
        found = self._linter.lint(ws, document.plan, self._changed(document) or (), missing)
        return tuple(sorted((*found, *half_made), key=lambda problem: problem.span)) if half_made else found
