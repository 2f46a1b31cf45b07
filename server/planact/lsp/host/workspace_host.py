"""The services behind one client's requests, put together. Is `ls.app`."""

import asyncio
import logging
from collections.abc import Awaitable, Mapping, Sequence
from pathlib import Path
from typing import Any

from lsprotocol import types

from planact.app.compose import App, ApplyToDisk
from planact.base.errors import PlanactError
from planact.lsp.documents.open_documents import Document
from planact.lsp.host.approved_plans import ApprovedPlans
from planact.lsp.host.folders import Folders
from planact.lsp.host.freshness import Freshness
from planact.lsp.host.host_editor import HostEditor
from planact.lsp.host.plan_problems import PlanProblems
from planact.lsp.host.plan_state import state_of, step_history_of
from planact.lsp.host.sessions import CurrentSessions
from planact.lsp.host.watching import Watching
from planact.lsp.host.work_display import BackgroundTasks, WorkDisplay
from planact.lsp.host.workspaces import WorkspaceLookup
from planact.lsp.protocol.messages import InitializationOptions
from planact.lsp.server import PlanactServer
from planact.plan.plan_actions import PlanState
from planact.plan.syntax.tree import PlanTree
from planact.ports import Editor, Files
from planact.workflows.history.interruption import remove_unfinished_files

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
        self.problems = PlanProblems(find, self.freshness.changed)
        self.approved_plans = ApprovedPlans()
        self.sessions = CurrentSessions(self.workspaces.get, self.workspaces.all)
        self._beginning = object()
        self._house_kept: dict[Path, float] = {}

    # --- folders and settings

    def initialize(self, params: types.InitializeParams) -> None:
        """Store the workspace folders, the editor's settings and whether the user trusts the workspace."""
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
            at_rest=self._clean_up,
        )

    def _clean_up(self, root: Path) -> None:
        """Remove outdated state of a folder in the background, at most once a day."""
        before, day = self._house_kept.get(root), asyncio.get_running_loop().time() // 86_400
        self._house_kept[root] = day
        if before != day:
            self._background.start(asyncio.to_thread(self.app.state.clean_up, root))


def host_of(server: PlanactServer) -> Host:
    """Return the host that `process` put on the server."""
    assert isinstance(server.app, Host)
    return server.app
