"""Anthropic's messages. Source: docs.anthropic.com/en/api/messages, and its pages on thinking and streaming."""

import json
from collections.abc import Iterator, Mapping
from typing import Any

from tests.real.wire.server import (
    ANY,
    FLAG,
    NUMBER,
    OBJECT,
    TEXT,
    WHOLE,
    Answer,
    Said,
    Sent,
    either,
    items,
    record,
    sse,
)

_MARK = {"cache_control": record(("type",), type={"const": "ephemeral"}, ttl={"enum": ["5m", "1h"]})}
_SOURCE = record(
    ("type", "media_type", "data"), type={"const": "base64"}, media_type=TEXT, data={"type": "string", "minLength": 1}
)
_WORDS = record(("type", "text"), type={"const": "text"}, text={"type": "string", "minLength": 1}, **_MARK)
_PICTURE = record(("type", "source"), type={"const": "image"}, source=_SOURCE, **_MARK)
_PARTS = either(
    _WORDS,
    _PICTURE,
    record(("type", "thinking", "signature"), type={"const": "thinking"}, thinking=TEXT, signature=TEXT),
    record(("type", "data"), type={"const": "redacted_thinking"}, data=TEXT),
    record(
        ("type", "id", "name", "input"),
        type={"const": "tool_use"},
        id={"type": "string", "pattern": "^[a-zA-Z0-9_-]+$"},
        name=TEXT,
        input=OBJECT,
        **_MARK,
    ),
    record(
        ("type", "tool_use_id"),
        type={"const": "tool_result"},
        tool_use_id=TEXT,
        content=either(TEXT, items(either(_WORDS, _PICTURE))),
        is_error=FLAG,
        **_MARK,
    ),
)
_TOOL = record(
    ("name", "input_schema"), name=TEXT, description=TEXT, input_schema=OBJECT, type={"const": "custom"}, **_MARK
)
FIELDS = {
    "messages": items(
        record(
            ("role", "content"),
            role={"enum": ["user", "assistant"]},
            content=either({"type": "string", "minLength": 1}, items(_PARTS, minItems=1)),
        ),
        minItems=1,
    ),
    "max_tokens": {"type": "integer", "minimum": 1},
    "metadata": OBJECT,
    "stop_sequences": items(TEXT),
    "system": either(TEXT, items(_WORDS)),
    "temperature": NUMBER,
    "thinking": either(
        record(
            ("type", "budget_tokens"), type={"const": "enabled"}, budget_tokens={"type": "integer", "minimum": 1024}
        ),
        record(("type",), type={"const": "disabled"}),
        record(("type",), type={"const": "adaptive"}, display={"enum": ["summarized", "omitted"]}),
    ),
    "tool_choice": OBJECT,
    "tools": items(_TOOL),
    "top_k": WHOLE,
    "top_p": NUMBER,
}
_USED = {"input_tokens": 50, "cache_read_input_tokens": 40, "cache_creation_input_tokens": 10}


class Anthropic:
    """Anthropic's own API; thinking that comes back has to be signed."""

    path = r"/v1/messages$"

    def schema(self) -> Mapping[str, Any]:
        more = {
            "model": TEXT,
            "stream": {"const": True},
            "service_tier": TEXT,
            "output_config": record((), effort={"enum": ["low", "medium", "high", "max", "xhigh"]}, format=ANY),
        }
        return record(("model", "messages", "max_tokens"), **FIELDS, **more)

    def more_problems(self, sent: Sent) -> Iterator[str]:
        """Yield what the API refuses beside unknown fields."""
        if not sent.headers.get("x-api-key") or "anthropic-version" not in sent.headers:
            yield "no key or version"
        yield from claude_problems(sent.body, "interleaved-thinking" in sent.headers.get("anthropic-beta", ""))

    def answer(self, said: Said, sent: Sent) -> Answer:
        return Answer(sse(*events(said), names=True))


def claude_problems(body: Mapping[str, Any], is_interleaved: bool) -> Iterator[str]:
    """Yield a budget that leaves no room, results that don't fit the calls, and answers with tools whose thinking is
    gone.
    """
    budget = body.get("thinking", {}).get("budget_tokens", 0)
    if budget and budget >= body.get("max_tokens", 0):
        yield "`max_tokens` must be greater than `thinking.budget_tokens`"
    if body.get("thinking", {}).get("type") in ("enabled", "adaptive") and body.get("temperature", 1) != 1:
        yield "`temperature` may only be set to 1 when thinking is enabled"
    if budget and body.get("tools") and not is_interleaved:
        yield "no interleaved thinking was asked for"
    asked: list[str] = []
    for message in body.get("messages", ()):
        parts = message["content"] if isinstance(message["content"], list) else []
        results = [part["tool_use_id"] for part in parts if part.get("type") == "tool_result"]
        if sorted(results) != sorted(asked):
            yield f"results of {results} where {asked} was called"
        asked = [part["id"] for part in parts if part.get("type") == "tool_use"]
        kinds = [part.get("type") for part in parts]
        if (
            asked
            and body.get("thinking", {}).get("type") == "enabled"
            and kinds[0] not in ("thinking", "redacted_thinking")
        ):
            yield "Expected `thinking` or `redacted_thinking`, but found `tool_use`"


def events(said: Said, stop_reason: str = "") -> Iterator[dict[str, Any]]:
    """Yield the events of a whole stream."""
    message = {"id": "msg_1", "type": "message", "role": "assistant", "model": "c", "content": [], "stop_reason": None}
    yield {"type": "message_start", "message": {**message, "usage": {**_USED, "output_tokens": 1}}}
    yield {"type": "ping"}
    index = 0
    if said.reasoning:
        deltas = [{"type": "thinking_delta", "thinking": piece} for piece in _pieces(said.reasoning)]
        signed = {"type": "signature_delta", "signature": said.mark}
        yield from block(index, {"type": "thinking", "thinking": "", "signature": ""}, *deltas, signed)
        index += 1
    if said.text:
        texts = [{"type": "text_delta", "text": piece} for piece in _pieces(said.text)]
        yield from block(index, {"type": "text", "text": ""}, *texts)
        index += 1
    for number, call in enumerate(said.calls):
        pieces = ["", *_pieces(json.dumps(call.arguments))]
        begun = {"type": "tool_use", "id": f"toolu_{said.mark[-4:]}{number}", "name": call.name, "input": {}}
        yield from block(index, begun, *({"type": "input_json_delta", "partial_json": each} for each in pieces))
        index += 1
    reason = stop_reason or ("tool_use" if said.calls else "end_turn")
    used = {**_USED, "output_tokens": 20}
    yield {"type": "message_delta", "delta": {"stop_reason": reason, "stop_sequence": None}, "usage": used}
    yield {"type": "message_stop"}


def block(index: int, begun: Mapping[str, Any], *deltas: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    yield {"type": "content_block_start", "index": index, "content_block": begun}
    for delta in deltas:
        yield {"type": "content_block_delta", "index": index, "delta": delta}
    yield {"type": "content_block_stop", "index": index}


def _pieces(text: str) -> list[str]:
    return [text[start : start + 7] for start in range(0, len(text), 7)]
