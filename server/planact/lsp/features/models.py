"""Models of the editor: the client tells of them, is asked by `planact/complete`, and streams what they say."""

import asyncio
from collections.abc import AsyncGenerator

from pydantic import ValidationError
from pygls.exceptions import JsonRpcException

from planact.lsp.host.workspace_host import host_of
from planact.lsp.protocol import messages
from planact.lsp.server import PlanactServer
from planact.model.chat.language_model import EDITOR_PROVIDER, EditorModelError, LanguageModel
from planact.model.chat.message import ModelRequest, TextDelta, ToolCall


def register(server: PlanactServer) -> None:
    """Put the features on the server."""
    answers: dict[str, asyncio.Queue[messages.CompletionDelta | None]] = {}

    async def ask(name: str, request: ModelRequest) -> AsyncGenerator[TextDelta | ToolCall]:
        completion_id = server.protocol.new_id()
        said: asyncio.Queue[messages.CompletionDelta | None] = asyncio.Queue()
        answers[completion_id] = said
        wanted = messages.CompletionWanted(
            completion_id=completion_id, model=name, messages=tuple(request.messages), tools=tuple(request.tools)
        )
        ending = asyncio.ensure_future(server.protocol.request(messages.COMPLETE, wanted))
        ending.add_done_callback(lambda _: said.put_nowait(None))
        try:
            while (piece := await said.get()) is not None:
                if piece.call is not None:
                    yield ToolCall(id=piece.call.id, name=piece.call.name, arguments=piece.call.arguments)
                else:
                    yield TextDelta(piece.text, piece.is_reasoning)
            _check(ending)
        finally:
            del answers[completion_id]
            ending.cancel()

    @server.feature(messages.MODELS_OFFERED)
    def on_models_offered(ls: PlanactServer, offered: messages.ModelsOffered) -> None:
        if not ls.client.planact.models:
            return
        models = [
            LanguageModel(name=each.name, provider=EDITOR_PROVIDER, context_tokens=each.context_tokens)
            for each in offered.models
        ]
        host_of(ls).app.models.editor.replace(models, ask)

    @server.feature(messages.COMPLETION_DELTA)
    def on_completion_delta(ls: PlanactServer, piece: messages.CompletionDelta) -> None:  # noqa: ARG001 (pygls')
        if (said := answers.get(piece.completion_id)) is not None:
            said.put_nowait(piece)


def _check(ending: "asyncio.Future[object]") -> None:
    """Raise EditorModelError unless the answer came to its end."""
    try:
        end = messages.CompletionEnd.model_validate(ending.result())
    except (JsonRpcException, ValidationError) as error:
        raise EditorModelError("other", str(error)) from error
    if end.failure:
        raise EditorModelError(end.failure, end.message)
