"""Patched requests are sent as unpatched ones would be, and answers are handed on without further work."""

import asyncio
import sys
from collections.abc import AsyncGenerator
from types import SimpleNamespace
from typing import Any

import openai
import pytest
from openai._models import construct_type
from openai._utils import async_maybe_transform
from openai._utils._json import openapi_dumps
from openai.resources.chat.completions import completions
from openai.types.chat import ChatCompletionChunk
from openai.types.chat.completion_create_params import CompletionCreateParamsStreaming

from planact.adapters.llm.assembly import Assembly
from planact.adapters.llm.litellm_model import LitellmLoader, LitellmModel
from planact.adapters.llm.patches.streams import UnknownFormError
from planact.base.errors import ModelFailure
from planact.model.chat.message import ModelRequest, Reply, TextDelta, Usage
from tests.fakes.loopback_model import Call, LoopbackModel, Say

# As in test_litellm_model.py, which says why.
pytestmark = [
    pytest.mark.asyncio(loop_scope="module"),
    pytest.mark.filterwarnings("ignore:Accessing the .* attribute on the instance is deprecated"),
]


async def pieces(say: Say, loader: LitellmLoader) -> list[TextDelta | Reply]:
    request = ModelRequest(messages=[{"role": "user", "content": "hello"}], tools=[])
    with LoopbackModel(lambda _: say) as server:
        async with asyncio.timeout(180):
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


def delta(**fields: object) -> dict[str, object]:
    return PIECE | {"choices": [{"index": 0, "delta": fields, "finish_reason": None}]}


START = CALL | {"function": {"name": "f", "arguments": ""}}
PART = {"index": 0, "function": {"arguments": "{}"}}


@pytest.mark.parametrize(
    ("piece", "is_plain"),
    [
        (delta(content="x"), True),
        (delta(content="x", role="assistant", refusal=None), True),
        (delta(content="x") | {"obfuscation": "aaaa", "system_fingerprint": "s", "service_tier": "default"}, True),
        (delta(content=None, reasoning_content="hm"), True),
        (delta(tool_calls=[START]), True),
        (delta(tool_calls=[PART]), True),
        (delta(tool_calls=[PART | {"function": {"arguments": None, "name": None}}]), True),
        (delta(tool_calls=[START, CALL | {"index": 1, "id": "d"}]), True),
        (delta(content="x", reasoning="hm"), False),
        (delta(reasoning="hm"), False),
        (delta(content="x", reasoning_details=[{"type": "reasoning.text", "text": "hm", "signature": "s"}]), False),
        (delta(content="x", provider_specific_fields={"thought_signatures": ["s"]}), False),
        (delta(content=""), False),
        (delta(), False),
        (delta(content=5), False),
        (delta(content={"text": "x"}), False),
        (delta(tool_calls=[{"function": {"name": "f", "arguments": "{}"}}]), False),
        (delta(tool_calls=[PART | {"function": {"name": "f", "arguments": {"a": 1}}}]), True),
        (delta(tool_calls=[{"index": 0, "id": "c", "function": None}]), True),
        (delta(function_call={"name": "f", "arguments": "{}"}), False),
        (PIECE | {"choices": [{"index": 0, "delta": {"content": "x"}, "finish_reason": "stop"}]}, False),
        (PIECE | {"choices": [{"index": 0, "delta": None, "finish_reason": None}]}, False),
        (PIECE | {"choices": []}, False),
        (PIECE | {"choices": [], "usage": {"prompt_tokens": 1, "completion_tokens": 2, "total_tokens": 3}}, False),
        (delta(content="x") | {"usage": {"prompt_tokens": 1, "completion_tokens": 2, "total_tokens": 3}}, False),
    ],
)
async def test_a_piece_says_the_same_whether_litellm_copies_it_or_hands_it_on(
    piece: object, is_plain: bool, loader: LitellmLoader
) -> None:
    litellm = await loader.ready()
    client: Any = openai.AsyncOpenAI(api_key="none")

    def handed_on(provider: str) -> tuple[bool, object]:
        """Whether the piece was handed on as it is, and what planact makes of it."""
        read = client._process_response_data(data=piece, cast_to=ChatCompletionChunk, response=None)
        logging = SimpleNamespace(model_call_details={"litellm_params": {}, "custom_llm_provider": provider})
        stream = litellm.CustomStreamWrapper(iter(()), "m", logging, provider, stream_options={"include_usage": True})
        stream.sent_first_chunk = True
        try:
            made = stream.chunk_creator(read)
        except UnknownFormError as error:
            return False, repr(error)
        assembly = Assembly("call")
        texts = [] if made is None else [*assembly.add(made), *assembly.rest()]
        said = (made is None, texts, assembly.reply(Usage()), assembly.size, stream.received_finish_reason)
        return made is read, said

    is_same, said = handed_on("openai")
    was_copied, expected = handed_on("another")  # of which the patch knows nothing
    assert said == expected
    assert (is_same, was_copied) == (is_plain, False)


async def test_an_answer_that_repeats_one_piece_for_ever_still_ends(loader: LitellmLoader) -> None:
    await loader.ready()
    with pytest.raises(ModelFailure, match="kept repeating the same piece"):
        await pieces(Say("again, " * 200), loader)


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
