"""When a conversation is compacted, and what its window is taken for."""

from dataclasses import replace
from pathlib import Path

import pytest

from planact.agent.ask_model import Asker
from planact.agent.budget import TurnSpent
from planact.agent.compact import Compactor
from planact.agent.context import COMPACTION, in_context, request_messages
from planact.base.errors import ModelFailure
from planact.base.text import shortened
from planact.model.chat.message import Message, ModelRequest, ToolCall, Usage
from planact.tools.trace import Trace
from planact.workflows.turns.take_turn import Scope, make_turn
from tests.agent.talking import talk

MODEL = "openai/gpt-4o-2024-08-06"


def compactor(root: Path, window: int = 0) -> Compactor:
    it = talk(root)
    turn, _ = make_turn(it.world.ws, it.session_id, Scope(), Trace(), MODEL)
    return Compactor(Asker(it.world.ports, it.world.model, replace(turn, model=MODEL), TurnSpent(), window=window))


@pytest.mark.parametrize(
    ("message", "window"),
    [
        ("This model's maximum context length is 8192 tokens, and you sent 9000 tokens.", 8192),
        ("prompt is too long: 210,000 tokens > 200,000 maximum", 200_000),
        ("The input token count (1100000) exceeds the maximum number of tokens allowed (1048576).", 1_048_576),
        (f"the conversation is too long for the model '{MODEL}': no number at all", 2_002),
    ],
)
def test_the_window_is_learnt_from_what_the_provider_says_or_guessed(tmp_path: Path, message: str, window: int) -> None:
    it = compactor(tmp_path)
    request = ModelRequest([{"role": "user", "content": "x" * 8_980}], ())
    it.learn(ModelFailure("MODEL_CONTEXT_FULL", message), request)
    assert it.asker.window == window


def said(number: int, role: str, content: str = "", **more: object) -> Message:
    return Message.model_validate({"id": f"{number:03}", "session_id": "s", "role": role, "content": content, **more})


def exchange(number: int, result: str, tokens: int) -> list[Message]:
    call = ToolCall(id=f"c{number}", name="read_file", arguments="{}")
    usage = Usage(input_tokens=tokens, output_tokens=0, requests=1)
    return [
        said(number, "assistant", tool_calls=[call], usage=usage),
        said(number + 1, "tool", result, tool_call_id=call.id),
    ]


@pytest.mark.parametrize(
    ("transcript", "is_due"),
    [
        pytest.param([said(1, "user", "hi")], False, id="a beginning"),
        pytest.param([said(1, "user", "x" * 30_000)], True, id="a long message"),
        pytest.param([said(1, "user"), *exchange(2, "x", 7_900)], False, id="as much as was reported"),
        pytest.param([said(1, "user"), *exchange(2, "x" * 600, 7_900)], True, id="with what came since"),
    ],
)
def test_it_is_due_at_four_fifths_of_the_window(tmp_path: Path, transcript: list[Message], is_due: bool) -> None:
    assert compactor(tmp_path, 10_000).is_due(transcript) is is_due
    assert not compactor(tmp_path, 0).is_due(transcript)


def test_it_is_not_due_again_before_there_was_another_answer(tmp_path: Path) -> None:
    stands = said(5, "system", "facts", metadata={"for_model": True, COMPACTION: {"keeps_from": "002", "results": 50}})
    transcript = [said(1, "user", "hi"), *exchange(2, "x" * 900, 9_000), stands]
    assert not compactor(tmp_path, 10_000).is_due(transcript)
    later = [*transcript, *exchange(6, "x", 9_000), *exchange(8, "x", 9_000)]
    assert compactor(tmp_path, 10_000).is_due(later)


def test_what_stays_beside_a_compaction_is_cut_once_and_the_same_in_every_request() -> None:
    stands = said(5, "system", "facts", metadata={"for_model": True, COMPACTION: {"keeps_from": "002", "results": 50}})
    transcript = [said(1, "user", "hi"), *exchange(2, "x" * 900, 1), stands, *exchange(6, "y" * 900, 1)]
    kept = in_context(transcript)
    assert [message.id for message in kept] == ["005", "002", "003", "006", "007"]
    whole = '\n[planact: read_output with id "003" has all of it]'
    assert kept[2].content == shortened("x" * 900, 50) + whole
    assert kept[4].content == "y" * 900
    first, later = (request_messages("system", some) for some in (transcript[:-2], transcript))
    assert later[: len(first)] == first


def test_a_text_is_cut_in_its_middle() -> None:
    assert shortened("a" * 60 + "b" * 60, 30) == f"{'a' * 20}\n[planact: 90 characters left out]\n{'b' * 10}"
    assert shortened("short", 30) == "short"
