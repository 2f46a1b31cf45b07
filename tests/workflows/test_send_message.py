import asyncio
from pathlib import Path

import pytest

from planact.base.errors import InvalidInput, ModelFailure, PlanactError
from planact.model.chat.message import ModelRequest, Reply
from planact.model.question import NobodyThere
from planact.model.rights.permission import Mode
from planact.model.runs.execution import Execution
from planact.model.settings import Settings
from planact.workflows.chat.send_message import OFFER, send_message
from tests.fakes.world import answer, call, calls
from tests.workflows.scene import BOTH_STEPS, PATH, PLAN, SAID, WRITE_A, Scene, until


def say(it: Scene, text: str = "write it"):  # type: ignore[no-untyped-def]
    return asyncio.run(send_message(it.ws, it.session_id, text))


def the_run(it: Scene) -> Execution:
    (execution,) = it.ws.ports.records.executions()
    return execution


def test_nothing_is_no_message(tmp_path: Path) -> None:
    with pytest.raises(InvalidInput):
        say(Scene(tmp_path), " \n")


def test_a_change_asked_for_in_plan_ends_with_an_offer(tmp_path: Path) -> None:
    it = Scene(tmp_path, *[WRITE_A] * 3)
    result = say(it)
    assert (result.kind, result.reason.endswith(OFFER)) == ("refused", True)
    assert it.world.tree() == {}


def test_work_without_a_plan_is_a_run_of_one_step(tmp_path: Path) -> None:
    it = Scene(tmp_path, WRITE_A, SAID, mode=Mode.ACT)
    it.answers(answer(approval="allow_once"))
    assert say(it).kind == "finished"
    run = the_run(it)
    assert (run.status, run.goal, run.plan_id, run.usage) == ("success", "write it", "", run.steps[0].usage)
    (record,) = run.steps
    assert (record.step_number, record.status.value, record.output, record.tool_results) == (0, "done", "Done.", 1)
    assert [change.path for change in record.files] == ["a.txt"]
    kinds = [entry.kind for entry in it.ws.ports.journal.read(run.id)]
    assert (kinds[0], kinds[-2:]) == ("run_started", ["step_finished", "run_finished"])


def test_an_approval_given_after_the_work_paused_counts_when_it_goes_on_and_once(tmp_path: Path) -> None:
    again = calls(call("update_file", path="a.txt", edits=[{"old": "hello", "new": "hello hello"}]))
    it = Scene(tmp_path, again, again, SAID, again, again, SAID, mode=Mode.ACT)
    it.world.write("a.txt", "hello\n")
    it.answers(NobodyThere())
    assert say(it).kind == "waiting"
    it.ws.questions.answer(it.ws.questions.open()[0].id, {"approval": "allow_once"})
    it.answers(answer(approval="reject_once"))
    assert (say(it, "go on").kind, it.world.read("a.txt"), len(it.asked)) == ("finished", "hello hello\n", 1)
    it.world.write("a.txt", "hello\n")  # which the agent is told at its first try
    assert (say(it, "once more").kind, it.world.read("a.txt"), len(it.asked)) == ("refused", "hello\n", 2)


def test_an_approval_that_the_work_went_on_without_counts_in_no_later_turn(tmp_path: Path) -> None:
    change = calls(call("update_file", path="a.txt", edits=[{"old": "hello", "new": "bye"}]))
    it = Scene(tmp_path, change, SAID, change, SAID, mode=Mode.ACT)
    it.world.write("a.txt", "hello\n")
    it.answers(NobodyThere(), answer(approval="reject_once"))
    assert say(it).kind == "waiting"
    it.ws.questions.answer(it.ws.questions.open()[0].id, {"approval": "allow_once"})
    say(it, "no, leave it as it is")
    say(it, "look again")
    assert (len(it.asked), it.world.read("a.txt")) == (2, "hello\n")


def test_an_approved_plan_in_hand_is_pinned_and_approves_no_call(tmp_path: Path) -> None:
    it = Scene(tmp_path, WRITE_A, SAID, calls(call("create_file", path="c.txt", content="")), SAID)
    it.write_plan()
    it.execute(step=1)
    it.answers(answer(approval="reject_once"))
    say(it, "also c")
    assert it.plans()[-1]
    assert "c.txt" not in it.world.tree()


def test_a_plan_in_hand_that_was_changed_since_is_not_pinned(tmp_path: Path) -> None:
    it = Scene(tmp_path, *BOTH_STEPS, SAID)
    it.write_plan()
    it.execute()
    it.world.write(PATH, it.world.read(PATH).replace("# Greet", "# Delete all"))
    say(it, "what now?")
    assert not it.plans()[-1]


def test_stopped_work_says_what_it_changed(tmp_path: Path) -> None:
    slow = calls(
        call("create_file", "1", path="a.txt", content="hello"), call("execute_command", "2", command="sleep 20")
    )
    it = Scene(tmp_path, slow, mode=Mode.ACT)
    it.answers(answer(approval="allow_once"), answer(approval="allow_once"))

    async def stop() -> None:
        working = asyncio.ensure_future(send_message(it.ws, it.session_id, "write it"))
        await until(lambda: [e.kind for e in it.world.store.journal.entries].count("call_started") == 2)
        await it.ws.stop(it.session_id)
        result = await working
        assert result is not None
        assert result.kind == "stopped"

    asyncio.run(stop())
    run = the_run(it)
    assert (run.status, [change.path for change in run.steps[0].files]) == ("paused", ["a.txt"])
    assert it.world.store.lock.acquire("next") == ""


def test_work_that_a_failure_ends_has_its_record(tmp_path: Path) -> None:
    it = Scene(tmp_path, ModelFailure("MODEL_KEY_REFUSED", "the key was refused"), mode=Mode.ACT)
    with pytest.raises(ModelFailure):
        say(it)
    assert the_run(it).status == "paused"


def test_a_message_to_a_session_that_works_is_read_at_the_next_safe_point(tmp_path: Path) -> None:
    it = Scene(tmp_path)

    def typing(request: ModelRequest) -> Reply:
        async def type_more() -> None:
            assert await send_message(it.ws, it.session_id, "and c") is None

        typed.append(asyncio.ensure_future(type_more()))
        return calls(call("read_file", path="a.txt"))

    typed: list[asyncio.Future[None]] = []
    it.world.write("a.txt", "x")
    it.world.model.turns = [typing, SAID]
    say(it)
    assert it.said_last() == "and c"


def test_a_folder_that_is_busy_is_left_alone(tmp_path: Path) -> None:
    it = Scene(tmp_path, mode=Mode.ACT)
    it.world.store.lock._holders.append("another run")
    with pytest.raises(PlanactError) as failure:
        say(it)
    assert failure.value.code == "BUSY"


def test_instructions_are_read_from_the_workspace_and_nowhere_else(tmp_path: Path) -> None:
    (tmp_path / "secret.md").write_text("outside")
    settings = Settings(model="played", instructions=["AGENTS.md", "../secret.md", "no.md", "folder", "binary.md"])
    it = Scene(tmp_path / "ws", SAID, settings=settings)
    it.world.write("AGENTS.md", "Use tabs.")
    (tmp_path / "ws/folder").mkdir()
    (tmp_path / "ws/binary.md").write_bytes(b"\0\1")
    say(it, "What is this?")
    (prompt,) = it.prompts()
    assert "Use tabs." in prompt
    assert "outside" not in prompt
    assert prompt.count("## Instructions of the repository") == 1


def test_instructions_that_lead_to_what_the_agent_must_not_see_are_left_out(tmp_path: Path) -> None:
    settings = Settings(model="played", instructions=["AGENTS.md", "MORE.md"], ignore=["private/"])
    it = Scene(tmp_path, SAID, settings=settings)
    for link, target in {"AGENTS.md": ".env", "MORE.md": "private/notes.md"}.items():
        it.world.write(target, "TOKEN=hunter2")
        (tmp_path / link).symlink_to(target)
    say(it, "What is this?")
    (prompt,) = it.prompts()
    assert "hunter2" not in prompt


def test_a_session_is_called_after_what_was_said_first(tmp_path: Path) -> None:
    it = Scene(tmp_path, SAID, SAID)
    say(it, f"\n  {'word ' * 30}\nmore")
    assert (len(it.session.title), it.session.title[-1]) == (60, "…")
    say(it, "something else")
    assert it.session.title.startswith("word")


def test_a_plan_deleted_since_is_no_longer_in_hand(tmp_path: Path) -> None:
    it = Scene(tmp_path, *BOTH_STEPS, SAID)
    it.write_plan(PLAN)
    it.execute()
    (tmp_path / PATH).unlink()
    assert say(it, "what now?").kind == "finished"
