"""Who says yes to what: approval, confirmation, freshness."""

import asyncio
import hashlib
from collections.abc import Callable
from pathlib import Path

import pytest

from planact.base.errors import PlanactError
from planact.model.question import Answered, DeclinedByUser, Dismissed, NobodyThere, Shown
from planact.model.rights.permission import Mode
from planact.model.runs.execution import Execution
from planact.tools.turn import EndTurn
from planact.workflows.plans.approve import approve_plan
from planact.workflows.plans.library import is_approved, list_plans
from planact.workflows.runs.execute import Confirmation
from tests.fakes.world import Turn, answer, call, calls
from tests.workflows.scene import BOTH_STEPS, EXECUTE, PATH, PLAN, SAID, WRITE_A, Scene, until

ASK, UNLESS_APPROVED, BY_FLAG = Confirmation.ASK, Confirmation.UNLESS_APPROVED, Confirmation.BY_FLAG


def scene(root: Path, *turns: Turn, text: str = PLAN) -> Scene:
    made = Scene(root, *turns)
    made.write_plan(text)
    return made


def code_of(job: Callable[[], object]) -> str:
    with pytest.raises(PlanactError) as failure:
        job()
    return failure.value.code


def approve(it: Scene) -> None:
    asyncio.run(it.approve())


def is_untouched(it: Scene) -> bool:
    return it.session.mode is Mode.PLAN and it.world.model.requests == [] and not it.ws.ports.records.executions()


# --- the yes


def test_approving_starts_nothing_and_shows_in_the_document(tmp_path: Path) -> None:
    it = scene(tmp_path)
    approve(it)
    assert is_approved(it.ws, it.document())
    assert it.status() == "approved"
    assert it.world.events()[-1] == "plan_approved"
    assert is_untouched(it)


def test_what_is_approved_is_what_was_seen(tmp_path: Path) -> None:
    it = scene(tmp_path)
    seen = it.document().hash
    it.write_plan(PLAN.replace("Greet", "Delete all"))
    assert code_of(lambda: asyncio.run(approve_plan(it.ws, it.session_id, it.document(), seen))) == (
        "PLAN_CHANGED_SINCE_APPROVAL"
    )
    assert not is_approved(it.ws, it.document())


def test_an_approved_plan_runs_without_another_question_and_marks_do_not_undo_the_approval(tmp_path: Path) -> None:
    it = scene(tmp_path, *BOTH_STEPS)
    approve(it)
    assert it.execute(UNLESS_APPROVED, step=1).status == "success"
    assert it.execute(UNLESS_APPROVED).status == "success"
    assert it.asked == []


@pytest.mark.parametrize("confirmation", [ASK, UNLESS_APPROVED])
def test_a_plan_that_is_not_approved_is_named_and_asked_about(tmp_path: Path, confirmation: Confirmation) -> None:
    it = scene(tmp_path, *BOTH_STEPS, text=PLAN.replace("---\n#", "status: approved\n---\n#"))
    it.answers(EXECUTE)
    assert it.execute(confirmation).status == "success"
    (question,) = it.asked
    assert question.questions[0].question == "Execute the plan “Greet” (2 steps)?"
    assert is_approved(it.ws, it.document())


@pytest.mark.parametrize("is_approved_first", [True, False])
def test_a_question_about_executing_ends_when_the_yes_comes_another_way(
    tmp_path: Path, is_approved_first: bool
) -> None:
    it = scene(tmp_path, *BOTH_STEPS)
    it.answers(NobodyThere())
    with pytest.raises(EndTurn):
        it.execute(ASK)
    (question,) = it.ws.questions.open()
    if is_approved_first:
        approve(it)
    assert it.execute(UNLESS_APPROVED if is_approved_first else BY_FLAG).status == "success"
    ended = it.ws.ports.questions.get(question.id)
    assert (it.ws.questions.open(), ended.status, ended.reason) == ((), "cancelled", "the plan is being executed")


def test_asking_always_asks_for_an_approved_plan_too(tmp_path: Path) -> None:
    it = scene(tmp_path, *BOTH_STEPS)
    approve(it)
    it.answers(EXECUTE)
    it.execute(ASK)
    assert len(it.asked) == 1


@pytest.mark.parametrize("shown", [answer(execute=False), DeclinedByUser()])
def test_a_no_changes_nothing(tmp_path: Path, shown: Shown) -> None:
    it = scene(tmp_path)
    it.answers(shown)
    assert code_of(lambda: it.execute(ASK)) == "NOT_CONFIRMED"
    assert not is_approved(it.ws, it.document())
    assert is_untouched(it)


@pytest.mark.parametrize(
    "shown",
    [
        Dismissed(),
        Answered({}),
        answer(execute=1),
        answer(execute="true"),
        answer(execute=None),
        answer(approve=True),
        answer(execute=True, more=True),
    ],
)
def test_what_is_no_answer_is_no_yes(tmp_path: Path, shown: Shown) -> None:
    it = scene(tmp_path)
    it.answers(shown, NobodyThere())

    async def run() -> None:
        running = asyncio.ensure_future(it.executing(ASK))
        await until(lambda: len(it.asked) > isinstance(shown, Answered))
        if isinstance(shown, Dismissed):
            await asyncio.sleep(0.05)
            assert not running.done()
            running.cancel()
        with pytest.raises((EndTurn, asyncio.CancelledError)):
            await running

    asyncio.run(run())
    assert not is_approved(it.ws, it.document())
    assert is_untouched(it)
    assert [question.status for question in it.ws.questions.open()] == ["open"]


def test_an_answer_to_another_question_is_no_yes(tmp_path: Path) -> None:
    it = scene(tmp_path)
    other = ".planact/plans/plan_20261120_bbbb-other.plan"
    it.write_plan(PLAN.replace("aaaa", "bbbb"), other)

    async def run() -> None:
        from planact.workflows.runs.execute import execute_plan

        first = asyncio.ensure_future(execute_plan(it.ws, it.session_id, other, ASK))
        await until(lambda: it.asked)
        first.cancel()
        await asyncio.wait([first])
        it.ws.questions.answer(it.asked[0].id, {"execute": True})
        it.answers(NobodyThere())
        with pytest.raises(EndTurn):
            await it.executing(ASK)

    asyncio.run(run())
    assert is_untouched(it)


def test_a_yes_given_after_a_restart_counts_for_the_text_that_was_shown(tmp_path: Path) -> None:
    it = scene(tmp_path, *BOTH_STEPS)
    it.answers(NobodyThere())
    with pytest.raises(EndTurn):
        it.execute(ASK)
    it.ws.questions.answer(it.asked[0].id, {"execute": True})
    it.write_plan(PLAN.replace("hello", "goodbye"))
    it.answers(NobodyThere())
    with pytest.raises(EndTurn):
        it.execute(ASK)
    it.write_plan()
    assert it.execute(ASK).status == "success"


# --- bound to the content


def test_a_plan_that_changed_since_it_was_approved_is_asked_about_with_the_difference(tmp_path: Path) -> None:
    it = scene(tmp_path, *BOTH_STEPS)
    approve(it)
    it.world.write(PATH, it.world.read(PATH).replace("grep -q hello a.txt", "grep -q hell a.txt"))
    it.answers(EXECUTE)
    assert it.execute(UNLESS_APPROVED).status == "success"
    question = it.asked[0].questions[0]
    assert question.question.startswith("The plan changed since you approved it.")
    assert "-  - check: `grep -q hello a.txt`\n+  - check: `grep -q hell a.txt`" in question.context


def test_a_no_to_the_difference_leaves_the_old_approval_and_runs_nothing(tmp_path: Path) -> None:
    it = scene(tmp_path)
    approve(it)
    it.world.write(PATH, it.world.read(PATH).replace("hello", "rm -rf"))
    it.answers(answer(execute=False))
    assert code_of(lambda: it.execute(UNLESS_APPROVED)) == "NOT_CONFIRMED"
    assert not is_approved(it.ws, it.document())
    assert is_untouched(it)


def test_a_plan_that_changes_while_the_user_is_asked_is_not_run(tmp_path: Path) -> None:
    it = scene(tmp_path)

    async def run() -> Execution:
        running = asyncio.ensure_future(it.executing(ASK))
        await until(lambda: it.asked)
        it.write_plan(PLAN.replace("hello", "rm -rf"))
        it.ws.questions.answer(it.asked[0].id, {"execute": True})
        return await running

    assert code_of(lambda: asyncio.run(run())) == "PLAN_CHANGED_SINCE_APPROVAL"
    assert not is_approved(it.ws, it.document())
    assert is_untouched(it)


def test_a_yes_to_what_was_seen_needs_no_other_and_counts_for_nothing_else(tmp_path: Path) -> None:
    it = scene(tmp_path, *BOTH_STEPS)
    assert it.execute(UNLESS_APPROVED, seen_hash=it.document().hash).status == "success"
    assert it.asked == []
    other = scene(tmp_path / "other", *BOTH_STEPS)
    approve(other)
    other.answers(EXECUTE)
    other.execute(UNLESS_APPROVED, seen_hash="f" * 64)
    assert len(other.asked) == 1


def test_a_flag_approves_the_plan_as_it_is_now(tmp_path: Path) -> None:
    it = scene(tmp_path, *BOTH_STEPS)
    assert it.execute(BY_FLAG).status == "success"
    assert is_approved(it.ws, it.document())


# --- freshness

RESTS_ON = PLAN.replace(
    "---\n#", f"context:\n  - {{path: c.txt, sha256: {hashlib.sha256(b'as read').hexdigest()}}}\n---\n#"
)


def resting(root: Path, *turns: Turn, now: str = "changed") -> Scene:
    it = scene(root, *turns, text=RESTS_ON)
    it.world.write("c.txt", now)
    return it


def test_what_has_not_changed_is_fresh(tmp_path: Path) -> None:
    assert resting(tmp_path, *BOTH_STEPS, now="as read").execute(BY_FLAG).status == "success"


@pytest.mark.parametrize("is_gone", [False, True])
def test_a_flag_accepts_no_stale_plan_and_approves_none(tmp_path: Path, is_gone: bool) -> None:
    it = resting(tmp_path)
    if is_gone:
        (tmp_path / "c.txt").unlink()
    assert code_of(lambda: it.execute(BY_FLAG)) == "PLAN_STALE"
    assert not is_approved(it.ws, it.document())
    assert "plan_stale" in it.world.events()
    assert is_untouched(it)


def test_a_stale_plan_goes_on_only_if_the_user_says_so(tmp_path: Path) -> None:
    it = resting(tmp_path, *BOTH_STEPS)
    it.answers(answer(stale="cancel"))
    assert code_of(lambda: it.execute(UNLESS_APPROVED)) == "NOT_CONFIRMED"
    assert is_untouched(it)
    it.answers(answer(stale="go_on"), EXECUTE)
    assert it.execute(UNLESS_APPROVED).status == "success"


def test_what_the_run_itself_changed_is_not_stale(tmp_path: Path) -> None:
    text = RESTS_ON.replace("files: a.txt", "files: a.txt, c.txt")
    edit = calls(
        call("update_file", path="c.txt", edits=[{"old": "as read", "new": "changed"}]),
        call("create_file", path="a.txt", content="hello\n"),
    )
    it = scene(tmp_path, edit, SAID, *BOTH_STEPS[2:], text=text)
    it.world.write("c.txt", "as read")
    assert it.execute(BY_FLAG, step=1).status == "success"
    assert it.execute(BY_FLAG).status == "success"


def test_a_record_that_a_repository_ships_makes_nothing_fresh(tmp_path: Path) -> None:
    from planact.model.plan import StepStatus
    from planact.model.runs.execution import FileChange, StepRecord

    it = resting(tmp_path)
    after = hashlib.sha256(b"changed").hexdigest()
    step = StepRecord(
        step_number=1, action="a", status=StepStatus.DONE, files=(FileChange(path="c.txt", before="", after=after),)
    )
    forged = Execution(id="x", session_id="y", plan_id="plan_20261120_aaaa", status="success", steps=(step,))
    it.ws.ports.records.put_execution(forged)
    assert code_of(lambda: it.execute(BY_FLAG)) == "PLAN_STALE"


# --- what a file says of itself


@pytest.mark.parametrize("status", ["approved", "running", "done"])
def test_a_plan_that_comes_with_a_repository_is_a_draft(tmp_path: Path, status: str) -> None:
    it = scene(tmp_path, text=PLAN.replace("---\n#", f"status: {status}\n---\n#"))
    assert [plan.status.value for plan in list_plans(it.ws)] == ["draft"]
    approve(it)
    assert [plan.status.value for plan in list_plans(it.ws)] == ["approved"]
    it.world.write(PATH, it.world.read(PATH).replace("hello", "rm -rf"))
    assert [plan.status.value for plan in list_plans(it.ws)] == ["draft"]


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("# Only words\n", "PLAN_INVALID"),
        ("", "PLAN_INVALID"),
        ("## Steps\n- [ ] 1. No goal\n", "PLAN_INVALID"),
        (PLAN.replace("2. Write", "1. Write"), "PLAN_INVALID"),
        (PLAN.replace('"1.0"', '"9.0"'), "PLAN_INVALID"),
    ],
)
def test_what_is_no_complete_plan_is_not_run(tmp_path: Path, text: str, code: str) -> None:
    it = scene(tmp_path, text=text)
    assert code_of(lambda: it.execute(BY_FLAG)) == code
    assert is_untouched(it)


def test_steps_run_only_in_the_files_that_the_approved_step_names(tmp_path: Path) -> None:
    it = scene(tmp_path, calls(call("create_file", path="b.txt", content="early")), WRITE_A, SAID)
    it.answers(answer(approval="reject_once"))
    assert it.execute(step=1).status == "success"
    assert "b.txt" not in it.world.tree()
