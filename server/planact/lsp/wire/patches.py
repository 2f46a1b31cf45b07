"""Patches over pygls' protocol: cancelling, late responses, shutdown, payloads, answers to malformed requests.

The docstring of each patched method says what pygls does. `tests/lsp/test_patches_needed.py` fails where pygls no
longer does it, and `tests/lsp/test_patches.py` tests each patch in a real server process.
"""

import asyncio
import contextlib
import itertools
import json
import logging
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from contextvars import ContextVar
from typing import Any

import cattrs
from lsprotocol import types
from pydantic import BaseModel
from pygls.exceptions import (
    JsonRpcException,
    JsonRpcInternalError,
    JsonRpcInvalidRequest,
    JsonRpcParseError,
    JsonRpcServerNotInitialized,
)
from pygls.protocol import (
    JsonRPCNotification,
    JsonRPCRequestMessage,
    JsonRPCResponseMessage,
    LanguageServerProtocol,
    lsp_method,
)
from pygls.workspace import Workspace

from planact.base.errors import InvalidInput, PlanactError
from planact.lsp.wire import initialize_reply
from planact.lsp.wire.failures import invalid_arguments, response_error, validate
from planact.lsp.wire.readable_folders import with_readable_folders
from planact.workflows.run_end import EDITOR_CLOSED

log = logging.getLogger(__name__)

PYGLS = "2.1.1"
"""The version of pygls whose private methods are overridden here."""

work_done_token: ContextVar[types.ProgressToken | None] = ContextVar("work_done_token", default=None)
"""Token under which the client shows the progress of the command that runs in this context; None = it shows none."""

GRACE = 4.0
"""Seconds for running work to clean up when the server ends."""


class PatchedProtocol(LanguageServerProtocol):
    """One client's connection.

    Attributes:
        payloads: model of the one object that a command or a custom method takes; None = it takes none.
        at_once: commands that don't wait for the server's `before_command`.
        cancellations: by the token of a piece of progress, the function to call when the user cancels it.
        on_end: called at the end of the connection, with the exit code for the process.
    """

    _server: Any  # `server.PlanactServer`, which imports this module

    def __init__(self, server: Any, converter: cattrs.Converter) -> None:
        self.payloads: dict[str, type[BaseModel] | None] = {}
        self.at_once: set[str] = set()
        self.cancellations: dict[types.ProgressToken, Callable[[], None]] = {}
        self.on_end: Callable[[int], None] = lambda _: None
        self._numbers: Iterator[int] = itertools.count(1)
        super().__init__(server, converter)

    def new_id(self) -> str:
        """Return an id or token that this connection hasn't used yet."""
        return f"planact-{next(self._numbers)}"

    # --- messages from the client

    def receive(self, body: bytes) -> None:
        """Handle one message. Never raises: each malformed request gets an error, which pygls leaves without a
        response; malformed notifications and responses are logged.
        """
        try:
            data = json.loads(body)
        except (ValueError, RecursionError):
            self._answer(None, JsonRpcParseError())
            return
        if not isinstance(data, dict) or data.get("jsonrpc") != self.VERSION:
            self._answer(data.get("id") if isinstance(data, dict) else None, JsonRpcInvalidRequest())
            return
        is_request = "id" in data and "method" in data
        if is_request and (refusal := self._refusal(data["method"])) is not None:
            self._answer(data["id"], refusal)
            return
        if "method" not in data and not self._has_asked(data.get("id")):
            log.warning("an answer without a question is ignored: %.200r", data.get("id"))
            return
        try:
            self.handle_message(self.structure_message(data))
        except Exception as error:  # noqa: BLE001 - the boundary: no message may end the server
            if is_request:
                self._answer(data["id"], error)
            elif "method" not in data:
                self._fail_request(data.get("id"), error)
            else:
                log.warning("notification %s ignored: %s", data["method"], error)
                if data["method"] == types.TEXT_DOCUMENT_DID_CHANGE:
                    self._mark_unclear(data.get("params"))

    def _has_asked(self, msg_id: Any) -> bool:
        """Return whether a request of the server's with that id waits for its answer."""
        return isinstance(msg_id, str | int) and msg_id in self._result_types

    def _handle_cancel_notification(self, msg_id: Any) -> None:
        """Cancel a request of the client's. pygls would cancel one of the server's, and with it the work that waits."""
        if self._has_asked(msg_id):
            log.warning("the client may not cancel the server's request %s", msg_id)
        else:
            super()._handle_cancel_notification(msg_id)

    def _mark_unclear(self, params: Any) -> None:
        match params:
            case {"textDocument": {"uri": str(uri)}}:
                self._server.documents.mark_unclear(uri)

    def _refusal(self, method: object) -> JsonRpcException | None:
        if self._shutdown:
            return JsonRpcInvalidRequest("the server is shutting down")
        if (self._workspace is None) != (method == types.INITIALIZE):
            return JsonRpcServerNotInitialized() if self._workspace is None else JsonRpcInvalidRequest("sent twice")
        return None

    def structure_message(self, data: dict[str, Any]) -> Any:
        """Return the message as the type of its method. pygls is called for each nested object too, and takes data with
        a key `jsonrpc` for a message, and an error that is null for an answer without a result.
        """
        method = data.get("method", "")
        try:
            _check_texts(method, data.get("params"))
            data = _readable(method, data)
            if "id" in data and "method" not in data:
                kind = self._result_types.pop(data["id"], None)
                if data.get("error") is not None:
                    return self._converter.structure(data, types.ResponseErrorMessage)
                # Some clients send an error that is null with each result.
                answer = {key: data[key] for key in ("jsonrpc", "id", "result")}
                return self._converter.structure(answer, kind or JsonRPCResponseMessage)
            custom = JsonRPCRequestMessage if "id" in data else JsonRPCNotification
            message = self._converter.structure(data, self.get_message_type(method) or custom)
        except Exception as error:
            raise invalid_arguments(str(method), "; ".join(cattrs.transform_error(error, path=""))) from error
        if self.get_message_type(method) is None and (model := self.payloads.get(method)) is not None:
            message.params = validate(method, model, message.params)
        return message

    def _execute_handler(self, msg_id: Any, handler: Any, callback: Any, args: Any = None, kwargs: Any = None) -> None:
        """Forget the handler's future when it is done. pygls keeps those of notifications: one for each key pressed."""
        super()._execute_handler(msg_id, handler, callback, args, kwargs)
        if (future := self._request_futures.get(msg_id)) is not None:
            future.add_done_callback(lambda _: self._request_futures.pop(msg_id, None))

    def _send_handler_result(self, future: Any, *, msg_id: Any) -> None:
        """Respond with the handler's result, or with its exception as an error with a stable code. pygls sends the
        traceback to the client.
        """
        if future.cancelled():
            self._answer(msg_id, asyncio.CancelledError())
        elif (error := future.exception()) is not None:
            self._answer(msg_id, error)
        else:
            try:
                self._send_response(msg_id, result=future.result())
            except Exception as unsendable:  # noqa: BLE001 - a result that isn't JSON still needs an answer
                self._answer(msg_id, unsendable)

    def _answer(self, msg_id: Any, error: BaseException) -> None:
        # As a dict, since lsprotocol leaves out an id that is null, which JSON-RPC wants here.
        self._send_data({"jsonrpc": self.VERSION, "id": msg_id, "error": response_error(error)})

    # --- messages to the client

    async def request(self, method: str, params: Any = None) -> Any:
        """Send a request and return the client's result, without a time limit. Cancelling sends `$/cancelRequest` and
        forgets the request; pygls' `send_request_async` does neither.

        Raises:
            JsonRpcException: the client responded with an error, or with a malformed result.
        """
        msg_id = self.new_id()
        future = self.send_request(method, params, msg_id=msg_id)
        try:
            return await asyncio.wrap_future(future)
        except asyncio.CancelledError:
            self.notify(types.CANCEL_REQUEST, types.CancelParams(id=msg_id))
            raise
        finally:
            # A response that comes later is dropped.
            self._request_futures.pop(msg_id, None)
            self._result_types.pop(msg_id, None)

    def _fail_request(self, msg_id: Any, error: Exception) -> None:
        """Raise `error` in the coroutine that waits for this malformed response, or it would wait for ever."""
        future = self._request_futures.get(msg_id)
        if future is not None and not future.done():
            future.set_exception(JsonRpcInternalError(str(error)))

    def _send_data(self, data: Any) -> None:
        """Write one message, or end the connection where the client is gone. pygls raises in the sender instead."""
        body = json.dumps(data, default=self._serialize_message).encode("ascii")
        if self.writer is None:
            return
        try:
            self.writer.write(b"Content-Length: %d\r\n\r\n%b" % (len(body), body))
        except (OSError, ValueError):
            self.writer = None
            self.on_end(1)

    # --- commands

    @lsp_method(types.WORKSPACE_EXECUTE_COMMAND)
    async def lsp_workspace__execute_command(  # type: ignore[override]
        self, params: types.ExecuteCommandParams
    ) -> Any:
        """Run a command. As a coroutine, so that cancelling the request cancels the command, and shutdown can wait for
        it; with pygls' generator the command runs on.
        """
        handler = self.fm.commands.get(params.command)
        if handler is None:
            known = ", ".join(self.fm.commands)
            raise InvalidInput("INVALID_ARGUMENTS", f"no command named '{params.command}'", f"There are: {known}.")
        work_done_token.set(params.work_done_token)
        arguments = self._arguments(params.command, params.arguments or ())
        if params.command not in self.at_once:
            await self._server.before_command()
        return await handler(*arguments)

    def _arguments(self, command: str, given: Sequence[Any]) -> tuple[BaseModel, ...]:
        """Return the one object that the command takes, validated; a missing one counts as empty."""
        if len(given) > 1:
            raise invalid_arguments(command, f"takes one object, {len(given)} were given")
        payload = given[0] if given and given[0] is not None else {}
        model = self.payloads.get(command)
        if model is not None:
            return (validate(command, model, payload),)
        if payload != {}:
            raise invalid_arguments(command, "takes nothing")
        return ()

    # --- the life of a connection

    def begin(self, message: Mapping[str, Any]) -> None:
        """Handle an `initialize` that was answered already and so can't be refused: each part that can't be read (a
        newer client's capabilities, say) counts as not sent.
        """

        def read(said: Mapping[str, Any]) -> types.InitializeParams:
            params: types.InitializeParams = self.structure_message({**message, "params": said}).params
            return params

        said = message["params"]
        declared = said["capabilities"]
        try:
            params = read(said)
        except PlanactError as error:
            log.warning("what can't be read of the client's `initialize` is ignored: %s", error)
            known: dict[str, Any] = {"capabilities": {}}
            for key in said:
                with contextlib.suppress(PlanactError):
                    read({**known, key: said[key]})
                    known[key] = said[key]
            params = read(known)
        self._initialize(params, declared)

    @lsp_method(types.INITIALIZE)
    def lsp_initialize(self, params: types.InitializeParams) -> types.InitializeResult:  # type: ignore[override]
        """Answer an `initialize` that wasn't the first message, with the same result as `initialize_reply`. pygls
        advertises every feature for all languages, even where the client would let it register them for plans alone.
        """
        declared = self._converter.unstructure(params.capabilities)
        self._initialize(params, declared)
        result: types.InitializeResult = self._converter.structure(
            initialize_reply.answer(self._server.advertised, declared), types.InitializeResult
        )
        return result

    def _initialize(self, params: types.InitializeParams, declared: Mapping[str, Any]) -> None:
        """Store the client's folders and capabilities, then run the feature `initialize`."""
        self._server.process_id = params.process_id
        self.client_capabilities = params.capabilities
        folders = params.workspace_folders or ()
        self._workspace = Workspace(params.root_uri, types.TextDocumentSyncKind.Incremental, list(folders))
        self._server.initialize(params, declared)
        for handler, arguments, _ in self._feature(types.INITIALIZE, params):
            handler(*arguments)

    @lsp_method(types.SHUTDOWN)
    async def lsp_shutdown(self, *_: Any) -> None:  # type: ignore[override]
        """Cancel running requests, wait for their clean-up, then respond. pygls responds first."""
        self._shutdown = True
        await self._server.stop()

    @lsp_method(types.EXIT)
    def lsp_exit(self, *_: Any) -> None:  # type: ignore[override]
        """End the connection, with exit code 0 after `shutdown`, else 1. pygls raises SystemExit inside the handler,
        without any clean-up.
        """
        self.on_end(0 if self._shutdown else 1)

    async def cancel_running(self) -> None:
        """Cancel all requests but the calling one, and wait up to `GRACE` seconds for their clean-up."""
        futures: list[Any] = list(self._request_futures.values())
        running: set[asyncio.Task[Any]] = {future for future in futures if isinstance(future, asyncio.Task)}
        running -= {task for task in (asyncio.current_task(),) if task is not None}
        for task in running:
            task.cancel(EDITOR_CLOSED)
        if running:
            await asyncio.wait(running, timeout=GRACE)

    @lsp_method(types.WINDOW_WORK_DONE_PROGRESS_CANCEL)
    def lsp_work_done_progress_cancel(self, params: types.WorkDoneProgressCancelParams) -> None:
        """Cancel the work behind a piece of progress, if it hasn't ended. pygls keeps the tokens of ended progress."""
        if (cancel := self.cancellations.get(params.token)) is not None:
            cancel()

    # --- documents: their texts are in `documents.open_documents`

    @lsp_method(types.TEXT_DOCUMENT_DID_OPEN)
    def lsp_text_document__did_open(self, params: types.DidOpenTextDocumentParams) -> Generator[Any, Any, None]:
        """Add the document to the server's own, then run the feature; pygls ends lines where LSP doesn't."""
        self._server.documents.open(params.text_document)
        yield from self._feature(types.TEXT_DOCUMENT_DID_OPEN, params)

    @lsp_method(types.TEXT_DOCUMENT_DID_CHANGE)
    def lsp_text_document__did_change(self, params: types.DidChangeTextDocumentParams) -> Generator[Any, Any, None]:
        """Change the text of the server's own document, then run the feature; pygls ends lines where LSP doesn't."""
        self._server.documents.change(params.text_document, params.content_changes)
        yield from self._feature(types.TEXT_DOCUMENT_DID_CHANGE, params)

    @lsp_method(types.TEXT_DOCUMENT_DID_CLOSE)
    def lsp_text_document__did_close(self, params: types.DidCloseTextDocumentParams) -> Generator[Any, Any, None]:
        """Remove the server's own document, then run the feature; pygls would look for one that it hasn't got."""
        self._server.documents.close(params.text_document.uri)
        yield from self._feature(types.TEXT_DOCUMENT_DID_CLOSE, params)

    def _feature(self, method: str, params: Any) -> Generator[Any, Any, None]:
        if (handler := self.fm.features.get(method)) is not None:
            yield handler, (params,), None


def _readable(method: object, data: dict[str, Any]) -> dict[str, Any]:
    """Return a message that names folders without those that can't be read, which would cost it all the others."""
    match method, data.get("params"):
        case types.INITIALIZE, dict(said):
            return {**data, "params": with_readable_folders(said, "workspaceFolders")}
        case types.WORKSPACE_DID_CHANGE_WORKSPACE_FOLDERS, {"event": dict(event), **params}:
            return {**data, "params": {**params, "event": with_readable_folders(event, "added", "removed")}}
        case _:
            return data


def _check_texts(method: object, params: Any) -> None:
    """Raise ValueError where the text of a document is no text: cattrs makes one of any value."""
    match method, params:
        case types.TEXT_DOCUMENT_DID_OPEN, {"textDocument": {"text": text}}:
            texts = [text]
        case types.TEXT_DOCUMENT_DID_CHANGE, {"contentChanges": [*changes]}:
            texts = [change.get("text") for change in changes]
        case _:
            return
    if not all(isinstance(text, str) for text in texts):
        raise ValueError("the text of a document is no text")
