"""A model whose abilities show only when it refuses a request for lack of one."""

import contextlib
from abc import ABC, abstractmethod
from collections.abc import AsyncGenerator, AsyncIterator
from dataclasses import dataclass

from planact.adapters.llm.failures import refuses
from planact.adapters.llm.provider_shape import without_images
from planact.adapters.llm.text_calls import TextCalls, tools_as_text
from planact.base.errors import ModelFailure
from planact.model.chat.message import ModelRequest, Reply, TextDelta


@dataclass(slots=True)
class ModelAbilities:
    """Abilities of a model: all are assumed until the model refuses a request for lack of one."""

    calls_tools: bool = True
    takes_images: bool = True
    sums_up_reasoning: bool = True


class LearningModel(ABC):
    """`ports.Model`. What `abilities` learn outlives the model."""

    def __init__(self, abilities: ModelAbilities) -> None:
        self._abilities = abilities

    @abstractmethod
    def _stream(self, request: ModelRequest) -> AsyncGenerator[TextDelta | Reply]:
        """Ask once, by the abilities that are known."""

    async def stream(self, request: ModelRequest) -> AsyncIterator[TextDelta | Reply]:
        """Stream the answer. When the model refuses tools or images, ask once more with words in their place; when it
        refuses to sum up its reasoning, without. A broken image stays in the conversation, so a request that fails for
        one, before a word is said, is made without any.
        """
        has_spoken = False
        while True:
            try:
                stream = self._stream_in_words if self._needs_words(request) else self._stream
                async with contextlib.aclosing(stream(request)) as pieces:
                    async for piece in pieces:
                        has_spoken = has_spoken or bool(piece.text)
                        yield piece
            except ModelFailure as failure:
                if not self._learns_from(failure, request):
                    in_words = without_images(request)
                    if in_words is request or has_spoken or not refuses(failure, "bad_image"):
                        raise
                    request = in_words
            else:
                return

    def _needs_words(self, request: ModelRequest) -> bool:
        return bool(request.tools) and not self._abilities.calls_tools

    def _learns_from(self, failure: ModelFailure, request: ModelRequest) -> bool:
        """Return True if the failure shows a missing ability, so that another request may succeed."""
        if request.tools and self._abilities.calls_tools and refuses(failure, "no_tools"):
            self._abilities.calls_tools = False
            return True
        if self._abilities.takes_images and refuses(failure, "no_images"):
            self._abilities.takes_images = False
            return any(isinstance(message["content"], list) for message in request.messages)
        if self._abilities.sums_up_reasoning and refuses(failure, "no_summaries"):
            self._abilities.sums_up_reasoning = False
            return True
        return False

    async def _stream_in_words(self, request: ModelRequest) -> AsyncGenerator[TextDelta | Reply]:
        calls = TextCalls(f"call_{len(request.messages)}")
        async with contextlib.aclosing(self._stream(tools_as_text(request))) as pieces:
            async for piece in pieces:
                if isinstance(piece, TextDelta):
                    if not piece.text:
                        yield piece
                    for shown in calls.show(piece):
                        yield shown
                else:
                    for shown in calls.rest():
                        yield shown
                    yield calls.reply(piece)
