"""The workspace folders of one client, and what its documents show of the work. Is `ls.app`."""

import asyncio
import contextlib
import logging
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from lsprotocol import types

from planact.app import App, ApplyToDisk
from planact.base.errors import InvalidInput, NotFound, PlanactError
from planact.lsp.arguments import PlanNamed
from planact.lsp.convert import uri_of
from planact.lsp.documents import Document
from planact.lsp.editor import LspEditor
from planact.lsp.folders import Folders
from planact.lsp.freshness import Freshness
from planact.lsp.plan_by_id import plan_by_id
from planact.lsp.plan_problems import PlanProblems
from planact.lsp.plan_state import past_of, state_of
from planact.lsp.plans_in_force import PlansInForce
from planact.lsp.progress import Progress, show_progress
from planact.lsp.protocol import InitializationOptions
from planact.lsp.results import PlanMade
from planact.lsp.server import PlanactServer
from planact.lsp.sessions import Sessions
from planact.lsp.watching import Watching
from planact.model.notice import ExecutionProgress, ModeChanged, Notice, PlanChanged, QuestionResolved, WorkChanged
from planact.model.question import ProposedEdit, QuestionSet, Shown
from planact.model.session import Session
from planact.plan.offers import PlanState
from planact.plan.tree import PlanTree
from planact.ports import Editor, Files
from planact.workflows.library import PlanDocument, read_document
from planact.workflows.question_in_plan import take_out_question, write_question
from planact.workflows.review_edits import edit_difference
from planact.workflows.roles import look_at_roles
from planact.workflows.take_turn import TurnTaken
from planact.workflows.workspace import Workspace

log = logging.getLogger(__name__)


class Host:
    """What the handlers of commands and features ask for."""

    def __init__(
        self, server: PlanactServer, environment: Mapping[str, str], home: Path, flags: Mapping[str, Any]
    ) -> None:
        self._server = server
        self.folders = Folders()
        self.app = App(environment, home, self._editor, flags)
        server.at_exit.append(self.app.close)
        server.before_command = self.look
        self.freshness = Freshness(server.documents, self.find, self.folders.as_client_names, self._tell_freshness)
        self.freshness.watching = Watching(server, self.app.watcher, self.freshness.touched)
        self.problems = PlanProblems(self.find, self.freshness.changed)
        self.plans_in_force = PlansInForce()
        self.sessions = Sessions(self.workspace, self.workspaces)
        self._beginning = object()
        self._order, self._looking = asyncio.Lock(), asyncio.Lock()
        self._failures: dict[Path, Exception] = {}
        self._listeners: dict[str, Callable[[str], None]] = {}
        self._tasks: set[asyncio.Task[Any]] = set()
        self._house_kept: dict[Path, float] = {}

    def meet(self, params: types.InitializeParams) -> None:
        """Learn the workspace folders, the editor's settings and whether the user trusts what is there."""
        self.folders.meet(params)
        said = params.initialization_options
        options = InitializationOptions.model_validate(said if isinstance(said, dict) else {})
        self.app.use_editor_settings(options.settings)
        self.app.is_restricted = not options.workspace_trusted

    def begin(self) -> None:
        """Start what is slow, in the background, and tell what is wrong with the settings."""
        self._beginning = object()
        self._later(asyncio.to_thread(self.app.shown_texts.clear_stale))
        self._later(self._begin_in(self.folders.roots, self._beginning))

    def use_settings(self, settings: Mapping[str, Any]) -> None:
        """The editor's settings changed."""
        self.app.use_editor_settings(settings)
        self.begin()

    def change_folders(self, event: types.WorkspaceFoldersChangeEvent) -> None:
        """Folders came or went: the ones are served at once, the work in the others breaks off so that it can go on."""
        new, left = self.folders.change(event)
        for root in left:
            self._later(self.app.leave(root))
        self._later(self._begin_in(new, self._beginning))

    async def _begin_in(self, roots: Sequence[Path], beginning: object) -> None:
        try:
            seen = {root: await asyncio.to_thread(self.app.settings, root) for root in roots}
        except PlanactError:
            log.exception("the settings can't be read")
            return
        if beginning is not self._beginning:  # the editor's settings changed, and all folders begin with those
            return
        for root, merged in seen.items():
            if root in self.folders.roots[:1]:
                logging.getLogger("planact").setLevel(merged.settings.log_level.upper())
            self.app.warm_up(merged.settings)
        found = [self.app.redact(problem.message) for merged in seen.values() for problem in merged.problems]
        for text in dict.fromkeys(found):
            self._server.window_log_message(types.LogMessageParams(types.MessageType.Warning, text))
        if found:
            text = f"planact: {found[0]}" + (f" (and {len(found) - 1} more in the log)" if found[1:] else "")
            self._server.window_show_message(types.ShowMessageParams(types.MessageType.Warning, text))

    # --- where things are

    async def look(self) -> None:
        """See the folders' settings as they are now, beside the event loop, for a command that is about to begin. They
        begin in the order in which they came, however long the disk takes.
        """
        async with self._order:
            roots = self.folders.roots
            found = await asyncio.gather(*map(self.app.found, roots), return_exceptions=True)
            seen = [each for each in found if isinstance(each, Workspace)]
            await look_at_roles(seen, lambda: None)
            self._failures = {
                root: each for root, each in zip(roots, found, strict=True) if isinstance(each, Exception)
            }

    def workspace(self, folder: str = "") -> Workspace:
        """The workspace folder with that URI, as it was when somebody looked last; empty = the first.

        Raises:
            NotFound: NO_WORKSPACE. StorageFailure: what the look met that was for this command.
        """
        return self._seen(self.folders.named(folder))

    async def found(self, folder: str = "") -> Workspace:
        """The same as it is now."""
        return await self.app.found(self.folders.named(folder))

    def workspaces(self, folder: str = "") -> Sequence[Workspace]:
        """Where what has an id is looked for: in the folder with that URI; empty = in all."""
        return [self.workspace(folder)] if folder else [*map(self._seen, self.folders.roots)]

    def _seen(self, root: Path) -> Workspace:
        if root in self._failures:
            raise self._failures[root]
        return self.app.seen(root)

    def locate(self, uri: str) -> tuple[Workspace, str]:
        """The workspace folder that holds a document, the innermost first, and the path in it.

        Raises:
            InvalidInput: when it is no file, or in no folder.
        """
        root, path = self.folders.holding(uri)
        return _known_as(self._seen(root), path.relative_to(root).as_posix())

    async def find(self, uri: str) -> tuple[Workspace, str]:
        """The same for what only looks."""
        root, path = self.folders.holding(uri)
        ws = await self.app.found(root)
        return await asyncio.to_thread(_known_as, ws, path.relative_to(root).as_posix())

    def path_in(self, ws: Workspace, uri: str) -> str:
        """The path of a document in a folder. Raises InvalidInput NO_WORKSPACE, when it is in another."""
        there, path = self.locate(uri)
        if there.ports.files.root != ws.ports.files.root:
            raise InvalidInput("NO_WORKSPACE", f"{uri} is in another workspace folder", "Name a document of this one.")
        return path

    async def document(self, arguments: PlanNamed) -> tuple[Workspace, PlanDocument]:
        """The plan that a command names, looked for beside the event loop, for one command after the other."""
        async with self._looking:
            return await asyncio.to_thread(self._document, arguments)

    def _document(self, arguments: PlanNamed) -> tuple[Workspace, PlanDocument]:
        if arguments.uri:
            ws, path = self.locate(arguments.uri)
            if arguments.folder:
                path = self.path_in(self.workspace(arguments.folder), arguments.uri)
            return ws, read_document(ws, path)
        return plan_by_id(self.workspaces(arguments.folder), arguments.plan_id)

    def question(self, question_id: str) -> tuple[Workspace, QuestionSet]:
        """A question in any folder. Raises NotFound QUESTION_NOT_OPEN."""
        for ws in self.workspaces():
            with contextlib.suppress(NotFound):
                return ws, ws.ports.questions.get(question_id)
        raise NotFound("QUESTION_NOT_OPEN", f"there is no question {question_id}", "List the open questions.")

    def plan_since(self, ws: Workspace, before: Session, path: str = "") -> PlanDocument | None:
        """The plan that stopped work came to, if it did: a new one, or the one in the document at `path`."""
        now = ws.ports.sessions.get(before.id).plan_file
        if now in ("", before.plan_file) and now != path:
            return None
        with contextlib.suppress(PlanactError):
            document = read_document(ws, now)
            return document if document.plan else None
        return None

    def plan_made(self, ws: Workspace, session_id: str, document: PlanDocument | None) -> PlanMade:
        """The answer of commands that make or change a plan."""
        if document is None:
            return PlanMade(session_id=session_id, plan_id="", path="", uri="")
        return PlanMade(
            session_id=session_id,
            plan_id=document.plan.id if document.plan else "",
            path=document.path,
            uri=self.uri(ws, document.path),
        )

    def uri(self, ws: Workspace, path: str) -> str:
        """The URI of a path in a folder, below the folder's name as the client knows it."""
        return uri_of(self.folder(ws) / path)

    def folder(self, ws: Workspace) -> Path:
        """The folder as the client names it."""
        return self.folders.as_client_names(Path(ws.ports.files.root))

    # --- what is shown

    async def plan_state(self, document: Document, tree: PlanTree) -> PlanState:
        """What is going on with a plan, for its lenses. What the file says of itself counts for nothing."""
        try:
            ws, path = await self.find(document.uri)
            past = await asyncio.to_thread(past_of, ws, path, tree)
            return state_of(ws, path, document, tree, past, self.freshness.changed(document))
        except PlanactError:  # also when planact's own state can't be read, which every command says
            return PlanState()

    async def may_format(self, document: Document) -> bool:
        """Whether a plan's text may change without anybody having thought about it, as when an editor saves. Of an
        approved one it may not, or the approval would be gone; nor of one that a run is drawing its marks in.
        """
        state = await self.plan_state(document, document.plan)
        return state.is_at_rest and not state.is_approved

    @contextlib.asynccontextmanager
    async def progress(self, ws: Workspace, session_id: str, title: str) -> AsyncIterator[Progress]:
        """Show that a session works; the user can stop it there."""

        def stop() -> None:
            self._later(ws.stop(session_id))

        folder = self.folders.told_apart(self.folder(ws))
        title = f"{title} in {folder}" if folder else title
        can_create = self._server.client.progress
        async with show_progress(self._server.protocol, title, stop, can_create=can_create) as progress:
            self._listeners[session_id] = progress.report
            try:
                yield progress
            finally:
                self._listeners.pop(session_id, None)
                self.refresh()

    def report(self, session_id: str, text: str) -> None:
        """Say where a session's work stands, if it is shown."""
        if session_id in self._listeners:
            self._listeners[session_id](text)

    def tell_if_no_plan(self, taken: TurnTaken) -> None:
        """Why a turn that was to make a plan made none: what the agent said instead, or what ended it."""
        if taken.written is None:
            text = taken.offer or taken.result.text or taken.result.reason or "No plan came of it."
            self._server.window_show_message(types.ShowMessageParams(types.MessageType.Info, text))

    def _tell_freshness(self, document: Document, is_other: bool) -> None:
        if is_other:
            self.problems.forget(document.uri)
            self._server.documents.tell(document)
        self.refresh()

    def judge_again(self) -> None:
        """Find the problems of the open plans anew: files around them or the settings may have changed."""
        self.freshness.touched_all()
        for document in self._server.documents.all():
            if document.is_plan:
                self.problems.forget(document.uri)
                self._server.documents.tell(document)

    def refresh(self) -> None:
        """Have the client ask for lenses and hints again, if it can."""
        client = self._server.client
        if client.code_lens_refresh:
            self._later(self._ask_to_refresh(types.WORKSPACE_CODE_LENS_REFRESH))
        if client.inlay_hint_refresh:
            self._later(self._ask_to_refresh(types.WORKSPACE_INLAY_HINT_REFRESH))

    async def _ask_to_refresh(self, method: str) -> None:
        with contextlib.suppress(Exception):
            await asyncio.wait_for(self._server.protocol.request(method), 5)

    def keep_house(self, root: Path) -> None:
        """Some work in a folder is over, so there may be a quiet moment. One a day will do."""
        before, day = self._house_kept.get(root), asyncio.get_running_loop().time() // 86_400
        self._house_kept[root] = day
        if before != day:
            self._later(asyncio.to_thread(self.app.keep_house, root))

    def _later(self, work: Any) -> None:
        task = asyncio.ensure_future(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    def _editor(self, root: Path, _files: Files, apply_to_disk: ApplyToDisk) -> Editor:
        return _HostEditor(self, self._server, self.folders.as_client_names(root), apply_to_disk)


def _known_as(ws: Workspace, named: str) -> tuple[Workspace, str]:
    """A folder may have two names, and what is known of a plan has one."""
    place = ws.ports.files.resolve(named)
    return ws, named if place.relative is None else str(place.relative)


def host_of(server: PlanactServer) -> Host:
    """The host that `serve` put on the server."""
    assert isinstance(server.app, Host)
    return server.app


class _HostEditor(LspEditor):
    """The client's editor, which also keeps progress and lenses up to date."""

    def __init__(self, host: Host, server: PlanactServer, root: Path, apply_to_disk: ApplyToDisk) -> None:
        super().__init__(server, root, apply_to_disk, host.app.redact)
        self._host = host

    def tell(self, notice: Notice) -> None:
        super().tell(notice)
        if isinstance(notice, ExecutionProgress | PlanChanged):
            self._host.freshness.touched_all()  # what the run has changed doesn't count
        match notice:
            case ExecutionProgress(execution=execution, text=text):
                self._host.report(execution.session_id, text)
                self._host.refresh()
            case WorkChanged(is_running=False):
                self._host.keep_house(self._root)
            case ModeChanged() | PlanChanged() | QuestionResolved():
                self._host.refresh()
            case _:
                pass

    async def show(self, question: QuestionSet, problem: str) -> Shown:
        self._host.refresh()
        return await super().show(question, problem)

    def folder_told_apart(self) -> str:
        return self._host.folders.told_apart(self._root)

    async def write_down(self, question: QuestionSet) -> str:
        return await write_question(self._host.app.seen(self._root), question)

    def difference(self, edit: ProposedEdit) -> str:
        return edit_difference(self._host.app.seen(self._root), edit)

    async def take_back(self, ended: QuestionSet) -> None:
        await take_out_question(self._host.app.seen(self._root), ended)
