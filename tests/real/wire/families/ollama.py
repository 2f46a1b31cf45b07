"""Ollama's `/api/chat`. Source: docs.ollama.com/api/chat."""

import json
from collections.abc import Iterator, Mapping
from typing import Any

from tests.real.wire.server import ANY, FLAG, NUMBER, OBJECT, TEXT, WHOLE, Answer, Said, Sent, either, items, record

_CALL = record(
    ("function",), id=TEXT, type=TEXT, function=record(("name", "arguments"), name=TEXT, arguments=OBJECT, index=WHOLE)
)
KIND = "application/x-ndjson"
_OPTIONS = ("num_ctx", "num_predict", "temperature", "top_p", "top_k", "min_p", "seed", "repeat_penalty")


class Ollama:
    """A server of the user's own; arguments of calls are objects, and pictures plain base64."""

    path = r"/api/chat$"

    def schema(self) -> Mapping[str, Any]:
        message = record(
            ("role", "content"),
            role={"enum": ["system", "user", "assistant", "tool"]},
            content=TEXT,
            thinking=TEXT,
            images=items({"type": "string", "pattern": "^[A-Za-z0-9+/=]+$"}),
            tool_calls=items(_CALL),
            tool_name=TEXT,
            tool_call_id=TEXT,
        )
        tool = record(
            ("type", "function"),
            type={"const": "function"},
            function=record(("name",), name=TEXT, description=TEXT, parameters=OBJECT),
        )
        return record(
            ("model", "messages"),
            model=TEXT,
            messages=items(message),
            tools=items(tool),
            format=ANY,
            options=record((), stop=ANY, **dict.fromkeys(_OPTIONS, NUMBER)),
            stream={"const": True},
            think=either(FLAG, {"enum": ["low", "medium", "high"]}),
            keep_alive=ANY,
        )

    def more_problems(self, sent: Sent) -> Iterator[str]:
        yield from ()

    def answer(self, said: Said, sent: Sent) -> Answer:
        return Answer("".join(json.dumps(line) + "\n" for line in lines(said)).encode(), KIND)


def lines(said: Said) -> list[dict[str, Any]]:
    """Return the lines of a whole stream."""
    messages: list[dict[str, Any]] = [{"thinking": said.reasoning, "content": ""}] if said.reasoning else []
    messages += [{"content": said.text[start : start + 7]} for start in range(0, len(said.text), 7)]
    for call in said.calls:
        function = {"name": call.name, "arguments": call.arguments}
        messages.append({"content": "", "tool_calls": [{"function": function}]})
    end = {"done": True, "done_reason": "stop", "prompt_eval_count": 100, "eval_count": 20}
    found = [_line({"role": "assistant", **message}) for message in messages]
    return [*found, _line({"role": "assistant", "content": ""}) | end]


def _line(message: Mapping[str, Any]) -> dict[str, Any]:
    return {"model": "m", "created_at": "2026-01-01T00:00:00Z", "message": message, "done": False}
