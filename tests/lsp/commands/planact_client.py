"""A user with an editor in front of the real server: commands with checked results, questions, lenses and scripts.

One server serves many tests: each has a workspace folder of its own, with a script for the model in it.
"""

import asyncio
import os
import signal
import sys
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import pytest
import yaml
from lsprotocol import types
from pygls.exceptions import JsonRpcException
from pytest_lsp.client import register_lsp_features

from planact.lsp.commands import LSP_COMMANDS
from planact.lsp.protocol import messages
from planact.model.chat.message import Message
from planact.model.plan import StepStatus
from planact.model.runs.execution import Execution
from planact.plan.syntax.parser import parse
from tests.lsp.editor_client import BROKEN, LIMIT, EditorClient, failure, register_answers
from tests.lsp.raw_client import until

SCRIPT = "model.yaml"
RESULTS = {command.name.removeprefix("planact."): command.result for command in LSP_COMMANDS}
_DIAGNOSTICS = types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS
SETTINGS: dict[str, Any] = {"model": f"scripted:{SCRIPT}"}
EXTRAS = {"questions": True, "save": True, "messages": True}


IN_ONE_ENCODING = pytest.mark.parametrize("shared", ["utf-16"], indirect=True)
"""For tests with servers of their own, and slow ones."""


class PlanactClient(EditorClient):
    """Works in the folder that `open_folder` opened last. `received` is every message of the server."""

    def __init__(self, root: Path) -> None:
        super().__init__(root)
        self.received: list[Any] = []
        handle = self.protocol.handle_message

        def record(message: Any) -> None:
            self.received.append(message)
            if not self._gave_up(message):
                handle(message)

        self.protocol.handle_message = record
        self.refreshes = 0
        self.hint_refreshes = 0
        self.registered: list[Any] = []
        self.unregistered: list[Any] = []
        self.refuses_registrations = False
        self.answer_to_initialize = types.InitializeResult(types.ServerCapabilities())
        self.settings = SETTINGS
        self.folders = [root]
        self._left: set[str] = set()

    def _gave_up(self, message: Any) -> bool:
        """Whether a message is the answer to a request that nothing waits for any more, on which pygls stumbles."""
        requests = self.protocol._request_futures
        request = requests.get(message.id) if hasattr(message, "id") and not hasattr(message, "method") else None
        return request is not None and request.cancelled() and requests.pop(message.id) is not None

    # --- the workspace

    def open_folder(self, folder: Path) -> None:
        """Leave the folders that were open, with their windows, for another."""
        self._left |= {params["session_id"] for _, params in self.notices if params.get("session_id")}
        self.forget()
        self.change_folders(added=[folder], removed=self.folders)
        self.root = folder
        self.refreshes = 0
        self.shown_documents.clear()
        if self.settings != SETTINGS:
            self.configure()

    def change_folders(self, added: Sequence[Path] = (), removed: Sequence[Path] = ()) -> None:
        event = types.WorkspaceFoldersChangeEvent(list(map(folder_of, added)), list(map(folder_of, removed)))
        self.workspace_did_change_workspace_folders(types.DidChangeWorkspaceFoldersParams(event))
        self.folders = [*(folder for folder in self.folders if folder not in removed), *added]

    def write(self, path: str, text: str) -> str:
        """Put a file on disk; its URI."""
        target = self.root / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text, "utf-8", newline="")
        return self.uri(path)

    def text(self, path: str) -> str:
        """What the user sees of a file: its window, or the disk."""
        window = self.texts.get(self.uri(path))
        return (self.root / path).read_bytes().decode() if window is None else window

    def marks(self, path: str) -> list[StepStatus | None]:
        return [step.status for step in parse(self.text(path)).steps]

    def script(self, *scenes: Mapping[str, Any], name: str = SCRIPT) -> None:
        """What the model answers in this folder."""
        self.write(name, yaml.safe_dump({"scenes": list(scenes)}, allow_unicode=True))

    def configure(self, **settings: Any) -> None:
        """Change the editor's settings, until the next folder."""
        self.settings = {**SETTINGS, **settings}
        self.workspace_did_change_configuration(types.DidChangeConfigurationParams(self.settings))

    def save_to_disk(self, uri: str) -> None:
        Path(unquote(uri.removeprefix("file://"))).write_bytes(self.texts[uri].encode())

    # --- commands

    async def do(self, command: str, **payload: Any) -> Any:
        """Run a command; its result is exactly what its model says."""
        answer = await self.run(f"planact.{command}", **payload)
        result = RESULTS[command].model_validate(answer)
        assert result.model_dump(mode="json", by_alias=True) == answer
        return result

    async def approve(self, uri: str) -> Any:
        """Approve a plan as it is shown now."""
        shown = await self.do("showPlan", uri=uri)
        return await self.do("approvePlan", uri=uri, approve_hash=shown.plan_hash)

    def begin(self, command: str, **payload: Any) -> "asyncio.Task[Any]":
        return asyncio.ensure_future(self.do(command, **payload))

    async def refusal(self, command: str, **payload: Any) -> tuple[str, str]:
        """Code and message of a command that must fail; what to do next is said too."""
        code, message, hint = await failure(self.run(f"planact.{command}", **payload))
        assert message
        assert hint
        return code, message

    async def execute(self, **payload: Any) -> Execution:
        """Execute a plan as the user sees it."""
        shown = await self.do("showPlan", **payload)
        result = await self.do("executePlan", **payload, approve_hash=shown.plan_hash)
        assert isinstance(result, Execution)
        return result

    async def execute_and_stop(self, **payload: Any) -> Execution:
        """The same, where a step fails, and the user then says that the run is to end."""
        running = asyncio.ensure_future(self.execute(**payload))
        await self.answer(await self.question(), failed="stop")
        return await running

    async def click(self, clicked: types.Command | None) -> Any:
        """Run the command behind a lens or an action, as it came."""
        assert clicked is not None
        assert clicked.command.startswith("planact.")
        [payload] = clicked.arguments or ()
        return await self.do(clicked.command.removeprefix("planact."), **payload)

    # --- what is shown

    def heard(self, method: str) -> list[Any]:
        """The notifications of a method, as their model; sessions of a folder left before may tell their ends later."""
        model = messages.NOTIFICATIONS[method]
        told = (params for name, params in self.notices if name == method)
        return [model.model_validate(params) for params in told if params.get("session_id") not in self._left]

    async def transcript(self, session_id: str = "", **page: Any) -> list[Message]:
        """The messages of a session, as the server gives them to a client that opens it."""
        asking = self.protocol.send_request_async(messages.TRANSCRIPT, {"session_id": session_id, **page})
        found = messages.Transcript.model_validate(await asyncio.wait_for(asking, LIMIT))
        return list(found.messages)

    async def until_heard(self, method: str) -> None:
        await until(lambda: bool(self.heard(method)))

    async def judged(self, uri: str) -> list[types.Diagnostic]:
        """What is wrong with the text that is shown now, once the server has told it."""
        await until(lambda: self._judged_version(uri) == self.versions[uri])
        return list(self.diagnostics[uri])

    def _judged_version(self, uri: str) -> int | None:
        told = (each.params for each in reversed(self.received) if getattr(each, "method", "") == _DIAGNOSTICS)
        return next((params.version for params in told if params.uri == uri), None)

    async def question(self, number: int = 1) -> Any:
        """The question with that number that was shown as a form; waits for it."""
        await until(lambda: len(self.heard(messages.QUESTION_PENDING)) >= number)
        return self.heard(messages.QUESTION_PENDING)[number - 1]

    async def answer(self, question: Any, **answers: Any) -> Any:
        return await self.do("answerQuestion", question_id=question.question_id, answers=answers)

    async def leave_offer(self, number: int = 1) -> None:
        """Leave what is offered, as the question with that number, after a turn in Plan that changed nothing. In a
        server that tests share it would end in the next test.
        """
        asked = await self.question(number)
        await self.answer(asked, way_on="leave")

    async def lenses(self, uri: str) -> list[types.CodeLens]:
        asking = self.text_document_code_lens_async(types.CodeLensParams(types.TextDocumentIdentifier(uri)))
        return list(await asyncio.wait_for(asking, LIMIT) or ())

    async def titles(self, uri: str) -> list[str]:
        return [lens.command.title for lens in await self.lenses(uri) if lens.command]

    async def lens(self, uri: str, title: str, number: int = 0) -> types.Command:
        """The command of a lens, by its title; the number tells equal ones apart."""
        found = [lens.command for lens in await self.lenses(uri) if lens.command and lens.command.title == title]
        return found[number]

    async def actions(
        self, uri: str, line: int = 0, only: list[str] | None = None, *, last: int | None = None
    ) -> list[Any]:
        """Code actions at a line, or for all up to `last`; bare commands where the client knows nothing else."""
        place = types.Range(types.Position(line, 0), types.Position(line if last is None else last, 0))
        params = types.CodeActionParams(
            types.TextDocumentIdentifier(uri), place, types.CodeActionContext([], only=only)
        )
        return list(await asyncio.wait_for(self.text_document_code_action_async(params), LIMIT) or ())

    def shown_at(self, uri: str, place: types.Range) -> str:
        """The text in a range, found in this client's own way."""
        text = self.texts[uri]
        return text[self.offset(text, place.start) : self.offset(text, place.end)]

    # --- the process

    async def kill(self) -> None:
        """End the server as a power cut would."""
        self.signal(signal.SIGKILL)
        assert self._server is not None
        await asyncio.wait_for(self._server.wait(), LIMIT)

    def signal(self, number: int) -> None:
        """Send the server a signal."""
        assert self._server is not None
        os.kill(self._server.pid, number)


def folder_of(path: Path) -> types.WorkspaceFolder:
    return types.WorkspaceFolder(path.as_uri(), path.name)


def full(encoding: str = "utf-16", extras: Mapping[str, bool] = EXTRAS) -> types.ClientCapabilities:
    """A client that can do everything, but for the extras that are left out."""
    return types.ClientCapabilities(
        workspace=types.WorkspaceClientCapabilities(
            apply_edit=True,
            workspace_edit=types.WorkspaceEditClientCapabilities(
                document_changes=True, resource_operations=[types.ResourceOperationKind.Rename]
            ),
            code_lens=types.CodeLensWorkspaceClientCapabilities(refresh_support=True),
            workspace_folders=True,
            file_operations=types.FileOperationClientCapabilities(will_rename=True),
        ),
        text_document=types.TextDocumentClientCapabilities(
            code_action=types.CodeActionClientCapabilities(
                code_action_literal_support=types.ClientCodeActionLiteralOptions(
                    types.ClientCodeActionKindOptions([types.CodeActionKind.Source])
                )
            ),
            hover=types.HoverClientCapabilities(content_format=[types.MarkupKind.Markdown]),
            document_symbol=types.DocumentSymbolClientCapabilities(hierarchical_document_symbol_support=True),
        ),
        window=types.WindowClientCapabilities(
            work_done_progress=True, show_document=types.ShowDocumentClientCapabilities(support=True)
        ),
        general=types.GeneralClientCapabilities(position_encodings=[types.PositionEncodingKind(encoding)]),
        experimental={"planact": dict(extras)},
    )


@asynccontextmanager
async def planact_client(
    folder: Path,
    capabilities: types.ClientCapabilities | None = None,
    settings: Mapping[str, Any] | None = None,
    params: types.InitializeParams | None = None,
    make: type[PlanactClient] = PlanactClient,
    program: Sequence[str] = (),
    words: Sequence[str] = ("serve",),
    options: Mapping[str, Any] | None = None,
) -> AsyncIterator[Any]:
    """A client with a server process of its own, whose model plays the script in the workspace folder; `program` is
    what Python runs as the server, else a fork is started with `words`; `options` what the client says besides its
    settings.
    """
    client = make(folder)
    register_lsp_features(client)
    register_answers(client)
    _register_more(client)
    settings = {**SETTINGS, **(settings or {})}
    if program:
        await client.start_io(sys.executable, *program)
    else:
        await client.start_forked(*words, with_litellm=not settings["model"].startswith("scripted:"))
    assert client._server is not None
    server = client._server
    try:
        params = params or types.InitializeParams(
            capabilities or full(),
            workspace_folders=[folder_of(folder)],
        )
        params.initialization_options = {"settings": settings, **(options or {})}
        client.answer_to_initialize = await asyncio.wait_for(client.initialize_session(params), LIMIT)
        encoding = client.answer_to_initialize.capabilities.position_encoding or "utf-16"
        client.encoding = str(types.PositionEncodingKind(encoding).value)
        yield client
        if server.returncode is None:
            await asyncio.wait_for(client.shutdown_session(), LIMIT)
            assert server.returncode == 0
    finally:
        if server.returncode is None:
            server.kill()
        await asyncio.wait_for(client.stop(), LIMIT)


def _register_more(client: PlanactClient) -> None:
    known = (messages.QUESTION_PENDING, messages.USAGE)
    for method in messages.NOTIFICATIONS.keys() - known:

        @client.feature(method)
        def notice(params: Any, method: str = method) -> None:
            client.notices.append((method, params))

    @client.feature(types.WORKSPACE_INLAY_HINT_REFRESH)
    def refresh_hints(_: Any = None) -> None:
        client.hint_refreshes += 1

    @client.feature(types.CLIENT_REGISTER_CAPABILITY)
    def register(params: types.RegistrationParams) -> None:
        if client.refuses_registrations:
            raise RuntimeError(BROKEN)
        client.registered += params.registrations

    @client.feature(types.CLIENT_UNREGISTER_CAPABILITY)
    def unregister(params: types.UnregistrationParams) -> None:
        client.unregistered += params.unregisterations

    @client.feature(types.WORKSPACE_CODE_LENS_REFRESH)
    def refresh(_: Any = None) -> None:
        client.refreshes += 1


# --- scripts


def call(tool: str, **args: Any) -> dict[str, Any]:
    return {"tool": tool, "args": args}


def calls(*made: Mapping[str, Any], **more: Any) -> dict[str, Any]:
    """A turn of the model that calls tools."""
    return {"calls": list(made), **more}


def say(text: str, **more: Any) -> dict[str, Any]:
    """A turn of the model that only says something."""
    return {"say": text, **more}


def scene(when: str, *turns: Mapping[str, Any], mode: str | None = None) -> dict[str, Any]:
    """What the model does when the last message fits `when`."""
    return {"when": when, "turns": list(turns), **({"mode": mode} if mode else {})}


async def error_number(asking: Any) -> int:
    """The JSON-RPC number of the error that comes of it."""
    try:
        await asyncio.wait_for(asking, LIMIT)
    except JsonRpcException as error:
        return error.code
    raise AssertionError("it did not fail")
