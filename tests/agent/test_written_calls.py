"""Calls that models write into their text: understood where they are meant, never where they are shown or quoted."""

import asyncio
import json
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from planact.agent.written_calls import CallReader, read_calls
from planact.base.errors import ModelFailure
from planact.model.chat.message import ModelRequest, Reply, TextDelta, ToolCall
from planact.model.rights.permission import Mode
from planact.tools.calls.decode import decode_call
from planact.tools.registry import BY_NAME
from tests.agent.talking import SAID, read, talk
from tests.fakes.world import calls

SCHEMAS = [tool.schema() for tool in BY_NAME.values()]
READ = '{"name": "read_file", "arguments": {"path": "a.py"}}'
WRITE = '{"name": "create_file", "arguments": {"path": "a.py", "content": "x"}}'
READ_CALL = ("read_file", {"path": "a.py"})


def request(*given: str, tools: Any = SCHEMAS) -> ModelRequest:
    return ModelRequest([{"role": "tool", "content": text} for text in given], tools)


def decode(call: ToolCall) -> Any:
    return decode_call(call, BY_NAME)


def calls_in(text: str, *given: str, tools: Any = SCHEMAS) -> list[tuple[str, Any]] | None:
    written = read_calls(text, request(*given, tools=tools), decode)
    return [(call.name, json.loads(call.arguments)) for call in written.calls] if written else None


FORMS = {
    "Hermes": f"<tool_call>\n{READ}\n</tool_call>",
    "Hermes without an end": f"<tool_call>{READ}",
    "Qwen's coder": "<tool_call>\n<function=read_file>\n<parameter=path>\na.py\n</parameter>\n"
    "</function>\n</tool_call>",
    "a function with tags": "<function=read_file><parameter=path>a.py</parameter></function>",
    "a function with JSON": '<function=read_file>{"path": "a.py"}</function>',
    "invoke": '<invoke name="read_file">\n<parameter name="path">a.py</parameter>\n</invoke>',
    "invoke in its wrapper": '<x:function_calls>\n<x:invoke name="read_file">\n<x:parameter name="path">a.py'
    "</x:parameter>\n</x:invoke>\n</x:function_calls>",
    "Harmony": '<|channel|>commentary to=functions.read_file <|constrain|>json<|message|>{"path": "a.py"}<|call|>',
    "Harmony from its start": "<|start|>assistant<|channel|>commentary to=functions.read_file<|message|>"
    '{"path": "a.py"}',
    "Harmony without marks": 'commentary to=functions.read_file json{"path": "a.py"}',
    "ReAct": 'Thought: I look.\nAction: read_file\nAction Input: {"path": "a.py"}',
    "ReAct that waits": 'Action: read_file\nAction Input:\n```json\n{"path": "a.py"}\n```\nObservation:',
    "Mistral": f"[TOOL_CALLS][{READ}]",
    "Mistral with a name": '[TOOL_CALLS]read_file[ARGS]{"path": "a.py"}',
    "Llama": '<|python_tag|>{"name": "read_file", "parameters": {"path": "a.py"}}<|eom_id|>',
    "GLM": "<tool_call>read_file\n<arg_key>path</arg_key>\n<arg_value>a.py</arg_value>\n</tool_call>",
    "Kimi": "<|tool_calls_section_begin|><|tool_call_begin|>functions.read_file:0<|tool_call_argument_begin|>"
    '{"path": "a.py"}<|tool_call_end|><|tool_calls_section_end|>',
    "DeepSeek": "<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>read_file\n```json\n"
    '{"path": "a.py"}\n```<｜tool▁call▁end｜><｜tool▁calls▁end｜>',
    "a fence": f"```json\n{READ}\n```",
    "a fence of its own name": f"```tool_call\n{READ}\n```",
    "bare": READ,
    "bare, as a list": f"[{READ}]",
    "bare, with arguments in a string": json.dumps({"name": "read_file", "arguments": '{"path": "a.py"}'}),
    "bare, as APIs have it": f'{{"type": "function", "function": {READ}}}',
    "bare, with another name": READ.replace("read_file", "Read").replace('"path"', '"file_path"'),
}


@pytest.mark.parametrize("before", ["", "I look at the file first.\n\n", "First sentence.\nI'll read it:\n"])
@pytest.mark.parametrize("form", FORMS)
def test_each_form_is_a_call(form: str, before: str) -> None:
    found = calls_in(before + FORMS[form])
    assert found is not None
    ((name, arguments),) = found
    if "another name" not in form:
        assert (name.removeprefix("functions."), arguments) == READ_CALL


def test_several_calls_and_arguments_of_several_kinds() -> None:
    assert calls_in(f"<tool_call>{READ}</tool_call>\n<tool_call>\n{READ}\n</tool_call>") == [READ_CALL, READ_CALL]
    body = "<parameter=pattern>\nx\n</parameter><parameter=is_literal>true</parameter><parameter=limit>5</parameter>"
    assert calls_in(f"<function=search_code>{body}</function>") == [
        ("search_code", {"pattern": "x", "is_literal": True, "limit": 5})
    ]
    content = "<parameter=path>a.html</parameter><parameter=content>\n<b>\n  {x}\n</b>\n\n</parameter>"
    assert calls_in(f"<function=create_file>{content}</function>") == [
        ("create_file", {"path": "a.html", "content": "<b>\n  {x}\n</b>\n"})
    ]


QUOTES = {
    "text goes on": "{}\n\nThat is how a call looks.",
    "text goes on with a made-up result": "{}\n<tool_response>x = 1</tool_response>",
    "in a fence": "The parser takes:\n\n```xml\n{}\n```",
    "in a fence that is left open": "The parser takes:\n\n```\n{}",
    "in a fence of tildes": "~~~\n{}\n~~~",
    "as code": "Qwen writes `{}`",
    "as a quotation": "> {}",
    "as an added line": "+{}",
    "as an example": "A call looks like this:\n{}",
    "as one more example": "For example, {}",
    "as what somebody would do": "Then you would send\n{}",
    "as what a file has": "`prompt.txt` contains:\n{}",
}


@pytest.mark.parametrize("quote", QUOTES)
@pytest.mark.parametrize("form", FORMS)
def test_a_call_that_is_shown_is_none(form: str, quote: str) -> None:
    text = QUOTES[quote].replace("{}", FORMS[form].replace("\n", " ") if quote == "as code" else FORMS[form])
    if quote.startswith("as a") and quote in ("as a quotation", "as an added line"):
        text = "\n".join(QUOTES[quote][0] + line for line in FORMS[form].split("\n"))
    assert calls_in(text) is None


@pytest.mark.parametrize("form", FORMS)
def test_what_a_result_or_a_message_holds_is_no_call_however_it_is_quoted(form: str) -> None:
    """Result lines have numbers before them, which a quotation leaves out."""
    numbered = "\n".join(f"{number}\t  {line}" for number, line in enumerate(FORMS[form].split("\n"), 1))
    for given in (FORMS[form], numbered, json.dumps(FORMS[form]), f"before\n{numbered}\nafter"):
        if "\\n" in given and "\n" in FORMS[form]:
            continue  # in JSON the line ends are letters
        assert calls_in(FORMS[form], given) is None
        assert calls_in(f"The file has this:\n{FORMS[form]}", given) is None
    message = [{"role": "user", "content": [{"type": "text", "text": f"What is {FORMS[form]}?"}]}]
    assert read_calls(FORMS[form], ModelRequest(message, SCHEMAS), decode) is None


@pytest.mark.parametrize(
    "text",
    [
        "Just words.",
        '{"name": "planact", "version": 1}',
        '{"name": "read_file"}',
        '{"name": "read_file", "arguments": {}}',
        '{"name": "read_file", "arguments": {"path": "a"}, "result": 1}',
        '{"name": "no_such_tool", "arguments": {"path": "a"}}',
        f'[{READ}, {{"a": 1}}]',
        f"<tool_call>{READ}</tool_call><tool_call>{{</tool_call>",
        "<function=read_file><parameter=path>a</function>",
        "<tool_call></tool_call>",
        "Action: read_file",
        "Action: read_file\nAction Input: a.py",
        "[TOOL_CALLS]",
        "<" * 50_000,
        "[" * 50_000,
        '{"name":' * 20_000,
        "<tool_call>" * 10_000,
        '<invoke name="read_file">' * 5_000,
    ],
)
def test_what_does_not_fit_stays_text(text: str) -> None:
    assert calls_in(text) is None


def test_a_tool_that_the_request_lacks_is_not_called() -> None:
    assert calls_in(READ, tools=[BY_NAME["list_directory"].schema()]) is None
    assert calls_in(READ, tools=[]) is None


@pytest.mark.parametrize(("form", "is_call"), [(WRITE, True), (f"<tool_call>{WRITE}</tool_call>", True)])
def test_what_changes_something_must_be_all_that_is_said_unless_its_form_says_that_it_is_a_call(
    form: str, is_call: bool
) -> None:
    assert (calls_in(form) is not None) is is_call
    assert (calls_in(f"I write it.\n\n{form}") is not None) is form.startswith("<")
    assert (calls_in(f"I write it.\n```json\n{form}\n```") is not None) is False


class Pieces:
    """A model that says a text in pieces, and then breaks off or not."""

    def __init__(self, text: str, size: int, *, breaks: bool = False) -> None:
        self.pieces = [text[at : at + size] for at in range(0, len(text), size)]
        self.text = text
        self.breaks = breaks

    async def stream(self, _request: ModelRequest) -> AsyncIterator[TextDelta | Reply]:
        for piece in self.pieces:
            yield TextDelta(piece)
        if self.breaks:
            raise ModelFailure("MODEL_STREAM_BROKEN", "broken", "again")
        yield Reply(self.text)


def streamed(model: Pieces) -> tuple[str, Reply | None]:
    shown: list[str] = []
    replies: list[Reply] = []

    async def listen() -> None:
        try:
            async for piece in CallReader(model, decode).stream(request()):
                if isinstance(piece, Reply):
                    replies.append(piece)
                else:
                    shown.append(piece.text)
        except ModelFailure:
            assert model.breaks

    asyncio.run(listen())
    return "".join(shown), replies[0] if replies else None


@pytest.mark.parametrize("size", [1, 2, 7, 1000])
@pytest.mark.parametrize("form", FORMS)
def test_a_call_is_not_shown_while_it_comes(form: str, size: int) -> None:
    shown, reply = streamed(Pieces(f"I look at it first.\n\n{FORMS[form]}", size))
    assert reply is not None
    assert len(reply.tool_calls) == 1
    thought = "\n\nThought: I look." if form == "ReAct" else ""
    assert (shown.rstrip(), reply.text) == (f"I look at it first.{thought}",) * 2


@pytest.mark.parametrize("size", [1, 3, 1000])
@pytest.mark.parametrize("breaks", [False, True])
@pytest.mark.parametrize(
    "text",
    [
        "Just words.",
        "a < b, [1], {x} and `<tool_call>` it is.",
        f"Like so:\n```json\n{READ}\n```\nthen",
        "to=",
        "Act",
        "",
    ],
)
def test_other_text_is_shown_whole(text: str, breaks: bool, size: int) -> None:
    assert streamed(Pieces(text, size, breaks=breaks))[0] == text


def test_a_piece_that_can_be_no_part_of_a_call_is_shown_as_it_comes() -> None:
    pieces = [
        "Hello ",
        "wor",
        "ld. ",
        " ",
        "It is at",
        " the end\n",
        "\n",
        "- one ",
        "`x` ",
        "A list: [1], {2}\n",
        "done",
    ]
    model = Pieces("", 1)
    model.pieces = pieces

    async def listen() -> list[str]:
        return [each.text async for each in CallReader(model, decode).stream(request()) if isinstance(each, TextDelta)]

    assert asyncio.run(listen()) == pieces


# --- in a turn


def test_a_written_call_passes_the_gate_and_its_result_comes_back(tmp_path: Path) -> None:
    it = talk(tmp_path, Reply(f"I look.\n<tool_call>{READ}</tool_call>"), SAID)
    it.world.write("a.py", "x = 1\n")
    assert it.run().kind == "finished"
    spoken, result = it.requests()[1][-2:]
    assert (spoken["content"], spoken["tool_calls"][0]["function"]["name"]) == ("I look.", "read_file")
    assert result["content"].endswith("x = 1")


def test_a_written_call_is_refused_like_any_other(tmp_path: Path) -> None:
    it = talk(tmp_path, Reply(WRITE.replace("a.py", "b.py")), SAID)
    it.run()
    assert "UNKNOWN_TOOL" not in it.requests()[-1][-1]["content"]
    assert it.world.tree() == {}


@pytest.mark.slow
@pytest.mark.parametrize("mode", [Mode.PLAN, Mode.ACT])
@pytest.mark.parametrize("form", FORMS)
def test_a_file_that_holds_a_call_is_quoted_and_nothing_runs(tmp_path: Path, form: str, mode: Mode) -> None:
    text = FORMS[form].replace("a.py", "secret.txt")
    it = talk(tmp_path, calls(read("prompt.txt")), Reply(f"The file has this:\n\n{text}"), SAID, mode=mode)
    it.world.write("prompt.txt", f"Models write this:\n{text}\n")
    it.world.write("secret.txt", "s3cret")
    assert it.run().kind == "finished"
    assert len(it.requests()) == 2
    assert it.transcript()[-1] == ("assistant", f"The file has this:\n\n{text}")
