"""The composition root: the only module that knows every adapter.

Front ends bring their `Editor` and get workspaces.
"""

import asyncio
import logging
import os
import platform
import sys
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any, TextIO

from planact import __version__
from planact.adapters.llm.keys import ProviderKeys
from planact.adapters.llm.litellm_model import LitellmLoader, doubt_about
from planact.adapters.llm.model_table import ModelTable
from planact.adapters.llm.models import ModelSource
from planact.adapters.mcp.servers import McpConnections
from planact.adapters.observe.events import SqliteEvents
from planact.adapters.observe.redact import RedactedFormatter, Redactor
from planact.adapters.sandbox.descendants import TOKEN_VARIABLE
from planact.adapters.sandbox.jailed_runner import JailedRunner
from planact.adapters.sandbox.jails import Jails
from planact.adapters.sandbox.protected import ProtectedFolders
from planact.adapters.sandbox.runner import public_environment
from planact.adapters.sandbox.shfmt import Shfmt, find_shfmt
from planact.adapters.store import estate
from planact.adapters.store.approvals import SqliteApprovals
from planact.adapters.store.config import (
    editor_layer,
    read_environment,
    read_repository,
    read_user,
    repository_config_path,
    user_config_path,
)
from planact.adapters.store.database import Database, state_folder
from planact.adapters.store.disk_changes import apply_to_disk
from planact.adapters.store.files import DiskFiles
from planact.adapters.store.footprints import FileFootprints
from planact.adapters.store.git_blobs import GitBlobs
from planact.adapters.store.housekeeping import keep_house
from planact.adapters.store.journal import SqliteJournal
from planact.adapters.store.lock import FileLock
from planact.adapters.store.questions import SqliteQuestions
from planact.adapters.store.records import WorkspaceRecords
from planact.adapters.store.revisions import SqliteRevisions
from planact.adapters.store.rules import SqliteRules
from planact.adapters.store.salvage import damaged_files, salvage
from planact.adapters.store.search import find_program, find_ripgrep
from planact.adapters.store.sessions import SqliteSessions
from planact.adapters.store.shown_texts import ShownTexts
from planact.adapters.store.symbols.find_symbols import SymbolIndex
from planact.adapters.store.transcript import Transcripts
from planact.adapters.store.typed import TypedTexts
from planact.adapters.store.user_roles import UserRoles
from planact.adapters.system import SystemClock, SystemIds
from planact.adapters.watch.watcher import FolderWatcher
from planact.base.errors import StorageFailure
from planact.model.change import Change
from planact.model.execution import FileChange
from planact.model.layer import Layer, SettingProblem
from planact.model.settings import McpServer, Settings
from planact.policy.merge_settings import MergedSettings, merge
from planact.ports import Editor, Files, Ports, Told, Watcher
from planact.tools.gate import Gate
from planact.tools.read_command import LineReader
from planact.tools.registry import BY_NAME
from planact.workflows.ask_question import QuestionDesk
from planact.workflows.workspace import Workspace
from planact.workflows.workspaces import Workspaces

log = logging.getLogger(__name__)

ApplyToDisk = Callable[[Sequence[Change]], tuple[FileChange, ...]]
EditorFactory = Callable[[Path, Files, ApplyToDisk], Editor]
"""Makes the front end's editor for a workspace folder; the last argument changes closed files on disk, all or none."""


class App:
    """All workspace folders of one process; `show_event` gets each event as JSON without secrets.

    Attributes:
        is_restricted: whether the user's editor says that they don't trust what is in the folders.
        reports: what went wrong with planact's own files.
        shown_texts: where texts lie that an editor shows as files.
    """

    def __init__(
        self,
        environment: Mapping[str, str],
        home: Path,
        make_editor: EditorFactory,
        flags: Mapping[str, Any],
        show_event: Callable[[str], None] = lambda _: None,
    ) -> None:
        self._environment = dict(environment)
        self._home = home
        self._make_editor = make_editor
        self._show_event = show_event
        self._flags = Layer("flags", "the command line", flags)
        self._editor_settings: Mapping[str, Any] = {}
        self._loader = LitellmLoader(self._environment)
        self._keys = ProviderKeys(self._environment)
        self._model_table = ModelTable(self._keys)
        self._redactor = Redactor(self._environment)
        self._clock = SystemClock()
        self._jails = Jails(self._environment, home)
        self._ids = SystemIds()
        self._mcp: dict[Path, McpConnections] = {}
        self._workspaces = Workspaces(
            lambda root: (Path(real := os.path.realpath(root)), self.settings(Path(real))),
            self._build,
            self._use,
            lambda: (self.is_restricted, self._editor_settings),
        )
        self._databases: list[Database] = []
        self._mirrors = ThreadPoolExecutor(1, "mirrors")
        self._is_closing = False
        self.is_restricted = False
        self.reports: list[str] = []
        self.shown_texts = ShownTexts()

    def log_to(self, stream: TextIO, level: int | str, form: str) -> None:
        """Write the log of the process there, without secrets; `form` is the format of a line."""
        handler = logging.StreamHandler(stream)
        handler.setFormatter(RedactedFormatter(form, self.redact))
        logging.basicConfig(handlers=[handler], level=level)

    def redact(self, text: str) -> str:
        """`text` without secrets, for what others than the user may keep."""
        return self._redactor.text(text)

    def hand_over(self, variable: str, key: str) -> bool:
        """Take the user's key of a provider, named by the variable that usually holds it; empty = forget it. It is
        kept in memory and nowhere else. Returns whether there is a key then, be it the environment's.
        """
        if key:
            self._redactor.learn_key(key)
        self._keys.hand_over(variable, key)
        return bool(self._keys.get(variable))

    def use_editor_settings(self, settings: Mapping[str, Any]) -> None:
        """Take what the editor says; it counts from the next use of a workspace that is idle."""
        self._editor_settings = settings

    def workspace(self, root: Path) -> Workspace:
        """The workspace of a folder, with the settings as they are now; those of running work stay as they were."""
        return self._workspaces.now(root)

    async def found(self, root: Path) -> Workspace:
        """The same, looked at beside the event loop, so that a slow disk holds nothing else up."""
        return await self._workspaces.found(root)

    def seen(self, root: Path) -> Workspace:
        """The same as somebody looked last: without the disk, but for a folder that nobody has looked at."""
        return self._workspaces.seen(root) or self.workspace(root)

    def settings(self, root: Path) -> MergedSettings:
        """What all sources say for a folder. Whether the repository's own counts fully is looked up before and after
        reading it, so that a change in between isn't trusted.
        """
        records, database = self._records(root), self._database(root)
        trusted = _trusted(database)
        before = records.fingerprint()
        is_trusted = bool(before) and before == trusted and not self.is_restricted
        repository = read_repository(root, is_trusted=is_trusted)
        if records.fingerprint() != before:
            repository = read_repository(root, is_trusted=False)
        database.close()
        return merge(
            (
                self._flags,
                read_environment(self._environment),
                editor_layer(self._editor_settings),
                repository,
                read_user(self._environment, self._home),
            )
        )

    def warm_up(self, settings: Settings) -> None:
        """Begin to load litellm in the background, unless no model of its is chosen."""
        names = {settings.model, settings.planner_model, settings.actor_model, settings.intent.model} - {""}
        if any(not name.startswith("scripted:") for name in names):
            self._loader.start()

    async def doubt_about(self, root: Path, model: str) -> str | None:
        """What litellm, which is loaded for it, makes of a model's name: see `adapters.llm.litellm_model`."""
        return await doubt_about(model, self.settings(root).settings.of_model(model).endpoint, self._loader)

    def watcher(self, told: Told) -> Watcher:
        """What watches files for clients that can't; nothing runs before there is one to watch."""
        return FolderWatcher(told)

    def problems(self, root: Path) -> Sequence[SettingProblem]:
        """What is wrong with the settings of a folder."""
        return self.settings(root).problems

    def state_folder(self, root: Path) -> Path:
        """Where planact keeps its own state of a folder, outside of it; it may not be there yet."""
        return state_folder(root)

    def typed(self, root: Path) -> TypedTexts:
        """What the user typed in conversations in a folder."""
        return TypedTexts(state_folder(root) / "typed.jsonl", self.redact)

    def check_state(self, root: Path) -> Sequence[Path]:
        """Look through planact's state of a folder. Returns what was set aside of it as damaged.

        Raises:
            StorageFailure: it can't be read.
        """
        database = self._database(root)
        database.check()
        database.close()
        return damaged_files(database)

    def salvage(self, root: Path) -> Sequence[str]:
        """Bring back what can be read of what was set aside. Returns what that was, in lines.

        Raises:
            StorageFailure: it can't be written.
        """
        database = self._database(root)
        found = [line for path in damaged_files(database) for line in salvage(database, path)]
        database.close()
        return found

    def keep_house(self, root: Path) -> int:
        """Take out of the state of a folder what nobody can ask for any more, while nothing works there: see
        `adapters.store.housekeeping`. For a thread; never raises. Returns how many texts went.
        """
        root = Path(os.path.realpath(root))
        database = self._database(root)
        try:
            workspace = self.seen(root)
            return keep_house(database, self._clock, lambda: not self._is_closing and not workspace.running)
        except StorageFailure as failure:
            self._report(failure.message)
            return 0
        finally:
            database.close()

    def config_files(self, root: Path) -> tuple[Path, Path]:
        """Where the user's and the folder's own settings are read from; they may not be there."""
        return user_config_path(self._environment, self._home), repository_config_path(root)

    async def leave(self, root: Path) -> None:
        """A folder, by its real path, isn't open any more: its work breaks off so that it can go on another time, and
        what runs beside it ends. It may be opened again, even before that is done.
        """
        workspace = self._workspaces.seen(root)
        if workspace is None:
            return
        await workspace.break_off()
        if not workspace.running:
            await self._servers(root).close()

    async def close(self) -> None:
        """End what runs beside planact for as long as it does, and remove what was for then alone."""
        self._is_closing = True
        self.shown_texts.clear()
        await asyncio.wrap_future(self._mirrors.submit(lambda: None))  # with all that was said before
        self.settle()
        await asyncio.gather(*(servers.close() for servers in self._mcp.values()))

    def finish_mirrors(self) -> None:
        """Wait until all that was said can be read in the workspace, too."""
        self._mirrors.submit(lambda: None).result()

    def settle(self) -> None:
        """Bring the state of all folders into its final form on disk; what still works there may go on."""
        for database in self._databases:
            database.settle()

    def _use(self, root: Path, merged: MergedSettings) -> None:
        """The settings of a folder are other ones from now on."""
        for problem in merged.problems:
            self._report(problem.message)
        settings = merged.settings
        for parameters in (settings.model_parameters, *(model.parameters for model in settings.models.values())):
            self._redactor.learn(parameters)
        for server in settings.mcp.servers.values():
            self._learn_secrets(server)
        self._servers(root).use(settings.mcp.servers)

    def _build(self, root: Path, merged: MergedSettings, before: Workspace | None) -> Workspace:
        settings, is_strict = merged.settings, "approval" in merged.tightened
        files = DiskFiles(root, settings.ignore, find_ripgrep(self._environment.get("PATH", ""), root))
        models = ModelSource(settings.of_model, self._loader, self._model_table, root, keys=self._keys)
        if before is not None:
            # Who waits for an answer will begin to work in the one before: both know of the same work and questions.
            is_same = settings.sandbox == before.settings.sandbox and settings.commands == before.settings.commands
            runner = before.ports.runner if is_same else self._runner(root, settings)
            symbols = self._symbols(root, files)
            ports = replace(before.ports, files=files, symbols=symbols, models=models, runner=runner)
            gate = Gate(ports, BY_NAME)
            return replace(before, ports=ports, settings=settings, gate=gate, is_strict=is_strict)
        ports = self._ports(root, files, models, settings)
        gate, desk = Gate(ports, BY_NAME), QuestionDesk(ports)
        return Workspace(ports, settings, gate, desk, platform.system(), is_strict, lambda: self.is_restricted)

    def _ports(self, root: Path, files: DiskFiles, models: ModelSource, settings: Settings) -> Ports:
        database, records = self._database(root), self._records(root)
        self._databases.append(database)
        journal = SqliteJournal(database, self._clock)
        shfmt = find_shfmt(Path(sys.executable))
        sessions = state_folder(root) / "sessions"

        def change_disk(changes: Sequence[Change]) -> tuple[FileChange, ...]:
            return apply_to_disk(files, changes, journal.keep)

        return Ports(
            models=models,
            files=files,
            symbols=self._symbols(root, files),
            commands=LineReader(str(root), Shfmt(shfmt) if shfmt else None, is_windows=sys.platform == "win32"),
            runner=self._runner(root, settings),
            protected=ProtectedFolders(root),
            footprints=FileFootprints(files, journal.keep, self._blobs(root), settings.limits.file_bytes),
            mcp=self._servers(root),
            editor=self._make_editor(root, files, change_disk),
            sessions=SqliteSessions(database, Transcripts(records, self._report), self._mirrors.submit),
            journal=journal,
            questions=SqliteQuestions(database),
            approvals=SqliteApprovals(database),
            rules=SqliteRules(database),
            records=records,
            user_roles=UserRoles(user_config_path(self._environment, self._home).parent / "roles"),
            revisions=SqliteRevisions(database),
            events=SqliteEvents(database, self._report, self._show_event),
            lock=FileLock(state_folder(root) / "run.lock", self.redact),
            session_lock=lambda session_id: FileLock(sessions / f"{session_id}.lock", self.redact),
            clock=self._clock,
            ids=self._ids,
            redact=self._redactor.data,
        )

    def _symbols(self, root: Path, files: DiskFiles) -> SymbolIndex:
        return SymbolIndex(files, state_folder(root) / "symbols.db")

    def _blobs(self, root: Path) -> GitBlobs:
        git = find_program("git", self._environment.get("PATH", ""), root)
        return GitBlobs(root, git, self._environment)

    def _runner(self, root: Path, settings: Settings) -> JailedRunner:
        kept = [state_folder(root).parent, user_config_path(self._environment, self._home).parent]
        return self._jails.runner(root, kept, settings)

    def _learn_secrets(self, server: McpServer) -> None:
        headers = {name.lower(): value for name, value in server.headers.items()}
        *_, token = headers.get("authorization", "").split() or [""]  # behind the word for its kind
        self._redactor.learn({**server.env, **headers, "token": token})

    def _servers(self, root: Path) -> McpConnections:
        if root not in self._mcp:
            environment = public_environment(self._environment)
            self._mcp.setdefault(root, McpConnections(root, environment, TOKEN_VARIABLE, __version__))
        return self._mcp[root]

    def _database(self, root: Path) -> Database:
        return Database(state_folder(root), self._clock, self._redactor.data, workspace=root)

    def _records(self, root: Path) -> WorkspaceRecords:
        return WorkspaceRecords(root, self._clock, self.redact, self._report)

    def _report(self, text: str) -> None:
        log.warning("%s", text)
        self.reports.append(text)


# All that planact keeps outside of workspaces: where it is, how much there is, and deleting it.
state_home, state_of_all, remove_state = estate.home, estate.holdings, estate.remove


def _trusted(database: Database) -> str:
    """What the user trusts. Where that can't be read it is nothing, and whoever needs the state hears why."""
    try:
        return SqliteApprovals(database).trusted()
    except StorageFailure as failure:
        if failure.code != "STORAGE_UNWRITABLE":
            raise
        return ""
