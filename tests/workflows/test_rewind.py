"""Back to before something the user wrote: what the agent knows, and the files, as they were then."""

import asyncio
from pathlib import Path

import pytest

from planact.base.errors import PlanactError
from planact.model.chat.message import Reply
from planact.model.rights.permission import Mode
from planact.workflows.chat.handle_intent import latest_plan
from planact.workflows.chat.handle_slash_command import handle_slash_command
from planact.workflows.chat.send_message import send_message
from planact.workflows.chat.slash_commands import parse_slash_command
from planact.workflows.runs.queued_messages import said_by_user
from planact.workflows.runs.recover_runs import recover_runs
from planact.workflows.runs.resume import resume_execution, run_to_resume
from planact.workflows.undo.rewind import RewindResult, rewind
from tests.fakes.loopback_model import without_surroundings
from tests.fakes.world import answer, call, calls
from tests.workflows.scene import BOTH_STEPS, PATH, SAID, WRITE_B, Scene
from tests.workflows.test_resume import entries, kill_at, scene

YES = answer(roll_back=True)
WRITE_PLAN = calls(call("write_plan", goal="Greet", steps=[{"action": "Say hello"}]))


def say(it: Scene, text: str) -> None:
    asyncio.run(send_message(it.ws, it.session_id, text))


def back_to(it: Scene, number: int) -> RewindResult:
    return asyncio.run(rewind(it.ws, it.session_id, said_by_user(it.ws, it.session_id)[number].id))


def heard(it: Scene) -> list[str]:
    """What the model was told last, without the system prompt."""
    return [str(message["content"]) for message in without_surroundings(it.world.model.requests[-1].messages)[1:]]


def test_the_agent_knows_nothing_of_what_came_after(tmp_path: Path) -> None:
    it = Scene(tmp_path, Reply("One."), Reply("Two."), Reply("Three."))
    say(it, "first")
    say(it, "second")
    assert back_to(it, 1) == RewindResult("second", (), ())
    say(it, "another")
    assert heard(it) == ["first", "One.", "another"]
    kept = [message.content for message in it.ws.ports.sessions.messages(it.session_id) if message.role == "user"]
    assert kept == ["first", "second", "another"], "nothing is erased"


def test_one_can_go_back_again_and_again(tmp_path: Path) -> None:
    it = Scene(tmp_path, *[Reply(text) for text in ("One.", "Two.", "Three.", "Four.")])
    say(it, "first")
    say(it, "second")
    back_to(it, 1)
    say(it, "third")
    back_to(it, 0)
    say(it, "fourth")
    assert heard(it) == ["fourth"]


def test_a_clock_that_was_set_back_hides_no_run_since(tmp_path: Path) -> None:
    write = calls(call("create_file", path="a.txt", content="x"))
    it = Scene(tmp_path, Reply("One."), write, SAID, mode=Mode.ACT)
    it.answers(answer(approval="allow_once"), YES)
    say(it, "first")
    ids = it.world.ports.ids
    later = ids.uuid7
    ids.uuid7 = lambda: later().replace("0190", "0180", 1)  # type: ignore[method-assign]
    say(it, "write it")
    assert (tmp_path / "a.txt").exists()
    assert back_to(it, 0).files == ("a.txt",)
    assert not (tmp_path / "a.txt").exists()


def test_a_plan_that_was_made_since_is_not_at_hand(tmp_path: Path) -> None:
    it = Scene(tmp_path, Reply("One."), WRITE_PLAN, SAID)
    say(it, "first")
    say(it, "make a plan")
    assert asyncio.run(latest_plan(it.ws, it.session_id)) is not None
    back_to(it, 1)
    assert asyncio.run(latest_plan(it.ws, it.session_id)) is None


def test_files_are_as_they_were_and_the_conversation_is_in_plan_again(tmp_path: Path) -> None:
    it = Scene(tmp_path, Reply("One."), *BOTH_STEPS, Reply("Three."))
    it.write_plan()
    say(it, "first")
    say_then_run(it)
    assert (tmp_path / "a.txt").exists()
    it.answers(YES)
    done = back_to(it, 1)
    assert (done.text, done.files, it.session.mode) == ("now do it", ("a.txt", "b.txt"), Mode.PLAN)
    assert not (tmp_path / "a.txt").exists()
    say(it, "another")
    assert heard(it) == ["first", "One.", "another"]


def say_then_run(it: Scene) -> None:
    it.ws.add_message(it.session_id, "user", "now do it")
    assert it.execute().status == "success"


def test_back_to_between_a_pause_and_what_went_on_after_it_takes_the_whole_run_back(tmp_path: Path) -> None:
    it = scene(tmp_path, *BOTH_STEPS, Reply("Three."))
    kill_at(it, lambda kind, _: kind == "step_started" and len(entries(it, "step_finished")) == 1)
    asyncio.run(recover_runs(it.ws))
    it.ws.add_message(it.session_id, "user", "go on")
    it.world.model.turns = [WRITE_B, SAID, Reply("Three.")]
    ended = asyncio.run(resume_execution(it.ws, it.session_id, run_to_resume(it.ws, path=PATH)))
    assert (it.world.read("a.txt"), it.world.read("b.txt")) == ("hello\n", "bye\n")
    it.answers(YES)
    done = back_to(it, -1)
    assert (done.text, set(done.files)) == ("go on", {"a.txt", "b.txt"})
    assert not any((tmp_path / name).exists() for name in ("a.txt", "b.txt"))
    [run] = it.ws.ports.records.executions()
    assert (run.id, len(run.rollbacks), it.session.mode) == (ended.id, 1, Mode.PLAN)
    say(it, "another")
    seen = "\n".join(heard(it))
    assert "Execution of “Greet” begins." in seen
    assert "goes on" not in seen
    assert heard(it)[-2].startswith("[planact] "), "the agent hears that the part that it still sees was taken back"
    assert "a.txt" in heard(it)[-2]


@pytest.mark.parametrize("is_changed", [False, True])
def test_a_no_or_a_file_that_moved_on_leaves_everything_as_it_is(tmp_path: Path, is_changed: bool) -> None:
    it = Scene(tmp_path, Reply("One."), *BOTH_STEPS)
    it.write_plan()
    say(it, "first")
    say_then_run(it)
    if is_changed:
        it.world.write("a.txt", "mine\n")
    it.answers(answer(roll_back=False))
    with pytest.raises(PlanactError) as failure:
        back_to(it, 1)
    assert failure.value.code == ("FILE_MOVED_ON" if is_changed else "NOT_CONFIRMED")
    assert len(said_by_user(it.ws, it.session_id)) == 2
    assert (it.world.read("b.txt"), it.session.mode) == ("bye\n", Mode.ACT)


def test_what_the_user_had_typed_comes_back_without_what_it_mentions(tmp_path: Path) -> None:
    it = Scene(tmp_path, SAID)
    it.world.write("a.txt", "long text")
    say(it, "look at @a.txt")
    assert "long text" in heard(it)[0]
    assert back_to(it, 0).text == "look at @a.txt"


def test_a_message_that_nobody_wrote_is_not_found(tmp_path: Path) -> None:
    it = Scene(tmp_path, SAID)
    say(it, "first")
    with pytest.raises(PlanactError) as failure:
        asyncio.run(rewind(it.ws, it.session_id, "x"))
    assert failure.value.code == "MESSAGE_NOT_FOUND"


def test_the_chat_lists_what_was_written_and_goes_back_by_its_number(tmp_path: Path) -> None:
    it = Scene(tmp_path, Reply("One."), Reply("Two."))
    say(it, "first")
    say(it, "second")

    def heed(text: str) -> str:
        said = parse_slash_command(text)
        assert said is not None
        came = asyncio.run(handle_slash_command(it.ws, it.session_id, said)).came
        assert isinstance(came, str)
        return came

    assert heed("/rewind") == "- 1 · first\n- 2 · second"
    with pytest.raises(PlanactError):
        heed("/rewind 3")
    assert heed("/rewind 2") == "Back to before what you wrote:\n\nsecond"
    assert heed("/rewind") == "- 1 · first"
