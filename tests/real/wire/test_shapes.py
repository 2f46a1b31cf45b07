"""Streams as providers really send them, whole ones and broken ones: what comes of each."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from planact.adapters.llm.litellm_model import LitellmLoader
from planact.base.errors import ModelFailure
from planact.model.chat.message import ModelRequest, Reply
from tests.real.wire.chat_shapes import chat_shapes, ollama_shapes
from tests.real.wire.conversation import READ
from tests.real.wire.expected import BOTH, CUT, ONE, TWO, WORDS, Broken, Whole
from tests.real.wire.families import anthropic, bedrock, gemini, openai_chat, openai_responses
from tests.real.wire.providers import WIRES, Wire
from tests.real.wire.server import Answer, Called, Provider, Said, sse
from tests.real.wire.test_conversation import model_of

pytestmark = [
    pytest.mark.asyncio(loop_scope="module"),
    pytest.mark.filterwarnings("ignore:Accessing the .* attribute on the instance is deprecated"),
]
BY_TITLE = {wire.title: wire for wire in WIRES}


def gemini_stream(*chunks: Mapping[str, Any]) -> Answer:
    return Answer(sse(*chunks).replace(b"\n", b"\r\n"))


def gemini_call(name: str, path: str, **more: Any) -> dict[str, Any]:
    return {"functionCall": {"name": name, "args": {"path": path}}, **more}


_G = gemini.chunk
_UNSIGNED = {"usageMetadata": gemini.USAGE, "modelVersion": "m"}
_NO_CONTENT = {"candidates": [{"finishReason": "STOP", "index": 0}], **_UNSIGNED}
GEMINI = {
    "one chunk": (gemini_stream(_G([{"text": "Hello"}], "STOP")), Whole("Hello")),
    "words, the end with the last": (
        gemini_stream(_G([{"text": "He"}]), _G([{"text": "llo"}], "STOP")),
        Whole("Hello"),
    ),
    "an end without a part": (gemini_stream(_G([{"text": "Hello"}]), _NO_CONTENT), Whole("Hello")),
    "an end with an empty text": (gemini_stream(_G([{"text": "Hello"}]), _G([{"text": ""}], "STOP")), Whole("Hello")),
    "usage behind the end": (gemini_stream(_G([{"text": "Hello"}], "STOP"), _UNSIGNED), Whole("Hello")),
    "thoughts": (gemini_stream(*gemini.chunks(WORDS)), Whole("It is a plan.", (), "Hm.")),
    "a signature with the text": (
        gemini_stream(_G([{"text": "Hello", "thoughtSignature": "S"}], "STOP")),
        Whole("Hello"),
    ),
    "a call": (
        gemini_stream(_G([gemini_call("read_file", "a.py", thoughtSignature="S")], "STOP")),
        Whole("", ONE, "", "tool_calls"),
    ),
    "a call, then the end": (
        gemini_stream(_G([gemini_call("read_file", "a.py")]), _G([{"text": ""}], "STOP")),
        Whole("", ONE, "", "tool_calls"),
    ),
    "two calls in a chunk": (
        gemini_stream(_G([gemini_call("read_file", "a.py"), gemini_call("read_file", "b.py")], "STOP")),
        Whole("", TWO, "", "tool_calls"),
    ),
    "two calls in two chunks": (gemini_stream(*gemini.chunks(BOTH)), Whole("Look.", TWO, "Hm.", "tool_calls")),
    "cut at the limit": (gemini_stream(*gemini.chunks(Said("It is"), "MAX_TOKENS")), Whole("It is", (), "", "length")),
    "refused": (
        gemini_stream(_G([{"text": "It"}]), _G([{"text": ""}], "SAFETY")),
        Whole("It", (), "", "content_filter"),
    ),
    "a question that is refused": (
        gemini_stream({"promptFeedback": {"blockReason": "SAFETY"}, **_UNSIGNED}),
        Whole("", (), "", "content_filter"),
    ),
    "torn": (gemini_stream(_G([{"text": "He"}]), _G([{"text": "llo"}])), CUT),
    "torn after a call": (gemini_stream(_G([gemini_call("read_file", "a.py", thoughtSignature="S")])), CUT),
    "torn in a chunk": (Answer(sse(*gemini.chunks(WORDS))[:-150]), CUT),
    "dropped": (Answer(sse(_G([{"text": "He"}])), is_cut=True), CUT),
    "a malformed call": (
        gemini_stream(_G([{"text": "He"}]), {"candidates": [{"finishReason": "MALFORMED_FUNCTION_CALL"}], **_UNSIGNED}),
        Broken("MODEL_STREAM_BROKEN", says="MALFORMED_FUNCTION_CALL"),
    ),
    "an unexpected call": (gemini_stream(_G([{"text": "He"}]), _G([{"text": ""}], "UNEXPECTED_TOOL_CALL")), CUT),
    "an error in the stream": (
        gemini_stream(_G([{"text": "He"}]), {"error": {"code": 503, "message": "overloaded", "status": "UNAVAILABLE"}}),
        Broken("MODEL_OVERLOADED"),
    ),
}


def claude_stream(*events: Mapping[str, Any]) -> Answer:
    return Answer(sse(*events, names=True))


def _without(kind: str, events: Any) -> Any:
    return (event for event in events if event["type"] != kind)


_OVERLOADED = {"type": "error", "error": {"type": "overloaded_error", "message": "Overloaded"}}
_NO_CREDIT = {
    "type": "error",
    "error": {"type": "invalid_request_error", "message": "Your credit balance is too low to access the API."},
}
CLAUDE = {
    "all": (claude_stream(*anthropic.events(BOTH)), Whole("Look.", TWO, "Hm.", "tool_calls")),
    "words": (claude_stream(*anthropic.events(Said("Hello"))), Whole("Hello")),
    "a call without arguments": (
        claude_stream(*anthropic.events(Said(calls=(Called("read_file", {}),)))),
        Whole("", (("read_file", {}),), "", "tool_calls"),
    ),
    "cut at the limit": (
        claude_stream(*anthropic.events(Said("It is"), "max_tokens")),
        Whole("It is", (), "", "length"),
    ),
    "refused": (claude_stream(*anthropic.events(Said("It"), "refusal")), Whole("It", (), "", "content_filter")),
    "no window left": (
        claude_stream(*anthropic.events(Said("It"), "model_context_window_exceeded")),
        Broken("MODEL_CONTEXT_FULL", False),
    ),
    "torn": (claude_stream(*_without("message_stop", _without("message_delta", anthropic.events(BOTH)))), CUT),
    "torn in an event": (Answer(sse(*anthropic.events(BOTH), names=True)[:600]), CUT),
    "dropped": (Answer(sse(*anthropic.events(BOTH), names=True)[:600], is_cut=True), CUT),
    "overloaded in the stream": (
        claude_stream(*[*anthropic.events(Said("It is"))][:4], _OVERLOADED),
        Broken("MODEL_OVERLOADED"),
    ),
    "overloaded at once": (
        Answer(json.dumps(_OVERLOADED).encode(), "application/json", 529),
        Broken("MODEL_OVERLOADED", says="529"),
    ),
    "no credit": (
        Answer(
            json.dumps(_NO_CREDIT).encode(),
            "application/json",
            400,
        ),
        Broken("MODEL_NO_CREDIT", False, "credit balance"),
    ),
}

_DONE = openai_responses.events(BOTH)


def responses_stream(*events: Mapping[str, Any]) -> Answer:
    return Answer(sse(*events, names=True))


def _incomplete(reason: str) -> Answer:
    *events, last = openai_responses.events(Said("It is"))
    response = {**last["response"], "status": "incomplete", "incomplete_details": {"reason": reason}}
    return responses_stream(*events, {**last, "type": "response.incomplete", "response": response})


def _failed(code: str, message: str) -> Answer:
    response = {**_DONE[0]["response"], "status": "failed", "error": {"code": code, "message": message}}
    return responses_stream(*_DONE[:6], {"type": "response.failed", "response": response, "sequence_number": 6})


def _said_otherwise(kind: str, said: Said) -> Answer:
    """Return an answer whose text comes in events of another kind, and in a part of that kind in the end."""
    text = json.dumps(openai_responses.events(said)).replace("response.output_text", f"response.{kind}")
    part = f'"type": "{kind}", "{kind}"'
    return responses_stream(*json.loads(text.replace('"type": "output_text", "text"', part)))


def _thought_twice() -> Answer:
    first, *rest = openai_responses.events(Said("Hello", "One."))
    at = next(at for at, each in enumerate(rest) if each["type"] == "response.reasoning_summary_text.done")
    where = {"item_id": "rs_1", "output_index": 0, "summary_index": 1}
    part = {"type": "response.reasoning_summary_part.added", **where, "part": {"type": "summary_text", "text": ""}}
    more = {"type": "response.reasoning_summary_text.delta", **where, "delta": "Two."}
    return responses_stream(first, *rest[: at + 1], part, more, *rest[at + 1 :])


def _thought_aloud() -> Answer:
    text = json.dumps(openai_responses.events(Said("Hello", "Hm.")))
    return responses_stream(*json.loads(text.replace("response.reasoning_summary_text", "response.reasoning_text")))


RESPONSES = {
    "refused in words": (
        _said_otherwise("refusal", Said("I can't help with that.")),
        Whole("I can't help with that."),
    ),
    "two thoughts": (_thought_twice(), Whole("Hello", (), "One.\n\nTwo.")),
    "thoughts in full": (_thought_aloud(), Whole("Hello", (), "Hm.")),
    "all": (responses_stream(*_DONE), Whole("Look.", TWO, "Hm.", "tool_calls")),
    "words": (responses_stream(*openai_responses.events(Said("Hello"))), Whole("Hello")),
    "cut at the limit": (_incomplete("max_output_tokens"), Whole("It is", (), "", "length")),
    "refused": (_incomplete("content_filter"), Whole("It is", (), "", "content_filter")),
    "torn": (responses_stream(*_DONE[:-1]), CUT),
    "torn in an event": (Answer(sse(*_DONE, names=True)[:900]), CUT),
    "dropped": (Answer(sse(*_DONE, names=True)[:900], is_cut=True), CUT),
    "failed": (_failed("server_error", "The server is overloaded"), Broken("MODEL_OVERLOADED")),
}


def _aws_answer(status: int, kind: str, message: str) -> Answer:
    headers = {"x-amzn-errortype": f"{kind}:http://internal.amazon.com/coral/com.amazon.bedrock/"}
    return Answer(json.dumps({"message": message}).encode(), "application/json", status, headers)


_AWS = bedrock.events(BOTH)
_REDACTED = {"delta": {"reasoningContent": {"redactedContent": "ZW5jcnlwdGVk"}}, "contentBlockIndex": 0}
BEDROCK = {
    "all": (bedrock.stream(*_AWS), Whole("Look.", TWO, "Hm.", "tool_calls")),
    "words": (bedrock.stream(*bedrock.events(Said("Hello"))), Whole("Hello")),
    "encrypted thoughts": (
        bedrock.stream(("contentBlockDelta", _REDACTED), *bedrock.events(Said("Hello"))[1:]),
        Whole("Hello"),
    ),
    "a call without arguments": (
        bedrock.stream(*bedrock.events(Said(calls=(Called("read_file", {}),)))),
        Whole("", (("read_file", {}),), "", "tool_calls"),
    ),
    "cut at the limit": (
        bedrock.stream(*bedrock.events(Said("It is"), "max_tokens")),
        Whole("It is", (), "", "length"),
    ),
    "refused": (
        bedrock.stream(*bedrock.events(Said("It"), "guardrail_intervened")),
        Whole("It", (), "", "content_filter"),
    ),
    "no window left": (
        bedrock.stream(*bedrock.events(Said("It"), "model_context_window_exceeded")),
        Broken("MODEL_CONTEXT_FULL", False),
    ),
    "a malformed call": (
        bedrock.stream(*bedrock.events(Said("It"), "malformed_tool_use")),
        Broken("MODEL_STREAM_BROKEN", says="malformed_tool_use"),
    ),
    "torn": (bedrock.stream(*_AWS[:-2]), CUT),
    "torn in an event": (Answer(bedrock.stream(*_AWS).body[:600], bedrock.KIND), CUT),
    "dropped": (Answer(bedrock.stream(*_AWS).body[:600], bedrock.KIND, is_cut=True), CUT),
    "throttled in the stream": (
        bedrock.stream(*_AWS[:5], ("throttlingException", {"message": "Too many tokens, please wait"})),
        Broken("MODEL_RATE_LIMITED"),
    ),
    "overloaded in the stream": (
        bedrock.stream(*_AWS[:5], ("serviceUnavailableException", {"message": "Bedrock is unable to process it."})),
        Broken("MODEL_STREAM_BROKEN", says="unable to process"),
    ),
    "a failure in the stream": (
        bedrock.stream(*_AWS[:5], ("internalServerException", {"message": "The system had an error."})),
        Broken("MODEL_STREAM_BROKEN", says="had an error"),
    ),
    "throttled at once": (
        _aws_answer(429, "ThrottlingException", "Too many requests, please wait before trying again."),
        Broken("MODEL_RATE_LIMITED", says="Too many requests"),
    ),
    "no access": (
        _aws_answer(403, "AccessDeniedException", "You don't have access to the model with the specified model ID."),
        Broken("MODEL_KEY_REFUSED", False, "don't have access"),
    ),
    "too long": (
        _aws_answer(400, "ValidationException", "Input is too long for requested model."),
        Broken("MODEL_CONTEXT_FULL", False),
    ),
}

SHAPES = [
    pytest.param(title, answer, expected, id=f"{title}: {name}")
    for title, shapes in {
        "Gemini 3": GEMINI,
        "Anthropic": CLAUDE,
        "Vertex, Gemini 3": GEMINI,
        "Vertex, Claude": CLAUDE,
        "Bedrock": BEDROCK,
        **{wire.title: chat_shapes(wire.family) for wire in WIRES if isinstance(wire.family, openai_chat.OpenaiChat)},
        "Ollama": ollama_shapes(),
        "OpenAI, responses": RESPONSES,
        "Azure, responses": RESPONSES,
    }.items()
    for name, (answer, expected) in shapes.items()
]


@pytest.mark.parametrize(("title", "answer", "expected"), SHAPES)
async def test_a_stream_is_taken_for_what_it_is(
    title: str, answer: Answer, expected: Whole | Broken, loader: LitellmLoader, tmp_path: Path
) -> None:
    wire = BY_TITLE[title]
    with Provider(wire.family, lambda _: answer) as server:
        request = ModelRequest([{"role": "user", "content": "Go"}], [READ])
        stream = model_of(wire, server.url, loader, tmp_path).stream(request)
        if isinstance(expected, Broken):
            with pytest.raises(ModelFailure) as caught:
                _ = [piece async for piece in stream]
            assert (caught.value.code, caught.value.is_transient) == (expected.code, expected.is_transient), (
                caught.value
            )
            assert expected.says in str(caught.value)
            assert "litellm" not in str(caught.value).lower()
            assert "Traceback" not in str(caught.value)
            return
        *_, reply = [piece async for piece in stream]
    assert isinstance(reply, Reply)
    calls = tuple((call.name, json.loads(call.arguments)) for call in reply.tool_calls)
    assert Whole(reply.text, calls, reply.reasoning, reply.finish_reason) == expected


@pytest.mark.parametrize("wire", WIRES, ids=lambda wire: wire.title)
async def test_what_is_said_about_streams_ends_none(wire: Wire, loader: LitellmLoader, tmp_path: Path) -> None:
    said = Said("It says [DONE] and goes on.", "", (Called("read_file", {"path": "docs[DONE]"}),))
    with Provider(wire.family, lambda sent: wire.family.answer(said, sent)) as server:
        request = ModelRequest([{"role": "user", "content": "Go"}], [READ])
        *_, reply = [piece async for piece in model_of(wire, server.url, loader, tmp_path).stream(request)]
    assert isinstance(reply, Reply)
    calls = [(call.name, json.loads(call.arguments)) for call in reply.tool_calls]
    assert (reply.text, calls) == (said.text, [("read_file", {"path": "docs[DONE]"})])
