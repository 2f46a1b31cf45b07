"""What is wrong with the open plans, found once for each version, however many features ask."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence

from planact.base.errors import PlanactError
from planact.lsp.documents import Document
from planact.plan.changes import ChangedFile
from planact.plan.problem import Problem
from planact.workflows.lint_plan import Linter, missing_files
from planact.workflows.workspace import Workspace


class PlanProblems:
    """The problems of the last version of each document that was asked about. `find` finds its workspace, `changed`
    the files that have changed since planning, if that is known.
    """

    def __init__(
        self,
        find: Callable[[str], Awaitable[tuple[Workspace, str]]],
        changed: Callable[[Document], Sequence[ChangedFile] | None],
    ) -> None:
        self._find = find
        self._changed = changed
        self._linter = Linter()
        self._found: dict[str, tuple[Document, asyncio.Task[tuple[Problem, ...]]]] = {}

    async def of(self, document: Document) -> tuple[Problem, ...]:
        """All of them, in the order of the text. Whoever stops waiting takes them from nobody else."""
        known = self._found.get(document.uri)
        if known is None or known[0] is not document:
            known = self._found[document.uri] = (document, asyncio.ensure_future(self._look(document)))
        return await asyncio.shield(known[1])

    def forget(self, uri: str) -> None:
        """Find them anew when they are asked for: the files around changed, or the document is closed."""
        self._found.pop(uri, None)

    async def _look(self, document: Document) -> tuple[Problem, ...]:
        try:
            ws, _ = await self._find(document.uri)
        except PlanactError:
            return self._linter.lint(None, document.plan)
        missing = await asyncio.to_thread(missing_files, ws, document.plan)
        return self._linter.lint(ws, document.plan, self._changed(document) or (), missing)
