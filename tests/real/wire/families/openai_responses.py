"""OpenAI's responses. Source: platform.openai.com/docs/api-reference/responses, and its guide to reasoning."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
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

_WORDS = record(("type", "text"), type={"const": "input_text"}, text=TEXT)
_PICTURE = record(("type", "image_url"), type={"const": "input_image"}, image_url=TEXT, detail=TEXT, file_id=TEXT)
_SAID = record(("type", "text"), type={"const": "output_text"}, text=TEXT, annotations=items(ANY), logprobs=items(ANY))
_REFUSED = record(("type", "refusal"), type={"const": "refusal"}, refusal=TEXT)
_SUMMARY = record(("type", "text"), type={"const": "summary_text"}, text=TEXT)
_ITEM = either(
    record(
        ("role", "content"),
        type={"const": "message"},
        role={"enum": ["user", "system", "developer"]},
        content=either(TEXT, items(either(_WORDS, _PICTURE))),
    ),
    record(
        ("role", "content"),
        type={"const": "message"},
        role={"const": "assistant"},
        content=either(TEXT, items(either(_SAID, _REFUSED))),
        id=TEXT,
        status=TEXT,
    ),
    record(
        ("type", "call_id", "name", "arguments"),
        type={"const": "function_call"},
        call_id=TEXT,
        name=TEXT,
        arguments=TEXT,
        id=TEXT,
        status={"enum": ["in_progress", "completed", "incomplete"]},
    ),
    record(
        ("type", "call_id", "output"),
        type={"const": "function_call_output"},
        call_id=TEXT,
        output=either(TEXT, items(either(_WORDS, _PICTURE))),
        id=TEXT,
        status=TEXT,
    ),
    record(
        ("type", "summary"),
        type={"const": "reasoning"},
        id=TEXT,
        summary=items(_SUMMARY),
        encrypted_content=TEXT,
        content=items(ANY),
        status=TEXT,
    ),
)
_TOOL = record(
    ("type", "name", "parameters"),
    type={"const": "function"},
    name=TEXT,
    description=TEXT,
    parameters=OBJECT,
    strict=either(FLAG, {"type": "null"}),
)
USAGE = {
    "input_tokens": 100,
    "input_tokens_details": {"cached_tokens": 40},
    "output_tokens": 20,
    "output_tokens_details": {"reasoning_tokens": 5},
    "total_tokens": 120,
}


@dataclass(frozen=True)
class OpenaiResponses:
    """The API that carries reasoning from call to call."""

    path: str = r"/v1/responses$"

    def schema(self) -> Mapping[str, Any]:
        return record(
            ("model", "input"),
            model=TEXT,
            input=items(_ITEM, minItems=1),
            instructions=TEXT,
            include=items({"enum": ["reasoning.encrypted_content"]}),
            store=FLAG,
            stream={"const": True},
            stream_options=record((), include_obfuscation=FLAG),
            max_output_tokens=WHOLE,
            metadata=OBJECT,
            parallel_tool_calls=FLAG,
            previous_response_id=TEXT,
            prompt_cache_key={"type": "string", "maxLength": 64},
            reasoning=record(
                (),
                effort={"enum": ["none", "minimal", "low", "medium", "high", "xhigh"]},
                summary={"enum": ["auto", "concise", "detailed"]},
            ),
            service_tier=TEXT,
            temperature=NUMBER,
            text=OBJECT,
            tool_choice=ANY,
            tools=items(_TOOL),
            top_p=NUMBER,
            truncation=TEXT,
            user=TEXT,
        )

    def more_problems(self, sent: Sent) -> Iterator[str]:
        """Yield what isn't found where nothing is stored, and calls and results that don't belong together."""
        if not (sent.headers.get("authorization") or sent.headers.get("api-key")):
            yield "no key"
        if sent.body.get("store") is not False:
            yield "the conversation would be stored"
        asked: list[str] = []
        for item in sent.body.get("input", ()):
            if item.get("type") == "reasoning" and (item.get("id") or not item.get("encrypted_content")):
                yield f"Item with id {item.get('id')} not found. Items are not persisted when `store` is set to false"
            if item.get("type") == "function_call":
                asked.append(item["call_id"])
            if item.get("type") == "function_call_output":
                if item["call_id"] not in asked:
                    yield f"No tool call found for function call output with call_id {item['call_id']}"
                else:
                    asked.remove(item["call_id"])
        if asked:
            yield f"No tool output found for function call {asked}"

    def answer(self, said: Said, sent: Sent) -> Answer:
        return Answer(sse(*events(said), names=True))


def events(said: Said) -> list[dict[str, Any]]:
    """Return the events of a whole stream."""
    found: list[dict[str, Any]] = [
        {"type": "response.created", "response": {**_RESPONSE, "status": "in_progress", "output": []}},
        {"type": "response.in_progress", "response": {**_RESPONSE, "status": "in_progress", "output": []}},
    ]
    output: list[dict[str, Any]] = []
    if said.reasoning:
        found += _reasoning(said, output)
    if said.text:
        found += _text(said, output)
    for number in range(len(said.calls)):
        found += _call(said, number, output)
    done = {**_RESPONSE, "status": "completed", "output": output, "usage": USAGE}
    numbered = [*found, {"type": "response.completed", "response": done}]
    return [{**event, "sequence_number": number} for number, event in enumerate(numbered)]


_RESPONSE: dict[str, Any] = {
    "id": "resp_1",
    "object": "response",
    "created_at": 1,
    "model": "m",
    "error": None,
    "incomplete_details": None,
    "instructions": None,
    "metadata": {},
    "parallel_tool_calls": True,
    "temperature": 1.0,
    "tool_choice": "auto",
    "tools": [],
    "top_p": 1.0,
}


def _reasoning(said: Said, output: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    at, item = len(output), {"id": f"rs_{said.mark[-4:]}", "type": "reasoning", "summary": []}
    yield {"type": "response.output_item.added", "output_index": at, "item": {**item, "encrypted_content": "early"}}
    where = {"item_id": item["id"], "output_index": at, "summary_index": 0}
    for piece in _pieces(said.reasoning):
        yield {"type": "response.reasoning_summary_text.delta", **where, "delta": piece}
    yield {"type": "response.reasoning_summary_text.done", **where, "text": said.reasoning}
    done = {**item, "summary": [{"type": "summary_text", "text": said.reasoning}], "encrypted_content": said.mark}
    output.append(done)
    yield {"type": "response.output_item.done", "output_index": at, "item": done}


def _text(said: Said, output: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    at = len(output)
    item = {"id": f"msg_{said.mark}", "type": "message", "role": "assistant", "status": "in_progress", "content": []}
    yield {"type": "response.output_item.added", "output_index": at, "item": item}
    where = {"item_id": item["id"], "output_index": at, "content_index": 0}
    part = {"type": "output_text", "text": "", "annotations": []}
    yield {"type": "response.content_part.added", **where, "part": part}
    for piece in _pieces(said.text):
        yield {"type": "response.output_text.delta", **where, "delta": piece}
    yield {"type": "response.output_text.done", **where, "text": said.text}
    done = {**item, "status": "completed", "content": [{**part, "text": said.text}]}
    output.append(done)
    yield {"type": "response.output_item.done", "output_index": at, "item": done}


def _call(said: Said, number: int, output: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    at, call, key = len(output), said.calls[number], f"{said.mark[-4:]}{number}"
    item = {"id": f"fc_{key}", "type": "function_call", "call_id": f"call_{key}", "name": call.name}
    begun = {**item, "arguments": "", "status": "in_progress"}
    yield {"type": "response.output_item.added", "output_index": at, "item": begun}
    arguments = json.dumps(call.arguments)
    where = {"item_id": item["id"], "output_index": at}
    for piece in _pieces(arguments):
        yield {"type": "response.function_call_arguments.delta", **where, "delta": piece}
    yield {"type": "response.function_call_arguments.done", **where, "arguments": arguments}
    done = {**item, "arguments": arguments, "status": "completed"}
    output.append(done)
    yield {"type": "response.output_item.done", "output_index": at, "item": done}


def _pieces(text: str) -> list[str]:
    return [text[start : start + 7] for start in range(0, len(text), 7)]
