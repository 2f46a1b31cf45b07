"""The workspaces of a client's folders, and what its commands and requests name in them."""

import asyncio
import contextlib
from collections.abc import Callable, Sequence
from pathlib import Path, PurePath
from typing import TypeVar

from planact.app.compose import App
from planact.base.errors import Conflict, InvalidInput, NotFound
from planact.lsp.documents.convert import uri_of
from planact.lsp.host.folders import Folders
from planact.lsp.protocol.arguments import PlanNamed
from planact.model.question import QuestionSet
from planact.workflows.plans.library import PlanDocument, find_plan, read_document
from planact.workflows.sessions.roles import load_roles
from planact.workflows.workspace import Workspace

T = TypeVar("T")


def plan_by_id(workspaces: Sequence[Workspace], plan_id: str) -> tuple[Workspace, PlanDocument]:
    """Return the only plan with that id (`find_plan`). Where one folder lies in another, a document is the inner one's.

    Raises:
        NotFound: PLAN_NOT_FOUND, NO_WORKSPACE.
        Conflict: PLAN_INVALID, when several documents carry the id.
    """
    missing = NotFound("NO_WORKSPACE", "no folder is open", "Open a folder; plans live in one.")
    found: dict[PurePath, tuple[Workspace, PlanDocument]] = {}
    for ws in sorted(workspaces, key=lambda each: len(each.ports.files.root.parts)):
        try:
            document = find_plan(ws, plan_id)
        except NotFound as error:
            missing = error
        else:
            found[document.place.real] = ws, document
    if len(found) > 1:
        message = f"documents in several folders carry the id {plan_id}: {', '.join(map(str, found))}"
        raise Conflict("PLAN_INVALID", message, "Name the folder, or the file.")
    if not found:
        raise missing
    return next(iter(found.values()))


class WorkspaceLookup:
    """Finds workspaces: cached for commands, which `refresh` precedes, and read anew for requests that only read.

    Attributes:
        plan_order: held while a plan that was saved is recorded, and while one is read for a command, which so knows of
            each save before it.
    """

    def __init__(self, app: App, folders: Folders) -> None:
        self._app = app
        self._folders = folders
        self._failures: dict[Path, Exception] = {}
        self._refreshing, self.plan_order = asyncio.Lock(), asyncio.Lock()

    async def refresh(self) -> None:
        """Read the settings and roles of all folders anew, beside the event loop. Calls end in the order in which they
        came, so commands begin in that order, however long the disk takes.
        """
        async with self._refreshing:
            roots = self._folders.roots
            found = await asyncio.gather(*map(self._app.found, roots), return_exceptions=True)
            loaded = [each for each in found if isinstance(each, Workspace)]
            await load_roles(loaded, lambda: None)
            self._failures = {
                root: each for root, each in zip(roots, found, strict=True) if isinstance(each, Exception)
            }

    def get(self, folder: str = "") -> Workspace:
        """Return the cached workspace of the folder with that URI; empty = the first.

        Raises:
            NotFound: NO_WORKSPACE.
            StorageFailure: the last refresh couldn't read the folder's state.
        """
        return self._cached(self._folders.named(folder))

    def all(self, folder: str = "") -> Sequence[Workspace]:
        """Return the cached workspaces in which to look up an id: that of the folder with that URI; empty = all."""
        return [self.get(folder)] if folder else [*map(self._cached, self._folders.roots)]

    def find_in(self, folder: str, find: Callable[[Workspace], T]) -> tuple[Workspace, T]:
        """Return the first workspace (of `all`) in which `find` raises no NotFound, and what it returned."""
        missing = NotFound("NO_WORKSPACE", "no folder is open", "Open a folder; plans live in one.")
        for ws in self.all(folder):
            try:
                return ws, find(ws)
            except NotFound as error:
                missing = error
        raise missing

    def _cached(self, root: Path) -> Workspace:
        if root in self._failures:
            raise self._failures[root]
        return self._app.seen(root)

    def locate_cached(self, uri: str) -> tuple[Workspace, str]:
        """Return the cached workspace that holds a document, the innermost first, and the path in it.

        Raises:
            InvalidInput: NO_WORKSPACE, when it is no file, or in no folder.
        """
        root, path = self._folders.containing(uri)
        return _with_real_name(self._cached(root), path.relative_to(root).as_posix())

    async def locate(self, uri: str) -> tuple[Workspace, str]:
        """Return the workspace that holds a document, read anew, and the path in it. Raises as `locate_cached`."""
        root, path = self._folders.containing(uri)
        ws = await self._app.found(root)
        return await asyncio.to_thread(_with_real_name, ws, path.relative_to(root).as_posix())

    def path_in(self, ws: Workspace, uri: str) -> str:
        """Return the path of a document in a folder. Raises InvalidInput NO_WORKSPACE, when it is in another."""
        there, path = self.locate_cached(uri)
        if there.ports.files.root != ws.ports.files.root:
            raise InvalidInput("NO_WORKSPACE", f"{uri} is in another workspace folder", "Name a document of this one.")
        return path

    async def plan(self, arguments: PlanNamed) -> tuple[Workspace, PlanDocument]:
        """Read the plan that a command names, beside the event loop, for one command after the other."""
        async with self.plan_order:
            return await asyncio.to_thread(self._plan, arguments)

    def _plan(self, arguments: PlanNamed) -> tuple[Workspace, PlanDocument]:
        if arguments.uri:
            ws, path = self.locate_cached(arguments.uri)
            if arguments.folder:
                path = self.path_in(self.get(arguments.folder), arguments.uri)
            return ws, read_document(ws, path)
        return plan_by_id(self.all(arguments.folder), arguments.plan_id)

    def question(self, question_id: str) -> tuple[Workspace, QuestionSet]:
        """Return a question of any folder. Raises NotFound QUESTION_NOT_OPEN."""
        for ws in self.all():
            with contextlib.suppress(NotFound):
                return ws, ws.ports.questions.get(question_id)
        raise NotFound("QUESTION_NOT_OPEN", f"there is no question {question_id}", "List the open questions.")

    def uri(self, ws: Workspace, path: str) -> str:
        """Return the URI of a path in a folder, below the folder's name as the client knows it."""
        return uri_of(self.folder(ws) / path)

    def folder(self, ws: Workspace) -> Path:
        """Return the folder's path as the client names it."""
        return self._folders.client_path(Path(ws.ports.files.root))


def _with_real_name(ws: Workspace, named: str) -> tuple[Workspace, str]:
    """Return the path with links followed: a folder may have two names, and a plan's records use one."""
    place = ws.ports.files.resolve(named)
    return ws, named if place.relative is None else str(place.relative)
