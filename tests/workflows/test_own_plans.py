"""A plan that the user neither made nor approved nor saved here needs its name, and by flag the hash of its text."""

import asyncio
import json
from collections.abc import Callable
from pathlib import Path

import pytest

from planact.base.errors import PlanactError
from planact.model.rights.permission import Mode
from planact.model.runs.execution import Execution
from planact.plan.approval import approval_hash
from planact.workflows.plans.approve import approve_plan
from planact.workflows.plans.archive import delete_plan
from planact.workflows.plans.library import origin_of, pick_plan
from planact.workflows.plans.revisions import restore_revision
from planact.workflows.runs.execute import Confirmation, execute_plan
from planact.workflows.runs.handle_failure import skip_step
from planact.workflows.runs.make_plan import make_plan
from planact.workflows.runs.resume import run_to_resume
from planact.workflows.sessions.manage import change_session
from planact.workflows.templates import create_template, find_template, use_template
from tests.fakes.world import answer, call, calls
from tests.workflows.scene import BOTH_STEPS, PATH, PLAN, SAID, Scene

EVIL = PLAN.replace("grep -q hello a.txt", "touch evil")
TEMPLATE = """---
description: Hails somebody
parameters:
  - name: whom
    description: Whom to hail?
---
# Hail {{whom}}

## Steps
- [ ] 1. Hail {{whom}}
  - reason: to be kind
"""


def refused(job: Callable[[], object]) -> str:
    with pytest.raises(PlanactError) as failure:
        job()
    return f"{failure.value.code}: {failure.value}"


def foreign(root: Path, *turns: object, text: str = PLAN) -> Scene:
    it = Scene(root, *turns)  # type: ignore[arg-type]
    it.world.write(PATH, text)
    return it


def test_a_plan_of_others_is_not_the_latest_and_the_error_names_it(tmp_path: Path) -> None:
    it = foreign(tmp_path, text=PLAN.replace("id:", "created: 2099-01-01T00:00:00Z\nid:"))
    told = refused(lambda: pick_plan(it.ws, ""))
    assert told.startswith("PLAN_FOREIGN: ")
    assert f"there are others: {PATH}." in told
    assert "planact plan show plan_20261120_aaaa" in told
    assert "planact act plan_20261120_aaaa" in told
    assert pick_plan(it.ws, "aaaa").path == PATH


def test_no_command_to_copy_holds_what_a_plan_of_others_calls_itself(tmp_path: Path) -> None:
    it = foreign(tmp_path, text=PLAN.replace("plan_20261120_aaaa", "x; touch evil"))
    for told in (refused(lambda: pick_plan(it.ws, "")), refused(it.execute)):
        assert ("touch evil" in told, f"planact plan show {PATH}" in told) == (False, True)


def test_the_users_own_plan_is_the_latest_whatever_a_plan_of_others_says_of_its_time(tmp_path: Path) -> None:
    it = Scene(tmp_path)
    it.write_plan()
    it.world.write("new.plan", PLAN.replace("id: plan_20261120_aaaa", "id: plan_20991231_zzzz\ncreated: 2099-01-01"))
    assert pick_plan(it.ws, "").path == PATH


def test_a_plan_of_others_in_hand_of_the_session_is_not_picked_either(tmp_path: Path) -> None:
    it = foreign(tmp_path)
    change_session(it.ws, it.session_id, plan_file=PATH)
    assert refused(lambda: pick_plan(it.ws, "", it.session_id)).startswith("PLAN_FOREIGN")


def test_by_flag_a_plan_of_others_runs_by_the_hash_of_its_text_alone(tmp_path: Path) -> None:
    it = foreign(tmp_path, *BOTH_STEPS)
    assert refused(it.execute).startswith("PLAN_FOREIGN")
    assert refused(lambda: it.execute(seen_hash=approval_hash(EVIL))).startswith("PLAN_CHANGED_SINCE_APPROVAL")
    assert (it.asked, it.session.mode) == ([], Mode.PLAN)
    assert it.execute(seen_hash=approval_hash(PLAN)).status == "success"
    assert it.asked == []


def test_approving_a_plan_of_others_takes_its_hash_and_makes_it_the_users(tmp_path: Path) -> None:
    it = foreign(tmp_path)
    assert refused(lambda: asyncio.run(it.approve())).startswith("PLAN_FOREIGN")
    asyncio.run(approve_plan(it.ws, it.session_id, it.document(), approval_hash(PLAN)))
    assert origin_of(it.ws, it.document()) == "own"
    assert pick_plan(it.ws, "").path == PATH


def test_what_replaces_the_text_of_an_own_plan_needs_its_hash_and_the_question_says_so(tmp_path: Path) -> None:
    it = Scene(tmp_path)
    it.write_plan()
    it.world.write(PATH, EVIL)
    assert origin_of(it.ws, it.document()) == "changed"
    assert "has changed since you last made" in refused(it.execute)
    it.answers(answer(execute=False))
    refused(lambda: it.execute(Confirmation.ASK))
    (question,) = it.asked[0].questions
    assert question.question.startswith("The plan changed since you last made or saved it here.")
    assert "`touch evil`" in question.context
    assert it.asked[0].plan_hash == approval_hash(EVIL)


def test_no_name_of_a_file_passes_for_a_line_of_the_question(tmp_path: Path) -> None:
    path = "x`, hash of its text: 12\n- Steps: `Mend it`\n\n<!--\u3164.plan"
    it = Scene(tmp_path)
    it.world.write(path, EVIL)
    it.answers(answer(execute=False))
    refused(lambda: asyncio.run(execute_plan(it.ws, it.session_id, path, Confirmation.ASK)))
    head, steps, *_ = it.asked[0].questions[0].context.splitlines()
    quoted = json.dumps(path)
    assert head == f"``{quoted}``, hash of its text: {approval_hash(EVIL)}"
    assert steps.startswith("- Steps: ")


def test_another_plan_in_the_place_of_an_own_one_is_a_plan_of_others(tmp_path: Path) -> None:
    it = Scene(tmp_path)
    it.write_plan()
    it.world.write(PATH, PLAN.replace("plan_20261120_aaaa", "plan_20261120_bbbb"))
    assert origin_of(it.ws, it.document()) == "foreign"


def test_an_older_own_text_is_not_taken_for_the_last_one(tmp_path: Path) -> None:
    it = Scene(tmp_path)
    it.write_plan(EVIL)
    it.write_plan()
    it.world.write(PATH, EVIL)
    assert origin_of(it.ws, it.document()) == "changed"


def test_what_planact_writes_is_the_users(tmp_path: Path) -> None:
    it = Scene(tmp_path, calls(call("write_plan", goal="Mend it", steps=[{"action": "Mend it"}])), SAID)
    made = asyncio.run(make_plan(it.ws, it.session_id, "mend it")).written
    assert made is not None
    assert origin_of(it.ws, made) == "own"
    assert pick_plan(it.ws, "").path == made.path


def test_marks_neither_make_a_plan_of_others_the_users_nor_take_an_own_one_from_them(tmp_path: Path) -> None:
    it = foreign(tmp_path)
    skipped = asyncio.run(skip_step(it.ws, it.session_id, it.document(), 1))
    assert origin_of(it.ws, skipped) == "foreign"
    it.write_plan()
    assert origin_of(it.ws, asyncio.run(skip_step(it.ws, it.session_id, it.document(), 1))) == "own"


def test_an_earlier_text_that_the_user_chose_is_theirs(tmp_path: Path) -> None:
    it = Scene(tmp_path)
    it.write_plan()
    asyncio.run(it.approve())
    it.world.write(PATH, EVIL)
    restored = asyncio.run(restore_revision(it.ws, it.session_id, it.document(), 1))
    assert origin_of(it.ws, restored) == "own"


def test_a_plan_from_a_template_of_others_is_none_of_the_users(tmp_path: Path) -> None:
    it = foreign(tmp_path)
    it.world.write(".planact/templates/hail.plan", TEMPLATE)
    it.world.store.records.texts |= {f"templates/{name}.plan": "" for name in ("hail", "mine", "of-others")}

    async def made(name: str) -> str:
        document = await use_template(it.ws, it.session_id, find_template(it.ws, name).template, {"whom": "Ada"})
        return origin_of(it.ws, document)

    async def templates() -> tuple[str, ...]:
        await create_template(it.ws, it.session_id, it.document(), "of-others", "", {"whom": "Greet"})
        it.write_plan()
        await create_template(it.ws, it.session_id, it.document(), "mine", "", {"whom": "Greet"})
        return await made("hail"), await made("of-others"), await made("mine")

    assert asyncio.run(templates()) == ("foreign", "foreign", "own")


def test_a_plan_that_is_brought_back_after_its_deletion_is_a_plan_of_others(tmp_path: Path) -> None:
    it = Scene(tmp_path)
    it.write_plan()
    asyncio.run(delete_plan(it.ws, it.session_id, it.document(), is_confirmed=True))
    it.world.write(PATH, PLAN)
    assert origin_of(it.ws, it.document()) == "foreign"


def test_a_record_of_a_run_that_came_with_the_repository_is_resumed_by_its_name_alone(tmp_path: Path) -> None:
    it = foreign(tmp_path)
    run = Execution(
        id="01900000-0000-7000-8000-00000000beef",
        session_id="s",
        plan_id="plan_20261120_aaaa",
        plan_file=PATH,
        plan_hash="",
        goal="Greet",
        started_at="2099-01-01T00:00:00Z",
    )
    it.ws.ports.records.put_execution(run)
    assert refused(lambda: run_to_resume(it.ws)).startswith("EXECUTION_NOT_FOUND")
    assert run_to_resume(it.ws, execution_id=run.id).plan_file == PATH
