"""Workspaces, composed of adapters, tools and settings.

Front ends bring their `Editor` and get workspaces.
"""

import asyncio
import os
import platform
import sys
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any
from weakref import WeakSet

from planact import __version__
from planact.adapters.documents.read_pdf import PdfReader
from planact.adapters.language_servers.chosen import ChosenLanguageServers
from planact.adapters.language_servers.one_server import ServerContext
from planact.adapters.language_servers.servers import OwnLanguageServers
from planact.adapters.mcp.context import LaunchContext
from planact.adapters.mcp.servers import McpConnections
from planact.adapters.sandbox.jails import JAIL_SETTINGS, Jails
from planact.adapters.sandbox.limits.profiles import RECORDS_OF_RUNS, JailEnvironment, pinned_path
from planact.adapters.sandbox.limits.protected import ProtectedFolders
from planact.adapters.sandbox.limits.public_files import is_for_own_files, is_public_file, is_unasked
from planact.adapters.sandbox.limits.readable import FoundReadableFolders
from planact.adapters.sandbox.limits.run_by_git import runs_more_than_git
from planact.adapters.sandbox.runner.command_runner import public_environment
from planact.adapters.sandbox.runner.descendants import TOKEN_VARIABLE
from planact.adapters.sandbox.runner.jailed_runner import JailedRunner
from planact.adapters.sandbox.runner.parent_watchdog import end_with_parent
from planact.adapters.sandbox.shfmt import Shfmt, find_shfmt
from planact.adapters.store.compose_files import composes_within
from planact.adapters.store.disk.changes import apply_to_disk
from planact.adapters.store.disk.lock import FileLock
from planact.adapters.store.disk.process_folder import ProcessFolder, SessionScratch, ShownTexts
from planact.adapters.store.files import DiskFiles
from planact.adapters.store.git.blobs import GitBlobs
from planact.adapters.store.git.changed_since import ChangedSince
from planact.adapters.store.git.footprints import FileFootprints
from planact.adapters.store.git.index import TrackedBelow
from planact.adapters.store.git.reach import keeps_to_repositories
from planact.adapters.store.git.servers import git_servers
from planact.adapters.store.search.query import find_program, find_ripgrep
from planact.adapters.store.state.approvals import SqliteApprovals, unless_unreadable
from planact.adapters.store.state.database import Database, state_folder
from planact.adapters.store.state.events import SqliteEvents
from planact.adapters.store.state.journal import SqliteJournal
from planact.adapters.store.state.outputs import SqliteOutputs
from planact.adapters.store.state.questions import SqliteQuestions
from planact.adapters.store.state.revisions import SqliteRevisions
from planact.adapters.store.state.rules import SqliteRules
from planact.adapters.store.state.sessions import SqliteSessions, Transcripts
from planact.adapters.store.symbols.find_symbols import SymbolIndex
from planact.adapters.store.user_roles import UserRoleFolder
from planact.adapters.system import SystemClock, SystemIds
from planact.adapters.watch.watcher import FolderWatcher
from planact.adapters.web.pages import WebPages
from planact.app.models import ModelServices
from planact.app.secrets import Secrets
from planact.app.settings import SettingSources
from planact.app.state import FolderStates, report_problem
from planact.model.runs.change import Change
from planact.model.runs.execution import FileChange
from planact.model.settings import Settings
from planact.policy.merge_settings import MergedSettings
from planact.ports import Editor, Files, Ports, Told, Watcher
from planact.tools.commands.reader import LineReader
from planact.tools.gate import Gate
from planact.tools.registry import BY_NAME
from planact.workflows.questions.service import QuestionService
from planact.workflows.trust_folder import language_servers_forbidden
from planact.workflows.workspace import Workspace
from planact.workflows.workspaces import Workspaces

ApplyToDisk = Callable[[Sequence[Change]], tuple[FileChange, ...]]
EditorFactory = Callable[[Path, Files, ApplyToDisk], Editor]
"""Makes the front end's editor for a workspace folder; the last argument changes closed files on disk, all or none."""


class App:
    """All workspace folders of one process; `show_event` gets each event as JSON without secrets.

    Attributes:
        secrets: keys of providers, and removing secrets from texts.
        state: the state of folders outside of them.
        settings: the settings of folders.
        models: the access to language models.
        awaits_trust: the user's hooks and MCP servers wait until the user trusts a folder, as at the terminal.
        temporary: files of this process alone, including `shown_texts`, which editors show as files.
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
        self._clock = SystemClock()
        self._ids = SystemIds()
        self._mcp: dict[Path, McpConnections] = {}
        self._language_servers: dict[Path, OwnLanguageServers] = {}
        self._mirrors = ThreadPoolExecutor(1, "mirrors")
        self._symbols = WeakSet[SymbolIndex]()
        self._is_closing = False
        self.secrets = Secrets(self._environment)
        self._jails = Jails(self._environment, home, self.secrets.redact)
        self.state = FolderStates(self._clock, self.secrets, self._idle_check)
        self.settings = SettingSources(self._environment, home, flags, self.state)
        self.models = ModelServices(self._environment, self.secrets.keys)
        self.awaits_trust = False
        self.temporary = ProcessFolder("planact-own-")
        self.shown_texts = ShownTexts(self.temporary)
        self._workspaces = Workspaces(
            lambda root: (Path(real := os.path.realpath(root)), self.settings.of(Path(real))),
            self._build,
            self._use,
            lambda: (self.settings.is_restricted, self.settings.editor),
        )

    def workspace(self, root: Path) -> Workspace:
        """The workspace of a folder, with the settings as they are now; those of running work stay as they were."""
        return self._workspaces.now(root)

    async def found(self, root: Path) -> Workspace:
        """Load a folder's workspace in a thread, so that a slow disk doesn't block the event loop."""
        return await self._workspaces.found(root)

    def seen(self, root: Path) -> Workspace:
        """Return the cached workspace of a folder without touching the disk; load it the first time."""
        return self._workspaces.seen(root) or self.workspace(root)

    def watcher(self, told: Told) -> Watcher:
        """Return a watcher of files for clients that can't watch; it starts with its first watch."""
        return FolderWatcher(told)

    async def leave(self, root: Path) -> None:
        """A folder, by its real path, isn't open any more: its work breaks off so that it can go on another time, and
        what runs beside it ends. It may be opened again, even before that is done.
        """
        workspace = self._workspaces.seen(root)
        if workspace is None:
            return
        await workspace.suspend_work()
        if not workspace.running:
            await workspace.ports.symbols.close()
            await self._checkers(root).close()
            await asyncio.to_thread(workspace.ports.scratch.clear)
            await self._servers(root).close()

    async def close(self) -> None:
        """End what runs beside planact for as long as it does, and remove what was for then alone."""
        self._is_closing = True
        await asyncio.gather(*(symbols.close() for symbols in [*self._symbols]))
        await asyncio.gather(*(servers.close() for servers in self._language_servers.values()))
        await asyncio.to_thread(self.temporary.clear)
        await asyncio.wrap_future(self._mirrors.submit(lambda: None))  # with all that was said before
        self.state.checkpoint()
        await asyncio.gather(*(servers.close() for servers in self._mcp.values()))

    def has_language_server(self, root: Path) -> bool:
        """Return whether a language server of planact's own runs for a folder."""
        return self._checkers(Path(os.path.realpath(root))).is_running()

    def finish_mirrors(self) -> None:
        """Wait until all that was said can be read in the workspace, too."""
        self._mirrors.submit(lambda: None).result()

    def _idle_check(self, root: Path) -> Callable[[], bool]:
        workspace = self.seen(root)
        return lambda: not self._is_closing and not workspace.running

    def _use(self, root: Path, merged: MergedSettings) -> None:
        """The settings of a folder are other ones from now on."""
        for problem in merged.problems:
            report_problem(problem.message)
        self.secrets.learn(merged.settings)
        self._servers(root).use(merged.settings.mcp.servers)
        self._checkers(root).use(merged.settings.language_servers)

    def _build(self, root: Path, merged: MergedSettings, before: Workspace | None) -> Workspace:
        settings, is_strict = merged.settings, "approval" in merged.tightened
        rules = before.ports.rules if before else SqliteRules(database := self.state.database(root))
        readable = self._jails.readable(root, settings, rules.list)
        ripgrep = find_ripgrep(self._environment.get("PATH", ""), root)
        files = DiskFiles(root, settings.ignore, ripgrep, readable=readable.now, is_public=is_public_file)
        fresh: dict[str, Any] = {
            "files": files,
            "readable": readable,
            "commands": self._commands(root, readable, settings),
        }
        fresh["models"] = self.models.source(root, merged)
        fresh["symbols"] = SymbolIndex(files, state_folder(root) / "symbols.db")
        self._symbols.add(fresh["symbols"])
        if before is not None:
            # Work that waits for an answer goes on in the earlier workspace: both know of the same work and questions.
            is_same = all(getattr(settings, name) == getattr(before.settings, name) for name in JAIL_SETTINGS)
            fresh["runner"] = before.ports.runner if is_same else self._runner(root, settings, readable)
            ports = replace(before.ports, **fresh)
            return replace(before, ports=ports, settings=settings, gate=Gate(ports, BY_NAME), is_strict=is_strict)
        ports = self._ports(root, database, settings, {"rules": rules, **fresh})
        return Workspace(
            *(ports, settings, Gate(ports, BY_NAME), QuestionService(ports), platform.system(), is_strict),
            is_restricted=lambda: self.settings.is_restricted,
            awaits_trust=lambda: self.awaits_trust and not unless_unreadable(ports.approvals.programs_trusted, None),
        )

    def _ports(self, root: Path, database: Database, settings: Settings, fresh: Mapping[str, Any]) -> Ports:
        records, files = self.state.records(root), fresh["files"]
        self.state.keep_open(database)
        journal = SqliteJournal(database, self._clock)
        sessions = state_folder(root) / "sessions"

        def change_disk(changes: Sequence[Change]) -> tuple[FileChange, ...]:
            return apply_to_disk(files, changes, journal.keep)

        editor = self._make_editor(root, files, change_disk)
        return Ports(
            runner=self._runner(root, settings, fresh["readable"]),
            scratch=SessionScratch(root, self.temporary),
            protected=ProtectedFolders(root),
            footprints=FileFootprints(
                *(files, journal.keep_all, self._blobs(root), settings.limits.file_bytes),
                saved_at=state_folder(root) / "trial.json",
                changed=ChangedSince(root, find_program("find", self._environment.get("PATH", ""), root)),
            ),
            mcp=self._servers(root),
            pages=WebPages(__version__),
            pdf_files=PdfReader(root, lambda: self.seen(root).ports.runner),
            language_servers=ChosenLanguageServers(editor, self._checkers(root)),
            editor=editor,
            sessions=SqliteSessions(database, Transcripts(records, report_problem), self._mirrors.submit),
            outputs=SqliteOutputs(database),
            journal=journal,
            questions=SqliteQuestions(database),
            approvals=SqliteApprovals(database),
            records=records,
            user_roles=UserRoleFolder(self.settings.user_folder() / "roles"),
            revisions=SqliteRevisions(database),
            events=SqliteEvents(database, report_problem, self._show_event),
            lock=FileLock(state_folder(root) / "run.lock", self.secrets.redact),
            session_lock=lambda session_id: FileLock(sessions / f"{session_id}.lock", self.secrets.redact),
            clock=self._clock,
            ids=self._ids,
            redact=self.secrets.redact_data,
            **fresh,
        )

    def _blobs(self, root: Path) -> GitBlobs:
        git = find_program("git", self._environment.get("PATH", ""), root)
        return GitBlobs(root, git, self._environment)

    def _commands(self, root: Path, readable: FoundReadableFolders, settings: Settings) -> LineReader:
        shfmt, is_windows = find_shfmt(Path(sys.executable)), sys.platform == "win32"
        second, git = Shfmt(shfmt) if shfmt else None, partial(git_servers, root)
        return LineReader(
            *(str(root), second, git),
            is_windows=is_windows,
            readable=readable.now,
            home=readable.home,
            is_unasked=is_unasked,
            is_for_own_files=is_for_own_files,
            has_own_tmp=partial(self._jails.mounts_in, root, settings.sandbox),
            keeps_within={
                "beside-git": partial(keeps_to_repositories, root),
                "composes": partial(composes_within, root),
            },
            commits_run_more=partial(runs_more_than_git, root),
        )

    def _runner(self, root: Path, settings: Settings, readable: FoundReadableFolders) -> JailedRunner:
        kept = [state_folder(root).parent, self.settings.user_folder()]
        tracks_runs = TrackedBelow(root, f".planact/{RECORDS_OF_RUNS}")
        return self._jails.runner(root, kept, settings, readable, state_folder(root) / "trial.guard", tracks_runs)

    def _servers(self, root: Path) -> McpConnections:
        if root not in self._mcp:
            environment = public_environment(self._environment)
            runtime = self._environment.get("XDG_RUNTIME_DIR", "")
            # The state's folder is the better one: no jail lets commands write there.
            folders = [
                state_folder(root) / "mcp",
                *([Path(runtime, "planact-mcp")] if Path(runtime).is_absolute() else []),
            ]
            context = LaunchContext(root, environment, self._search_path(root), folders, end_with_parent)
            self._mcp.setdefault(root, McpConnections(context, TOKEN_VARIABLE, __version__))
        return self._mcp[root]

    def _checkers(self, root: Path) -> OwnLanguageServers:
        if root not in self._language_servers:
            context = ServerContext(
                root=root,
                home=self._home,
                search_path=self._search_path(root),
                runner=lambda: self.seen(root).ports.runner,
                scratch=lambda: self.seen(root).ports.scratch.of("language servers"),
                forbidden=lambda: language_servers_forbidden(self.seen(root)),
                version=__version__,
            )
            self._language_servers.setdefault(root, OwnLanguageServers(context))
        return self._language_servers[root]

    def _search_path(self, root: Path) -> str:
        """Return the folders of PATH that only the user or the system fills."""
        return pinned_path(JailEnvironment(public_environment(self._environment), self._home, root, kept=()))
