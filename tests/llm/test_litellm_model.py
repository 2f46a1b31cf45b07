"""The real litellm against a real HTTP server on loopback."""

import asyncio
import copy
import socket
import threading
from collections.abc import Callable
from typing import Any

import pytest

from planact.adapters.llm.litellm_model import LitellmLoader, LitellmModel
from planact.base.errors import ModelFailure
from planact.model.chat.message import ModelRequest, Reply, TextDelta, ToolCall, Usage
from tests.fakes.loopback_model import (
    CONTEXT_FULL,
    MODEL_NOT_FOUND,
    OVERLOADED,
    UNAUTHORIZED,
    UNAVAILABLE,
    Call,
    Fault,
    LoopbackModel,
    Say,
    rate_limited,
)
from tests.llm.conftest import KEY

# litellm keeps a client per event loop, by an address that a later loop may have again.
pytestmark = [
    pytest.mark.asyncio(loop_scope="module"),
    # litellm turns off this one warning of pydantic's when it is imported; pytest turns it on again for each test.
    pytest.mark.filterwarnings("ignore:Accessing the .* attribute on the instance is deprecated"),
]

TOOL = {
    "type": "function",
    "function": {"name": "read_file", "description": "reads", "parameters": {"type": "object", "properties": {}}},
}
REQUEST = ModelRequest(messages=[{"role": "user", "content": "hello"}], tools=[TOOL])
Answer = Say | Fault | Callable[[dict[str, Any]], Say | Fault]


async def ask(
    answer: Answer,
    loader: LitellmLoader,
    name: str = "openai/gpt-4o",
    parameters: dict[str, Any] | None = None,
    request: ModelRequest = REQUEST,
    idle_seconds: float = 5.0,
) -> tuple[LoopbackModel, list[TextDelta | Reply]]:
    with LoopbackModel(answer if callable(answer) else lambda _: answer) as server:
        model = LitellmModel(name, server.url, parameters or {}, loader, idle_seconds=idle_seconds)
        async with asyncio.timeout(180):
            return server, [item async for item in model.stream(request)]


async def reply_to(answer: Answer, loader: LitellmLoader, **more: Any) -> Reply:
    _, items = await ask(answer, loader, **more)
    reply = items[-1]
    assert isinstance(reply, Reply)
    return reply


async def failure_of(model: LitellmModel) -> ModelFailure:
    with pytest.raises(ModelFailure) as caught:
        _ = [item async for item in model.stream(REQUEST)]
    return caught.value


async def failure_to(answer: Answer, loader: LitellmLoader, **more: Any) -> ModelFailure:
    with pytest.raises(ModelFailure) as caught:
        await ask(answer, loader, **more)
    return caught.value


async def test_an_answer_is_streamed_and_then_given_whole(loader: LitellmLoader) -> None:
    say = Say("I look at the file.", reasoning="Where is it?", usage={"prompt_tokens": 100, "completion_tokens": 20})
    _, items = await ask(say, loader)
    *deltas, reply = items
    assert [delta.text for delta in deltas if delta.is_reasoning] == ["Where i", "s it?"]
    assert [delta.text for delta in deltas if not delta.is_reasoning] == ["", "I look ", "at the ", "file."]
    assert reply == Reply(
        text="I look at the file.",
        reasoning="Where is it?",
        usage=Usage(input_tokens=100, output_tokens=20, cost=0.00045, requests=1),
        finish_reason="stop",
    )


async def test_interleaved_calls_are_put_together_with_ids_and_arguments_they_may_lack(loader: LitellmLoader) -> None:
    calls = [
        Call("read_file", {"path": "src/a-long-name.py"}, id="one"),
        Call("search_code", {"pattern": "ünïcode 🎉 …"}, id="two"),
        Call("list_directory", "", id=""),
    ]
    assert (await reply_to(Say(calls=calls), loader)).tool_calls == (
        ToolCall(id="one", name="read_file", arguments='{"path": "src/a-long-name.py"}'),
        ToolCall(id="two", name="search_code", arguments='{"pattern": "ünïcode 🎉 …"}'),
        ToolCall(id="call_1_2", name="list_directory", arguments="{}"),
    )


async def test_a_call_of_a_kind_that_was_not_offered_is_a_call_by_its_name(loader: LitellmLoader) -> None:
    calls = [
        Call("apply_patch", "*** Begin Patch", id="one", is_custom=True),
        Call("read_file", {"path": "a"}, id="two"),
    ]
    assert (await reply_to(Say(calls=calls), loader)).tool_calls == (
        ToolCall(id="one", name="apply_patch", arguments="*** Begin Patch"),
        ToolCall(id="two", name="read_file", arguments='{"path": "a"}'),
    )


async def test_truncated_arguments_arrive_as_they_came(loader: LitellmLoader) -> None:
    reply = await reply_to(Say(calls=[Call("read_file", '{"path": "sr')], finish_reason="length"), loader)
    call = ToolCall(id="call_0", name="read_file", arguments='{"path": "sr')
    assert (reply.tool_calls, reply.finish_reason) == ((call,), "length")


async def test_an_empty_answer_is_an_answer(loader: LitellmLoader) -> None:
    reply = await reply_to(Say(), loader)
    assert (reply.text, reply.tool_calls, reply.finish_reason) == ("", (), "stop")


@pytest.mark.parametrize(
    ("name", "reported", "expected"),
    [
        pytest.param(
            "openai/gpt-4o",
            {"prompt_tokens": 100, "completion_tokens": 20, "prompt_tokens_details": {"cached_tokens": 64}},
            Usage(input_tokens=100, output_tokens=20, cached_tokens=64, cost=0.00037, requests=1),
            id="cached tokens are cheaper",
        ),
        pytest.param(
            "openai/a-model-of-ones-own",
            {"prompt_tokens": 100, "completion_tokens": 20},
            Usage(input_tokens=100, output_tokens=20, cost=None, requests=1),
            id="the price isn't known",
        ),
        pytest.param("openai/gpt-4o", None, Usage(requests=1), id="nothing is reported"),
    ],
)
async def test_usage_is_what_the_provider_reports(
    loader: LitellmLoader, name: str, reported: dict[str, Any] | None, expected: Usage
) -> None:
    assert (await reply_to(Say("hello", usage=reported), loader, name=name)).usage == expected


@pytest.mark.parametrize(
    ("answer", "code", "is_transient", "retry_after", "words"),
    [
        (UNAUTHORIZED, "MODEL_KEY_REFUSED", False, None, "Check OPENAI_API_KEY"),
        (MODEL_NOT_FOUND, "MODEL_UNKNOWN", False, None, "knows no model 'openai/gpt-4o': The model `nonesuch`"),
        (rate_limited("7"), "MODEL_RATE_LIMITED", True, 7.0, "Rate limit reached"),
        (rate_limited("0.5"), "MODEL_RATE_LIMITED", True, 0.5, "Rate limit reached"),
        (
            Fault(429, "You exceeded your current quota", "insufficient_quota"),
            "MODEL_NO_CREDIT",
            False,
            None,
            "bill",
        ),
        (Fault(429, "No more today", "insufficient_quota"), "MODEL_NO_CREDIT", False, None, "No more today"),
        (OVERLOADED, "MODEL_OVERLOADED", True, None, "status 529"),
        (UNAVAILABLE, "MODEL_OVERLOADED", True, None, "status 503"),
        (Fault(502, "Bad gateway"), "MODEL_OVERLOADED", True, None, "status 502"),
        (Fault(500, "oops"), "MODEL_OVERLOADED", True, None, "status 500"),
        (Fault(403, "Country not supported"), "MODEL_KEY_REFUSED", False, None, "Country not supported"),
        (Fault(402, "Insufficient Balance"), "MODEL_NO_CREDIT", False, None, "billing of your openai account"),
        (Fault(504, "Upstream timed out"), "MODEL_OVERLOADED", True, None, "(status 504): Upstream timed out"),
        (Fault(408, "Request timed out"), "MODEL_OVERLOADED", True, None, "(status 408): Request timed out"),
        (CONTEXT_FULL, "MODEL_CONTEXT_FULL", False, None, "too long"),
        (Fault(400, "no such parameter"), "MODEL_BAD_REQUEST", False, None, "no such parameter"),
        (Fault(422, "unprocessable"), "MODEL_BAD_REQUEST", False, None, "unprocessable"),
        (Say("hello world", drop_after=2), "MODEL_STREAM_BROKEN", True, None, "broke off"),
        (Say("hello world", end_after=2), "MODEL_STREAM_BROKEN", True, None, "without saying that it was complete"),
        (Say("hello world", garbage_after=0), "MODEL_STREAM_BROKEN", True, None, "broke off"),
        (Say("hello world", garbage_after=1), "MODEL_STREAM_BROKEN", True, None, "broke off"),
    ],
)
async def test_every_fault_has_a_code_and_says_what_to_do(
    loader: LitellmLoader, answer: Say | Fault, code: str, is_transient: bool, retry_after: float | None, words: str
) -> None:
    failure = await failure_to(answer, loader)
    assert (failure.code, failure.is_transient, failure.retry_after) == (code, is_transient, retry_after), failure
    assert words in str(failure)
    assert "litellm" not in str(failure).lower()
    assert failure.hint


@pytest.mark.parametrize(
    "name", ["anthropic/claude-sonnet-4-5", "gemini/gemini-2.5-pro", "groq/llama-3.3-70b-versatile", "openrouter/x/y"]
)
@pytest.mark.parametrize(
    ("fault", "expected"),
    [
        (UNAUTHORIZED, ("MODEL_KEY_REFUSED", False, None)),
        (MODEL_NOT_FOUND, ("MODEL_UNKNOWN", False, None)),
        (OVERLOADED, ("MODEL_OVERLOADED", True, None)),
        (rate_limited("7"), ("MODEL_RATE_LIMITED", True, 7.0)),
        (CONTEXT_FULL, ("MODEL_CONTEXT_FULL", False, None)),
        (None, ("MODEL_UNAVAILABLE", True, None)),
    ],
)
async def test_the_codes_are_the_same_for_every_provider(
    loader: LitellmLoader, name: str, fault: Fault | None, expected: tuple[str, bool, float | None]
) -> None:
    with LoopbackModel(lambda _: fault or Say()) as server:
        endpoint = server.url if fault else "http://127.0.0.1:9/v1"
        failure = await failure_of(LitellmModel(name, endpoint, {}, loader))
    assert (failure.code, failure.is_transient, failure.retry_after) == expected, failure
    assert (fault.message if fault else "the connection is refused").rstrip(".") in failure.message


async def test_an_account_without_credentials_has_no_key(loader: LitellmLoader) -> None:
    failure = await failure_of(LitellmModel("azure/mine", "http://127.0.0.1:9", {}, loader))
    assert failure.code == "MODEL_KEY_MISSING"


async def test_a_stalled_stream_is_broken_and_its_connection_closed(loader: LitellmLoader) -> None:
    with LoopbackModel(lambda _: Say("hello world", stall_after=2)) as server:
        failure = await failure_of(LitellmModel("openai/gpt-4o", server.url, {}, loader, idle_seconds=0.2))
        assert await asyncio.to_thread(server.abandoned.wait, 5)
    assert (failure.code, failure.is_transient) == ("MODEL_STREAM_BROKEN", True)
    assert "nothing came for 0.2 s" in failure.message


async def test_an_answer_that_never_begins_is_given_up(loader: LitellmLoader) -> None:
    done = threading.Event()

    def wait(_: dict[str, Any]) -> Say:
        done.wait(180)
        return Say("late")

    with LoopbackModel(wait) as server:
        failure = await failure_of(LitellmModel("openai/gpt-4o", server.url, {"timeout": 0.3}, loader))
        done.set()
    assert (failure.code, failure.is_transient) == ("MODEL_UNAVAILABLE", True)
    assert "within 0.3 s" in failure.message


async def test_a_refused_connection_names_the_endpoint(loader: LitellmLoader) -> None:
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        endpoint = f"http://127.0.0.1:{unused.getsockname()[1]}/v1"
        failure = await failure_of(LitellmModel("openai/gpt-4o", endpoint, {}, loader))
    assert (failure.code, failure.is_transient) == ("MODEL_UNAVAILABLE", True)
    assert f"at {endpoint}: the connection is refused" in failure.message


@pytest.mark.parametrize(
    "endpoint", ["http://user:hidden@127.0.0.1:9/v1?token=hidden", "http://a:hidden@[", "not a URL"]
)
async def test_what_is_secret_in_the_endpoint_is_not_shown(loader: LitellmLoader, endpoint: str) -> None:
    assert "hidden" not in str(await failure_of(LitellmModel("openai/gpt-4o", endpoint, {}, loader)))


async def test_a_server_of_ones_own_needs_no_key(loader: LitellmLoader, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OPENAI_API_KEY")
    server, _ = await ask(Say("hello"), loader)
    assert server.requests[0].key == "none"


@pytest.mark.parametrize("how", ["close the iterator", "cancel the task"])
async def test_stopping_ends_the_connection_at_once(loader: LitellmLoader, how: str) -> None:
    with LoopbackModel(lambda _: Say("hello " * 1000, pause=1)) as server:
        stream = LitellmModel("openai/gpt-4o", server.url, {}, loader).stream(REQUEST)
        async for _ in stream:
            break
        if how == "cancel the task":
            task = asyncio.ensure_future(anext(stream))
            await asyncio.sleep(0.01)
            task.cancel()
            with pytest.raises(asyncio.CancelledError):
                await task
        else:
            await stream.aclose()
        assert await asyncio.to_thread(server.abandoned.wait, 20)


async def test_the_key_appears_in_no_message(loader: LitellmLoader) -> None:
    def echo(request: dict[str, Any]) -> Fault:
        return Fault(401, f"Incorrect API key provided: {KEY}", "invalid_api_key")

    failure = await failure_to(echo, loader)
    assert KEY not in str(failure)
    assert "***" in failure.message


async def test_a_missing_key_is_named_and_nothing_is_sent(loader: LitellmLoader) -> None:
    failure = await failure_of(LitellmModel("anthropic/claude-sonnet-4-5", "", {}, loader))
    assert (failure.code, failure.is_transient) == ("MODEL_KEY_MISSING", False)
    assert "Set ANTHROPIC_API_KEY" in failure.hint


@pytest.mark.parametrize(
    ("name", "endpoint", "hint"),
    [
        ("deepsek-chat", "", "Did you mean 'deepseek-chat'"),
        ("zzzzzzzzzzzzzzzzzzzz", "", "provider/model"),
        ("qwen-of-ones-own", "http://127.0.0.1:9/v1", "Did you mean 'openai/qwen-of-ones-own'"),
    ],
)
async def test_a_model_without_a_provider_is_answered_with_a_name_that_may_be_meant(
    loader: LitellmLoader, name: str, endpoint: str, hint: str
) -> None:
    failure = await failure_of(LitellmModel(name, endpoint, {}, loader))
    assert failure.code == "MODEL_UNKNOWN"
    assert hint in failure.hint


async def test_the_request_is_sent_as_it_is_and_stays_as_it_is(loader: LitellmLoader) -> None:
    messages = [
        {"role": "system", "content": "You are in PLAN mode."},
        {"role": "user", "content": "hello"},
        {
            "role": "assistant",
            "content": "",
            "tool_calls": [{"id": "a", "type": "function", "function": {"name": "read_file", "arguments": "{}"}}],
        },
        {"role": "tool", "tool_call_id": "a", "content": "text"},
    ]
    request = ModelRequest(messages=copy.deepcopy(messages), tools=[copy.deepcopy(TOOL)])
    server, _ = await ask(Say("hi"), loader, parameters={"temperature": 0.5}, request=request)
    assert (request.messages, request.tools) == (messages, [TOOL])
    assert [received.json for received in server.requests] == [
        {
            "model": "gpt-4o",
            "messages": messages,
            "tools": [TOOL],
            "temperature": 0.5,
            "stream": True,
            "stream_options": {"include_usage": True},
        }
    ]
    assert server.requests[0].key == KEY


async def test_a_failed_request_is_not_repeated(loader: LitellmLoader) -> None:
    with LoopbackModel(lambda _: UNAVAILABLE) as server:
        assert (await failure_of(LitellmModel("openai/gpt-4o", server.url, {}, loader))).is_transient
        assert len(server.requests) == 1


async def test_cancelling_one_who_waits_for_litellm_leaves_it_to_the_others(loader: LitellmLoader) -> None:
    waiting = asyncio.ensure_future(LitellmLoader({}).ready())
    other = LitellmLoader({})
    first, second = asyncio.ensure_future(other.ready()), asyncio.ensure_future(other.ready())
    await asyncio.sleep(0)
    first.cancel()
    async with asyncio.timeout(180):
        assert (await second) is (await waiting)
