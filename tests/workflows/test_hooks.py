"""The user's hooks: when they run, what they are told, what one that fails stops, and what holds them."""

import asyncio
from collections.abc import Mapping
from pathlib import Path

import pytest

from planact.base.errors import Conflict
from planact.model.notice import ToolNotice
from planact.model.rights.permission import Mode
from planact.model.settings import HookSettings, Settings
from planact.workflows import hooks
from planact.workflows.chat.send_message import send_message
from planact.workflows.runs.make_plan import make_plan
from tests.fakes.world import answer, call, calls
from tests.workflows.scene import BOTH_STEPS, EXECUTE, PATH, PLAN, SAID, Scene, until

MOMENTS = ("approve", "execution", "step", "question")
WRITE_PLAN = calls(call("write_plan", goal="Greet", steps=[{"action": "Say hello"}]))
ASK = calls(call("ask_user", questions=[{"name": "colour", "question": "Which colour?"}]))


def hooked(root: Path, *turns: object, mode: Mode = Mode.PLAN, **hooks: list[str]) -> Scene:
    settings = Settings(model="played", hooks=HookSettings(**hooks))
    return Scene(root, *turns, mode=mode, settings=settings)  # type: ignore[arg-type]


def fail(name: str) -> list[str]:
    return [f"echo {name} minds; exit 3"]


def noted(it: Scene) -> list[str]:
    """What the hooks wrote down, each of which appends its name and what it is told."""
    file = it.world.root / "hooks.txt"
    return file.read_text().splitlines() if file.exists() else []


def failures(it: Scene) -> list[str]:
    notices = [notice for notice in it.world.editor.notices if isinstance(notice, ToolNotice)]
    return [notice.text for notice in notices if notice.code == "HOOK_FAILED"]


NOTE = 'echo "$PLANACT_HOOK $PLANACT_STEP $PLANACT_STATUS $PLANACT_PLAN_ID" >> hooks.txt'


def test_the_hooks_of_a_run_are_told_what_it_is_about_in_the_order_of_things(tmp_path: Path) -> None:
    names = [f"{when}_{moment}" for moment in ("execution", "step") for when in ("before", "after")]
    it = hooked(tmp_path, *BOTH_STEPS, **{name: [NOTE] for name in names})
    it.write_plan()
    assert it.execute().status == "success"
    about = "plan_20261120_aaaa"
    assert noted(it) == [
        f"beforeExecution   {about}",
        f"beforeStep 1  {about}",
        f"afterStep 1 done {about}",
        f"beforeStep 2  {about}",
        f"afterStep 2 done {about}",
        f"afterExecution  success {about}",
    ]


def test_a_hook_goes_through_the_gate_like_any_other_command(tmp_path: Path) -> None:
    it = hooked(tmp_path, *BOTH_STEPS, before_step=["true"])
    it.write_plan()
    run = it.execute()
    entries = it.ws.ports.journal.read(run.id, ("call_started",))
    assert [entry.data["arguments"] for entry in entries].count('{"command": "true"}') == 2
    assert it.world.events().count("tool_called") == 6, "two hooks, two writes, a check and the validation"


@pytest.mark.parametrize(
    ("hook", "marks", "reason"),
    [
        ("before_execution", "  ", "The hook beforeExecution `echo x; exit 3` failed: exit code 3"),
        ("before_step", "  ", "The hook beforeStep `echo x; exit 3` failed: exit code 3"),
    ],
)
def test_a_run_pauses_before_what_a_hook_minds_and_can_go_on(
    tmp_path: Path, hook: str, marks: str, reason: str
) -> None:
    it = hooked(tmp_path, *BOTH_STEPS, **{hook: ["echo x; exit 3"]})
    it.write_plan()
    run = it.execute()
    assert (run.status, run.reason.startswith(reason), it.marks(), it.status()) == ("paused", True, marks, "paused")
    assert [text.startswith(reason) for text in failures(it)] == [True]
    it.ws.settings = Settings(model="played")
    assert it.execute().status == "success"


@pytest.mark.parametrize("hook", ["after_execution", "after_step", "after_approve"])
def test_an_after_hook_that_fails_is_shown_and_changes_nothing(tmp_path: Path, hook: str) -> None:
    it = hooked(tmp_path, *BOTH_STEPS, **{hook: ["echo broken pipe; false"]})
    it.write_plan()
    assert it.execute().status == "success"
    assert failures(it)
    said = [message.content for message in it.ws.ports.sessions.messages(it.session_id) if message.role == "system"]
    assert any("failed: exit code 1" in text and "broken pipe" in text for text in said)


def test_a_plan_is_not_approved_when_a_hook_minds(tmp_path: Path) -> None:
    it = hooked(tmp_path, before_approve=fail("reviewer"))
    it.write_plan()
    with pytest.raises(Conflict) as conflict:
        it.execute()
    assert conflict.value.code == "HOOK_FAILED"
    assert it.ws.ports.approvals.find(PATH) is None
    assert it.ws.ports.records.executions() == ()


def test_no_plan_is_made_when_a_hook_minds(tmp_path: Path) -> None:
    it = hooked(tmp_path, before_plan=fail("budget"))
    with pytest.raises(Conflict) as conflict:
        asyncio.run(make_plan(it.ws, it.session_id, "Greet"))
    assert (conflict.value.code, it.world.model.requests) == ("HOOK_FAILED", [])


def test_nor_in_a_conversation(tmp_path: Path) -> None:
    it = hooked(tmp_path, WRITE_PLAN, SAID, before_plan=fail("budget"))
    asyncio.run(send_message(it.ws, it.session_id, "make a plan"))
    assert "HOOK_FAILED" in it.said_last()
    assert list(it.world.root.rglob("*.plan")) == []


def test_the_hooks_before_a_plan_run_once_for_it(tmp_path: Path) -> None:
    it = hooked(tmp_path, WRITE_PLAN, SAID, before_plan=["true"], after_plan=["test -e $PLANACT_PLAN_FILE"])
    asyncio.run(make_plan(it.ws, it.session_id, "Greet"))
    entries = it.ws.ports.journal.read("", ("call_started",))
    assert [entry.data["arguments"] for entry in entries if entry.data["tool"] == "execute_command"] == [
        '{"command": "true"}',
        '{"command": "test -e $PLANACT_PLAN_FILE"}',
    ]
    assert failures(it) == []


def test_in_plan_a_hook_changes_nothing_either(tmp_path: Path) -> None:
    it = hooked(tmp_path, WRITE_PLAN, SAID, before_plan=['python3 -c \'open("made", "w")\''])
    with pytest.raises(Conflict):
        asyncio.run(make_plan(it.ws, it.session_id, "Greet"))
    it = hooked(tmp_path, WRITE_PLAN, SAID, before_plan=["touch made"])
    with pytest.raises(Conflict) as conflict:
        asyncio.run(make_plan(it.ws, it.session_id, "Greet"))
    assert "was not run" in conflict.value.message
    said = [message.content for message in it.ws.ports.sessions.messages(it.session_id) if message.role == "system"]
    assert any(
        text.startswith("The hook beforePlan `touch made` was not run.\nSystem is in Plan Mode. ") for text in said
    )
    assert not (tmp_path / "made").exists()
    assert it.world.events().count("tool_refused") == 1


def test_what_the_settings_deny_no_hook_does(tmp_path: Path) -> None:
    it = hooked(tmp_path, *BOTH_STEPS, before_step=["rm -f a"])
    it.ws.settings = it.ws.settings.model_copy(
        update={"commands": it.ws.settings.commands.model_copy(update={"deny": ["rm"]})}
    )
    it.write_plan()
    assert (it.execute().status, it.asked) == ("paused", [])


def test_questions_have_hooks_too(tmp_path: Path) -> None:
    told: Mapping[str, list[str]] = {
        "before_question": ["test -n $PLANACT_QUESTION_ID"],
        "after_question": ['test "$PLANACT_STATUS" = answered'],
    }
    it = hooked(tmp_path, ASK, SAID, **told)
    it.answers(answer(colour="blue"))
    asyncio.run(send_message(it.ws, it.session_id, "paint it"))
    assert ('"colour": "blue"' in it.said_last(1), failures(it)) == (True, [])


def test_a_question_that_a_hook_minds_is_not_asked_and_the_model_hears_why(tmp_path: Path) -> None:
    it = hooked(tmp_path, ASK, SAID, before_question=fail("night"))
    asyncio.run(send_message(it.ws, it.session_id, "paint it"))
    assert ("HOOK_FAILED" in it.said_last(), it.asked, it.ws.questions.open()) == (True, [], ())


def test_a_call_that_would_have_to_be_asked_about_is_not_made(tmp_path: Path) -> None:
    it = hooked(
        tmp_path,
        calls(call("create_file", path="a.txt", content="x")),
        SAID,
        mode=Mode.ACT,
        before_question=fail("night"),
    )
    asyncio.run(send_message(it.ws, it.session_id, "write it"))
    assert ("HOOK_FAILED" in it.said_last(), (tmp_path / "a.txt").exists(), it.asked) == (True, False, [])


def test_a_run_can_be_stopped_while_a_hook_runs(tmp_path: Path) -> None:
    it = hooked(tmp_path, *BOTH_STEPS, before_step=["touch began; sleep 600"])
    it.write_plan(PLAN)
    it.answers(EXECUTE)

    async def stop() -> str:
        working = asyncio.ensure_future(it.executing())
        await until((tmp_path / "began").exists)
        await it.ws.stop(it.session_id)
        return (await working).status

    assert asyncio.run(stop()) == "paused"


def test_no_question_passes_the_hooks_by() -> None:
    package = Path(hooks.__file__).parents[1]
    asking = {path.name for path in package.rglob("*.py") if ".questions.ask(" in path.read_text("utf-8")}
    assert asking == {"hooks.py"}
