"""With all that a plan did rolled back, its session is in Plan again."""

import asyncio
from pathlib import Path

from planact.model.notice import ModeNotice
from planact.model.rights.permission import Mode
from planact.workflows.runs.run_without_plan import run_without_plan
from planact.workflows.sessions.manage import change_session, new_session
from planact.workflows.undo.roll_back import RollbackTarget, roll_back
from planact.workflows.work.left import works_left
from tests.workflows.rolled_back import AGAIN_A, CHANGE_A, YES, back, scene
from tests.workflows.scene import PATH, SAID, WRITE_A, Scene


def test_with_all_that_a_plan_did_taken_back_its_session_plans_again_and_that_is_written_down(tmp_path: Path) -> None:
    it = scene(tmp_path, CHANGE_A, SAID, AGAIN_A, SAID)
    it.execute()
    back(it, 2)
    assert it.session.mode is Mode.ACT  # step 1 stands, and the plan can be gone on with
    back(it, 1)
    assert (it.session.mode, it.session.role) == (Mode.PLAN, "planner")
    entered = [event.data for event in it.world.store.events.list() if event.kind == "mode_entered"]
    assert (entered[-1]["mode"], entered[-1]["by"]) == ("plan", "rollback")
    assert [notice.session.mode for notice in it.world.editor.notices if isinstance(notice, ModeNotice)][
        -1
    ] is Mode.PLAN


def test_a_session_that_has_gone_on_to_another_plan_stays_as_it_is(tmp_path: Path) -> None:
    it = scene(tmp_path, CHANGE_A, SAID)
    it.execute(step=1)
    other = new_session(it.ws, Mode.ACT).id
    change_session(it.ws, it.session_id, plan_file="other.plan")
    asyncio.run(roll_back(it.ws, other, RollbackTarget(plan_path=PATH), is_confirmed=True))
    assert (it.session.mode, it.ws.ports.sessions.get(other).mode) == (Mode.ACT, Mode.ACT)


def test_what_was_done_without_a_plan_stays_in_act(tmp_path: Path) -> None:
    it = Scene(tmp_path, WRITE_A, SAID, mode=Mode.ACT)
    it.answers(YES)
    asyncio.run(run_without_plan(it.ws, it.session_id, "greet", None))
    back(it, plan="")
    assert it.session.mode is Mode.ACT


def test_the_work_that_is_told_afterwards_says_how_the_files_are(tmp_path: Path) -> None:
    it = scene(tmp_path, CHANGE_A, SAID, AGAIN_A, SAID)
    it.execute()
    back(it)
    (work,) = works_left(it.ws, it.session_id, is_run_at_work=False)
    assert (work.status_text, work.title, work.text) == ("Plan · rolled back", "Rolled back", "1 file is as it was.")
