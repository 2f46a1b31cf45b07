"""Streams of the APIs made after OpenAI's chat completions, and of Ollama's."""

import json
from collections.abc import Iterator, Mapping
from typing import Any

from tests.real.wire.expected import BOTH, CUT, TWO, Broken, Whole
from tests.real.wire.families.ollama import KIND, lines
from tests.real.wire.families.openai_chat import OpenaiChat, chunk
from tests.real.wire.server import Answer, Said, sse

Shapes = Mapping[str, tuple[Answer, Whole | Broken]]


def chat_shapes(family: OpenaiChat) -> Shapes:
    ended = family.chunks(BOTH)
    return {
        "all": (chat_stream(*ended, "[DONE]"), Whole("Look.", TWO, "Hm.", "tool_calls")),
        "comments between": (
            Answer(b": PROCESSING\n\n" + sse(*ended[:4]) + b": PROCESSING\n\n" + sse(*ended[4:], "[DONE]")),
            Whole("Look.", TWO, "Hm.", "tool_calls"),
        ),
        "thoughts in tags": (
            chat_stream(*family.chunks(Said("<think>Hm.</think>\n\nIt is a plan.")), "[DONE]"),
            Whole("It is a plan.", (), "Hm."),
        ),
        "calls that are whole, with the end and the usage": (
            chat_stream(*ended[:1], _calls(*_whole_calls(), ends=True) | {"usage": dict(family.usage)}, "[DONE]"),
            Whole("", TWO, "", "tool_calls"),
        ),
        "calls that take turns": (
            chat_stream(*ended[:1], *map(_calls, _turns()), _calls(ends=True), "[DONE]"),
            Whole("", TWO, "", "tool_calls"),
        ),
        "calls without ids": (
            chat_stream(*ended[:1], _calls(*({**call, "id": None} for call in _whole_calls())), _calls(ends=True)),
            Whole("", TWO, "", "tool_calls"),
        ),
        "no [DONE]": (chat_stream(*ended), Whole("Look.", TWO, "Hm.", "tool_calls")),
        "no usage": (chat_stream(*ended[:-1], "[DONE]"), Whole("Look.", TWO, "Hm.", "tool_calls")),
        "cut at the limit": (_end(family, "length"), Whole("It is", (), "", "length")),
        "refused": (_end(family, "content_filter"), Whole("It is", (), "", "content_filter")),
        "torn": (chat_stream(*ended[:-2], "[DONE]"), CUT),
        "torn in a chunk": (Answer(sse(*ended)[:600]), CUT),
        "dropped": (Answer(sse(*ended)[:600], is_cut=True), CUT),
        "a network error": (_end(family, "network_error"), CUT),
        "no resources": (_end(family, "insufficient_system_resource"), CUT),
        "an error for its end": (_end(family, "error"), CUT),
        "an error in the stream": (
            chat_stream(*ended[:4], {"error": {"message": "The server is overloaded", "code": 503}}),
            Broken("MODEL_OVERLOADED"),
        ),
    }


def chat_stream(*chunks: Any) -> Answer:
    return Answer(sse(*chunks))


def _calls(*pieces: Mapping[str, Any], ends: bool = False) -> dict[str, Any]:
    delta = {"tool_calls": list(pieces)} if pieces else {}
    return chunk(delta, "tool_calls" if ends else None)


def _whole_calls() -> list[dict[str, Any]]:
    return [
        {
            "index": at,
            "id": f"idnumber{at}",
            "type": "function",
            "function": {"name": name, "arguments": json.dumps(told)},
        }
        for at, (name, told) in enumerate(TWO)
    ]


def _turns() -> Iterator[dict[str, Any]]:
    """Yield the beginnings of both calls, then the pieces of their arguments, now of one, now of the other."""
    for call in _whole_calls():
        yield {**call, "function": {**call["function"], "arguments": ""}}
    for start in range(0, 16, 4):
        for call in _whole_calls():
            yield {"index": call["index"], "function": {"arguments": call["function"]["arguments"][start : start + 4]}}


def _end(family: OpenaiChat, word: str) -> Answer:
    said = family.chunks(Said("It is"))
    said[-2]["choices"][0]["finish_reason"] = word
    return chat_stream(*said, "[DONE]")


def ollama_stream(*found: Mapping[str, Any]) -> Answer:
    return Answer("".join(f"{json.dumps(line)}\n" for line in found).encode(), KIND)


def ollama_shapes() -> Shapes:
    ended = lines(BOTH)
    calls = [line["message"]["tool_calls"] for line in ended if "tool_calls" in line["message"]]
    in_one = [line for line in ended if "tool_calls" not in line["message"]]
    in_one[-1] = in_one[-1] | {"message": {"role": "assistant", "content": "", "tool_calls": [*calls[0], *calls[1]]}}
    cut_off = lines(Said("It is"))
    cut_off[-1] = cut_off[-1] | {"done_reason": "length"}
    return {
        "all": (ollama_stream(*ended), Whole("Look.", TWO, "Hm.", "tool_calls")),
        "words": (ollama_stream(*lines(Said("Hello"))), Whole("Hello")),
        "calls with the end": (ollama_stream(*in_one), Whole("Look.", TWO, "Hm.", "tool_calls")),
        "thoughts in tags": (
            ollama_stream(*lines(Said("<think>Hm.</think>\n\nIt is a plan."))),
            Whole("It is a plan.", (), "Hm."),
        ),
        "cut at the limit": (ollama_stream(*cut_off), Whole("It is", (), "", "length")),
        "torn": (ollama_stream(*ended[:-1]), CUT),
        "torn in a line": (Answer(ollama_stream(*ended).body[:300], KIND), CUT),
        "dropped": (Answer(ollama_stream(*ended).body[:300], KIND, is_cut=True), CUT),
        "an error in the stream": (
            ollama_stream(*ended[:2], {"error": "an error was encountered while running the model: out of memory"}),
            Broken("MODEL_STREAM_BROKEN", says="out of memory"),
        ),
        "no such model": (
            Answer(b'{"error":"model \'gpt-oss:20b\' not found"}', "application/json", 404),
            Broken("MODEL_UNKNOWN", False, "not found"),
        ),
    }
