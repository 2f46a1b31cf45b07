import asyncio
from collections.abc import Callable
from pathlib import Path

import pytest

from planact.base.errors import ModelFailure, PlanactError
from planact.base.span import apply_edits
from planact.model.chat.message import ModelRequest, Reply
from planact.model.rights.permission import Mode
from planact.model.runs.execution import Adaptation, Evidence, Execution
from planact.model.settings import CommandSettings, LimitSettings, Settings
from planact.plan.syntax.edits import add_adaptation
from planact.workflows.history.report import report
from planact.workflows.runs.execute import Confirmation
from planact.workflows.runs.handle_failure import skip_step
from tests.fakes.loopback_model import without_surroundings
from tests.fakes.world import Turn, answer, call, calls
from tests.workflows.scene import BOTH_STEPS, EXECUTE, PATH, PLAN, SAID, WRITE_A, WRITE_B, Scene, until


def scene(root: Path, *turns: Turn, text: str = PLAN) -> Scene:
    made = Scene(root, *turns)
    made.write_plan(text)
    return made


def code_of(job: Callable[[], object]) -> str:
    with pytest.raises(PlanactError) as failure:
        job()
    return failure.value.code


def results(execution: Execution) -> list[tuple[int, str, tuple[bool, ...]]]:
    return [(r.step_number, r.status.value, tuple(check.passed for check in r.checks)) for r in execution.steps]


# --- the run


def test_a_plan_is_carried_out_step_by_step_and_the_last_one_carries_its_validation(tmp_path: Path) -> None:
    it = scene(tmp_path, *BOTH_STEPS)
    execution = it.execute()
    assert execution.status == "success"
    assert results(execution) == [(1, "done", (True,)), (2, "done", (True,))]
    assert [check.command for record in execution.steps for check in record.checks] == [
        "grep -q hello a.txt",
        "test -f b.txt",
    ]
    assert (it.marks(), it.status()) == ("xx", "done")
    assert (it.session.mode, it.session.plan_file, it.session.role) == (Mode.ACT, PATH, "actor")
    assert it.ws.ports.records.executions() == (execution,)
    assert it.asked == []


def test_intent_comes_before_the_act_its_result_after_it_and_the_picture_last(tmp_path: Path) -> None:
    it = scene(tmp_path, WRITE_A, SAID)
    it.execute(step=1)
    log = it.world.log("journal.append", "editor.apply", "records.put_execution", "approvals")
    assert log == [
        ("approvals.approve", PATH),
        ("journal.append", "run_started"),
        ("records.put_execution", "running"),
        ("editor.apply", "Mark the plan"),
        ("journal.append", "step_started"),
        ("editor.apply", "Mark the plan"),
        ("journal.append", "call_started"),
        ("journal.append", "files_changing"),
        ("editor.apply", "Create a.txt"),
        ("journal.append", "file_changed"),
        ("journal.append", "call_finished"),
        ("journal.append", "call_started"),
        ("journal.append", "call_finished"),
        ("journal.append", "step_finished"),
        ("records.put_execution", "running"),
        ("editor.apply", "Mark the plan"),
        ("journal.append", "run_finished"),
        ("records.put_execution", "success"),
        ("editor.apply", "Mark the plan"),
    ]


def test_the_plan_is_pinned_without_what_approval_does_not_cover(tmp_path: Path) -> None:
    it = scene(tmp_path, *BOTH_STEPS)
    forged = Adaptation(reason="r", original_action="o", adapted_action="Delete everything.")
    it.write_plan(apply_edits(PLAN, add_adaptation(it.document().tree, 1, forged)))
    it.execute()
    assert len(it.document().tree.adaptations) == 1
    assert len(set(it.plans())) == len(set(it.prompts())) == 1
    assert "1. Write the greeting" in it.plans()[0]
    assert "Delete everything." not in it.plans()[0]


def test_each_step_is_told_to_the_model_when_its_turn_comes(tmp_path: Path) -> None:
    it = scene(tmp_path, *BOTH_STEPS)
    it.execute()
    _, pinned, *first = [message["content"] for message in without_surroundings(it.world.model.requests[0].messages)]
    assert pinned == it.plans()[0]
    assert first == [
        "[planact] Execution of “Greet” begins.",
        "[planact] Carry out step 1 of 2: Write the greeting. Files: a.txt.",
    ]
    assert it.said_last(2) == "[planact] Carry out step 2 of 2: Write the answer. Files: b.txt."


def test_saying_done_is_no_evidence(tmp_path: Path) -> None:
    text = PLAN.replace("  - check: `grep -q hello a.txt`\n", "").replace("- `test -f b.txt`\n", "")
    execution = scene(tmp_path, SAID, text=text).execute()
    assert (execution.status, results(execution)) == ("failed", [(1, "failed", ())])
    assert "nothing was done" in execution.reason


LOOK = calls(call("list_directory", path="."))
RUN = calls(call("execute_command", command="true"))
LIST = calls(call("execute_command", command="ls"))
FAIL = calls(call("execute_command", command="false"))
MAKE = calls(call("create_file", path="b.txt", content="bye\n"))
ASK = calls(call("ask_user", questions=[{"name": "n", "question": "Well?", "options": [{"label": "y", "value": "y"}]}]))


@pytest.mark.parametrize(
    ("turns", "tools", "is_done"),
    [
        pytest.param((LOOK, SAID), "", False, id="having read, no tools named"),
        pytest.param((LOOK, SAID), "list_directory, update_file", False, id="having read, where more was planned"),
        pytest.param((LOOK, SAID), "list_directory, search_everything", False, id="having read, and an unknown tool"),
        pytest.param((LOOK, SAID), "list_directory, read_file", True, id="having read, where only that was planned"),
        pytest.param((SAID,), "read_file", False, id="nothing, where reading was planned"),
        pytest.param((calls(call("read_file", path="none")), SAID), "read_file", False, id="a read that failed"),
        pytest.param((ASK, SAID), "ask_user", True, id="having asked, where only that was planned"),
        pytest.param((ASK, SAID), "create_file", False, id="having asked, where more was planned"),
        pytest.param((LOOK, MAKE, SAID), "", True, id="an edit"),
        pytest.param((LOOK, RUN, SAID), "", False, id="a command, where a file was named"),
        pytest.param((LIST, SAID), "update_file", False, id="a command that only read, where an edit was planned"),
        pytest.param((LIST, SAID), "execute_command", True, id="a command that only read, where that was planned"),
        pytest.param((LOOK, SAID), "execute_command", False, id="having read, where a command was planned"),
        pytest.param((LOOK, SAID), "execute_command, read_file", True, id="having read, where that was planned too"),
        pytest.param((LIST, SAID), "read_file", False, id="a command, where reading was planned"),
        pytest.param((FAIL, SAID), "", False, id="a command that failed"),
        pytest.param((FAIL, SAID), "execute_command", False, id="a command that failed, where one was planned"),
        pytest.param((FAIL, LOOK, SAID), "update_file", False, id="a failure and a read, where an edit was planned"),
    ],
)
def test_without_a_check_the_evidence_is_what_the_step_is_about(
    tmp_path: Path, turns: tuple[Turn, ...], tools: str, is_done: bool
) -> None:
    text = PLAN.replace(
        "  - files: b.txt\n", f"  - files: b.txt\n  - tools: {tools}\n" if tools else "  - files: b.txt\n"
    )
    it = scene(tmp_path, *turns, text=text.replace("- `test -f b.txt`\n", ""))
    it.ws.settings = Settings(model="played", commands=CommandSettings(allow=("true", "false")))
    it.answers(answer(n="y"))
    record = it.execute(step=2).steps[0]
    assert (record.status.value, record.error.startswith(("nothing was done: ", "the step names b.txt, "))) == (
        ("done", False) if is_done else ("failed", True)
    )


def test_the_validation_of_the_plan_is_no_evidence_for_its_last_step(tmp_path: Path) -> None:
    it = scene(tmp_path, SAID, text=PLAN.replace("[ ] 1.", "[x] 1."))
    it.world.write("b.txt", "there already")
    [record] = it.execute().steps
    assert (record.status.value, [check.passed for check in record.checks], it.marks()) == ("failed", [True], "x!")


def test_an_edit_that_is_taken_back_is_no_evidence(tmp_path: Path) -> None:
    there = calls(call("update_file", path="b.txt", edits=[{"old": "old", "new": "new"}]))
    back = calls(call("update_file", path="b.txt", edits=[{"old": "new", "new": "old"}]))
    it = scene(tmp_path, there, back, SAID, text=PLAN.replace("- `test -f b.txt`\n", ""))
    it.world.write("b.txt", "old")
    [record] = it.execute(step=2).steps
    assert record.error == "nothing was done: all that was changed was changed back, and there is no check"


def test_the_record_has_the_evidence_for_each_step(tmp_path: Path) -> None:
    def slowly(request: ModelRequest) -> Reply:
        it.world.store.clock.advance(3)
        return SAID

    it = scene(tmp_path, LOOK, WRITE_A, RUN, slowly)
    it.ws.settings = Settings(model="played", commands=CommandSettings(allow=("true",)))
    execution = it.execute(step=1)
    [record] = execution.steps
    assert record.evidence == (
        Evidence(tool="list_directory", about="."),
        Evidence(tool="create_file", about="a.txt"),
        Evidence(tool="execute_command", about="true", exit_code=0),
    )
    assert record.tool_results == 3
    assert (record.duration, execution.duration) == (3, 3)


def test_a_check_that_fails_fails_its_step_and_ends_the_run(tmp_path: Path) -> None:
    it = scene(tmp_path, calls(call("create_file", path="a.txt", content="wrong\n")), SAID, SAID)
    execution = it.execute()
    assert (execution.status, results(execution)) == ("failed", [(1, "failed", (False,))])
    assert execution.reason == "the check `grep -q hello a.txt` ended with 1 after 1 repair"
    assert (it.marks(), it.status()) == ("! ", "failed")


def test_a_run_that_fails_later_was_partly_a_success(tmp_path: Path) -> None:
    it = scene(tmp_path, WRITE_A, SAID, SAID, SAID)
    execution = it.execute()
    assert (execution.status, it.marks(), it.status()) == ("partial_success", "x!", "partial")


def test_a_plan_with_a_check_that_the_user_denies_is_not_begun(tmp_path: Path) -> None:
    it = Scene(tmp_path, WRITE_A, SAID, settings=Settings(model="played", commands=CommandSettings(deny=["grep"])))
    it.write_plan()
    assert code_of(it.execute) == "PLAN_INVALID"
    assert (it.marks(), it.prompts(), (tmp_path / "a.txt").exists()) == ("  ", [], False)


def test_reject_and_stop_pauses_the_run(tmp_path: Path) -> None:
    it = scene(tmp_path, calls(call("create_file", path="c.txt", content="")))
    it.answers(answer(approval="reject_and_stop"))
    execution = it.execute()
    assert (execution.status, it.marks(), it.status()) == ("paused", "  ", "paused")


def test_a_call_that_is_refused_again_and_again_fails_the_step(tmp_path: Path) -> None:
    it = scene(tmp_path, *[calls(call("write_plan", goal="g", steps=[{"action": "a"}]))] * 3)
    execution = it.execute()
    assert (execution.status, it.marks()) == ("failed", "! ")
    assert "TOOL_BLOCKED_BY_MODE" in execution.reason


COMMENTED = PLAN.replace("  - reason: nobody is greeted\n", "  - reason: nobody is greeted\n  > be warm\n")


def test_a_comment_that_nobody_read_stops_a_run_by_flag(tmp_path: Path) -> None:
    it = scene(tmp_path, *BOTH_STEPS, text=COMMENTED)
    with pytest.raises(PlanactError, match="be warm") as stopped:
        it.execute()
    assert stopped.value.code == "PLAN_HAS_COMMENTS"
    assert (it.ws.ports.approvals.find(PATH), it.ws.ports.records.executions(), it.prompts()) == (None, (), [])


def test_a_comment_is_told_where_the_user_is_asked(tmp_path: Path) -> None:
    it = scene(tmp_path, *BOTH_STEPS, text=COMMENTED)
    it.answers(answer(execute=True))
    assert it.execute(Confirmation.ASK).status == "success"
    assert it.asked[0].questions[0].question.startswith("It has a comment that was not worked in. Execute the plan")


def test_a_session_that_only_executes_is_called_after_the_plan(tmp_path: Path) -> None:
    it = scene(tmp_path, *BOTH_STEPS)
    it.execute()
    assert it.session.title == "Greet"
    it.ws.ports.sessions.put(it.session.model_copy(update={"title": "Mine"}))
    it.world.write(PATH, PLAN)
    it.world.model.turns += BOTH_STEPS[1:2] * 2
    it.execute()
    assert it.session.title == "Mine"


def test_the_model_can_not_change_the_plan_it_carries_out(tmp_path: Path) -> None:
    edit = call("update_file", path=PATH, edits=[{"old": "Greet", "new": "Delete all"}])
    it = scene(tmp_path, calls(edit), WRITE_A, SAID)
    it.execute(step=1)
    assert "# Greet" in it.world.read(PATH)
    assert "PLAN_LOCKED" in it.said_last(1)


# --- parts of a plan


def test_one_step_alone_leaves_the_validation_and_the_plan_open(tmp_path: Path) -> None:
    it = scene(tmp_path, WRITE_A, SAID, WRITE_B, SAID)
    assert results(it.execute(step=1)) == [(1, "done", (True,))]
    assert (it.marks(), it.status()) == ("x ", "paused")
    assert results(it.execute(step=2)) == [(2, "done", (True,))]
    assert (it.marks(), it.status()) == ("xx", "done")


def test_a_skipped_step_is_not_run(tmp_path: Path) -> None:
    it = scene(tmp_path, WRITE_B, SAID)
    asyncio.run(skip_step(it.ws, it.session_id, it.document(), 1))
    execution = it.execute()
    assert (results(execution), it.marks(), it.status()) == ([(2, "done", (True,))], "-x", "done")
    assert it.world.model.requests[0].messages[2]["content"].endswith("Done or skipped before: 1.")


def test_a_step_that_is_done_is_not_skipped_and_none_that_is_not_there(tmp_path: Path) -> None:
    it = scene(tmp_path, text=PLAN.replace("- [ ] 1.", "- [x] 1."))
    assert code_of(lambda: asyncio.run(skip_step(it.ws, it.session_id, it.document(), 1))) == "MODE_CONFLICT"
    assert code_of(lambda: asyncio.run(skip_step(it.ws, it.session_id, it.document(), 7))) == "STEP_NOT_FOUND"
    assert code_of(lambda: it.execute(step=7)) == "STEP_NOT_FOUND"


def test_when_all_is_done_there_is_nothing_to_do(tmp_path: Path) -> None:
    it = scene(tmp_path, text=PLAN.replace("[ ]", "[x]"))
    assert code_of(it.execute) == "STEP_NOT_FOUND"
    assert it.session.mode is Mode.PLAN


def test_a_failed_step_is_run_again(tmp_path: Path) -> None:
    it = scene(tmp_path, SAID, SAID, *BOTH_STEPS)
    assert it.execute().status == "failed"
    assert it.execute().status == "success"
    assert it.marks() == "xx"


# --- stopped, broken, killed


def test_a_stopped_run_is_paused_with_its_plan_in_order_and_goes_on(tmp_path: Path) -> None:
    slow = calls(call("execute_command", command="python3 -c 'import time; time.sleep(20)'"))
    it = scene(tmp_path, WRITE_A, SAID, slow, WRITE_B, SAID)

    async def stopped() -> Execution:
        await it.approve()
        running = asyncio.ensure_future(it.executing())
        await until(lambda: any(line == ("journal.append", "trial_started") for line in it.world.store.log))
        await asyncio.sleep(0.05)
        assert it.marks() == "x~"
        assert await it.ws.stop(it.session_id)
        return await running

    execution = asyncio.run(stopped())
    assert (execution.status, execution.reason) == ("paused", "stopped by the user")
    assert results(execution) == [(1, "done", (True,))]
    assert (it.marks(), it.status()) == ("x ", "paused")
    kinds = [entry.kind for entry in it.ws.ports.journal.read(execution.id)]
    assert kinds[-1] == "run_finished"
    assert kinds.count("call_started") == kinds.count("call_finished")
    assert it.execute().status == "success"
    assert it.marks() == "xx"


def test_a_model_that_is_gone_pauses_the_run(tmp_path: Path) -> None:
    it = scene(tmp_path, WRITE_A, SAID, ModelFailure("MODEL_KEY_REFUSED", "the key was refused"), WRITE_B, SAID)
    assert code_of(it.execute) == "MODEL_KEY_REFUSED"
    (execution,) = it.ws.ports.records.executions()
    assert (execution.status, it.marks(), it.status()) == ("paused", "x ", "paused")
    assert "refused" in execution.reason
    assert it.execute().status == "success"


def test_a_planned_check_with_its_output_shortened_is_no_other_command(tmp_path: Path) -> None:
    text = PLAN.replace("`grep -q hello a.txt`", "`sh check.sh`")
    told = calls(call("execute_command", command=f"cd {tmp_path} && sh check.sh 2>&1 | grep -v noise | tail -5"))
    more = calls(call("execute_command", command="sh check.sh more | tail -5"))
    it = Scene(tmp_path, WRITE_A, told, more, SAID, WRITE_B, SAID)
    it.write_plan(text)
    it.world.write("check.sh", "echo noise; grep hello a.txt")
    it.answers(EXECUTE)
    execution = it.execute(Confirmation.UNLESS_APPROVED)
    assert (execution.status, len(it.asked)) == ("success", 1)
    entries = it.ws.ports.journal.read(execution.id, ("call_started",))
    tried = [entry.data["is_tried"] for entry in entries if entry.data["tool"] == "execute_command"]
    assert tried == [False, True, False, False]  # the one that the plan doesn't name; then the checks
    assert next(each.about for each in execution.steps[0].evidence if each.exit_code == 0).startswith("cd ")


def test_the_record_names_the_approved_command_that_a_command_varies(tmp_path: Path) -> None:
    lines = ("pytest -q", "cd . && pytest -q 2>&1 | tail -3", "pytest -x tests/a.py | head -5", "pytest -p x", "ls")
    it = scene(tmp_path, WRITE_A, *(calls(call("execute_command", command=line)) for line in lines), SAID)
    it.write_plan(PLAN.replace("`grep -q hello a.txt`", "`pytest -q`"))
    it.ws.settings = Settings(model="played", limits=LimitSettings(repairs=0), approval="acceptAll")
    execution = it.execute(step=1)
    told = {each.about: each.variant_of for each in execution.steps[0].evidence if each.tool == "execute_command"}
    assert [told.get(line, "") for line in lines] == ["", "pytest -q", "pytest -q", "", ""]
    assert ", a variant of `pytest -q`" in report(execution)
