"""The language server: one object with its client and its documents, on which features and commands register.

It has no behaviour of its own, and doesn't use agents: those are in `app`.
"""

import asyncio
import inspect
import logging
from collections.abc import Awaitable, Callable, Mapping
from pathlib import Path
from typing import Any, TypeVar, cast, get_type_hints

import cattrs
from lsprotocol import types
from pydantic import BaseModel
from pygls.capabilities import ServerCapabilitiesBuilder
from pygls.exceptions import JsonRpcException
from pygls.lsp.server import LanguageServer
from pygls.protocol import (
    JsonRPCNotification,
    JsonRPCRequestMessage,
    JsonRPCResponseMessage,
    default_converter,
)

from planact import __version__
from planact.base.positions import Encoding
from planact.lsp.documents.convert import CONTENT_SCHEME, REVISION_SCHEME
from planact.lsp.documents.open_documents import Documents
from planact.lsp.protocol.capabilities import ClientCapabilities
from planact.lsp.wire import initialize_reply
from planact.lsp.wire.patches import GRACE, PatchedProtocol

log = logging.getLogger(__name__)

Handler = TypeVar("Handler", bound=Callable[..., Any])


class PlanactServer(LanguageServer):
    """The `ls` of every handler.

    Attributes:
        app: the composition root, set before the server starts.
        client: the client's capabilities; complete after `initialize`.
        documents: the documents that the client has open.
        advertised: the server's capabilities for a client with all capabilities; set before the server starts, like
            `app`.
        revision_files: files that show a plan's revisions to this client, by the plan's URI and the revision's number.
        before_command: awaited before a command begins.
        at_exit: awaited once, the last first, before the process ends, after all requests are cancelled.
    """

    protocol: PatchedProtocol

    def __init__(self) -> None:
        self.app: Any = None
        self.client = ClientCapabilities()
        self.documents = Documents()
        self.advertised: Mapping[str, Any] = {}
        self.revision_files: dict[tuple[str, int], Path] = {}
        self._registrations: Mapping[str, Any] = {}
        self.before_command: Callable[[], Awaitable[None]] = _nothing
        self.at_exit: list[Callable[[], Awaitable[None]]] = []
        super().__init__("planact", __version__, protocol_cls=PatchedProtocol, converter_factory=new_converter)

    def command(self, command_name: str, *, waits: bool = True) -> Callable[[Handler], Handler]:
        """Register `async def handler(ls)` or `handler(ls, payload: SomeModel)`, as a decorator or called at once; it
        `waits` for `before_command`.
        """

        def register(handler: Handler) -> Handler:
            if not inspect.iscoroutinefunction(handler):
                raise TypeError(f"the handler of {command_name} must be a coroutine function, or it can't be cancelled")
            self.protocol.payloads[command_name] = _payload_of(handler)
            if not waits:
                self.protocol.at_once.add(command_name)
            return super(PlanactServer, self).command(command_name)(handler)

        return register

    def feature(self, feature_name: str, options: Any = None) -> Callable[[Handler], Handler]:
        """Register the handler of a method; for a method of planact's own, its payload is the annotated model."""

        def register(handler: Handler) -> Handler:
            if feature_name not in types.METHOD_TO_TYPES:
                self.protocol.payloads[feature_name] = _payload_of(handler)
            return super(PlanactServer, self).feature(feature_name, options)(handler)

        return register

    def initialize(self, params: types.InitializeParams, declared: Mapping[str, Any]) -> None:
        """Store the client's capabilities, from its request and their JSON."""
        self.client = ClientCapabilities.of(params.capabilities)
        self.documents.encoding = cast(Encoding, initialize_reply.encoding_of(declared))
        self._registrations = initialize_reply.registrations(self.advertised, declared)

    async def register_features(self) -> None:
        """Register the features that were left out of the answer to `initialize`."""
        if self._registrations:
            found = [types.Registration(method, method, options) for method, options in self._registrations.items()]
            try:
                await self.protocol.request(types.CLIENT_REGISTER_CAPABILITY, types.RegistrationParams(found))
            except JsonRpcException:
                log.exception("the client registers no features for plans")

    def capabilities(self) -> dict[str, Any]:
        """Return `advertised` as JSON, from the registered features and commands."""
        registered = self.protocol.fm
        operations = types.FileOperationClientCapabilities(will_rename=True)
        found = ServerCapabilitiesBuilder(
            types.ClientCapabilities(workspace=types.WorkspaceClientCapabilities(file_operations=operations)),
            {*registered.features, *registered.builtin_features},
            registered.feature_options,
            list(registered.commands),
            types.TextDocumentSyncKind.Incremental,
        ).build()  # type: ignore[no-untyped-call]
        if found.workspace is not None and types.WORKSPACE_TEXT_DOCUMENT_CONTENT in registered.features:
            schemes = [REVISION_SCHEME, CONTENT_SCHEME]  # pygls doesn't know of them
            found.workspace.text_document_content = types.TextDocumentContentOptions(schemes)
        said: dict[str, Any] = new_converter().unstructure(found)
        return said

    async def stop(self) -> None:
        """Cancel running requests, wait for them within bounds, then await `at_exit`. A second call has no effect."""
        await self.protocol.cancel_running()
        while self.at_exit:
            closing = self.at_exit.pop()
            try:
                await asyncio.wait_for(closing(), GRACE)
            except Exception:
                log.exception("closing failed")

    def report_server_error(self, error: Exception, source: Any) -> None:  # noqa: ARG002 - the base class' signature
        """Log failures outside a request: the user can't act on them."""
        log.error("%s", error, exc_info=error)


async def _nothing() -> None:
    pass


def new_converter() -> cattrs.Converter:
    """Return the conversion of messages to JSON and back: pydantic models by alias, and data of custom messages
    unchanged.
    """
    converter: cattrs.Converter = default_converter()  # type: ignore[no-untyped-call]
    converter.register_unstructure_hook_func(
        lambda kind: isinstance(kind, type) and issubclass(kind, BaseModel),
        lambda value: value.model_dump(mode="json", by_alias=True),
    )
    # pygls would turn objects into named tuples, which loses the keys that aren't identifiers.
    for kind in (JsonRPCRequestMessage, JsonRPCNotification):
        converter.register_structure_hook(kind, lambda data, kind: kind(**{"params": None, **data}))
    converter.register_structure_hook(JsonRPCResponseMessage, lambda data, kind: kind(**data))
    return converter


def _payload_of(handler: Callable[..., Any]) -> type[BaseModel] | None:
    """Return the model of a handler's one parameter beside `ls`."""
    first, *rest = inspect.signature(handler).parameters
    hints = get_type_hints(handler)
    models = [hints.get(name) for name in rest]
    if (
        first != "ls"
        or len(models) > 1
        or not all(isinstance(kind, type) and issubclass(kind, BaseModel) for kind in models)
    ):
        raise TypeError(f"{handler.__qualname__} must take `ls` and at most one pydantic model")
    return models[0] if models else None
