"""A server with the real foundation and commands that poke at it, run as a process by the tests of this folder."""

from planact.lsp.wire.stdio import bodies_of, open_stdio

STREAMS = open_stdio() if __name__ == "__main__" else None

import asyncio  # noqa: E402
import hashlib  # noqa: E402
import os  # noqa: E402
import subprocess  # noqa: E402
import sys  # noqa: E402
from collections.abc import Sequence  # noqa: E402
from pathlib import Path, PurePosixPath  # noqa: E402
from typing import Any  # noqa: E402

from pydantic import BaseModel, ConfigDict  # noqa: E402

from planact.base.errors import Conflict, EditFailure  # noqa: E402
from planact.base.filetext import FileText  # noqa: E402
from planact.base.paths import Place  # noqa: E402
from planact.base.span import Span, TextEdit, apply_edits  # noqa: E402
from planact.lsp.connection import serve_connection  # noqa: E402
from planact.lsp.editor.lsp_editor import LspEditor  # noqa: E402
from planact.lsp.editor.progress import show_progress  # noqa: E402
from planact.lsp.server import PlanactServer  # noqa: E402
from planact.lsp.wire.patches import work_done_token  # noqa: E402
from planact.model.chat.message import Session  # noqa: E402
from planact.model.file import EditorProblem, FileCheck  # noqa: E402
from planact.model.notice import ToolNotice, UsageNotice  # noqa: E402
from planact.model.question import Option, Question, QuestionSet  # noqa: E402
from planact.model.runs.change import (  # noqa: E402
    Change,
    CreateFile,
    DeleteFile,
    MakeDirectory,
    RenameFile,
    ReplaceText,
)
from planact.model.runs.execution import FileChange  # noqa: E402


class Payload(BaseModel):
    model_config = ConfigDict(extra="forbid")


class Work(Payload):
    seconds: float
    mark: str


class Text(Payload):
    text: str


class Data(Payload):
    data: Any


class Failure(Payload):
    kind: str


class Paths(Payload):
    paths: list[str]


class Edit(Payload):
    start: int
    end: int
    text: str


class Step(Payload):
    kind: str = "replace"
    path: str
    edits: list[Edit] = []
    target: str = ""
    text: str = ""


class Steps(Payload):
    steps: list[Step]
    label: str = "probe"


class Ask(Payload):
    labels: list[str] = []
    problem: str = ""
    purpose: Any = "agent"
    allow_custom: bool = False


class Probe:
    """What the commands share: a folder, an editor, and the texts that were seen."""

    def __init__(self, server: PlanactServer, root: Path) -> None:
        self.root = root
        self.seen: dict[str, FileText] = {}
        self.closed = root / "closed"
        self.editor = LspEditor(server, root, self.apply_to_disk, str, answer_limit=3.0, settle_limit=0.7)

    def place(self, path: str) -> Place:
        real = Path(os.path.realpath(self.root / path))
        relative = PurePosixPath(real.relative_to(os.path.realpath(self.root)))
        return Place(path, real, relative, real.exists(), real.is_dir())

    def look(self, path: str) -> FileText:
        place = self.place(path)
        self.editor.check_readable(place)
        text = self.editor.buffer(place)
        if text is None:
            data = Path(place.real).read_bytes()
            text = FileText(data.decode(), sha256=hashlib.sha256(data).hexdigest())
        self.seen[path] = text
        return text

    def change(self, step: Step) -> Change:
        place = self.place(step.path)
        match step.kind:
            case "replace":
                edits = tuple(TextEdit(Span(edit.start, edit.end), edit.text) for edit in step.edits)
                return ReplaceText(place, self.seen[step.path], edits)
            case "create":
                return CreateFile(place, step.text)
            case "rename":
                return RenameFile(place, self.place(step.target))
            case "delete":
                return DeleteFile(place, hashlib.sha256(Path(place.real).read_bytes()).hexdigest())
            case _:
                return MakeDirectory(place)

    def apply_to_disk(self, changes: Sequence[Change]) -> tuple[FileChange, ...]:
        for change in changes:
            if isinstance(change, ReplaceText) and change.before.sha256 != digest(Path(change.place.real)):
                raise EditFailure("EDIT_CONFLICT", f"{change.place.shown} was changed on disk", "Read it again.")
        return tuple(self._write(change) for change in changes)

    def _write(self, change: Change) -> FileChange:
        path = Path(change.place.real)
        before = digest(path)
        match change:
            case ReplaceText():
                path.write_text(apply_edits(change.before.text, change.edits))
            case CreateFile():
                path.write_text(change.text)
            case RenameFile():
                path.rename(change.target.real)
            case DeleteFile():
                path.unlink()
            case MakeDirectory():
                path.mkdir()
        return FileChange(path=change.place.shown, before=before, after=digest(path))


def digest(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest() if path.is_file() else ""


def register(server: PlanactServer, probe: Probe) -> None:
    @server.command("probe.work")
    async def work(ls: PlanactServer, payload: Work) -> str:
        await keep_busy(payload)
        return "done"

    @server.command("probe.progress")
    async def progress(ls: PlanactServer, payload: Work) -> str:
        working = asyncio.ensure_future(keep_busy(payload))
        async with show_progress(ls.protocol, "probe", working.cancel, can_create=ls.client.progress) as shown:
            shown.report("half")
            try:
                await working
            except asyncio.CancelledError:
                return "cancelled"
        return "done"

    register_answers(server)
    register_editor(server, probe)


def register_answers(server: PlanactServer) -> None:
    @server.command("probe.state")
    async def state(ls: PlanactServer) -> dict[str, Any]:
        return {
            "progress": len(ls.protocol.cancellations),
            "requests": len(ls.protocol._request_futures),
            "heavy": sorted({"litellm", "mcp", "mcp_types", "httpx2", "prompt_toolkit", "rich"} & sys.modules.keys()),
            "encoding": ls.documents.encoding,
            "documents": [document.uri for document in ls.documents.all()],
        }

    @server.command("probe.token")
    async def token(ls: PlanactServer) -> Any:
        return work_done_token.get()

    @server.command("probe.print")
    async def print_(ls: PlanactServer, payload: Text) -> str:
        print(payload.text, flush=True)
        os.write(1, payload.text.encode())
        echo(payload.text)
        return f"read {sys.stdin.read()!r}"

    @server.command("probe.echo")
    async def echo_(ls: PlanactServer, payload: Data) -> Any:
        return payload.data

    @server.command("probe.relay")
    async def relay(ls: PlanactServer, payload: Data) -> Any:
        return (await ls.protocol.request("probe/relayed", payload.data)).copy()

    @server.feature("probe/echo")
    async def custom(ls: PlanactServer, payload: Data) -> Data:
        return payload

    @server.command("probe.fail")
    async def fail(ls: PlanactServer, payload: Failure) -> Any:
        if payload.kind == "ours":
            raise Conflict("BUSY", "the session is busy", "Stop it first.")
        if payload.kind == "unsendable":
            return object.__new__(object)
        raise ZeroDivisionError("surprise")


def register_editor(server: PlanactServer, probe: Probe) -> None:
    @server.command("probe.look")
    async def look(ls: PlanactServer, payload: Paths) -> list[Any]:
        return [
            [text.text, text.version, text.sha256, text.has_bom]
            for text in (probe.look(path) for path in payload.paths)
        ]

    @server.command("probe.apply")
    async def apply(ls: PlanactServer, payload: Steps) -> list[FileChange]:
        return list(await probe.editor.apply([probe.change(step) for step in payload.steps], payload.label))

    @server.command("probe.save")
    async def save(ls: PlanactServer, payload: Paths) -> list[str]:
        return [place.shown for place in await probe.editor.save([probe.place(path) for path in payload.paths])]

    @server.command("probe.problems")
    async def problems(ls: PlanactServer, payload: Paths) -> list[EditorProblem] | None:
        found = [await probe.editor.diagnostics(probe.place(path)) for path in payload.paths]
        return None if found[0] is None else [problem for each in found for problem in each or ()]

    @server.command("probe.check")
    async def check(ls: PlanactServer, payload: Paths) -> list[FileCheck]:
        return list(await probe.editor.check_files(payload.paths, 1.5))

    @server.command("probe.ask")
    async def ask(ls: PlanactServer, payload: Ask) -> str:
        options = tuple(Option(label=label, value={"is": label}) for label in payload.labels)
        question = Question(question="Which?", options=options, allow_custom=payload.allow_custom)
        asked = QuestionSet(
            id="q1", session_id="s1", questions=(question,), created_at="now", purpose=payload.purpose, subject="x"
        )
        return repr(await probe.editor.show(asked, payload.problem))

    @server.command("probe.tell")
    async def tell(ls: PlanactServer) -> None:
        probe.editor.notify(ToolNotice("s1", "update_file", "may not write", "TOOL_BLOCKED_BY_MODE"))
        probe.editor.notify(UsageNotice(Session(id="s1")))


async def keep_busy(payload: Work) -> None:
    end = "cleaned up"
    try:
        await asyncio.sleep(payload.seconds)
        end = "finished"
    finally:
        note(payload.mark, end)


def note(mark: str, text: str) -> None:
    Path(mark).write_text(text)


def echo(text: str) -> None:
    subprocess.run(["echo", text], check=True)


def main() -> None:
    server = PlanactServer()
    root = Path(sys.argv[1])
    probe = Probe(server, root)
    register(server, probe)

    async def close() -> None:
        probe.closed.write_text("closed")

    server.at_exit.append(close)
    server.advertised = server.capabilities()
    source, sink = STREAMS or open_stdio()
    serve_connection(server, bodies_of(source), sink)


if __name__ == "__main__":
    main()
