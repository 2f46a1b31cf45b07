"""An editor with buffers, as pytest-lsp sees it: well-behaved by default, and badly where a test says so."""

import asyncio
import functools
import os
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import cattrs
import pytest
from lsprotocol import types
from pygls.exceptions import JsonRpcException
from pygls.io_ import run_async
from pytest_lsp import LanguageClient
from pytest_lsp.client import forward_stderr, register_lsp_features

from planact.lsp.server import new_converter
from tests.lsp.forked_server import ForkedServer, start_forked

LIMIT = 180.0
"""Seconds after which something counts as hanging, also on a machine that is busy with other things."""
UNITS = {"utf-8": ("utf-8", 1), "utf-16": ("utf-16-le", 2), "utf-32": ("utf-32-le", 4)}

BROKEN = "no dialogs here"
"""In the message of what a test's handler raises on purpose."""

Edit = types.ApplyWorkspaceEditParams
Applied = types.ApplyWorkspaceEditResult


@functools.cache
def client_converter() -> cattrs.Converter:
    """One for all clients: it writes and compiles a function for each type that it meets."""
    converter = new_converter()

    def action(data: Any, _: Any) -> Any:
        """lsprotocol takes every action that has a command for a bare command."""
        kind = types.Command if isinstance(data.get("command"), str) else types.CodeAction
        return converter.structure(data, kind)

    converter.register_structure_hook(types.Command | types.CodeAction, action)
    return converter


class EditorClient(LanguageClient):
    """Holds the texts of its windows by URI, and what it was asked."""

    def __init__(self, root: Path) -> None:
        super().__init__(converter_factory=client_converter)
        self.root = root
        self.encoding = "utf-16"
        self.texts: dict[str, str] = {}
        self.versions: dict[str, int] = {}
        self.edits: list[Edit] = []
        self.notices: list[tuple[str, Any]] = []
        self.saves: list[list[str]] = []
        self.on_edit: Callable[[Edit], Awaitable[Applied]] = self.make
        self.on_question: Callable[[types.ShowMessageRequestParams], Awaitable[Any]] | None = None
        self.on_save: Callable[[str], Awaitable[None] | None] = self.save_to_disk
        self.on_diagnostics: Callable[[Any], Awaitable[Any]] | None = None

    def report_server_error(self, error: Exception, source: Any) -> None:
        """What a test's own handler raises is the answer of a broken editor, not a failure of the test."""
        if BROKEN not in str(error):
            super().report_server_error(error, source)

    def forget(self) -> None:
        """Close all windows, and behave again."""
        for uri in tuple(self.texts):
            self.close(uri)
        for asked in (self.edits, self.notices, self.saves, self.messages, self.log_messages):
            asked.clear()
        self.progress_reports.clear()
        self.on_edit, self.on_question, self.on_save = self.make, None, self.save_to_disk

    # --- what the user does

    def uri(self, path: str) -> str:
        return (self.root / path).as_uri()

    def show(self, path: str, text: str | None = None, uri: str = "") -> str:
        """Open a window on a file, with other text than the disk's if there is one."""
        uri = uri or self.uri(path)
        self.texts[uri] = (self.root / path).read_bytes().decode() if text is None else text
        self.versions[uri] = 1
        item = types.TextDocumentItem(uri, "text", 1, self.texts[uri])
        self.text_document_did_open(types.DidOpenTextDocumentParams(item))
        return uri

    def type(self, uri: str, text: str) -> None:
        self.texts[uri] = text
        self.versions[uri] += 1
        identifier = types.VersionedTextDocumentIdentifier(uri=uri, version=self.versions[uri])
        change = types.TextDocumentContentChangeWholeDocument(text)
        self.text_document_did_change(types.DidChangeTextDocumentParams(identifier, [change]))

    def close(self, uri: str) -> None:
        del self.texts[uri]
        self.text_document_did_close(types.DidCloseTextDocumentParams(types.TextDocumentIdentifier(uri)))

    # --- what the server asks for

    async def make(self, params: Edit) -> Applied:
        """Make an edit as it should be made: versions checked, each document changed once, then answered."""
        for change in params.edit.document_changes or ():
            if isinstance(change, types.TextDocumentEdit):
                document = change.text_document
                if document.version != self.versions.get(document.uri):
                    return Applied(applied=False, failure_reason="stale")
        for change in params.edit.document_changes or ():
            if isinstance(change, types.TextDocumentEdit):
                self.change(change.text_document.uri, change.edits)
            elif isinstance(change, types.RenameFile):
                self.rename(change)
        for uri, edits in (params.edit.changes or {}).items():
            self.change(uri, edits)
        return Applied(applied=True)

    def change(self, uri: str, edits: Any) -> None:
        """Change a window's text from its end to its beginning, and tell the server in increments, as editors do."""
        text = self.texts[uri]
        changes = []
        in_order = sorted(edits, key=lambda edit: (edit.range.start.line, edit.range.start.character))
        for edit in reversed(in_order):  # of two at the same place the first in the list comes first in the text
            start, end = (self.offset(text, position) for position in (edit.range.start, edit.range.end))
            text = text[:start] + edit.new_text + text[end:]
            changes.append(types.TextDocumentContentChangePartial(edit.range, edit.new_text))
        self.texts[uri] = text
        self.versions[uri] += 1
        identifier = types.VersionedTextDocumentIdentifier(uri=uri, version=self.versions[uri])
        self.text_document_did_change(types.DidChangeTextDocumentParams(identifier, changes))

    def offset(self, text: str, position: types.Position) -> int:
        """Written apart from the server's conversion, in another way, so that one checks the other."""
        lines = text.replace("\r\n", "\n\n").replace("\r", "\n").split("\n")
        if "\r\n" in text:
            lines = [line.removesuffix("\r") for line in text.split("\n")]
            before = sum(len(line) + 1 for line in text.split("\n")[: position.line])
        else:
            before = sum(len(line) + 1 for line in lines[: position.line])
        codec, size = UNITS[self.encoding]
        return before + len(lines[position.line].encode(codec)[: position.character * size].decode(codec))

    def position(self, marked: str) -> types.Position:
        """Where `‸` stands in a text, written apart from the server's conversion too."""
        before = marked.partition("‸")[0].replace("\r\n", "\n").replace("\r", "\n").split("\n")
        codec, size = UNITS[self.encoding]
        return types.Position(len(before) - 1, len(before[-1].encode(codec)) // size)

    def rename(self, change: types.RenameFile) -> None:
        text = self.texts[change.old_uri]
        self.close(change.old_uri)
        (self.root / Path(change.old_uri).name).rename(self.root / Path(change.new_uri).name)
        self.show(Path(change.new_uri).name, text)

    def save_to_disk(self, uri: str) -> None:
        Path(uri.removeprefix("file://")).write_bytes(self.texts[uri].encode())

    # --- the process

    async def start_forked(self, *words: str, with_litellm: bool) -> None:
        """Start a server as `start_io` does, in less time."""
        server = await start_forked(*words, with_litellm=with_litellm)
        self.protocol.set_writer(server.stdin)
        reading = run_async(
            stop_event=self._stop_event,
            reader=server.stdout,
            protocol=self.protocol,
            error_handler=self.report_server_error,
        )
        self._server: Any = server
        self._async_tasks += [asyncio.create_task(reading), asyncio.create_task(self._server_exit())]
        self._stderr_forwarder = asyncio.create_task(forward_stderr(self._server))

    async def stop(self) -> None:
        await super().stop()
        if isinstance(self._server, ForkedServer):
            self._server.close()

    async def run(self, command: str, **payload: Any) -> Any:
        params = types.ExecuteCommandParams(command=command, arguments=[payload] if payload else [])
        return await asyncio.wait_for(self.workspace_execute_command_async(params), LIMIT)


def replace(path: str, start: int, end: int, text: str) -> dict[str, Any]:
    return {"path": path, "edits": [{"start": start, "end": end, "text": text}]}


async def failure(asking: Awaitable[Any]) -> tuple[str, str, str]:
    """Code, cause and next step of the error that comes of it. The message, which is all that most clients show, has
    all three.
    """
    with pytest.raises(JsonRpcException) as caught:
        await asking
    data: Any = caught.value.data
    said = f" {data['hint']} [{data['code']}]"
    assert caught.value.message.endswith((f".{said}", f"?{said}"))
    return data["code"], caught.value.message.removesuffix(said).removesuffix("."), data["hint"]


ALL = types.ClientCapabilities(
    workspace=types.WorkspaceClientCapabilities(
        apply_edit=True,
        workspace_edit=types.WorkspaceEditClientCapabilities(
            document_changes=True, resource_operations=[types.ResourceOperationKind.Rename]
        ),
    ),
    window=types.WindowClientCapabilities(work_done_progress=True),
)


def capable(encoding: str = "utf-16", experimental: Any = None) -> types.ClientCapabilities:
    """Like `ALL`, with an encoding and extras."""
    return types.ClientCapabilities(
        workspace=ALL.workspace,
        window=ALL.window,
        general=types.GeneralClientCapabilities(position_encodings=[types.PositionEncodingKind(encoding)]),
        experimental=experimental,
    )


@asynccontextmanager
async def editor_client(
    root: Path, capabilities: types.ClientCapabilities = ALL, command: Sequence[str] = ()
) -> AsyncIterator[EditorClient]:
    """A client with its own server process, the probe unless another is named."""
    client = EditorClient(root)
    register_lsp_features(client)
    register_answers(client)
    if command:
        await client.start_io(*command)
    else:
        await client.start_forked("probe", str(root), with_litellm=False)
    try:
        params = types.InitializeParams(capabilities, process_id=os.getpid(), root_uri=root.as_uri())
        result = await asyncio.wait_for(client.initialize_session(params), LIMIT)
        client.encoding = str(types.PositionEncodingKind(result.capabilities.position_encoding or "utf-16").value)
        yield client
        await asyncio.wait_for(client.shutdown_session(), LIMIT)
    finally:
        await asyncio.wait_for(client.stop(), LIMIT)


def register_answers(client: EditorClient) -> None:
    @client.feature(types.WORKSPACE_APPLY_EDIT)
    async def apply_edit(params: Edit) -> Applied:
        client.edits.append(params)
        return await client.on_edit(params)

    @client.feature(types.WINDOW_SHOW_MESSAGE_REQUEST)
    async def show_message_request(params: types.ShowMessageRequestParams) -> Any:
        assert client.on_question is not None
        return await client.on_question(params)

    @client.feature("planact/save")
    async def save(params: Any) -> Any:
        client.saves.append(params["uris"])
        for uri in params["uris"]:
            if (saving := client.on_save(uri)) is not None:
                await saving
        return {"saved": params["uris"]}

    @client.feature("planact/diagnostics")
    async def diagnostics(params: Any) -> Any:
        assert client.on_diagnostics is not None
        return await client.on_diagnostics(params)

    for method in ("planact/questionPending", "planact/usage"):

        @client.feature(method)
        def notice(params: Any, method: str = method) -> None:
            client.notices.append((method, params))
