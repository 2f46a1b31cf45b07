"""The services behind one client's requests, put together. Is `ls.app`.

Each folder's editor also keeps progress, lenses, hints and freshness up to date; the user can cancel work by its
progress.
"""

import asyncio
import contextlib
import logging
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from lsprotocol import types
from pydantic import BaseModel

from planact.app.compose import App, ApplyToDisk
from planact.base.errors import PlanactError
from planact.lsp.documents.open_documents import Document
from planact.lsp.editor.lsp_editor import LspEditor
from planact.lsp.editor.progress import Progress, show_progress
from planact.lsp.host.folders import Folders
from planact.lsp.host.freshness import Freshness
from planact.lsp.host.plan_state import ApprovedPlans, PlanProblems, state_of, step_history_of
from planact.lsp.host.sessions import CurrentSessions
from planact.lsp.host.watching import Watching
from planact.lsp.host.work_states import WorkStates
from planact.lsp.host.workspaces import WorkspaceLookup
from planact.lsp.protocol.arguments import PlanNamed
from planact.lsp.protocol.messages import WORK_CHANGED, InitializationOptions
from planact.lsp.server import PlanactServer
from planact.model.chat.message import Session
from planact.model.notice import (
    ExecutionProgress,
    ModelRetry,
    ModeNotice,
    Notice,
    PlanNotice,
    QuestionNotice,
    WorkMoved,
    WorkNotice,
)
from planact.model.question import ProposedEdit, QuestionSet, Shown
from planact.plan.plan_actions import PlanState
from planact.plan.syntax.tree import PlanTree
from planact.ports import Editor, Files
from planact.workflows.history.interruption import remove_unfinished_files
from planact.workflows.history.review_edits import edit_difference
from planact.workflows.plans.library import PlanDocument
from planact.workflows.plans.question_in_plan import remove_question, write_question
from planact.workflows.workspace import Workspace


class BackgroundTasks:
    """Keeps a reference to each running task, since the event loop keeps none."""

    def __init__(self) -> None:
        self._tasks: set[asyncio.Future[Any]] = set()

    def start(self, work: Awaitable[Any]) -> None:
        """Run `work` as a task; its failure is reported by the event loop."""
        task = asyncio.ensure_future(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)


_REFRESH_LIMIT = 5.0


class WorkDisplay:
    """Shows the work of all sessions of one client."""

    def __init__(
        self, server: PlanactServer, workspaces: WorkspaceLookup, folders: Folders, background: BackgroundTasks
    ) -> None:
        self._server = server
        self._workspaces = workspaces
        self._folders = folders
        self._background = background
        self._listeners: dict[str, Callable[[str], None]] = {}
        self._reported: dict[str, str] = {}

    @contextlib.asynccontextmanager
    async def progress(self, ws: Workspace, session_id: str, title: str) -> AsyncIterator[Progress]:
        """Show that a session works, to the end of the block; the user can stop the session there."""

        def stop() -> None:
            self._background.start(ws.stop(session_id))

        folder = self._folders.label(self._workspaces.folder(ws))
        title = f"{title} in {folder}" if folder else title
        can_create = self._server.client.progress
        async with show_progress(self._server.protocol, title, stop, can_create=can_create) as progress:
            self._listeners[session_id] = progress.report
            try:
                yield progress
            finally:
                self._listeners.pop(session_id, None)
                self._reported.pop(session_id, None)
                self.refresh()

    def report(self, session_id: str, text: str) -> None:
        """Show in one line how far a session's work is, if its progress is shown."""
        if session_id in self._listeners:
            self._reported[session_id] = text
            self._listeners[session_id](text)

    def report_wait(self, session_id: str, text: str) -> None:
        """Show for how long a session's work waits; an empty text brings back how far it is."""
        if session_id in self._listeners:
            self._listeners[session_id](text or self._reported.get(session_id, ""))

    def refresh(self) -> None:
        """Have the client ask for lenses and hints again, if it can."""
        client = self._server.client
        if client.code_lens_refresh:
            self._background.start(self._request(types.WORKSPACE_CODE_LENS_REFRESH))
        if client.inlay_hint_refresh:
            self._background.start(self._request(types.WORKSPACE_INLAY_HINT_REFRESH))

    async def _request(self, method: str) -> None:
        with contextlib.suppress(Exception):
            await asyncio.wait_for(self._server.protocol.request(method), _REFRESH_LIMIT)


class HostEditor(LspEditor):
    """The Editor port of one folder.

    Args:
        root: the folder as the client names it.
        apply_to_disk: changes files that aren't open.
        at_rest: called with the folder when work in it has ended.
    """

    def __init__(
        self,
        server: PlanactServer,
        app: App,
        root: Path,
        apply_to_disk: ApplyToDisk,
        *,
        display: WorkDisplay,
        freshness: Freshness,
        folders: Folders,
        works: WorkStates,
        at_rest: Callable[[Path], None],
    ) -> None:
        super().__init__(server, root, apply_to_disk, app.secrets.redact)
        self._app = app
        self._display = display
        self._freshness = freshness
        self._folders = folders
        self._works = works
        self._at_rest = at_rest

    def notify(self, notice: Notice) -> None:
        moved = self._works.of(self._root).take(notice)
        super().notify(notice)
        if moved and not isinstance(notice, WorkNotice):
            super().notify(WorkMoved(moved))
        if isinstance(notice, ExecutionProgress | PlanNotice):
            self._freshness.touched_all()  # changes by the run itself don't make the plan outdated
        match notice:
            case ExecutionProgress(execution=execution, text=text):
                self._display.report(execution.session_id, text)
                self._display.refresh()
            case ModelRetry(session_id=session_id, text=text):
                self._display.report_wait(session_id, text)
            case WorkNotice(is_running=False):
                self._at_rest(self._root)
                self._works.refresh(self._root)
            case ModeNotice() | PlanNotice() | QuestionNotice():
                self._display.refresh()
                self._works.refresh(self._root)
            case WorkMoved():  # a look found it, perhaps a run of another process that has ended
                self._display.refresh()
            case _:
                pass

    def message(self, notice: Notice) -> tuple[str, BaseModel] | None:
        match notice:
            case WorkNotice(is_running=False):
                return None  # the client is told once it is known what the work came to
            case WorkNotice(session_id=session_id) | WorkMoved(session_id=session_id):
                return WORK_CHANGED, self._works.of(self._root).message(session_id)
            case _:
                return super().message(notice)

    async def show(self, question: QuestionSet, problem: str) -> Shown:
        self._display.refresh()
        self._works.refresh(self._root)
        if moved := self._works.of(self._root).asked(question):
            super().notify(WorkMoved(moved))
        return await super().show(question, problem)

    def folder_label(self) -> str:
        return self._folders.label(self._root)

    async def write_in_plan(self, question: QuestionSet) -> str:
        return await write_question(self._app.seen(self._root), question)

    def difference(self, edit: ProposedEdit) -> str:
        return edit_difference(self._app.seen(self._root), edit)

    async def remove_question(self, ended: QuestionSet) -> None:
        await remove_question(self._app.seen(self._root), ended)


log = logging.getLogger(__name__)


class Host:
    """The services that handlers of commands and features use, and the life of the folders behind them.

    Attributes:
        folders: the open folders, by the names that the client gave them.
        workspaces: the workspaces of these folders, and plans and questions in them.
        sessions: the session that a command means.
        display: the progress of work, and lenses and hints that follow.
        freshness: changes of the files that open plans rest on.
        problems: problems of open plans.
        approved_plans: approved plans, parsed.
        works: the work of each folder, as it is shown.
    """

    def __init__(
        self, server: PlanactServer, environment: Mapping[str, str], home: Path, flags: Mapping[str, Any]
    ) -> None:
        self._server = server
        self._background = BackgroundTasks()
        self.folders = Folders()
        self.app = App(environment, home, self._editor, flags)
        self.workspaces = WorkspaceLookup(self.app, self.folders)
        self.display = WorkDisplay(server, self.workspaces, self.folders, self._background)
        server.at_exit.append(self.app.close)
        server.before_command = self.workspaces.refresh
        find = self.workspaces.locate
        self.freshness = Freshness(server.documents, find, self.folders.client_path, self._on_freshness)
        self.freshness.watching = Watching(server, self.app.watcher, self.freshness.touched)
        self.problems = PlanProblems(find, self.freshness.changed, self.freshness.also_changed)
        self.approved_plans = ApprovedPlans()
        self.sessions = CurrentSessions(self.workspaces.get, self.workspaces.all)
        self.works = WorkStates(self.app, self.folders, self._session_in_hand, self._background.start)
        server.at_exit.append(self.works.close)
        server.documents.listeners.append(self._refresh_work_on)
        self._beginning = object()
        self._house_kept: dict[Path, float] = {}

    async def plan_to_execute(self, named: PlanNamed) -> tuple[Workspace, PlanDocument, Session]:
        """Return the plan that a command names, with the session that works on it (`CurrentSessions.for_executing`)."""
        ws, document = await self.workspaces.plan(named)
        return ws, document, self.sessions.for_executing(ws, named.session_id, document.path)

    # --- folders and settings

    def initialize(self, params: types.InitializeParams) -> None:
        """Store the workspace folders, the editor's settings and whether the user trusts the workspace."""
        loop = asyncio.get_running_loop()
        self.app.state.on_damage = lambda failure: loop.call_soon_threadsafe(self._show_failure, failure)
        self.folders.initialize(params)
        said = params.initialization_options
        options = InitializationOptions.model_validate(said if isinstance(said, dict) else {})
        self.app.settings.editor = options.settings
        self.app.settings.is_restricted = not options.workspace_trusted

    def begin(self) -> None:
        """Start slow work in the background, and show problems of the settings."""
        self._beginning = object()
        self._background.start(asyncio.to_thread(self.app.temporary.clear_stale))
        self._background.start(self._begin_in(self.folders.roots, self._beginning))
        if self._server.client.planact.messages:
            self.works.watch()

    def start(self, work: Awaitable[Any]) -> None:
        """Run work that no request waits for."""
        self._background.start(work)

    def use_settings(self, settings: Mapping[str, Any]) -> None:
        """Replace the editor's settings, and begin anew with them."""
        self.app.settings.editor = settings
        self.begin()

    def change_folders(self, event: types.WorkspaceFoldersChangeEvent) -> None:
        """Serve added folders at once; work in removed ones breaks off so that it can go on later."""
        new, left = self.folders.change(event)
        for root in left:
            self._background.start(self.app.leave(root))
        self._background.start(self._begin_in(new, self._beginning))

    async def _begin_in(self, roots: Sequence[Path], beginning: object) -> None:
        try:
            seen = {root: await asyncio.to_thread(self.app.settings.of, root) for root in roots}
        except PlanactError:
            log.exception("the settings can't be read")
            return
        if beginning is not self._beginning:  # the editor's settings changed, and all folders begin with those
            return
        for root, merged in seen.items():
            if root in self.folders.roots[:1]:
                logging.getLogger("planact").setLevel(merged.settings.log_level.upper())
            self.app.models.warm_up(merged.settings)
        found = [self.app.secrets.redact(problem.message) for merged in seen.values() for problem in merged.problems]
        for text in dict.fromkeys(found):
            self._server.window_log_message(types.LogMessageParams(types.MessageType.Warning, text))
        self._background.start(self._remove_unfinished_files(roots))
        if found:
            text = f"planact: {found[0]}" + (f" (and {len(found) - 1} more in the log)" if found[1:] else "")
            self._server.window_show_message(types.ShowMessageParams(types.MessageType.Warning, text))

    async def _remove_unfinished_files(self, roots: Sequence[Path]) -> None:
        """Remove what killed runs and rollbacks were writing; show it if the journal can't be read."""
        for root in roots:
            try:
                await asyncio.to_thread(remove_unfinished_files, await self.app.found(root))
            except PlanactError as failure:
                if failure.code != "STORAGE_DAMAGED":  # which is shown whoever meets it
                    self._show_failure(failure)

    def _show_failure(self, failure: PlanactError) -> None:
        self._server.window_show_message(types.ShowMessageParams(types.MessageType.Error, str(failure)))

    # --- open plans

    async def plan_state(self, document: Document, tree: PlanTree) -> PlanState:
        """Return the state of a plan for its lenses. The status that the file itself claims is ignored."""
        try:
            ws, path = await self.workspaces.locate(document.uri)
            past = await asyncio.to_thread(step_history_of, ws, path, tree)
            return state_of(ws, path, document, tree, past, self.freshness.changed(document))
        except PlanactError:  # also when planact's own state can't be read, which every command says
            return PlanState()

    async def may_format(self, document: Document) -> bool:
        """Return true where a plan's text may change without the user's decision, as when an editor saves: not an
        approved plan, whose approval would be lost, nor one in which a run writes its marks.
        """
        state = await self.plan_state(document, document.plan)
        return state.is_at_rest and not state.is_approved

    def refresh_problems(self) -> None:
        """Find the problems of the open plans anew: files around them or the settings may have changed."""
        self.freshness.touched_all()
        for document in self._server.documents.all():
            if document.is_plan:
                self.problems.forget(document.uri)
                self._server.documents.notify(document)

    def _session_in_hand(self, ws: Workspace) -> str:
        session = self.sessions.current(ws)
        return session.id if session else ""

    def _refresh_work_on(self, document: Document) -> None:
        """Look anew at the plan that waits for the user, since its text has changed."""
        with contextlib.suppress(PlanactError):
            if document.is_plan:
                self.works.refresh(self.folders.containing(document.uri)[0])

    def _on_freshness(self, document: Document, is_other: bool) -> None:
        if is_other:
            self.problems.forget(document.uri)
            self._server.documents.notify(document)
        self.display.refresh()

    # --- editors of folders

    def _editor(self, root: Path, _files: Files, apply_to_disk: ApplyToDisk) -> Editor:
        return HostEditor(
            self._server,
            self.app,
            self.folders.client_path(root),
            apply_to_disk,
            display=self.display,
            freshness=self.freshness,
            folders=self.folders,
            works=self.works,
            at_rest=self._clean_up,
        )

    def _clean_up(self, root: Path) -> None:
        """Remove outdated state of a folder in the background, at most once a day."""
        before, day = self._house_kept.get(root), asyncio.get_running_loop().time() // 86_400
        self._house_kept[root] = day
        if before != day:
            self._background.start(self._report_clean_up(root))

    async def _report_clean_up(self, root: Path) -> None:
        done = await asyncio.to_thread(
            lambda: self.app.state.clean_up(root, self.app.settings.of(root).settings.history)
        )
        for text in done:
            self._server.window_log_message(types.LogMessageParams(types.MessageType.Info, f"planact {text}"))


def host_of(server: PlanactServer) -> Host:
    """Return the host that `process` put on the server."""
    assert isinstance(server.app, Host)
    return server.app
