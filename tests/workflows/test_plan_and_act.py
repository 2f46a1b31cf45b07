import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from planact.base.errors import NotFound, PlanactError
from planact.model.chat.message import ModelRequest, Reply
from planact.model.notice import ToolNotice
from planact.model.question import DeclinedByUser, NobodyThere, Shown
from planact.model.rights.permission import Mode
from planact.model.settings import CommandSettings, Settings
from planact.tools.turn import EndTurn
from planact.workflows.plans.library import list_plans
from planact.workflows.runs.plan_and_act import GRACE_SECONDS, PlanAndExecution, plan_and_act
from planact.workflows.runs.resume import resume_execution, run_to_resume
from planact.workflows.workspace import Stopped
from tests.fakes.world import Turn, call, calls
from tests.workflows.scene import EXECUTE, SAID, WRITE_A, Scene, answer

SAFE: dict[str, Any] = {"action": "Write it", "reason": "r", "files": ["a.txt"], "tools_needed": ["create_file"]}
UNSAFE = [
    SAFE | {"tools_needed": ["delete_file"]},
    SAFE | {"tools_needed": ["execute_command"]},
    SAFE | {"files": []},
    SAFE | {"files": ["../other/a.txt"]},
    SAFE | {"files": ["/etc/passwd"]},
    SAFE | {"files": [".env"]},
    SAFE | {"files": [".git/config"]},
    SAFE | {"files": [".planact/config.toml"]},
    SAFE | {"validation_checks": ["curl http://127.0.0.1 | sh"]},
    SAFE | {"action": "Write it, then run `terraform apply`"},
]


def planning(*steps: dict[str, Any], **more: Any) -> Reply:
    return calls(call("write_plan", goal="Write it", steps=list(steps), **more))


def scene(root: Path, *turns: Turn) -> Scene:
    return Scene(root, *turns, settings=Settings(model="played", commands=CommandSettings(allow=["true"])))


def go(it: Scene) -> PlanAndExecution:
    return asyncio.run(plan_and_act(it.ws, it.session_id, "write it"))


def test_a_safe_plan_runs_after_a_moment_in_which_it_can_be_stopped(tmp_path: Path) -> None:
    it = scene(tmp_path, planning(SAFE | {"validation_checks": ["true"]}), SAID, WRITE_A, SAID)
    ended = go(it)
    assert ended.execution is not None
    assert ended.execution.status == "success"
    assert it.world.store.clock.slept == [GRACE_SECONDS]
    assert it.asked == []


@pytest.mark.parametrize("step", UNSAFE)
def test_an_unsafe_plan_waits_for_the_users_yes(tmp_path: Path, step: dict[str, Any]) -> None:
    it = scene(tmp_path, planning(step), SAID)
    it.answers(answer(execute=False))
    assert go(it).execution is None
    assert (len(it.asked), it.session.mode, it.world.store.clock.slept) == (1, Mode.PLAN, [])


@pytest.mark.parametrize(
    "more",
    [
        {"has_infrastructure_changes": True},
        {"validation": ["`rm -rf x`"]},
        {"validation": ["Run `kubectl delete pod x`, then look"]},
    ],
)
def test_what_the_whole_plan_does_counts_too(tmp_path: Path, more: dict[str, Any]) -> None:
    it = scene(tmp_path, planning(SAFE, **more), SAID)
    it.answers(NobodyThere())
    with pytest.raises(EndTurn):
        go(it)
    assert it.session.mode is Mode.PLAN


def test_an_unsafe_plan_runs_after_the_yes(tmp_path: Path) -> None:
    it = scene(tmp_path, planning(SAFE | {"files": []}), SAID, WRITE_A, SAID)
    it.answers(EXECUTE, answer(approval="allow_once"))
    execution = go(it).execution
    assert execution is not None
    assert execution.status == "success"


def asks_to_leave(request: ModelRequest) -> Reply:
    path = str(request.messages[-1]["content"]).removeprefix("The plan is in ").partition(" ")[0].rstrip(".")
    return calls(call("exit_plan_mode", plan_file_path=path))


@pytest.mark.parametrize(
    "shown", [answer(approve="review"), answer(approve="keep_planning"), DeclinedByUser(), NobodyThere()]
)
def test_a_safe_plan_that_the_user_wants_to_look_at_does_not_start_by_itself(tmp_path: Path, shown: Shown) -> None:
    it = scene(tmp_path, planning(SAFE), asks_to_leave, SAID, SAID)
    it.answers(shown)
    ended = go(it)
    assert (ended.execution, it.session.mode) == (None, Mode.PLAN)
    assert it.world.store.clock.slept == []
    assert len(it.asked) == 1


def test_a_plan_accepted_in_between_runs_without_another_question(tmp_path: Path) -> None:
    it = scene(tmp_path, planning(SAFE), asks_to_leave, WRITE_A, SAID)
    it.answers(answer(approve="accept"))
    execution = go(it).execution
    assert execution is not None
    assert execution.status == "success"
    assert len(it.asked) == 1


def during_the_moment(it: Scene, act: Callable[[], object]) -> None:
    async def sleep(seconds: float) -> None:
        act()
        await asyncio.sleep(0.05)

    it.world.store.clock.sleep = sleep  # type: ignore[method-assign]


def test_a_plan_that_changes_in_that_moment_is_asked_about(tmp_path: Path) -> None:
    it = scene(tmp_path, planning(SAFE), SAID)

    def change() -> None:
        (plan,) = list_plans(it.ws)
        it.world.write(plan.path, it.world.read(plan.path).replace("files: a.txt", "files: .env"))

    during_the_moment(it, change)
    it.answers(answer(execute=False))
    assert go(it).execution is None
    assert len(it.asked) == 1


def test_stopping_in_that_moment_starts_nothing(tmp_path: Path) -> None:
    it = scene(tmp_path, planning(SAFE), SAID)
    stopping: list[asyncio.Future[bool]] = []
    during_the_moment(it, lambda: stopping.append(asyncio.ensure_future(it.ws.stop(it.session_id))))
    with pytest.raises(Stopped):
        go(it)
    assert it.session.mode is Mode.PLAN
    assert it.ws.ports.records.executions() == ()


def test_no_plan_is_no_run(tmp_path: Path) -> None:
    with pytest.raises(NotFound) as failure:
        go(scene(tmp_path, Reply("Hm."), Reply("I would rather not.")))
    assert isinstance(failure.value, PlanactError)
    assert failure.value.hint == "I would rather not."


def test_checks_that_only_read_make_no_plan_unsafe(tmp_path: Path) -> None:
    step = SAFE | {"validation_checks": ["grep -q hello a.txt", "test -f a.txt && cat a.txt"]}
    it = scene(tmp_path, planning(step), SAID, WRITE_A, SAID)
    ended = go(it)
    assert ended.execution is not None
    assert (ended.execution.status, it.asked) == ("success", [])


def test_checks_that_only_read_are_held_to_that_where_nobody_said_yes(tmp_path: Path) -> None:
    it = scene(tmp_path, planning(SAFE | {"validation_checks": ["true", "grep -q hello a.txt"]}), SAID, WRITE_A, SAID)
    go(it)
    assert [jail for command, jail in jails(it) if command == "grep -q hello a.txt"] == ["local-read"]
    assert ("true", "act") in jails(it)


def test_they_are_held_after_a_pause_too(tmp_path: Path) -> None:
    step = SAFE | {"validation_checks": ["grep -q hello a.txt"]}
    beyond = calls(call("create_file", path="b.txt", content="bye"))
    it = scene(tmp_path, planning(step), SAID, beyond, WRITE_A, SAID)
    it.answers(NobodyThere())
    paused = go(it).execution
    assert (paused is not None, jails(it)) == (True, [])
    done = asyncio.run(resume_execution(it.ws, it.session_id, run_to_resume(it.ws)))
    assert (done.status, jails(it)) == ("success", [("grep -q hello a.txt", "local-read")])


def test_a_yes_to_the_plan_lets_its_checks_loose(tmp_path: Path) -> None:
    step = SAFE | {"files": [], "validation_checks": ["grep -q hello a.txt"]}
    it = scene(tmp_path, planning(step), SAID, WRITE_A, SAID)
    it.answers(EXECUTE, answer(approval="allow_once"))
    go(it)
    assert jails(it) == [("grep -q hello a.txt", "act")]


def test_a_check_that_no_jail_would_hold_to_reading_needs_a_yes(tmp_path: Path) -> None:
    settings = Settings(model="played", sandbox="off")
    it = Scene(tmp_path, planning(SAFE | {"validation_checks": ["git status"]}), SAID, settings=settings)
    it.answers(answer(execute=False))
    assert go(it).execution is None
    assert len(it.asked) == 1


def jails(it: Scene) -> list[tuple[str, str]]:
    """The commands that ran in Act, each with its jail."""
    notices = [each for each in it.world.editor.notices if isinstance(each, ToolNotice) and each.confinement]
    return [(each.text, str(each.confinement)) for each in notices]


def test_a_scrutinized_plan_is_reviewed_and_revised_once_before_it_starts(tmp_path: Path) -> None:
    review = Reply("Step 1 doesn't say why.")
    revision = calls(call("write_plan", goal="Write it well", steps=[SAFE]))
    it = scene(tmp_path, planning(SAFE), SAID, review, revision, SAID, WRITE_A, SAID)
    ended = asyncio.run(plan_and_act(it.ws, it.session_id, "write it", is_scrutinized=True))
    assert ended.execution is not None
    assert (ended.execution.goal, ended.execution.status) == ("Write it well", "success")
    requests = it.world.model.requests
    assert "planact's reviewer" in str(requests[2].messages[0]["content"])
    assert "Step 1 doesn't say why." in str(requests[3].messages[-1]["content"])


def test_a_plan_that_the_user_holds_back_is_not_reviewed(tmp_path: Path) -> None:
    it = scene(tmp_path, calls(call("ask_user", questions=[{"question": "Which?"}])))
    it.answers(NobodyThere())
    with pytest.raises(NotFound):
        asyncio.run(plan_and_act(it.ws, it.session_id, "write it", is_scrutinized=True))
    assert len(it.world.model.requests) == 1
