"""Scripted models: what they answer follows from the request and the file, nothing else."""

import asyncio
import json
import textwrap
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from planact.adapters.llm import script as script_module
from planact.adapters.llm.scripted import ScriptedModel
from planact.base.errors import InvalidInput, ModelFailure
from planact.model.chat.message import ModelRequest, Reply, TextDelta, ToolCall, Usage

Message = dict[str, Any]


def system(text: str) -> Message:
    return {"role": "system", "content": text}


def user(text: str) -> Message:
    return {"role": "user", "content": text}


def called(*calls: tuple[str, str]) -> Message:
    """An assistant message with calls, each given as id and tool."""
    functions = [{"id": i, "type": "function", "function": {"name": tool, "arguments": "{}"}} for i, tool in calls]
    return {"role": "assistant", "content": "", "tool_calls": functions}


def result(id: str, text: str) -> Message:
    return {"role": "tool", "tool_call_id": id, "content": text}


PLAN = system("You are planact.\nYou are in PLAN mode.\n")
ACT = system("You are in ACT mode.")


def written(folder: Path, script: str) -> ScriptedModel:
    path = folder / "script.yaml"
    path.write_text(textwrap.dedent(script), "utf-8")
    return ScriptedModel.load(path)


async def play(model: ScriptedModel, *messages: Message, tools: Sequence[Message] = ()) -> Reply:
    items = [item async for item in model.stream(ModelRequest(messages, tools))]
    *deltas, reply = items
    assert isinstance(reply, Reply)
    texts = [delta for delta in deltas if isinstance(delta, TextDelta)]
    assert "".join(delta.text for delta in texts if not delta.is_reasoning) == reply.text
    assert "".join(delta.text for delta in texts if delta.is_reasoning) == reply.reasoning
    return reply


async def failure(model: ScriptedModel, *messages: Message) -> ModelFailure:
    with pytest.raises(ModelFailure) as caught:
        await play(model, *messages)
    return caught.value


RENAME = r"""
    scenes:
      - when: ^rename
        mode: plan
        turns:
          - think: Where is it?
            say: |
              I look,  at the   file.
            calls:
              - {tool: read_file, args: {path: a.py}}
              - {tool: list_directory}
          - find:
              - {name: line, in: read_file, pattern: '^(def load\(.*\):)$'}
              - {name: file, in: 1, text: a.py}
              - {name: who, in: user, pattern: 'for (\w+)'}
            expect:
              - {in: system, text: PLAN mode}
              - {in: tool, pattern: 'def \w+'}
            say: It is ${line} in ${file}, ${who}; $${line} costs $5.
            calls:
              - tool: update_file
                args: {path: "${file}", edits: [{old: "${line}", new: "def read():", replace_all: false}]}
          - say: Still ${line}.
      - {mode: act, turns: [{say: acting}]}
"""

FIRST = called(("c1", "read_file"), ("c2", "list_directory"))
ANSWERS = [result("c1", "a.py lf\ndef load(path):\n    pass"), result("c2", "a.py\nb.py")]


async def test_a_turn_speaks_thinks_and_calls(tmp_path: Path) -> None:
    request = [PLAN, user("rename it for Ann")]
    assert await play(written(tmp_path, RENAME), *request) == Reply(
        text="I look,  at the   file.\n",
        reasoning="Where is it?",
        tool_calls=(
            ToolCall(id="call_0_0", name="read_file", arguments='{"path": "a.py"}'),
            ToolCall(id="call_0_1", name="list_directory", arguments="{}"),
        ),
        usage=Usage(input_tokens=len(json.dumps([request, []])) // 4, output_tokens=13, cost=0.0, requests=1),
        finish_reason="tool_calls",
    )


async def test_what_was_found_is_built_into_text_and_arguments(tmp_path: Path) -> None:
    reply = await play(written(tmp_path, RENAME), PLAN, user("rename it for Ann"), FIRST, *ANSWERS)
    assert reply.text == "It is def load(path): in a.py, Ann; ${line} costs $5."
    assert [json.loads(call.arguments) for call in reply.tool_calls] == [
        {"path": "a.py", "edits": [{"old": "def load(path):", "new": "def read():", "replace_all": False}]}
    ]


async def test_a_later_turn_knows_what_was_found_as_it_was_then(tmp_path: Path) -> None:
    later = [called(("c3", "read_file")), result("c3", "def other():\ndef load(changed):")]
    reply = await play(written(tmp_path, RENAME), PLAN, user("rename it for Ann"), FIRST, *ANSWERS, *later)
    assert reply.text == "Still def load(path):."


async def test_system_messages_amid_a_scene_change_no_turn_but_the_mode(tmp_path: Path) -> None:
    model = written(tmp_path, RENAME)
    reminder = system("Remember the plan.")
    assert (await play(model, PLAN, user("rename it for Ann"), FIRST, *ANSWERS, reminder)).text.startswith("It is")
    assert (await play(model, PLAN, user("rename it for Ann"), FIRST, *ANSWERS, user("x"), ACT)).text == "acting"


async def test_ids_of_calls_never_repeat_in_a_conversation(tmp_path: Path) -> None:
    model = written(tmp_path, "scenes: [{turns: [{calls: [{tool: a}, {tool: b}]}]}]")
    old = [user("x"), called(("call_0_0", "a")), result("call_0_0", "")]
    ids = [call.id for call in (await play(model, *old, user("y"))).tool_calls]
    assert ids == ["call_1_0", "call_1_1"]


@pytest.mark.parametrize(
    ("messages", "words"),
    [
        pytest.param(
            [PLAN, user("rename it for Ann"), FIRST, result("c1", "def other():")], "'line' isn't there", id="find"
        ),
        pytest.param(
            [PLAN, user("rename it for Ann"), FIRST, result("c1", "def load(x):")], "'file' isn't there", id="no result"
        ),
        pytest.param(
            [PLAN, user("rename it"), FIRST, *ANSWERS],
            "the pattern 'for (\\\\w+)' in the user's message",
            id="in the user's",
        ),
        pytest.param([PLAN, user("something else")], "no scene fits the message in mode plan", id="no scene"),
        pytest.param([user("rename")], "no scene fits the message: 'rename'", id="no mode"),
        pytest.param([ACT, user("x"), called(("c", "t"))], "only 1 turns", id="no turn"),
    ],
)
async def test_what_the_script_does_not_expect_fails(tmp_path: Path, messages: list[Message], words: str) -> None:
    fail = await failure(written(tmp_path, RENAME), *messages)
    assert (fail.code, fail.is_transient) == ("MODEL_SCRIPT_MISMATCH", False)
    assert words in fail.message
    assert fail.message.startswith("script.yaml")


@pytest.mark.parametrize(
    ("where", "words"), [("system", "system text"), ("user", "user's message"), ("tool", "results of tools")]
)
async def test_an_expectation_looks_where_it_says(tmp_path: Path, where: str, words: str) -> None:
    model = written(tmp_path, f"scenes: [{{turns: [{{}}, {{say: ok, expect: [{{in: {where}, text: KEY}}]}}]}}]")
    texts = {"system": "s", "user": "u", "tool": "t"}

    def request(texts: dict[str, str]) -> list[Message]:
        return [system(texts["system"]), user(texts["user"]), called(("c", "t")), result("c", texts["tool"])]

    assert (await play(model, *request(texts | {where: "a KEY"}))).text == "ok"
    elsewhere = dict.fromkeys(texts, "KEY") | {where: "x"}
    assert f"the text 'KEY' isn't in the {words}: 'x'" in (await failure(model, *request(elsewhere))).message


@pytest.mark.parametrize(
    ("find", "expected"),
    [
        ("pattern: 'v=(\\d)'", "3"),
        ("in: one, pattern: 'v=(\\d)'", "2"),
        ("in: 0, pattern: 'v=(\\d)'", "2"),
        ("in: -1, pattern: 'v=\\d'", "v=3"),
        ("in: zero, anywhere: true, pattern: 'v=(\\d)'", "1"),
        ("anywhere: true, text: 'v=1'", "v=1"),
        ("in: zero, pattern: 'v=(\\d)'", None),
        ("in: zero, pattern: 'v=(\\d)', otherwise: '7'", "7"),
        ("in: one, pattern: 'v=(\\d)', otherwise: '7'", "2"),
        ("in: 2, pattern: 'v=(\\d)'", None),
    ],
)
async def test_a_find_looks_in_the_newest_result_of_the_scene(tmp_path: Path, find: str, expected: str | None) -> None:
    model = written(tmp_path, f"scenes: [{{turns: [{{}}, {{say: '${{x}}', find: [{{name: x, {find}}}]}}]}}]")
    older = [user("a"), called(("z", "zero")), result("z", "v=1")]
    scene = [user("b"), called(("o", "one"), ("t", "two")), result("o", "v=2"), result("t", "v=3")]
    if expected is None:
        assert (await failure(model, *older, *scene)).code == "MODEL_SCRIPT_MISMATCH"
    else:
        assert (await play(model, *older, *scene)).text == expected


async def test_usage_finish_reason_and_broken_arguments_are_as_the_script_says(tmp_path: Path) -> None:
    script = """
        scenes:
          - turns:
              - usage: {input_tokens: 5, output_tokens: 6, cached_tokens: 1, cost: 0.25}
                finish_reason: length
                calls: [{tool: read_file, raw_arguments: '{"path": '}]
    """
    assert await play(written(tmp_path, script), user("x")) == Reply(
        text="",
        tool_calls=(ToolCall(id="call_0_0", name="read_file", arguments='{"path": '),),
        usage=Usage(input_tokens=5, output_tokens=6, cached_tokens=1, cost=0.25, requests=1),
        finish_reason="length",
    )


async def test_a_failure_comes_as_often_as_it_should(tmp_path: Path) -> None:
    script = """
        scenes:
          - when: always
            turns: [{fail: {code: MODEL_KEY_REFUSED}}]
          - turns: [{say: hello, fail: {code: MODEL_RATE_LIMITED, transient: true, retry_after: 2, times: 2}}]
    """
    model = written(tmp_path, script)
    for _ in range(2):
        fail = await failure(model, user("x"))
        assert (fail.code, fail.is_transient, fail.retry_after) == ("MODEL_RATE_LIMITED", True, 2.0)
    assert (await play(model, user("x"))).text == "hello"
    for _ in range(3):
        assert (await failure(model, user("always"))).code == "MODEL_KEY_REFUSED"


async def test_a_slow_answer_can_be_stopped_between_its_pieces(tmp_path: Path) -> None:
    model = written(tmp_path, "scenes: [{turns: [{say: one two three, delay: 0.05}]}]")
    pieces: list[Any] = []

    async def read() -> None:
        async for item in model.stream(ModelRequest([user("x")], [])):
            pieces.append(item)

    with pytest.raises(TimeoutError):
        await asyncio.wait_for(read(), 0.08)
    assert pieces == [TextDelta("one ")]


@pytest.mark.parametrize(
    ("script", "words"),
    [
        ("scenes: [{turns: [{calls: [{args: {}}]}]}]", "scenes[0].turns[0].calls[0].tool: Field required"),
        ("scenes: [{turns: [{says: x}]}]", "scenes[0].turns[0].says: Extra inputs"),
        ("scenes: [{turns: []}]", "scenes[0].turns: "),
        ("scenes: [{when: '(', turns: [{}]}]", "scenes[0].when: Value error, not a regular expression"),
        ("scenes: [{turns: [{}, {say: '${x}'}]}]", "scenes[0]: Value error, turns[1] uses ${x}, and no `find`"),
        (
            "scenes: [{turns: [{calls: [{tool: t, args: {a: [{b: '${x}'}]}}]}]}]",
            "scenes[0]: Value error, turns[0] uses ${x}",
        ),
        ("scenes: [{turns: [{find: [{name: x}]}]}]", "turns[0].find[0]: Value error, give either `pattern` or `text`"),
        ("scenes: [{turns: [{fail: {code: NONE}}]}]", "turns[0].fail.code: Input should be"),
        ("scenes: [", "isn't YAML"),
        ("[" * 200_000, "isn't YAML: more than 100 levels"),
        ("- just text", "the whole: "),
        ("", "the whole: "),
        (b"\xff\xfe", "can't be read"),
        (None, "there is no model script"),
    ],
)
def test_a_bad_script_is_refused_by_place(tmp_path: Path, script: str | bytes | None, words: str) -> None:
    path = tmp_path / "script.yaml"
    if script is not None:
        path.write_bytes(script if isinstance(script, bytes) else script.encode())
    with pytest.raises(InvalidInput) as caught:
        ScriptedModel.load(path)
    assert caught.value.code == "CONFIG_INVALID"
    assert str(path) in caught.value.message
    assert words in caught.value.message


async def test_the_example_in_the_documentation_plays(tmp_path: Path) -> None:
    example = (script_module.__doc__ or "").partition("\n\n")[2].partition("\n\n**")[0]
    model = written(tmp_path, example)
    plan = system("You are in ACT mode.\n## APPROVED EXECUTION PLAN")
    found = [called(("c", "read_file")), result("c", "def load(path):\n")]
    reply = await play(model, plan, user("rename load to read"), *found)
    assert '"old": "def load(path):"' in reply.tool_calls[0].arguments
