import asyncio
from pathlib import Path

import pytest

from planact.base.errors import PlanactError
from planact.model.chat.message import REDACTED
from planact.workflows.plans.revisions import compare_revisions, keep_revision, propose_revision, restore_revision
from planact.workflows.runs.revise_plan import revise_plan
from tests.fakes.world import call, calls
from tests.workflows.scene import PATH, PLAN, SAID, Scene

REWRITE = calls(call("write_plan", goal="Greet warmly", steps=[{"action": "Write the greeting", "files": ["a.txt"]}]))


def texts(it: Scene) -> list[tuple[str, str]]:
    return [(kept.author, kept.text) for kept in it.ws.ports.revisions.list(PATH)]


def revised(tmp_path: Path) -> Scene:
    it = Scene(tmp_path, REWRITE, SAID)
    it.write_plan(PLAN + "\nMine.\n")
    asyncio.run(revise_plan(it.ws, it.session_id, PATH, "be warm"))
    return it


def test_a_revision_is_kept_with_what_it_replaced(tmp_path: Path) -> None:
    it = revised(tmp_path)
    assert texts(it) == [("user", PLAN + "\nMine.\n"), ("planner", it.document().file.text)]


def test_an_approved_text_is_kept_once(tmp_path: Path) -> None:
    it = Scene(tmp_path)
    it.write_plan()
    for _ in range(2):
        asyncio.run(it.approve())
    assert texts(it)[0] == ("user", PLAN)
    assert len(texts(it)) == len(set(texts(it)))


def test_the_difference_is_to_the_last_text_that_was_another(tmp_path: Path) -> None:
    it = revised(tmp_path)
    difference = compare_revisions(it.ws, it.document())
    assert difference.before == PLAN + "\nMine.\n"
    assert "-# Greet\n+# Greet warmly\n" in difference.diff
    assert difference.diff.startswith(f"--- before\n+++ {PATH}\n")
    assert compare_revisions(it.ws, it.document(), 2).diff == ""
    assert "+# Greet\n" in compare_revisions(it.ws, it.document(), 2, 1).diff


def test_an_earlier_text_comes_back_and_the_later_stays_known(tmp_path: Path) -> None:
    it = revised(tmp_path)
    later = it.document().file.text
    asyncio.run(restore_revision(it.ws, it.session_id, it.document(), 1))
    assert it.world.read(PATH) == PLAN + "\nMine.\n"
    asyncio.run(restore_revision(it.ws, it.session_id, it.document(), 2))
    assert it.world.read(PATH) == later


def test_what_was_approved_needs_another_approval_when_another_text_comes_back(tmp_path: Path) -> None:
    it = revised(tmp_path)
    asyncio.run(it.approve())
    asyncio.run(restore_revision(it.ws, it.session_id, it.document(), 1))
    approval = it.ws.ports.approvals.find(PATH)
    assert approval is not None
    assert approval.hash != it.document().hash


def test_a_revision_that_is_not_there_changes_nothing(tmp_path: Path) -> None:
    it = Scene(tmp_path)
    it.write_plan()
    with pytest.raises(PlanactError) as failure:
        asyncio.run(restore_revision(it.ws, it.session_id, it.document(), 1))
    assert (failure.value.code, failure.value.hint) == ("REVISION_NOT_FOUND", "None was kept yet.")
    assert it.world.read(PATH) == PLAN


def test_a_secret_that_was_left_out_is_not_lost_by_going_back(tmp_path: Path) -> None:
    it = Scene(tmp_path)
    it.write_plan()
    number = propose_revision(it.ws, it.document(), PLAN + f"\n{REDACTED}\n")
    with pytest.raises(PlanactError) as failure:
        asyncio.run(restore_revision(it.ws, it.session_id, it.document(), number))
    assert (failure.value.code, it.world.read(PATH)) == ("PLAN_INVALID", PLAN)


def test_a_running_plan_keeps_its_text(tmp_path: Path) -> None:
    it = Scene(tmp_path)
    it.write_plan()
    keep_revision(it.ws, it.document(), "user")
    it.ws.ports.lock.acquire(f"{PATH}: Greet")
    with pytest.raises(PlanactError) as failure:
        asyncio.run(restore_revision(it.ws, it.session_id, it.document(), 1))
    assert failure.value.code == "BUSY"
