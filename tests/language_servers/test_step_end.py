"""New errors at a step's end: the model repairs them, else the user is asked; what isn't known counts as nothing."""

from collections.abc import Sequence

import pytest

from planact.adapters.language_servers import of_editor
from planact.base.errors import ModelFailure
from planact.model.chat.message import ModelRequest, Reply
from planact.model.file import EditorProblem
from planact.model.runs.execution import CheckResult, Execution, FileErrors
from planact.workflows.history.report import report
from planact.workflows.runs.checks import check_errors
from planact.workflows.runs.execute import Confirmation
from tests.fakes.world import Turn, answer, call, calls
from tests.language_servers.conftest import Yard
from tests.workflows.scene import EXECUTE, Scene

pytestmark = pytest.mark.slow

PLAN = """---
format_version: "1.0"
id: plan_20261120_aaaa
---
# Greet

## Steps
- [ ] 1. Write the greeting
  - reason: nobody is greeted
  - files: a.txt
  - check: `test -f a.txt`
"""
SAID = Reply("All is well.")


def edit(old: str, new: str) -> Turn:
    return calls(call("update_file", path="a.txt", edits=[{"old": old, "new": new}]))


def once_told(words: str, turn: Reply) -> Turn:
    """A model that does something only if it was told these words last, and else has nothing to do."""

    def played(request: ModelRequest) -> Reply:
        return turn if words in str(request.messages[-1]["content"]) else SAID

    return played


def scene(yard: Yard, *turns: Turn, manner: str = "versioned", text: str = "fine\n") -> Scene:
    it = Scene(yard.root, *turns, settings=yard.settings(manner))
    it.write_plan(PLAN)
    it.world.write("a.txt", text)
    return it


def execute(yard: Yard, it: Scene, confirmation: Confirmation = Confirmation.BY_FLAG) -> Execution:
    async def run() -> Execution:
        return await it.executing(confirmation)

    return yard.run(it.world, run)


def found(checks: Sequence[CheckResult]) -> CheckResult:
    [check] = [check for check in checks if check.kind == "diagnostics"]
    return check


def errors(before: int | None, after: int | None, new: int = 0) -> tuple[FileErrors, ...]:
    return (FileErrors(path="a.txt", before=before, after=after, new=new),)


def test_they_go_back_to_the_model_and_the_record_shows_before_and_after(yard: Yard) -> None:
    repair = once_told("not good: wrong 2", edit("wrong 1\nwrong 1\nwrong 2", "fine\nwrong 1"))
    it = scene(yard, edit("fine", "wrong 1\nwrong 2"), SAID, repair, SAID, text="wrong 1\nfine\n")
    execution = execute(yard, it)
    assert (execution.status, it.asked) == ("success", [])
    [record] = execution.steps
    [made] = record.repairs
    assert (made.files, made.check.ending, made.check.errors) == (("a.txt",), "found 2 new errors", errors(1, 3, 2))
    told = it.said_last(2)
    assert told.startswith("[planact] Repair 1 of 3 of step 1: the check `diagnostics` found 2 new errors.\nIt printed")
    assert "a.txt: 3 errors by scripted, 1 before the step\na.txt:2: error: not good: wrong 1 (scripted bad)\n" in told
    assert (found(record.checks).passed, found(record.checks).errors) == (True, errors(1, 1))


def test_errors_that_were_there_before_are_nobodys_even_in_other_lines(yard: Yard) -> None:
    it = scene(yard, edit("wrong 1", "\n\nwrong 1"), SAID, text="wrong 1\n")
    execution = execute(yard, it)
    assert (execution.status, execution.steps[0].repairs) == ("success", ())
    check = found(execution.steps[0].checks)
    assert (check.passed, check.errors, check.output) == (
        True,
        errors(1, 1),
        "a.txt: 1 error by scripted, 1 before the step",
    )
    assert "- Check passed: `diagnostics`, found 0 new errors" in report(execution)


def test_what_the_model_does_not_repair_is_the_users_and_counts_when_it_is_tried_again(yard: Yard) -> None:
    it = scene(yard, edit("fine", "wrong 1"), SAID, SAID, SAID, SAID)
    it.answers(EXECUTE, answer(failed="retry"), answer(failed="stop"))
    execution = execute(yard, it, Confirmation.UNLESS_APPROVED)
    assert [record.status.value for record in execution.steps] == ["failed", "failed"]
    first, second = (asked.questions[0] for asked in it.asked[1:])
    assert first.question == ("Step 1 failed: the check `diagnostics` found 1 new error after 1 repair. What now?")
    assert "not good: wrong 1" in first.context
    assert "found 1 new error" in second.question
    assert found(execution.steps[1].checks).errors == errors(0, 1, 1)


def test_a_commands_changes_count(yard: Yard) -> None:
    run = calls(call("execute_command", command="sed -i s/fine/wrong/ a.txt"))
    it = scene(yard, run, SAID, once_told("not good: wrong", edit("wrong", "well")), SAID)
    it.ws.accepting.add(it.session_id)
    execution = execute(yard, it)
    assert (execution.status, it.asked) == ("success", [])
    assert execution.steps[0].repairs[0].check.errors == errors(0, 1, 1)
    assert found(execution.steps[0].checks).passed


@pytest.mark.parametrize("manner", ["mute", "dies"])
def test_what_no_server_says_is_no_check(yard: Yard, monkeypatch: pytest.MonkeyPatch, manner: str) -> None:
    monkeypatch.setattr(check_errors, "_WAIT_SECONDS", 0.5)
    execution = execute(yard, scene(yard, edit("fine", "wrong"), SAID, manner=manner))
    assert (execution.status, [check.kind for check in execution.steps[0].checks]) == ("success", ["command"])


def test_an_editor_that_was_not_asked_before_knows_only_what_is_there_now(yard: Yard) -> None:
    """Its errors may be old ones."""
    it = scene(yard, edit("fine", "wrong"), SAID)
    it.world.editor.told_problems, it.world.editor.is_late = (EditorProblem("a.txt", 1, "error", "bad"),), True

    def wakes(request: ModelRequest) -> Reply:
        it.world.editor.is_late = False
        return SAID

    it.world.model.turns[1] = wakes
    check = found(execute(yard, it).steps[0].checks)
    assert (check.passed, check.errors) == (True, errors(None, 1))
    assert check.output == "a.txt: 1 error by the editor, those before the step aren't known"


def test_an_editors_new_errors_count(yard: Yard) -> None:
    old, new = (EditorProblem("a.txt", 1, "error", words) for words in ("old", "new"))
    it = scene(yard, edit("fine", "wrong"), SAID)

    def sees(problems: Sequence[EditorProblem], turn: Reply) -> Turn:
        def played(request: ModelRequest) -> Reply:
            it.world.editor.told_problems = problems
            return turn

        return played

    it.world.editor.told_problems = (old,)
    repaired = sees((old,), calls(call("update_file", path="a.txt", edits=[{"old": "wrong", "new": "well"}])))
    it.world.model.turns[:] = [edit("fine", "wrong"), sees((old, new), SAID), repaired, SAID]
    execution = execute(yard, it)
    assert (execution.status, it.asked) == ("success", [])
    assert execution.steps[0].repairs[0].check.errors == errors(1, 2, 1)
    assert found(execution.steps[0].checks).errors == errors(1, 1)


def test_those_of_an_attempt_that_broke_off_count(yard: Yard) -> None:
    broken_off = ModelFailure("MODEL_UNREACHABLE", "nobody answers")
    it = scene(yard, edit("fine", "wrong"), broken_off)
    with pytest.raises(ModelFailure):
        execute(yard, it)
    it.world.model.turns[:] = [SAID, once_told("not good: wrong", edit("wrong", "well")), SAID]
    execution = execute(yard, it)
    assert (execution.status, it.asked) == ("success", [])
    assert execution.steps[-1].repairs[0].check.errors == errors(0, 1, 1)


def test_an_editor_is_not_waited_for_long_after_the_last_edit(yard: Yard, monkeypatch: pytest.MonkeyPatch) -> None:
    it = scene(yard, edit("fine", "well"), SAID)
    it.world.editor.told_problems = ()
    assert found(execute(yard, it).steps[0].checks).passed
    assert 0 < it.world.editor.waits[-1] <= of_editor._SETTLED_SECONDS
    monkeypatch.setattr(of_editor, "_SETTLED_SECONDS", 0.0)
    again = scene(yard, edit("fine", "well"), SAID)
    again.world.editor.told_problems = ()
    assert found(execute(yard, again).steps[0].checks).passed
    assert again.world.editor.waits[-1] == 0
