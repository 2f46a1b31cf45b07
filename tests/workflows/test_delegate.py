"""A role that hands a task to another: its rights, its talk, its end. The model plays the turns of both, in order."""

import asyncio
import re
from pathlib import Path

import pytest

from planact.agent.loop import TurnResult
from planact.model.chat.message import ModelRequest, Reply, Usage
from planact.model.question import NobodyThere
from planact.model.rights.permission import Mode
from planact.model.settings import LimitSettings, RoleSettings, Settings
from planact.workflows.chat.send_message import send_message
from planact.workflows.sessions.switch_mode import switch_mode
from planact.workflows.turns.delegate import MAX_REPORT
from tests.fakes.loopback_model import without_surroundings
from tests.fakes.world import Turn, answer, call, calls
from tests.workflows.scene import SAID, Scene, until

LEAD = "---\ndescription: Leads.\ntools: [read_file, delegate, ask_user, exit_plan_mode]\n---\nLead."
NARROW = """---
mode: act
permissions: [read_files, write_files, create_files]
tools: [create_file, delegate]
paths: [docs/]
---
"""
HELPER = "---\ntools: ['*']\n---\nHelp."
REPORT = Reply("All is well.")
WRITE = calls(call("create_file", path="a.txt", content="x"))


def hand(role: str, task: str = "Do it.", _id: str = "handed") -> Reply:
    return calls(call("delegate", _id, role=role, task=task))


def acting(root: Path, *turns: Turn, limits: LimitSettings | None = None) -> Scene:
    """A commander in Act whose user accepts everything."""
    settings = Settings(
        model="played", approval="acceptAll", roles=RoleSettings(act="commander"), limits=limits or LimitSettings()
    )
    return Scene(root, *turns, mode=Mode.ACT, settings=settings)


def planning(root: Path, *turns: Turn) -> Scene:
    """A role of the user's in Plan that hands out work."""
    it = Scene(root, *turns, settings=Settings(model="played", approval="acceptAll", roles=RoleSettings(plan="lead")))
    it.world.store.user_roles.texts |= {"lead.md": LEAD, "helper.md": HELPER}
    return it


def say(it: Scene) -> TurnResult:
    result = asyncio.run(send_message(it.ws, it.session_id, "go"))
    assert result is not None
    return result


def refusals(it: Scene) -> list[tuple[str, str]]:
    events = [event for event in it.world.store.events.list(it.session_id) if event.kind == "tool_refused"]
    return [(str(event.data["tool"]), str(event.data["code"])) for event in events]


def heard(it: Scene, request: int) -> list[str]:
    """What the model was told in a request, but for the system prompt."""
    messages = without_surroundings(it.world.model.requests[request].messages)
    return [str(message.get("content")) for message in messages[1:]]


def test_a_delegate_knows_its_task_and_its_parent_knows_its_report(tmp_path: Path) -> None:
    it = acting(tmp_path, hand("reviewer", "Read a.txt."), calls(call("read_file", path="a.txt")), REPORT, SAID)
    it.world.write("a.txt", "secret of the house\n")
    assert say(it).kind == "finished"
    assert "You are planact's reviewer" in it.prompts()[1]
    assert len(heard(it, 1)) == 1
    assert "Read a.txt." in heard(it, 1)[0]
    assert "secret of the house" in heard(it, 2)[-1]
    assert heard(it, 3) == ["go", "", "All is well."]
    assert [m.content for m in it.world.store.sessions.messages(it.session_id) if "delegate" in m.metadata][-1] == (
        "All is well."
    )


def test_the_commander_is_told_whom_it_can_ask_and_its_delegates_are_not(tmp_path: Path) -> None:
    it = acting(tmp_path, hand("helper"), REPORT, SAID)
    it.world.store.user_roles.texts["helper.md"] = f"---\nmode: act{HELPER[3:]}"
    say(it)
    assert "- tester: Writes and runs tests." in it.prompts()[0]
    assert "- commander:" not in it.prompts()[0]
    assert "Roles to delegate to" not in it.prompts()[1]
    offered = [tool["function"]["name"] for tool in it.world.model.requests[1].tools]
    assert "create_file" in offered
    assert "delegate" not in offered


def test_what_a_delegate_does_is_part_of_the_run_and_counted_in_it(tmp_path: Path) -> None:
    used = Usage(input_tokens=10, output_tokens=1)
    turns = [hand("actor"), WRITE, REPORT, SAID]
    it = acting(tmp_path, *(Reply(turn.text, turn.tool_calls, usage=used) for turn in turns))
    say(it)
    (run,) = it.ws.ports.records.executions()
    assert (run.status, [change.path for change in run.steps[0].files]) == ("success", ["a.txt"])
    assert run.usage.input_tokens == it.session.usage.input_tokens == 40
    entries = it.world.store.journal.entries
    assert {entry.execution_id for entry in entries} == {run.id}
    assert [(entry.kind, entry.data["tool"]) for entry in entries if entry.kind.startswith("call_")] == [
        ("call_started", "delegate"),
        ("call_started", "create_file"),
        ("call_finished", "create_file"),
        ("call_finished", "delegate"),
    ]


@pytest.mark.parametrize(
    ("made", "code"),
    [
        (WRITE, "TOOL_BLOCKED_BY_MODE"),
        (calls(call("execute_command", command="touch a.txt")), "TOOL_BLOCKED_BY_MODE"),
        (hand("reviewer"), "TOOL_BLOCKED_BY_ROLE"),
        (hand("actor"), "TOOL_BLOCKED_BY_MODE"),
        (calls(call("exit_plan_mode", plan_file_path="a.plan")), "TOOL_BLOCKED_BY_ROLE"),
        (calls(call("create_file", path="b.plan", content="")), "TOOL_BLOCKED_BY_ROLE"),
    ],
)
def test_a_delegate_in_plan_changes_nothing(tmp_path: Path, made: Reply, code: str) -> None:
    it = planning(tmp_path, hand("helper"), made, REPORT, SAID)
    it.world.write("a.plan", "# Goal\n")
    before = it.world.tree()
    say(it)
    offered = [tool["function"]["name"] for tool in it.world.model.requests[1].tools]
    assert offered == ["read_file", "ask_user"]
    assert refusals(it) == [(made.tool_calls[0].name, code)]
    assert code in heard(it, 2)[-1]
    assert it.world.tree() == before
    assert it.session.mode is Mode.PLAN


def test_a_role_of_act_is_nobody_to_ask_in_plan(tmp_path: Path) -> None:
    it = planning(tmp_path, hand("actor"), SAID)
    say(it)
    assert refusals(it) == [("delegate", "TOOL_BLOCKED_BY_MODE")]
    assert "disallowed_tool_attempt_in_planning" in it.world.events()


def test_a_role_that_is_not_there_is_a_failure_with_a_hint(tmp_path: Path) -> None:
    it = planning(tmp_path, hand("reviewr"), SAID)
    say(it)
    assert "ROLE_NOT_FOUND" in heard(it, 1)[-1]
    assert "Did you mean 'reviewer'?" in heard(it, 1)[-1]


def test_a_delegate_may_do_no_more_than_its_parent(tmp_path: Path) -> None:
    delete = calls(call("delete_file", path="docs/b.txt"))
    docs = calls(call("create_file", path="docs/a.txt", content="x"))
    it = acting(tmp_path, hand("actor"), WRITE, delete, docs, REPORT, SAID)
    it.world.store.user_roles.texts["commander.md"] = NARROW
    it.world.write("docs/b.txt", "b")
    say(it)
    assert refusals(it) == [("create_file", "TOOL_BLOCKED_BY_ROLE"), ("delete_file", "TOOL_BLOCKED_BY_ROLE")]
    assert sorted(it.world.tree()) == ["docs/a.txt", "docs/b.txt"]


def test_the_commander_changes_nothing_itself_and_its_delegates_do(tmp_path: Path) -> None:
    command = calls(call("execute_command", command="touch b.txt"))
    it = acting(tmp_path, WRITE, command, hand("actor"), WRITE, REPORT, SAID)
    say(it)
    assert refusals(it) == [("create_file", "TOOL_BLOCKED_BY_ROLE"), ("execute_command", "TOOL_BLOCKED_BY_ROLE")]
    assert sorted(it.world.tree()) == ["a.txt"]
    assert "create_file" not in [tool["function"]["name"] for tool in it.world.model.requests[0].tools]


def test_a_role_of_act_hands_out_no_writing_in_plan(tmp_path: Path) -> None:
    it = planning(tmp_path, hand("helper"), WRITE, REPORT, SAID)
    wide = "delegate_permissions: [read_files, write_files, create_files]\ndelegate_tools: ['*']\n---"
    it.world.store.user_roles.texts["lead.md"] = LEAD.replace("]\n---", f"]\n{wide}")
    say(it)
    assert refusals(it) == [("create_file", "TOOL_BLOCKED_BY_MODE")]
    assert it.world.tree() == {}


def test_a_switch_to_plan_holds_for_the_delegates_next_call(tmp_path: Path) -> None:
    """The switch comes from another window: nothing stops the work."""

    def switch(_request: ModelRequest) -> Reply:
        session = it.ws.ports.sessions.get(it.session_id)
        it.ws.ports.sessions.put(session.model_copy(update={"mode": Mode.PLAN, "role": "planner"}))
        return calls(call("create_file", path="b.txt", content="x"))

    it = acting(tmp_path, hand("actor"), WRITE, switch, REPORT, SAID)
    say(it)
    assert refusals(it) == [("create_file", "TOOL_BLOCKED_BY_MODE")]
    assert sorted(it.world.tree()) == ["a.txt"]


def test_a_question_of_a_delegate_goes_to_the_user(tmp_path: Path) -> None:
    ask = calls(call("ask_user", questions=[{"name": "tone", "question": "Which tone?"}]))
    it = acting(tmp_path, hand("actor"), ask, REPORT, SAID)
    it.answers(answer(tone="warm"))
    assert say(it).kind == "finished"
    assert "warm" in heard(it, 2)[-1]
    assert heard(it, 3) == ["go", "", "All is well."]


def test_a_question_that_nobody_can_answer_ends_both_and_its_answer_is_found_again(tmp_path: Path) -> None:
    ask = calls(call("ask_user", questions=[{"name": "tone", "question": "Which tone?"}]))
    it = acting(tmp_path, hand("actor"), ask, hand("actor"), ask, REPORT, SAID)
    it.answers(NobodyThere())
    assert say(it).kind == "waiting"
    (question,) = it.ws.questions.open()
    it.ws.questions.answer(question.id, {"tone": "warm"})
    assert say(it).kind == "finished"
    assert heard(it, 2)[-2].endswith("You asked: “Which tone?” They answered: warm")
    assert "“Which tone?” They answered: warm" in heard(it, 3)[-1]
    assert "warm" in heard(it, 4)[-1]
    assert len(it.asked) == 1


def test_a_user_who_stops_a_delegate_stops_its_parent(tmp_path: Path) -> None:
    it = acting(tmp_path, hand("actor"), calls(call("execute_command", command="ls /srv")))
    it.answers(answer(approval="reject_and_stop"))
    result = say(it)
    assert (result.kind, len(it.world.model.requests)) == ("stopped", 2)


def test_a_delegate_that_is_refused_again_and_again_comes_back_with_the_reason(tmp_path: Path) -> None:
    it = planning(tmp_path, hand("reviewer"), WRITE, WRITE, WRITE, SAID)
    assert say(it).kind == "refused"
    assert "It ended before it was done: create_file was refused 3 times in a row" in heard(it, 4)[-1]


def test_a_delegate_uses_up_its_parents_requests(tmp_path: Path) -> None:
    read = calls(call("read_file", path="a.txt"))
    it = acting(tmp_path, hand("actor"), read, read, read, read, limits=LimitSettings(max_turns=3))
    it.world.write("a.txt", "x")
    result = say(it)
    assert (result.kind, len(it.world.model.requests)) == ("limit", 3)


def test_a_long_report_is_read_on_without_working_again(tmp_path: Path) -> None:
    report = "".join(f"{number}," for number in range(MAX_REPORT // 2))
    read: list[str] = []

    def read_on(request: ModelRequest) -> Reply:
        read.append(str(request.messages[-1]["content"]))
        more = re.search(r"\n… \d+ more characters; go on with report=(\S+), skip=(\d+)$", read[-1])
        return calls(call("delegate", report=more[1], skip=int(more[2]))) if more else SAID

    it = acting(tmp_path, hand("reviewer"), Reply(report), *[read_on] * 5)
    say(it)
    assert len(read) == len(report) // MAX_REPORT + 1 > 2
    assert "".join(part.partition("\n… ")[0] for part in read) == report
    assert all(len(part) < MAX_REPORT + 200 for part in read)


@pytest.mark.parametrize(
    "args", [{"report": "other", "skip": 1}, {"role": "reviewer"}, {"report": "x", "role": "actor"}]
)
def test_a_report_that_nobody_made_is_not_read(tmp_path: Path, args: dict[str, object]) -> None:
    it = acting(tmp_path, calls(call("delegate", **args)), SAID)
    it.world.write("a.txt", "x")
    say(it)
    assert "INVALID_ARGUMENTS" in heard(it, 1)[-1]


def test_stopping_ends_delegates_too_and_leaves_the_journal_in_order(tmp_path: Path) -> None:
    it = acting(tmp_path, hand("actor"), calls(call("execute_command", command="sleep 20")))
    journal = it.world.store.journal

    async def stop() -> None:
        working = asyncio.ensure_future(send_message(it.ws, it.session_id, "go"))
        await until(lambda: [entry.kind for entry in journal.entries].count("call_started") == 2)
        await it.ws.stop(it.session_id)
        result = await working
        assert result is not None
        assert result.kind == "stopped"

    asyncio.run(stop())
    ended = [(e.data["tool"], e.data["outcome"]) for e in journal.entries if e.kind == "call_finished"]
    assert ended == [("execute_command", "interrupted"), ("delegate", "interrupted")]


def test_a_message_typed_meanwhile_is_read_by_the_parent(tmp_path: Path) -> None:
    def typing(_request: ModelRequest) -> Reply:
        it.ws.add_message(it.session_id, "user", "and b")
        return REPORT

    it = acting(tmp_path, hand("reviewer"), typing, SAID)
    say(it)
    assert len(it.world.model.requests) == 3
    assert heard(it, 2) == ["go", "", "All is well.", "and b"]


def test_a_mode_switch_by_the_user_stops_delegates_with_the_work(tmp_path: Path) -> None:
    it = acting(tmp_path, hand("actor"), calls(call("execute_command", command="sleep 20")))

    async def switch() -> None:
        working = asyncio.ensure_future(send_message(it.ws, it.session_id, "go"))
        await until(lambda: len(it.world.model.requests) == 2 and it.world.log("journal.append"))
        assert (await switch_mode(it.ws, it.session_id, Mode.PLAN, confirm_stop=True)).mode is Mode.PLAN
        result = await working
        assert result is not None
        assert result.kind == "stopped"

    asyncio.run(switch())
