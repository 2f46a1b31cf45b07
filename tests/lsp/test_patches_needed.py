"""What pygls itself does wrong, one test for each patch. One that fails names a patch that can be taken out."""

import asyncio
import inspect
import json
import subprocess
import sys
import threading
from importlib.metadata import version
from typing import Any

import pytest
from lsprotocol import types
from pygls.capabilities import ServerCapabilitiesBuilder
from pygls.exceptions import JsonRpcInternalError
from pygls.io_ import run_async
from pygls.lsp.server import LanguageServer
from pygls.protocol import JsonRPCNotification, LanguageServerProtocol, default_converter

from planact.lsp.wire import patches
from planact.lsp.wire.late_types import LSPROTOCOL
from planact.lsp.wire.patches import PYGLS, PatchedProtocol

NEEDED_BY = {
    "structure_message": "test_pygls_takes_data_that_looks_like_a_message_for_one",
    "_execute_handler": "test_pygls_keeps_the_futures_of_notifications",
    "_send_handler_result": "test_pygls_sends_its_traceback_to_the_client",
    "_send_data": "test_pygls_raises_where_the_client_is_gone",
    "lsp_workspace__execute_command": "test_pygls_does_not_cancel_a_command_with_its_request",
    "lsp_initialize": "test_pygls_advertises_what_a_client_would_let_it_register_for_plans_alone",
    "lsp_shutdown": "test_pygls_answers_shutdown_before_running_requests_have_cleaned_up",
    "lsp_exit": "test_pygls_leaves_the_process_from_inside_a_handler",
    "lsp_work_done_progress_cancel": "test_pygls_keeps_the_tokens_of_ended_progress",
    "lsp_text_document__did_open": "test_pygls_ends_lines_where_lsp_does_not",
    "lsp_text_document__did_change": "test_pygls_ends_lines_where_lsp_does_not",
    "lsp_text_document__did_close": "test_pygls_ends_lines_where_lsp_does_not",
    "_handle_cancel_notification": "test_pygls_has_a_client_cancel_requests_of_the_server",
    "receive": "test_pygls_does_not_answer_a_malformed_request",
    "request": "test_pygls_does_not_tell_the_client_of_a_cancelled_request",
    "converter": "test_pygls_loses_keys_that_are_no_identifiers",
    "capabilities": "test_pygls_does_not_advertise_text_document_content",
}


class Sink:
    """The client's end: messages as JSON."""

    def __init__(self) -> None:
        self.messages: list[dict[str, Any]] = []

    def write(self, data: bytes) -> None:
        self.messages.append(json.loads(data))

    def close(self) -> None:
        pass


class Plain:
    """A server of pygls alone, that reads as pygls does."""

    def __init__(self) -> None:
        self.server = LanguageServer("plain", "1")
        self.sink = Sink()
        self.protocol = self.server.protocol
        self.protocol.set_writer(self.sink, include_headers=False)

    async def receive(self, **message: Any) -> None:
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        reader = asyncio.StreamReader()
        reader.feed_data(b"Content-Length: %d\r\n\r\n%b" % (len(body), body))
        reader.feed_eof()
        await run_async(threading.Event(), reader, self.protocol)

    async def initialize(self, **capabilities: Any) -> dict[str, Any]:
        params = {"processId": None, "rootUri": None, "capabilities": capabilities}
        await self.receive(id=0, method="initialize", params=params)
        result: dict[str, Any] = self.sink.messages.pop()["result"]
        return result


@pytest.fixture
def plain() -> Plain:
    return Plain()


def test_the_patches_are_for_the_pygls_that_is_installed() -> None:
    assert version("pygls") == PYGLS, "read each patch against this version, then say so in wire/patches.py"


def test_each_patch_is_shown_to_be_needed() -> None:
    overridden = {
        name
        for name, value in vars(PatchedProtocol).items()
        if inspect.isfunction(value) and hasattr(LanguageServerProtocol, name) and name != "__init__"
    }
    assert overridden - NEEDED_BY.keys() == set(), "add what pygls does wrong there to tests/lsp/test_patches_needed.py"
    assert set(NEEDED_BY.values()) <= globals().keys()
    undocumented = [name for name in overridden if "pygls" not in (getattr(PatchedProtocol, name).__doc__ or "")]
    assert undocumented == [], f"say in {patches.__name__} what pygls does there"


def test_pygls_takes_data_that_looks_like_a_message_for_one(plain: Plain) -> None:
    body = json.dumps({"jsonrpc": "2.0", "method": "x", "params": {"data": {"jsonrpc": "2.0", "id": 7}}})
    with pytest.raises(JsonRpcInternalError):
        json.loads(body, object_hook=plain.protocol.structure_message)


async def test_pygls_keeps_the_futures_of_notifications(plain: Plain) -> None:
    @plain.server.feature("x/noted")
    async def on_noted(_params: Any) -> None: ...

    for _ in range(5):
        await plain.receive(method="x/noted", params={})
    await asyncio.sleep(0)
    assert len(plain.protocol._request_futures) == 5


async def test_pygls_sends_its_traceback_to_the_client(plain: Plain) -> None:
    @plain.server.feature("x/fail")
    async def on_fail(_params: Any) -> None:
        raise ValueError("inner")

    await plain.receive(id=1, method="x/fail", params={})
    await asyncio.sleep(0.01)
    assert "traceback" in json.dumps(plain.sink.messages[0]["error"])


async def test_pygls_raises_where_the_client_is_gone(plain: Plain) -> None:
    class Gone(Sink):
        def write(self, data: bytes) -> None:
            raise BrokenPipeError

    plain.protocol.set_writer(Gone(), include_headers=False)
    with pytest.raises(BrokenPipeError):
        plain.protocol.notify("x/noted", {})


async def test_pygls_does_not_cancel_a_command_with_its_request(plain: Plain) -> None:
    ended: list[str] = []

    @plain.server.command("x.work")
    async def on_work() -> None:
        try:
            await asyncio.sleep(0.05)
            ended.append("to its end")
        except asyncio.CancelledError:
            ended.append("cancelled")
            raise

    await plain.receive(id=1, method="workspace/executeCommand", params={"command": "x.work"})
    await asyncio.sleep(0.01)
    await plain.receive(method="$/cancelRequest", params={"id": 1})
    await asyncio.sleep(0.1)
    assert ended == ["to its end"]


async def test_pygls_advertises_what_a_client_would_let_it_register_for_plans_alone(plain: Plain) -> None:
    @plain.server.feature(types.TEXT_DOCUMENT_HOVER)
    def on_hover(_params: types.HoverParams) -> None: ...

    result = await plain.initialize(textDocument={"hover": {"dynamicRegistration": True}})
    assert result["capabilities"]["hoverProvider"]


async def test_pygls_answers_shutdown_before_running_requests_have_cleaned_up(plain: Plain) -> None:
    cleaned: list[bool] = []

    @plain.server.feature("x/work")
    async def on_work(_params: Any) -> None:
        try:
            await asyncio.sleep(10)
        finally:
            await asyncio.sleep(0.02)
            cleaned.append(True)

    await plain.initialize()
    await plain.receive(id=1, method="x/work", params={})
    await asyncio.sleep(0)
    await plain.receive(id=2, method="shutdown")
    assert 2 in [message["id"] for message in plain.sink.messages]
    assert cleaned == []
    await asyncio.sleep(0.1)
    assert cleaned == [True]


async def test_pygls_leaves_the_process_from_inside_a_handler(plain: Plain) -> None:
    message = plain.protocol.structure_message({"jsonrpc": "2.0", "method": "exit"})
    with pytest.raises(SystemExit):
        plain.protocol.handle_message(message)


async def test_pygls_keeps_the_tokens_of_ended_progress(plain: Plain) -> None:
    progress = plain.protocol.progress
    progress.begin("token", types.WorkDoneProgressBegin("x"))
    progress.end("token", types.WorkDoneProgressEnd())
    assert set(progress.tokens) == {"token"}


async def test_pygls_ends_lines_where_lsp_does_not(plain: Plain) -> None:
    await plain.initialize()
    item = types.TextDocumentItem("file:///x", "x", 1, "a\x0cb\u2028c\n")
    plain.protocol.workspace.put_text_document(item)
    assert len(plain.protocol.workspace.get_text_document("file:///x").lines) == 3


async def test_pygls_does_not_answer_a_malformed_request(plain: Plain) -> None:
    await plain.initialize()
    await plain.receive(id=1, method="textDocument/hover", params={"position": 1})
    await asyncio.sleep(0.01)
    assert [message for message in plain.sink.messages if message.get("id") == 1] == []


async def test_pygls_does_not_tell_the_client_of_a_cancelled_request(plain: Plain) -> None:
    async def ask() -> None:
        await plain.protocol.send_request_async("x/ask", {})

    asking = asyncio.create_task(ask())
    await asyncio.sleep(0.01)
    asking.cancel()
    await asyncio.sleep(0.01)
    assert [message["method"] for message in plain.sink.messages] == ["x/ask"]
    assert len(plain.protocol._request_futures) == 1


async def test_pygls_has_a_client_cancel_requests_of_the_server(plain: Plain) -> None:
    asking = asyncio.ensure_future(plain.protocol.send_request_async("x/ask", {}))
    await asyncio.sleep(0.01)
    await plain.receive(method="$/cancelRequest", params={"id": plain.sink.messages[0]["id"]})
    with pytest.raises(asyncio.CancelledError):
        await asking


def test_pygls_loses_keys_that_are_no_identifiers() -> None:
    data = {"jsonrpc": "2.0", "method": "x", "params": {"a-b": 1}}
    params = default_converter().structure(data, JsonRPCNotification).params
    assert not isinstance(params, dict)
    assert params._fields == ("_0",)


def test_pygls_does_not_advertise_text_document_content() -> None:
    served = {types.WORKSPACE_TEXT_DOCUMENT_CONTENT}
    client = types.ClientCapabilities()
    found = ServerCapabilitiesBuilder(client, served, {}, [], types.TextDocumentSyncKind.Incremental).build()
    assert found.workspace is None or found.workspace.text_document_content is None


def test_lsprotocol_completes_all_its_types_when_it_is_imported() -> None:
    assert version("lsprotocol") == LSPROTOCOL, "read wire/late_types.py against this version, then say so there"
    program = "from lsprotocol import types, _hooks; print('__attrs_attrs__' in vars(types.Moniker))"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout == "True\n"
