"""Tool calls in words, for models that can't make any."""

import json
from typing import Any

import pytest

from planact.adapters.llm.text_calls import TextCalls, tools_as_text
from planact.model.chat.message import ModelRequest, Reply, TextDelta, ToolCall

TOOL = {
    "type": "function",
    "function": {"name": "read_file", "description": "reads a file", "parameters": {"type": "object"}},
}
CALL = '```tool_call\n{"tool": "read_file", "arguments": {"path": "a"}}\n```'
READ_A = ToolCall(id="c_0", name="read_file", arguments='{"path": "a"}')


def calls_in(text: str) -> tuple[str, tuple[ToolCall, ...]]:
    reply = TextCalls("c").reply(Reply(text))
    return reply.text, reply.tool_calls


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("Just text.", ("Just text.", ()), id="text"),
        pytest.param(f"I look.\n{CALL}", ("I look.", (READ_A,)), id="behind text"),
        pytest.param(f"{CALL}\n{CALL}", ("", (READ_A, READ_A.model_copy(update={"id": "c_1"}))), id="two"),
        pytest.param(
            f"{CALL}\nResult of read_file:\nmade up\n{CALL}", ("", (READ_A,)), id="what is made up is no call"
        ),
        pytest.param(CALL.removesuffix("\n```"), ("", (READ_A,)), id="the end of the block is missing"),
        pytest.param(CALL.replace("tool_call", "json"), ("", (READ_A,)), id="called JSON"),
        pytest.param('{"tool": "read_file", "arguments": {"path": "a"}}', ("", (READ_A,)), id="without a block"),
        pytest.param('{"tools": 1}', ('{"tools": 1}', ()), id="JSON that is no call"),
        pytest.param("Write ```python\nx\n``` so.", ("Write ```python\nx\n``` so.", ()), id="code"),
        pytest.param(
            '```tool_call\n{"tool": "read_file", "argum',
            ("", (ToolCall(id="c_0", name="read_file", arguments='{"tool": "read_file", "argum'),)),
            id="broken JSON is a call that fails",
        ),
        pytest.param(
            "```tool_call\nread a\n```", ("", (ToolCall(id="c_0", name="", arguments="read a"),)), id="no JSON at all"
        ),
    ],
)
def test_calls_are_read_from_the_end_of_a_text(text: str, expected: Any) -> None:
    assert calls_in(text) == expected


@pytest.mark.parametrize("size", [1, 3, 7, 1000])
@pytest.mark.parametrize(("text", "shown"), [(f"I look.\n{CALL}", "I look.\n"), ("a ``` b ```tool", "a ``` b ```tool")])
def test_what_is_shown_ends_before_the_first_call(text: str, shown: str, size: int) -> None:
    calls = TextCalls("c")
    pieces = [text[at : at + size] for at in range(0, len(text), size)]
    seen = [delta.text for piece in pieces for delta in calls.show(TextDelta(piece))]
    assert "".join([*seen, *(delta.text for delta in calls.rest())]) == shown


def test_a_conversation_with_calls_is_put_in_words() -> None:
    function = {"name": "read_file", "arguments": '{"path": "a"}'}
    request = ModelRequest(
        [
            {"role": "system", "content": "Be brief."},
            {"role": "user", "content": "Read a."},
            {
                "role": "assistant",
                "content": "I look.",
                "tool_calls": [{"id": "1", "type": "function", "function": function}],
            },
            {"role": "tool", "tool_call_id": "1", "content": "text of a"},
            {"role": "user", "content": "And?"},
        ],
        [TOOL],
    )
    words = tools_as_text(request)
    system, *rest = words.messages
    assert words.tools == ()
    assert system["content"].startswith("Be brief.\n\n## Tools")
    assert f"- read_file: reads a file\n  {json.dumps(TOOL['function']['parameters'])}" in system["content"]  # type: ignore[index]
    assert rest == [
        {"role": "user", "content": "Read a."},
        {"role": "assistant", "content": f"I look.\n{CALL}"},
        {"role": "user", "content": "Result of read_file:\ntext of a\n\nAnd?"},
    ]
