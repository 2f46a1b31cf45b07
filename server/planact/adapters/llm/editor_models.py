"""Models that the user's editor brings along, for which planact needs no key: the editor passes requests on to them.

They count no tokens and take no settings. `litellm_model` is the way to all others.
"""

import asyncio
import contextlib
from collections.abc import AsyncGenerator, Callable, Iterable, Sequence
from dataclasses import replace

from planact.adapters.llm.assembly import CharacterJoiner
from planact.adapters.llm.failures import Context, editor_failure, no_answer
from planact.adapters.llm.learning_model import LearningModel, ModelAbilities
from planact.adapters.llm.litellm_model import FIRST_SECONDS, Patience
from planact.adapters.llm.provider_shape import shaped_for
from planact.model.chat.language_model import EDITOR_PROVIDER, EditorModelError, LanguageModel
from planact.model.chat.message import ModelRequest, Reply, TextDelta, ToolCall, Usage

AskEditor = Callable[[str, ModelRequest], AsyncGenerator[TextDelta | ToolCall]]
"""Asks a model by its name and streams what it says; closing it ends the request. Raises EditorModelError."""


class EditorModels:
    """The models that the editor offers now: none in a terminal."""

    def __init__(self) -> None:
        self._models: dict[str, LanguageModel] = {}
        self._ask: AskEditor | None = None

    def replace(self, models: Iterable[LanguageModel], ask: AskEditor) -> None:
        """Take these in place of the models offered before; those that aren't named as the editor's are left out."""
        self._models = {model.name: model for model in models if is_editor_model(model.name)}
        self._ask = ask

    def list(self) -> Sequence[LanguageModel]:
        return tuple(self._models.values())

    def about(self, name: str) -> LanguageModel:
        """Return the properties that the editor gave for a model."""
        return self._models.get(name) or LanguageModel(name=name, provider=EDITOR_PROVIDER)

    async def ask(self, name: str, request: ModelRequest) -> AsyncGenerator[TextDelta | ToolCall]:
        """Ask the model called `name`; the editor may begin to offer it just then. Raises EditorModelError."""
        if self._ask is None:
            raise EditorModelError("gone", "only an editor that offers it can ask it")
        async with contextlib.aclosing(self._ask(name, request)) as pieces:
            async for piece in pieces:
                yield piece


def is_editor_model(name: str) -> bool:
    """Return whether a name is one of the editor's models."""
    return name.startswith(f"{EDITOR_PROVIDER}/")


class EditorModel(LearningModel):
    """One of them; a pause of `idle_seconds` ends its answer."""

    def __init__(self, name: str, models: EditorModels, abilities: ModelAbilities, idle_seconds: float) -> None:
        super().__init__(abilities)
        self._name = name
        self._models = models
        self._idle_seconds = idle_seconds

    async def _stream(self, request: ModelRequest) -> AsyncGenerator[TextDelta | Reply]:
        messages = shaped_for(
            EDITOR_PROVIDER, request.messages, with_images=self._abilities.takes_images, with_marks=False
        )
        context = Context(self._name, "your editor", "your editor", "", ())
        seconds, patience = FIRST_SECONDS, Patience(FIRST_SECONDS)
        said: list[TextDelta] = []
        joiners = {is_reasoning: CharacterJoiner() for is_reasoning in (False, True)}
        calls: list[ToolCall] = []
        size = 0
        async with contextlib.aclosing(self._models.ask(self._name, replace(request, messages=messages))) as pieces:
            while (piece := await _next(pieces, seconds, context)) is not None:
                if not context.is_streaming:
                    yield TextDelta("")
                    seconds, context = self._idle_seconds, replace(context, is_streaming=True)
                if isinstance(piece, ToolCall):
                    calls.append(piece.model_copy(update={"id": piece.id or f"call_{len(messages)}_{len(calls)}"}))
                    size += len(piece.arguments) + 1
                else:
                    piece = replace(piece, text=joiners[piece.is_reasoning].add(piece.text))
                    said.append(piece)
                    size += len(piece.text)
                    yield piece
                patience.check(size, context)
        yield Reply(
            text="".join(each.text for each in said if not each.is_reasoning),
            tool_calls=tuple(calls),
            reasoning="".join(each.text for each in said if each.is_reasoning),
            usage=Usage(requests=1),
            finish_reason="tool_calls" if calls else "stop",
        )


async def _next(
    pieces: AsyncGenerator[TextDelta | ToolCall], seconds: float, context: Context
) -> TextDelta | ToolCall | None:
    try:
        async with asyncio.timeout(seconds):
            return await anext(pieces, None)
    except TimeoutError:
        raise no_answer(seconds, context) from None
    except EditorModelError as error:
        raise editor_failure(error.kind, str(error), context) from None
