"""pygls' protocol with its defects mended: cancelling, late answers, shutdown, payloads, answers to malformed requests.

It overrides private methods of pygls 2.1; `tests/lsp/` holds a test for each mend against a real server process, to be
rerun when pygls moves.
"""

import asyncio
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
from planact.lsp import greeting
from planact.lsp.failures import invalid_arguments, response_error, validate
from planact.workflows.run_end import EDITOR_CLOSED

logger = logging.getLogger(__name__)

work_done_token: ContextVar[types.ProgressToken | None] = ContextVar("work_done_token", default=None)
"""Where the client wants to see the progress of the command that runs in this context."""

GRACE = 4.0
"""Seconds that running work has to clean up when the server ends."""


class MendedProtocol(LanguageServerProtocol):
    """One client's connection.

    Attributes:
        payloads: the model of the one object that a command or a custom method takes; None = it takes nothing.
        at_once: commands that don't wait for the server's `before_command`.
        cancellations: what to call when the user cancels a piece of progress, by its token.
        on_end: called when the connection is over, with the exit code of the process.
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
        """An id or token that this connection hasn't used yet."""
        return f"planact-{next(self._numbers)}"

    # --- what comes in

    def receive(self, body: bytes) -> None:
        """Handle one message, whatever it is. Never raises: each request gets an answer, the rest a line in the log."""
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
        try:
            self.handle_message(self.structure_message(data))
        except Exception as error:  # noqa: BLE001 - the boundary: whatever it is, the server lives on
            if is_request:
                self._answer(data["id"], error)
            elif "method" not in data:
                self._fail_request(data.get("id"), error)
            else:
                logger.warning("notification %s ignored: %s", data["method"], error)

    def _refusal(self, method: object) -> JsonRpcException | None:
        if self._shutdown:
            return JsonRpcInvalidRequest("the server is shutting down")
        if (self._workspace is None) != (method == types.INITIALIZE):
            return JsonRpcServerNotInitialized() if self._workspace is None else JsonRpcInvalidRequest("sent twice")
        return None

    def structure_message(self, data: dict[str, Any]) -> Any:
        """A message as the type of its method, at the top level only: data inside that looks like one stays data."""
        method = data.get("method", "")
        try:
            if "id" in data and "method" not in data:
                kind = types.ResponseErrorMessage if "error" in data else self._result_types.pop(data["id"], None)
                return self._converter.structure(data, kind or JsonRPCResponseMessage)
            custom = JsonRPCRequestMessage if "id" in data else JsonRPCNotification
            message = self._converter.structure(data, self.get_message_type(method) or custom)
        except Exception as error:
            raise invalid_arguments(str(method), "; ".join(cattrs.transform_error(error, path=""))) from error
        if self.get_message_type(method) is None and (model := self.payloads.get(method)) is not None:
            message.params = validate(method, model, message.params)
        return message

    def _execute_handler(self, msg_id: Any, handler: Any, callback: Any, args: Any = None, kwargs: Any = None) -> None:
        super()._execute_handler(msg_id, handler, callback, args, kwargs)
        # pygls keeps the futures of notifications for ever: one for each key the user presses.
        if (future := self._request_futures.get(msg_id)) is not None:
            future.add_done_callback(lambda _: self._request_futures.pop(msg_id, None))

    def _send_handler_result(self, future: Any, *, msg_id: Any) -> None:
        """The boundary of all requests and commands: what a handler raised becomes the error of its response."""
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

    # --- what goes out

    async def request(self, method: str, params: Any = None) -> Any:
        """Ask the client and wait for its answer, without end. Cancelling tells the client to take the question back.

        Raises:
            JsonRpcException: the client answered with an error, or with what makes no sense.
        """
        msg_id = self.new_id()
        future = self.send_request(method, params, msg_id=msg_id)
        try:
            return await asyncio.wrap_future(future)
        except asyncio.CancelledError:
            self.notify(types.CANCEL_REQUEST, types.CancelParams(id=msg_id))
            raise
        finally:
            # A late answer then belongs to nobody, and is dropped.
            self._request_futures.pop(msg_id, None)
            self._result_types.pop(msg_id, None)

    def _fail_request(self, msg_id: Any, error: Exception) -> None:
        """The client's answer makes no sense; whoever waits for it must not wait for ever."""
        future = self._request_futures.get(msg_id) if isinstance(msg_id, str | int) else None
        if future is None or future.done():
            logger.warning("an answer without a question is ignored: %s", error)
        else:
            future.set_exception(JsonRpcInternalError(str(error)))

    def _send_data(self, data: Any) -> None:
        body = json.dumps(data, default=self._serialize_message).encode("ascii")
        if self.writer is None:
            return
        try:
            self.writer.write(b"Content-Length: %d\r\n\r\n%b" % (len(body), body))
        except (OSError, ValueError):
            # The client is gone (or the pipe is closed already).
            self.writer = None
            self.on_end(1)

    # --- commands

    @lsp_method(types.WORKSPACE_EXECUTE_COMMAND)
    async def lsp_workspace__execute_command(  # type: ignore[override]
        self, params: types.ExecuteCommandParams
    ) -> Any:
        """As a coroutine, so that cancelling the request cancels the command itself, and shutdown can wait for it."""
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
        """The one object that a command takes. None at all is an empty one."""
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
        """Do what the client's `initialize` asks, which was answered already. So it can't be refused: where something
        in it makes no sense to us (a newer client's word, say), the client counts as one that declares nothing.
        """
        declared = message["params"]["capabilities"]
        try:
            params = self.structure_message(dict(message)).params
        except PlanactError as error:
            logger.warning("what the client can do is taken for nothing: %s", error)
            nothing = {**message["params"], "capabilities": {}}
            params = self.structure_message({**message, "params": nothing}).params
        self._meet(params, declared)

    @lsp_method(types.INITIALIZE)
    def lsp_initialize(self, params: types.InitializeParams) -> types.InitializeResult:  # type: ignore[override]
        """The same for a client whose first message wasn't that; its answer is the same, too."""
        declared = self._converter.unstructure(params.capabilities)
        self._meet(params, declared)
        result: types.InitializeResult = self._converter.structure(
            greeting.answer(self._server.advertised, declared), types.InitializeResult
        )
        return result

    def _meet(self, params: types.InitializeParams, declared: Mapping[str, Any]) -> None:
        """Learn who the client is, before anything else happens."""
        self._server.process_id = params.process_id
        self.client_capabilities = params.capabilities
        folders = params.workspace_folders or ()
        self._workspace = Workspace(params.root_uri, types.TextDocumentSyncKind.Incremental, list(folders))
        self._server.meet(params, declared)
        for handler, arguments, _ in self._feature(types.INITIALIZE, params):
            handler(*arguments)

    @lsp_method(types.SHUTDOWN)
    async def lsp_shutdown(self, *_: Any) -> None:  # type: ignore[override]
        """End all running work, then answer."""
        self._shutdown = True
        await self._server.stop()

    @lsp_method(types.EXIT)
    def lsp_exit(self, *_: Any) -> None:  # type: ignore[override]
        """The client is done with us; the exit code says whether it asked for shutdown first."""
        self.on_end(0 if self._shutdown else 1)

    async def cancel_running(self) -> None:
        """Cancel all requests but the one that asks for it, and give them time to clean up."""
        futures: list[Any] = list(self._request_futures.values())
        running: set[asyncio.Task[Any]] = {future for future in futures if isinstance(future, asyncio.Task)}
        running -= {task for task in (asyncio.current_task(),) if task is not None}
        for task in running:
            task.cancel(EDITOR_CLOSED)
        if running:
            await asyncio.wait(running, timeout=GRACE)

    @lsp_method(types.WINDOW_WORK_DONE_PROGRESS_CANCEL)
    def lsp_work_done_progress_cancel(self, params: types.WorkDoneProgressCancelParams) -> None:
        """The user cancelled a piece of progress; of one that ended already nobody needs to know."""
        if (cancel := self.cancellations.get(params.token)) is not None:
            cancel()

    # --- documents: kept by ours, which know where LSP ends a line

    @lsp_method(types.TEXT_DOCUMENT_DID_OPEN)
    def lsp_text_document__did_open(self, params: types.DidOpenTextDocumentParams) -> Generator[Any, Any, None]:
        """Keep the document, then tell the feature."""
        self._server.documents.open(params.text_document)
        yield from self._feature(types.TEXT_DOCUMENT_DID_OPEN, params)

    @lsp_method(types.TEXT_DOCUMENT_DID_CHANGE)
    def lsp_text_document__did_change(self, params: types.DidChangeTextDocumentParams) -> Generator[Any, Any, None]:
        """Keep the new text, then tell the feature."""
        self._server.documents.change(params.text_document, params.content_changes)
        yield from self._feature(types.TEXT_DOCUMENT_DID_CHANGE, params)

    @lsp_method(types.TEXT_DOCUMENT_DID_CLOSE)
    def lsp_text_document__did_close(self, params: types.DidCloseTextDocumentParams) -> Generator[Any, Any, None]:
        """Forget the text, then tell the feature."""
        self._server.documents.close(params.text_document.uri)
        yield from self._feature(types.TEXT_DOCUMENT_DID_CLOSE, params)

    def _feature(self, method: str, params: Any) -> Generator[Any, Any, None]:
        if (handler := self.fm.features.get(method)) is not None:
            yield handler, (params,), None
