"""OpenAI's chat completions, and the APIs made after it with fields of their own.

Sources: platform.openai.com/docs/api-reference/chat/create, and the references of the providers.
"""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
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

USAGE = {
    "prompt_tokens": 100,
    "completion_tokens": 20,
    "total_tokens": 120,
    "prompt_tokens_details": {"cached_tokens": 40},
    "completion_tokens_details": {"reasoning_tokens": 5},
}
_CALL = record(
    ("id", "type", "function"),
    id={"type": "string", "minLength": 1, "maxLength": 64},
    type={"const": "function"},
    function=record(("name", "arguments"), name=TEXT, arguments=TEXT),
)
_TOOL = record(
    ("type", "function"),
    type={"const": "function"},
    function=record(("name",), name=TEXT, description=TEXT, parameters=OBJECT, strict=FLAG),
)
_NUMBERS = ("frequency_penalty", "presence_penalty", "temperature", "top_p")
_COMMON = {
    "model": TEXT,
    "stream": {"const": True},
    "tools": items(_TOOL),
    "tool_choice": ANY,
    "max_tokens": WHOLE,
    "stop": ANY,
    "response_format": OBJECT,
    "seed": WHOLE,
    "n": WHOLE,
    "user": TEXT,
    **dict.fromkeys(_NUMBERS, NUMBER),
}
STREAMS = {"stream_options": record((), include_usage=FLAG)}
OPENAI = {
    **STREAMS,
    "max_completion_tokens": WHOLE,
    "reasoning_effort": {"enum": ["none", "minimal", "low", "medium", "high", "xhigh"]},
    "parallel_tool_calls": FLAG,
    "prompt_cache_key": TEXT,
    "service_tier": TEXT,
    "store": FLAG,
    "verbosity": TEXT,
    "logit_bias": OBJECT,
    "logprobs": FLAG,
    "top_logprobs": WHOLE,
    "metadata": OBJECT,
}
THINKING = {"thinking": record(("type",), type={"enum": ["enabled", "disabled"]})}


@dataclass(frozen=True)
class OpenaiChat:
    """A dialect. `fields` are those of a request beside the common ones, `of_answers` those of the model's messages,
    `of_parts` those of a part of text. `reasoning_field` is where the model's reasoning stands in answers.
    """

    path: str = r"/v1/chat/completions$"
    fields: Mapping[str, Any] = field(default_factory=lambda: OPENAI)
    of_answers: Mapping[str, Any] = field(default_factory=dict)
    of_parts: Mapping[str, Any] = field(default_factory=dict)
    reasoning_field: str = "reasoning_content"
    id_length: int = 0
    signs: bool = False
    usage: Mapping[str, Any] = field(default_factory=lambda: USAGE)
    usage_with_end: bool = False

    def schema(self) -> Mapping[str, Any]:
        text = record(("type", "text"), type={"const": "text"}, text=TEXT, **self.of_parts)
        image = record(("url",), url={"type": "string", "pattern": "^(data:image/|https://)"}, detail=TEXT)
        picture = record(("type", "image_url"), type={"const": "image_url"}, image_url=image, **self.of_parts)
        texts = either({"type": "string"}, items(text, minItems=1))
        user = either({"type": "string"}, items(either(text, picture), minItems=1))
        answer = record(
            ("role",),
            role={"const": "assistant"},
            content=either({"type": "null"}, texts),
            tool_calls=items(_CALL, minItems=1),
            **self.of_answers,
        )
        messages = either(
            record(("role", "content"), role={"enum": ["system", "developer"]}, content=texts),
            record(("role", "content"), role={"const": "user"}, content=user),
            answer,
            record(("role", "content", "tool_call_id"), role={"const": "tool"}, content=texts, tool_call_id=TEXT),
        )
        return record(("model", "messages"), messages=items(messages, minItems=1), **_COMMON, **self.fields)

    def more_problems(self, sent: Sent) -> Iterator[str]:
        """Yield calls and results that don't belong together, and ids of another form."""
        if not sent.headers.get("authorization", sent.headers.get("api-key", "")):
            yield "no key"
        if "max_tokens" in sent.body and "max_completion_tokens" in sent.body:
            yield "both limits"
        asked: list[str] = []
        for message in sent.body.get("messages", ()):
            if message["role"] == "tool":
                if message["tool_call_id"] not in asked:
                    yield f"a result without its call: {message['tool_call_id']}"
                else:
                    asked.remove(message["tool_call_id"])
                continue
            if asked:
                yield f"calls without a result: {asked}"
            asked = [call["id"] for call in message.get("tool_calls") or ()]
            for call in message.get("tool_calls") or ():
                json.loads(call["function"]["arguments"])
                if self.id_length and not re.fullmatch(rf"[a-zA-Z0-9]{{{self.id_length}}}", call["id"]):
                    yield f"an id of another form: {call['id']}"

    def answer(self, said: Said, sent: Sent) -> Answer:
        return Answer(sse(*self.chunks(said), "[DONE]"))

    def chunks(self, said: Said) -> list[dict[str, Any]]:
        """Return the chunks of a stream to its end."""
        deltas: list[dict[str, Any]] = [{"role": "assistant", "content": ""}]
        for piece in _pieces(said.reasoning):
            details = {"type": "reasoning.text", "text": piece, "format": "anthropic-claude-v1", "index": 0}
            deltas.append({self.reasoning_field: piece, **({"reasoning_details": [details]} if self.signs else {})})
        if self.signs and said.reasoning:
            signed = {"type": "reasoning.text", "signature": said.mark, "format": "anthropic-claude-v1", "index": 0}
            deltas.append({"content": "", "reasoning_details": [signed]})
        deltas += [{"content": piece} for piece in _pieces(said.text)]
        deltas += list(self.call_deltas(said))
        end = chunk({}, "tool_calls" if said.calls else "stop")
        found = [chunk(delta) for delta in deltas]
        if self.usage_with_end:
            return [*found, end | {"usage": dict(self.usage)}]
        return [*found, end, chunk(None) | {"usage": dict(self.usage)}]

    def call_deltas(self, said: Said) -> Iterator[dict[str, Any]]:
        """Yield the calls, each in pieces after its name."""
        for number, call in enumerate(said.calls):
            call_id = f"call{said.mark[-4:]}{number}"
            function = {"name": call.name, "arguments": ""}
            yield {"tool_calls": [{"index": number, "id": call_id, "type": "function", "function": function}]}
            for piece in _pieces(json.dumps(call.arguments)):
                yield {"tool_calls": [{"index": number, "function": {"arguments": piece}}]}


def chunk(delta: Mapping[str, Any] | None, finish_reason: str | None = None) -> dict[str, Any]:
    choices: Sequence[Any] = [] if delta is None else [{"index": 0, "delta": delta, "finish_reason": finish_reason}]
    return {"id": "chatcmpl-1", "object": "chat.completion.chunk", "created": 1, "model": "m", "choices": choices}


def _pieces(text: str) -> list[str]:
    return [text[start : start + 7] for start in range(0, len(text), 7)]
