"""Patched requests are sent as unpatched ones would be, and answers are handed on without further work."""

import asyncio
import sys
from collections.abc import AsyncGenerator
from typing import Any

import openai
import pytest
from openai._models import construct_type
from openai._utils import async_maybe_transform
from openai._utils._json import openapi_dumps
from openai.resources.chat.completions import completions
from openai.types.chat import ChatCompletionChunk
from openai.types.chat.completion_create_params import CompletionCreateParamsStreaming

from planact.adapters.llm.litellm_model import LitellmLoader, LitellmModel
from planact.model.chat.message import ModelRequest, Reply, TextDelta
from tests.fakes.loopback_model import Call, LoopbackModel, Say

# As in test_litellm_model.py, which says why.
pytestmark = [
    pytest.mark.asyncio(loop_scope="module"),
    pytest.mark.filterwarnings("ignore:Accessing the .* attribute on the instance is deprecated"),
]


async def pieces(say: Say, loader: LitellmLoader) -> list[TextDelta | Reply]:
    request = ModelRequest(messages=[{"role": "user", "content": "hello"}], tools=[])
    with LoopbackModel(lambda _: say) as server:
        async with asyncio.timeout(30):
            return [piece async for piece in LitellmModel("openai/gpt-4o", server.url, {}, loader).stream(request)]


async def test_openais_client_would_send_the_same_without_our_patch(loader: LitellmLoader) -> None:
    await loader.ready()
    call = {"id": "c", "type": "function", "function": {"name": "f", "arguments": "{}"}}
    picture = {"type": "image_url", "image_url": {"url": "data:image/png;base64,AA=="}}
    request = {
        "messages": [
            {"role": "system", "content": "Be brief."},
            {"role": "user", "content": [{"type": "text", "text": "Look"}, picture]},
            {"role": "assistant", "content": None, "tool_calls": [call], "reasoning_content": "hm"},
            {"role": "tool", "tool_call_id": "c", "content": "x", "cache_control": {"type": "ephemeral"}},
        ],
        "model": "m",
        "stream": True,
        "stream_options": {"include_usage": True},
        "temperature": openai.omit,
        "top_p": openai.NOT_GIVEN,
        "tools": [{"type": "function", "function": {"name": "f", "description": "f", "parameters": {}}}],
    }
    patched = completions.async_maybe_transform
    assert patched is not async_maybe_transform
    parameters = CompletionCreateParamsStreaming
    assert await patched(request, parameters) == await async_maybe_transform(request, parameters)


async def test_a_request_is_written_as_openais_client_would_write_it(loader: LitellmLoader) -> None:
    await loader.ready()
    said = {"role": "user", "content": 'quote " back \\ slash / é 𝄞 \x00\x1f\x7f\u2028\t\n'}
    request = {"messages": [said, {"role": "assistant", "content": None}], "n": 1, "temperature": 0.1, "stream": True}
    patched: Any = openai._base_client.openapi_dumps
    assert patched is not openapi_dumps
    assert patched(request) == openapi_dumps(request)


PIECE = {"id": "w", "object": "chat.completion.chunk", "created": 1, "model": "w"}
CALL = {"index": 0, "id": "c", "type": "function", "function": {"name": "f", "arguments": "{}"}}


@pytest.mark.parametrize(
    "piece",
    [
        PIECE | {"choices": [{"index": 0, "delta": {"content": "x", "reasoning": "y"}, "finish_reason": None}]},
        PIECE | {"choices": [{"index": 0, "delta": {"tool_calls": [CALL]}, "finish_reason": "tool_calls"}]},
        PIECE | {"choices": [{"index": 0, "delta": {}, "finish_reason": "COMPLETE"}], "object": "", "extra": [1]},
        {"choices": [{"delta": {"content": "x", "tool_calls": [{"function": None}]}}], "usage": {"prompt_tokens": 1}},
        PIECE | {"choices": [], "usage": {"prompt_tokens": 1, "completion_tokens": 2, "total_tokens": 3, "cost": 0.5}},
        {},
        [],
        "text",
    ],
)
async def test_a_piece_is_read_as_openais_client_would_read_it(piece: object, loader: LitellmLoader) -> None:
    await loader.ready()
    client: Any = openai.AsyncOpenAI(api_key="none")
    read = client._process_response_data(data=piece, cast_to=ChatCompletionChunk, response=None)
    expected: Any = construct_type(type_=ChatCompletionChunk, value=piece)
    assert repr(read) == repr(expected)
    assert getattr(read, "model_fields_set", None) == getattr(expected, "model_fields_set", None)


async def test_litellm_does_nothing_with_an_answer_but_hand_it_on(
    loader: LitellmLoader, monkeypatch: pytest.MonkeyPatch
) -> None:
    litellm = await loader.ready()
    done: list[str] = []

    def count(owner: Any, name: str) -> None:
        own = getattr(owner, name)

        def counted(*arguments: Any, **named: Any) -> Any:
            done.append(name)
            return own(*arguments, **named)

        monkeypatch.setattr(owner, name, counted)

    count(litellm, "stream_chunk_builder")  # puts it together again, on another thread
    count(litellm.litellm_core_utils.litellm_logging.Logging, "response_cost_calculator")
    assert len(await pieces(Say("one two three", calls=[Call("read_file", {"path": "a.txt"})]), loader)) > 2
    assert done == []


async def test_an_answer_in_many_pieces_is_read_with_as_few_generators_as_one_in_few(loader: LitellmLoader) -> None:
    await loader.ready()
    begun: list[object] = []
    hooks = sys.get_asyncgen_hooks()
    assert hooks.firstiter is not None
    first = hooks.firstiter

    def begin(generator: AsyncGenerator[object]) -> None:
        begun.append(generator)
        first(generator)

    sys.set_asyncgen_hooks(firstiter=begin)
    try:
        few = await pieces(Say("one"), loader)
        needed = len(begun)
        many = await pieces(Say("one two three " * 100), loader)
    finally:
        sys.set_asyncgen_hooks(*hooks)
    assert len(many) > 10 * len(few)
    assert len(begun) == 2 * needed
