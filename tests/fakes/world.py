"""A workspace with a real disk and real commands, a store in memory, a user and a model who do as told."""

import json
import shutil
import sys
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache, partial
from pathlib import Path
from typing import Any

from planact.adapters.documents.read_pdf import PdfReader
from planact.adapters.language_servers.chosen import ChosenLanguageServers
from planact.adapters.language_servers.one_server import ServerContext
from planact.adapters.language_servers.servers import OwnLanguageServers
from planact.adapters.mcp.context import LaunchContext
from planact.adapters.mcp.servers import McpConnections
from planact.adapters.observe.redact import Redactor
from planact.adapters.sandbox.choose import Jail, probe
from planact.adapters.sandbox.limits.profiles import JailEnvironment, make_profiles
from planact.adapters.sandbox.limits.protected import ProtectedFolders
from planact.adapters.sandbox.limits.public_files import is_for_own_files, is_public_file, is_unasked
from planact.adapters.sandbox.limits.readable import FoundReadableFolders
from planact.adapters.sandbox.runner.descendants import TOKEN_VARIABLE, Descendants
from planact.adapters.sandbox.runner.jailed_runner import JailedRunner
from planact.adapters.sandbox.shfmt import Shfmt, find_shfmt
from planact.adapters.store.compose_files import composes_within
from planact.adapters.store.disk.changes import apply_to_disk
from planact.adapters.store.disk.process_folder import ProcessFolder, SessionScratch
from planact.adapters.store.files import DiskFiles
from planact.adapters.store.git.blobs import GitBlobs
from planact.adapters.store.git.footprints import FileFootprints
from planact.adapters.store.git.reach import keeps_to_repositories
from planact.adapters.store.git.servers import git_servers
from planact.adapters.store.symbols.find_symbols import SymbolIndex
from planact.adapters.web.pages import WebPages
from planact.base.errors import InvalidInput, ModelFailure
from planact.base.filetext import FileText
from planact.base.paths import Place
from planact.model.chat.language_model import LanguageModel
from planact.model.chat.message import ModelRequest, Reply, TextDelta, ToolCall
from planact.model.file import EditorProblem, FileCheck
from planact.model.navigation import CodeAction, CodePlace, NamedPlace, PlaceKind, WorkspaceEdit
from planact.model.notice import Notice
from planact.model.question import Answered, Dismissed, QuestionSet, Shown
from planact.model.runs.change import Change
from planact.model.runs.execution import FileChange
from planact.model.settings import Settings
from planact.ports import Ports
from planact.tools.commands.reader import LineReader
from planact.tools.gate import Gate
from planact.tools.registry import BY_NAME
from planact.workflows.questions.service import QuestionService
from planact.workflows.trust_folder import language_servers_forbidden
from planact.workflows.workspace import Workspace
from tests.fakes.clock import FakeIds
from tests.fakes.store import MemoryStore

ENVIRONMENT = {"PATH": "/usr/bin:/bin"}

probe_once = cache(probe)
"""As a process of planact does: to ask the machine costs a process."""


@dataclass(frozen=True)
class Torn:
    """An answer that fails behind its first words."""

    text: str
    failure: Exception


Turn = Reply | Torn | BaseException | Callable[[ModelRequest], Reply]


class PlayedModel:
    """Plays its turns in order, whatever is asked."""

    def __init__(self, turns: Sequence[Turn]) -> None:
        self.turns = list(turns)
        self.requests: list[ModelRequest] = []
        self.opened: list[str] = []
        self.context_tokens = 0

    def open(self, name: str) -> "PlayedModel":
        self.opened.append(name)
        if not name:
            raise ModelFailure("MODEL_NOT_CHOSEN", "no model is chosen")
        return self

    def about(self, name: str) -> LanguageModel:
        return LanguageModel(name=name, provider="played", context_tokens=self.context_tokens)

    def dearest(self, name: str) -> LanguageModel:
        return LanguageModel(name="the dearest", input_cost=10, output_cost=100)

    def list(self) -> Sequence[LanguageModel]:
        return ()

    def providers(self) -> Sequence[str]:
        return ()

    async def stream(self, request: ModelRequest) -> AsyncIterator[TextDelta | Reply]:
        self.requests.append(request)
        turn = self.turns.pop(0)
        if isinstance(turn, Torn):
            yield TextDelta(turn.text)
            raise turn.failure
        if isinstance(turn, BaseException):
            raise turn
        reply = turn if isinstance(turn, Reply) else turn(request)
        if reply.text:
            yield TextDelta(reply.text)
        yield reply


class FakeEditor:
    """Changes the disk at once and shows nothing. `answers` are taken one by one, those `by_name` for each question of
    that name; without one a question stays open. `meanwhile` is what the user does between a change's being made out
    and its being made. Its language servers look at files that end with one of `served`, and have said nothing yet
    while `is_late`; `waits` has the seconds it may wait.
    """

    def __init__(self, files: DiskFiles, store: MemoryStore) -> None:
        self._files = files
        self._store = store
        self.buffers: dict[str, FileText] = {}
        self.unreadable: set[str] = set()
        self.told_problems: Sequence[EditorProblem] | None = None
        self.is_late = False
        self.served: Sequence[str] = ("",)
        self.waits: list[float] = []
        self.answers: list[Shown] = []
        self.answers_by_name: dict[str, Shown] = {}
        self.unsavable: set[str] = set()
        self.saves: list[tuple[str, str]] = []
        self.meanwhile: Callable[[], None] = lambda: None
        self.asked: list[QuestionSet] = []
        self.problems: list[str] = []
        self.notices: list[Notice] = []

    def buffer(self, place: Place) -> FileText | None:
        return self.buffers.get(place.shown)

    def check_readable(self, place: Place) -> None:
        if place.shown in self.unreadable:
            raise InvalidInput("FILE_UNREADABLE", f"{place.shown} is not known", "Open it again.")

    def unsaved(self, place: Place) -> Mapping[str, str]:
        return {path: file.text for path, file in self.buffers.items()}

    def saved_since(self, mark: int) -> tuple[int, Mapping[str, str]]:
        return len(self.saves), dict(self.saves[mark:])

    def has_diagnostics(self) -> bool:
        return self.told_problems is not None

    def open_files(self) -> Sequence[str]:
        return tuple(self.buffers)

    async def diagnostics(self, place: Place) -> Sequence[EditorProblem] | None:
        return self.told_problems

    async def check_files(self, paths: Sequence[str], seconds: float) -> Sequence[FileCheck]:
        self.waits.append(seconds)
        told = self.told_problems or ()
        found = {path: tuple(each for each in told if each.path == path) for path in paths}
        late = "said nothing yet" if self.is_late else ""
        return [
            FileCheck(path, "the editor", None if late else problems, late)
            for path, problems in found.items()
            if path.endswith(tuple(self.served))
        ]

    async def find_places(self, kind: PlaceKind, at: NamedPlace) -> Sequence[CodePlace]:
        return ()

    async def propose_rename(self, at: NamedPlace, new_name: str) -> WorkspaceEdit | None:
        return None

    async def propose_actions(self, path: str, line: int) -> Sequence[CodeAction]:
        return ()

    async def apply(self, changes: Sequence[Change], label: str) -> tuple[FileChange, ...]:
        self._store.log.append(("editor.apply", label))
        self.meanwhile()
        return apply_to_disk(self._files, changes, self._store.journal.keep)

    async def save(self, places: Sequence[Place]) -> tuple[Place, ...]:
        return tuple(place for place in places if place.shown in self.unsavable)

    async def show(self, question: QuestionSet, problem: str) -> Shown:
        self.asked.append(question)
        self.problems.append(problem)
        self._store.log.append(("editor.show", question.purpose))
        if (by_name := self.answers_by_name.get(question.questions[0].name)) is not None:
            return by_name
        return self.answers.pop(0) if self.answers else Dismissed()

    async def remove_question(self, ended: QuestionSet) -> None:
        self._store.log.append(("editor.remove_question", ended.status))

    def notify(self, notice: Notice) -> None:
        self.notices.append(notice)


def call(tool: str, _id: str = "", **arguments: Any) -> ToolCall:
    return ToolCall(id=_id or f"call_{tool}", name=tool, arguments=json.dumps(arguments))


def calls(*made: ToolCall, text: str = "") -> Reply:
    return Reply(text, made)


def answer(**answers: Any) -> Answered:
    return Answered(answers)


@dataclass
class World:
    """Everything, for one folder."""

    root: Path
    turns: Sequence[Turn] = ()
    settings: Settings = field(default_factory=lambda: Settings(model="played"))
    search_path: str = ""

    def __post_init__(self) -> None:
        self.store = MemoryStore()
        named = self.settings.workspace.readable
        self.readable = FoundReadableFolders(ENVIRONMENT, Path.home(), self.root, named, self.store.rules.list)
        self.files = DiskFiles(self.root, self.settings.ignore, readable=self.readable.now, is_public=is_public_file)
        self.editor = FakeEditor(self.files, self.store)
        self.model = PlayedModel(self.turns)
        self.mcp = McpConnections(
            LaunchContext(self.root, {}, "/usr/bin:/bin", [self.root.parent / f".{self.root.name}-mcp"]),
            *(TOKEN_VARIABLE, "1"),
        )
        self.mcp.use(self.settings.mcp.servers)
        self.language_servers = OwnLanguageServers(
            ServerContext(
                root=self.root,
                home=Path.home(),
                search_path=self.search_path,
                runner=lambda: self.ports.runner,
                scratch=lambda: self.ports.scratch.of("language servers"),
                forbidden=lambda: language_servers_forbidden(self.ws),
                version="1",
            )
        )
        self.language_servers.use(self.settings.language_servers)
        shfmt = find_shfmt(Path(sys.executable))
        self.ports = Ports(
            models=self.model,
            files=self.files,
            symbols=SymbolIndex(self.files, self.root.parent / f".{self.root.name}-symbols.db"),
            commands=LineReader(
                str(self.files.root),
                Shfmt(shfmt) if shfmt else None,
                partial(git_servers, self.files.root),
                is_windows=False,
                readable=self.readable.now,
                home=self.readable.home,
                is_unasked=is_unasked,
                is_for_own_files=is_for_own_files,
                has_own_tmp=lambda: probe_once().bubblewrap is not None,
                keeps_within={
                    "beside-git": partial(keeps_to_repositories, self.files.root),
                    "composes": partial(composes_within, self.files.root),
                },
            ),
            runner=JailedRunner(
                str(self.root),
                ENVIRONMENT,
                Descendants(),
                lambda: Jail(probe_once(), self.settings.sandbox),
                lambda folders: make_profiles(self._surroundings(folders)),
                self.readable.now,
            ),
            scratch=SessionScratch(self.root, ProcessFolder("planact-scratch-", self.root.parent)),
            protected=ProtectedFolders(self.root),
            footprints=FileFootprints(
                self.files,
                self.store.journal.keep_all,
                GitBlobs(self.root, shutil.which("git"), ENVIRONMENT),
                self.settings.limits.file_bytes,
            ),
            mcp=self.mcp,
            pages=WebPages("1"),
            pdf_files=PdfReader(self.root, lambda: self.ports.runner),
            language_servers=ChosenLanguageServers(self.editor, self.language_servers),
            editor=self.editor,
            sessions=self.store.sessions,
            outputs=self.store.outputs,
            journal=self.store.journal,
            questions=self.store.questions,
            approvals=self.store.approvals,
            rules=self.store.rules,
            records=self.store.records,
            user_roles=self.store.user_roles,
            revisions=self.store.revisions,
            events=self.store.events,
            lock=self.store.lock,
            session_lock=self.store.session_lock,
            readable=self.readable,
            clock=self.store.clock,
            ids=FakeIds(),
            redact=Redactor({}).data,
        )
        self.ws = Workspace(self.ports, self.settings, Gate(self.ports, BY_NAME), QuestionService(self.ports), "Linux")

    def _surroundings(self, folders: Sequence[Path]) -> JailEnvironment:
        sources = self.readable.sources()
        named = [folder for folder in folders if folder not in sources]
        around = JailEnvironment(ENVIRONMENT, Path.home(), self.root, kept=(), temporary=())
        return replace(around, readable=named, sources=sources, can_mount=probe_once().bubblewrap is not None)

    def write(self, path: str, text: str) -> None:
        target = self.root / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(text.encode())

    def read(self, path: str) -> str:
        return (self.root / path).read_bytes().decode()

    def tree(self) -> dict[str, bytes]:
        """Every file with its bytes, to see that nothing changed."""
        return {
            str(path.relative_to(self.root)): path.read_bytes()
            for path in sorted(self.root.rglob("*"))
            if path.is_file()
        }

    def log(self, *prefixes: str) -> list[tuple[str, str]]:
        """The log's lines that begin so."""
        return [line for line in self.store.log if line[0].startswith(prefixes)]

    def events(self) -> list[str]:
        return [event.kind for event in self.store.events.list()]
