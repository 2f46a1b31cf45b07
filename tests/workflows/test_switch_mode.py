import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest

from planact.base.errors import PlanactError
from planact.model.chat.message import Session
from planact.model.question import DeclinedByUser
from planact.model.rights.permission import Mode
from planact.workflows.runs.execute import Confirmation
from planact.workflows.sessions.switch_mode import switch_mode
from tests.fakes.world import answer, call, calls
from tests.workflows.scene import SAID, WRITE_A, Scene, until

SLOW = calls(call("execute_command", command="python3 -c 'import time; time.sleep(20)'"))


def switching(it: Scene, mode: Mode, confirm_stop: bool | None = None) -> Awaitable[Session]:
    return switch_mode(it.ws, it.session_id, mode, confirm_stop=confirm_stop)


async def while_running(it: Scene, act: Callable[[], Awaitable[None]]) -> None:
    """Do something while the first step's command runs, then stop the run."""
    running = asyncio.ensure_future(it.executing(Confirmation.BY_FLAG))
    await until(lambda: "call_started" in [entry.kind for entry in it.world.store.journal.entries])
    await act()
    await it.ws.stop(it.session_id)
    await running


def test_act_by_hand_approves_nothing(tmp_path: Path) -> None:
    it = Scene(tmp_path)
    it.write_plan()
    asyncio.run(switching(it, Mode.ACT))
    assert (it.session.mode, it.session.role) == (Mode.ACT, "actor")
    assert it.ws.ports.approvals.paths() == frozenset()
    assert it.world.events() == ["mode_entered", "mode_entered"]


def test_a_switch_to_the_mode_in_force_is_none(tmp_path: Path) -> None:
    it = Scene(tmp_path)
    asyncio.run(switching(it, Mode.PLAN))
    assert it.world.events() == ["mode_entered"]


@pytest.mark.parametrize("confirm_stop", [True, None])
def test_a_confirmed_switch_to_plan_stops_the_run_and_leaves_its_plan_in_order(
    tmp_path: Path, confirm_stop: bool | None
) -> None:
    it = Scene(tmp_path, SLOW, WRITE_A, SAID)
    it.write_plan()

    async def act() -> None:
        it.answers(answer(stop=True))
        assert (await switching(it, Mode.PLAN, confirm_stop)).mode is Mode.PLAN

    asyncio.run(while_running(it, act))
    (execution,) = it.ws.ports.records.executions()
    assert (execution.status, it.marks(), it.status()) == ("paused", "  ", "paused")
    assert it.session.mode is Mode.PLAN
    assert [question.purpose for question in it.asked] == ["confirm"] * (confirm_stop is None)


@pytest.mark.parametrize("shown", [answer(stop=False), DeclinedByUser()])
def test_a_switch_that_is_not_confirmed_stops_nothing(tmp_path: Path, shown: object) -> None:
    it = Scene(tmp_path, SLOW)
    it.write_plan()

    async def act() -> None:
        it.answers(shown)  # type: ignore[arg-type]
        for confirm_stop, code in ((None, "NOT_CONFIRMED"), (False, "MODE_CONFLICT")):
            with pytest.raises(PlanactError) as failure:
                await switching(it, Mode.PLAN, confirm_stop)
            assert failure.value.code == code
        assert it.session.mode is Mode.ACT
        assert it.session_id in it.ws.running
        assert it.marks() == "~ "

    asyncio.run(while_running(it, act))


def test_a_stop_without_work_stops_nothing(tmp_path: Path) -> None:
    assert not asyncio.run(Scene(tmp_path).ws.stop("x"))


def test_a_session_that_was_stopped_can_work_again(tmp_path: Path) -> None:
    it = Scene(tmp_path, SLOW, WRITE_A, SAID)
    it.write_plan()

    async def act() -> None:
        return

    asyncio.run(while_running(it, act))
    assert it.execute(step=1).status == "success"
