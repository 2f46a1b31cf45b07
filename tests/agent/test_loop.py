import asyncio
import json
import threading
from collections.abc import AsyncIterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from planact.agent.context import INTERRUPTED
from planact.agent.loop import TurnResult
from planact.base.paths import Place
from planact.model.chat.language_model import LanguageModel
from planact.model.chat.message import Message, ModelRequest, Reply, TextDelta, ToolCall, Usage
from planact.model.notice import MessageDelta
from planact.model.question import NobodyThere, QuestionSet, Shown
from planact.model.rights.permission import Mode
from planact.model.settings import LimitSettings
from planact.workflows.turns.take_turn import Scope
from tests.agent.talking import SAID, Talk, read, talk
from tests.fakes.world import answer, call, calls
from tests.workflows.scene import until

# --- limits


def test_the_limit_of_requests_ends_the_turn(tmp_path: Path) -> None:
    it = talk(tmp_path, *[calls(read("a"))] * 5, limits=LimitSettings(max_turns=3))
    result = it.run()
    assert (result.kind, "limits.maxTurns" in result.reason) == ("limit", True)
    assert len(it.requests()) == 3


@pytest.mark.parametrize(
    ("limits", "name"),
    [(LimitSettings(max_tokens=20), "limits.maxTokens"), (LimitSettings(max_cost=1.0), "limits.maxCost")],
)
def test_what_a_session_may_use_ends_the_turn_and_no_later_one_begins(
    tmp_path: Path, limits: LimitSettings, name: str
) -> None:
    costly = Reply("", (read("a"),), usage=Usage(input_tokens=10, output_tokens=1, cost=0.6, requests=1))
    it = talk(tmp_path, *[costly] * 5, limits=limits)
    result = it.run()
    assert (result.kind, name in result.reason) == ("limit", True)
    assert len(it.requests()) == 2
    assert it.run().kind == "limit"
    assert len(it.requests()) == 2


# --- calls


def test_the_third_identical_refusal_in_a_row_ends_the_turn(tmp_path: Path) -> None:
    write = calls(call("create_file", path="x.py", content=""))
    it = talk(tmp_path, write, calls(read("a")), write, write, write, SAID)
    it.world.write("a", "text")
    result = it.run()
    assert (result.kind, "TOOL_BLOCKED_BY_MODE" in result.reason) == ("refused", True)
    assert len(it.requests()) == 5
    assert it.world.events().count("tool_refused") == 4


def test_refused_calls_that_differ_do_not_end_the_turn(tmp_path: Path) -> None:
    it = talk(tmp_path, *(calls(call("create_file", path=f"{n}.py", content="")) for n in range(4)), SAID)
    assert it.run().kind == "finished"


def test_reads_that_stand_side_by_side_run_at_once_and_everything_else_in_order(tmp_path: Path) -> None:
    it = talk(
        tmp_path,
        calls(
            read("a", "1"),
            read("b", "2"),
            call("create_file", "3", path="new", content="x"),
            read("new", "4"),
            call("update_file", "5", path="new", edits=[{"old": "x", "new": "y"}]),
            read("new", "6"),
        ),
        SAID,
        mode=Mode.ACT,
    )
    it.world.write("a", "x")
    it.world.write("b", "x")
    both, own = threading.Barrier(2, timeout=180), it.world.files.read

    def read_together(place: Place, limit: int) -> bytes:
        if place.shown in ("a", "b"):
            both.wait()
        return own(place, limit)

    it.world.files.read = read_together  # type: ignore[method-assign]
    it.run(scope=Scope(files=frozenset({"new"})))
    order = [(entry.kind, entry.data["call_id"]) for entry in it.world.store.journal.entries if "call_" in entry.kind]
    assert set(order[:2]) == {("call_started", "1"), ("call_started", "2")}
    assert set(order[2:4]) == {("call_finished", "1"), ("call_finished", "2")}
    alone = [(kind, call_id) for call_id in "3456" for kind in ("call_started", "call_finished")]
    assert order[4:] == alone
    contents = {m["tool_call_id"]: m["content"] for m in it.requests()[1] if m["role"] == "tool"}
    assert [contents[number].endswith("1\tx") for number in "12"] == [True, True]
    assert contents["4"].endswith("1\tx")
    assert contents["6"].endswith("1\ty")


def test_a_tool_that_is_not_there_disturbs_no_other_call(tmp_path: Path) -> None:
    it = talk(tmp_path, calls(read("a", "1"), call("reed_file", "2", path="a"), read("a", "3")), SAID)
    it.world.write("a", "text")
    assert it.run().kind == "finished"
    told = [content for role, content in it.transcript() if role == "tool"]
    assert ["UNKNOWN_TOOL" in content for content in told] == [False, True, False]


def test_two_calls_under_one_id_get_a_result_each(tmp_path: Path) -> None:
    it = talk(tmp_path, calls(read("a", "same"), read("b", "same")), SAID)
    it.world.write("a", "first")
    it.world.write("b", "second")
    it.run()
    spoken, one, other = it.requests()[1][2:]
    assert [made["id"] for made in spoken["tool_calls"]] == [one["tool_call_id"], other["tool_call_id"]]
    assert one["tool_call_id"] != other["tool_call_id"]
    assert (one["content"][-5:], other["content"][-6:]) == ("first", "second")


def test_a_malformed_call_goes_back_to_the_model(tmp_path: Path) -> None:
    it = talk(tmp_path, Reply("", (ToolCall(id="c", name="read_file", arguments='{"path": "a'),)), SAID)
    assert it.run().kind == "finished"
    assert json.loads(it.requests()[1][-1]["content"])["error"]["code"] == "INVALID_ARGUMENTS"


def test_a_plan_in_plain_text_passes_the_gate_like_any_call(tmp_path: Path) -> None:
    plan = json.dumps({"goal": "Mend it", "steps": [{"action": "Mend"}]})
    it = talk(tmp_path, Reply(plan), SAID)
    taken = asyncio.run(it.turn())
    assert taken.written is not None
    assert taken.written.complete().goal == "Mend it"
    it = talk(tmp_path, Reply(plan), SAID, mode=Mode.ACT)
    assert asyncio.run(it.turn()).written is None
    assert "TOOL_BLOCKED_BY_MODE" in it.requests()[1][-1]["content"]


# --- what happens meanwhile


def test_a_message_typed_while_the_model_speaks_comes_after_its_reply_and_is_answered(tmp_path: Path) -> None:
    def interrupted(request: ModelRequest) -> Reply:
        it.say("and tests")
        return SAID

    it = talk(tmp_path, interrupted, Reply("tests too"))
    assert it.run() == TurnResult("finished", "tests too")
    contents = [(message["role"], message["content"]) for message in it.requests()[1][1:]]
    assert contents == [("user", "begin"), ("assistant", "done"), ("user", "and tests")]


def test_a_switch_of_the_mode_holds_from_the_very_next_call_on(tmp_path: Path) -> None:
    class Hasty:
        """Switches when it is shown something."""

        async def show(self, question: QuestionSet, problem: str) -> Shown:
            it.switch(Mode.PLAN)
            return answer(go="yes")

    create = call("create_file", "2", path="x", content="")
    it = talk(
        tmp_path,
        calls(call("ask_user", "1", questions=[{"name": "go", "question": "Go?"}]), create),
        SAID,
        mode=Mode.ACT,
    )
    it.world.editor.show = Hasty().show  # type: ignore[method-assign]
    it.run(scope=Scope(files=frozenset({"x"})))
    assert it.world.tree() == {}
    before, after = it.world.model.requests
    names = [[tool["function"]["name"] for tool in request.tools] for request in (before, after)]
    assert ("create_file" in names[0], "write_plan" in names[0]) == (True, False)
    assert ("create_file" in names[1], "write_plan" in names[1]) == (False, True)
    assert ["ACT mode" in str(request.messages[0]["content"]) for request in (before, after)] == [True, False]
    assert "TOOL_BLOCKED_BY_MODE" in str(after.messages[-1]["content"])


def test_the_approved_plan_is_pinned_in_act_only(tmp_path: Path) -> None:
    def switching(request: ModelRequest) -> Reply:
        it.switch(Mode.PLAN)
        return calls(read("a"))

    it = talk(tmp_path, switching, SAID, mode=Mode.ACT)
    it.run(scope=Scope(approved_plan="# The goal"))
    first = [str(request.messages[1]["content"]) for request in it.world.model.requests]
    assert [text == "[planact] ## APPROVED EXECUTION PLAN\n\n# The goal" for text in first] == [True, False]


def test_with_nobody_there_the_turn_waits_and_the_answer_reaches_the_next_one(tmp_path: Path) -> None:
    it = talk(tmp_path, calls(call("ask_user", questions=[{"name": "name", "question": "Which?"}])), SAID)
    it.world.editor.answers.append(NobodyThere())
    result = it.run()
    (question,) = it.world.ws.questions.open()
    assert (result.kind, question.id in result.reason) == ("waiting", True)
    it.world.ws.questions.answer(question.id, {"name": "blue"})
    assert it.run("go on").kind == "finished"
    said, answered = (str(m["content"]) for m in it.requests()[1][-2:])
    assert (said, answered.endswith("You asked: “Which?” They answered: blue")) == ("go on", True)


# --- being stopped


class Stuck:
    """A model that says something and then nothing any more; knows whether its stream was closed."""

    def __init__(self) -> None:
        self.is_closed = False

    def open(self, name: str) -> "Stuck":
        return self

    def about(self, name: str) -> LanguageModel:
        return LanguageModel(name=name)

    async def stream(self, request: ModelRequest) -> AsyncIterator[TextDelta | Reply]:
        try:
            yield TextDelta("let me")
            await asyncio.sleep(600)
        finally:
            self.is_closed = True


async def cancel_when(it: Talk, is_time: Any, scope: Scope) -> None:
    task = asyncio.ensure_future(it.turn(scope=scope))
    await until(is_time)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task


def test_a_turn_that_is_cancelled_while_the_model_speaks_keeps_what_it_said(tmp_path: Path) -> None:
    it = talk(tmp_path)
    stuck = Stuck()
    object.__setattr__(it.world.ports, "models", stuck)
    asyncio.run(cancel_when(it, lambda: any(isinstance(n, MessageDelta) for n in it.world.editor.notices), Scope()))
    assert stuck.is_closed
    assert it.transcript() == [("user", "begin"), ("assistant", "let me")]


def kinds(messages: Sequence[Message]) -> list[str]:
    return [f"{message.role} {message.message_type}" for message in messages]


@pytest.mark.parametrize(
    ("tool", "arguments"),
    [
        ("execute_command", {"command": "sleep 20"}),
        ("ask_user", {"questions": [{"question": "Which?"}]}),
        ("create_file", {"path": "asked.py", "content": ""}),
    ],
)
def test_a_turn_that_is_cancelled_during_a_call_can_go_on(tmp_path: Path, tool: str, arguments: dict[str, Any]) -> None:
    it = talk(tmp_path, calls(read("a", "1"), call(tool, "2", **arguments), read("a", "3")), SAID, mode=Mode.ACT)
    it.world.write("a", "text")
    scope = Scope(commands=frozenset({"sleep 20"}))

    def is_there() -> bool:
        started = [entry.data.get("call_id") for entry in it.world.store.journal.entries]
        return bool(it.world.editor.asked) or (tool == "execute_command" and "2" in started)

    asyncio.run(cancel_when(it, is_there, scope))
    assert it.world.tree() == {"a": b"text"}
    open_calls = {entry.data["call_id"] for entry in it.world.store.journal.entries if entry.kind == "call_started"}
    ended = {entry.data["call_id"] for entry in it.world.store.journal.entries if entry.kind == "call_finished"}
    assert open_calls == ended
    assert it.run("go on", scope).kind == "finished"
    results = [message["content"] for message in it.requests()[-1] if message["role"] == "tool"]
    assert results[0].endswith("1\ttext")
    assert results[1:] == [INTERRUPTED, INTERRUPTED]
