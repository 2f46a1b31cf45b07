"""What a command changed beside the plan may be added to it: the answer names the files, and so approves them."""

import asyncio
from pathlib import Path

import pytest

from planact.base.errors import ModelFailure
from planact.model.chat.message import ModelRequest, Reply
from planact.model.question import QuestionSet, Shown
from planact.model.runs.execution import Execution
from planact.model.settings import HookSettings
from planact.workflows.history.journal_queries import runs_of
from planact.workflows.plans.amend import PlannedStep, can_amend
from planact.workflows.plans.library import is_approved
from planact.workflows.runs.resume import can_be_continued, resume_execution
from tests.fakes.world import answer, call, calls
from tests.workflows.scene import PATH, PLAN, SAID, WRITE_A, WRITE_B, Scene
from tests.workflows.test_outcomes import GENERATE, make_scene, outcome_questions, run_it

MORE = "open('setup.sh', 'a').write('more\\n')"
ADD = answer(outcome="add_to_plan")
WORK = (WRITE_A, run_it(GENERATE), SAID)


def offered(asked: QuestionSet) -> list[str]:
    return [str(option.value) for option in asked.questions[0].options]


async def resume(it: Scene, run: Execution) -> Execution:
    return await resume_execution(it.ws, it.session_id, run)


def type_in_plan(it: Scene) -> None:
    text = it.world.read(PATH).replace("People like it.", "People love it.")
    it.world.write(PATH, text)


def test_the_step_names_the_files_from_then_on_and_the_plan_stays_approved(tmp_path: Path) -> None:
    it = make_scene(tmp_path, *WORK, WRITE_B, SAID, script=MORE)
    it.answers(ADD)
    execution = it.execute()
    assert offered(it.asked[0]) == ["keep", "keep_always", "add_to_plan", "discard"]
    assert it.world.read("setup.sh") == "true\nmore\n"
    document = it.document()
    assert [step.files for step in document.complete().steps] == [("a.txt", "setup.sh"), ("b.txt",)]
    assert is_approved(it.ws, document)
    assert execution.status == "success"
    assert execution.plan_hash == document.hash
    assert len(it.asked) == 1
    assert [each.reason for each in execution.adaptations] == ["you added it to the step"]
    assert "setup.sh" in it.plans()[-1]
    assert "files: a.txt, setup.sh" in it.world.read(it.document().path)
    assert [entry.data["files"] for entry in it.ws.ports.journal.read(execution.id, ("plan_amended",))] == [
        ["setup.sh"]
    ]


def test_later_changes_of_these_files_in_the_step_need_no_question(tmp_path: Path) -> None:
    patch = "*** Begin Patch\n*** Update File: setup.sh\n-true\n+exit 0\n*** End Patch"
    edit = calls(call("update_file", patch=patch))
    asking = calls(call("ask_user", questions=[{"name": "q", "question": "Which?"}]))
    it = make_scene(tmp_path, WRITE_A, run_it(GENERATE), asking, run_it(GENERATE), edit, SAID, script=MORE)
    it.answers(ADD, answer(q="this"))
    it.execute(step=1)
    assert [asked.questions[0].name for asked in it.asked] == ["outcome", "q"]
    assert it.world.read("setup.sh") == "exit 0\nmore\nmore\n"


def test_other_steps_keep_the_files_that_only_their_text_names(tmp_path: Path) -> None:
    it = make_scene(tmp_path, *WORK, WRITE_B, SAID, script=MORE)
    it.write_plan(PLAN.replace("2. Write the answer", "2. Create `b.txt`").replace("  - files: b.txt\n", ""))
    it.answers(ADD)
    execution = it.execute()
    assert (execution.status, len(it.asked)) == ("success", 1)
    approval = it.ws.ports.approvals.find(it.document().path)
    assert approval is not None
    assert approval.implied_files == {2: ("b.txt",)}


def test_a_step_whose_files_only_its_text_names_lists_them_too(tmp_path: Path) -> None:
    it = make_scene(tmp_path, *WORK, script=MORE)
    it.write_plan(PLAN.replace("1. Write the greeting", "1. Create `a.txt`").replace("  - files: a.txt\n", ""))
    it.answers(ADD)
    it.execute(step=1)
    assert it.document().complete().steps[0].files == ("a.txt", "setup.sh")
    assert is_approved(it.ws, it.document())


def test_a_plan_that_the_user_changed_is_left_alone(tmp_path: Path) -> None:
    def type_meanwhile(_: ModelRequest) -> Reply:
        type_in_plan(it)
        return run_it(GENERATE)

    it = make_scene(tmp_path, WRITE_A, type_meanwhile, SAID, script=MORE)
    it.answers(answer(outcome="keep"))
    it.execute(step=1)
    assert offered(it.asked[0]) == ["keep", "keep_always", "discard"]


def test_a_plan_that_changes_while_the_user_is_asked_is_left_alone_and_the_files_stay(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    it = make_scene(tmp_path, *WORK, script=MORE)
    show = it.world.editor.show

    async def typing(question: QuestionSet, problem: str) -> Shown:
        type_in_plan(it)
        return await show(question, problem)

    monkeypatch.setattr(it.world.editor, "show", typing)
    it.answers(ADD)
    it.execute(step=1)
    assert it.document().complete().steps[0].files == ("a.txt",)
    assert not is_approved(it.ws, it.document())
    assert it.world.read("setup.sh") == "true\nmore\n"
    assert any("isn't in the plan" in str(notice) for notice in it.world.editor.notices)


def test_the_answer_names_each_file_that_it_adds(tmp_path: Path) -> None:
    it = make_scene(tmp_path, *WORK, script="[open(f'n{at}.py', 'w').write('x = 1\\n' * 9_000) for at in range(9)]")
    it.answers(ADD)
    it.execute(step=1)
    [option] = [each for each in it.asked[0].questions[0].options if each.value == "add_to_plan"]
    added = it.document().complete().steps[0].files[1:]
    assert len(added) == 9
    assert all(path in str(option.description) for path in added)


def test_it_is_not_offered_where_hooks_decide_on_approvals(tmp_path: Path) -> None:
    it = make_scene(tmp_path, *WORK, script=MORE, hooks=HookSettings(after_approve=["true"]))
    it.answers(answer(outcome="discard"))
    it.execute(step=1)
    assert "add_to_plan" not in offered(it.asked[0])


def test_it_is_not_offered_for_a_folder_and_without_a_plan_step(tmp_path: Path) -> None:
    it = make_scene(tmp_path, *WORK, script="import os; os.mkdir('lib'); os.chmod('.', 0o700)")
    it.execute(step=1)
    assert not any("add_to_plan" in offered(asked) for asked in it.asked)


@pytest.mark.parametrize(
    ("name", "can"),
    [
        *(
            ("a `b`.sh", True),
            ("a,b.sh", True),
            ("new\nline.sh", False),
            ("- [ ] 9. x\n.sh", False),
            (" lead.sh", False),
        ),
        *(("x:3", False), (".env", False), (".git/hooks/x", False), ("p.plan", False), ("../x.sh", False)),
    ],
)
def test_a_file_of_any_name_changes_nothing_else_of_the_plan(tmp_path: Path, name: str, can: bool) -> None:
    it = Scene(tmp_path)
    it.write_plan()
    asyncio.run(it.approve())
    document = it.document()
    assert can_amend(it.ws, PlannedStep(document.path, document.hash, 1), [name]) == can


def test_a_run_that_pauses_afterwards_goes_on_as_the_same_run(tmp_path: Path) -> None:
    turns = (WRITE_A, run_it(GENERATE), run_it("cat a.txt"), SAID, WRITE_B, SAID)
    it = make_scene(tmp_path, *turns, script=f"open('a.txt').read()\n{MORE}", most_turns=3)
    it.answers(ADD)
    first = it.execute()
    again = asyncio.run(resume(it, first))
    assert (first.status, again.status, again.id) == ("paused", "success", first.id)
    assert again.plan_hash == it.document().hash != first.plan_hash


def test_what_a_run_that_was_cut_off_left_can_be_added_when_the_next_begins(tmp_path: Path) -> None:
    it = make_scene(tmp_path, *WORK, SAID, script=MORE, most_turns=2)
    assert it.execute(step=1).status == "paused"
    it.answers(ADD)
    it.execute(step=1)
    assert it.document().complete().steps[0].files == ("a.txt", "setup.sh")
    assert is_approved(it.ws, it.document())
    assert len(outcome_questions(it)) == 1


def test_a_run_that_is_cancelled_afterwards_can_be_continued(tmp_path: Path) -> None:
    def fails(_: ModelRequest) -> Reply:
        raise ModelFailure("MODEL_UNAVAILABLE", "gone", "Try later.")

    asking = calls(call("ask_user", questions=[{"name": "q", "question": "Which?"}]))
    it = make_scene(tmp_path, WRITE_A, run_it(GENERATE), asking, fails, script=MORE)
    it.answers(ADD, answer(q="this"))
    with pytest.raises(ModelFailure):
        it.execute()
    run = next(runs_of(it.ws, PATH))
    assert run.plan_hash == it.document().hash
    assert can_be_continued(it.ws, PATH, it.document().hash)
