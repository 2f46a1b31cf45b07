"""`planact act`: confirmation, steps, checks, and every way in which a run doesn't come to its end."""

import contextlib
import os
import signal
import time
from pathlib import Path

import psutil
import pytest

from tests.cli.program import Program, interrupt_when
from tests.cli.terminal import Terminal


def test_a_flag_says_yes_to_the_latest_plan_and_it_is_carried_out(planact: Program) -> None:
    plan_id = planact.plan()
    ran = planact.run("act", "--yes")
    assert (ran.code, planact.greeting) == (0, "goodbye\n"), ran
    assert f"{plan_id}  Say goodbye" in ran.err
    assert "check passed: grep -q goodbye greeting.txt" in ran.out
    record = planact.folder / ran.out.splitlines()[-1].removeprefix("Record: ")
    assert '"success"' in record.read_text()
    assert planact.document(plan_id).read_text().count("- [x] ") == 2


def test_the_record_is_the_json_of_a_run(planact: Program) -> None:
    planact.plan()
    run = planact.run("act", "--yes", "--json").json
    assert (run["status"], [step["status"] for step in run["steps"]]) == ("success", ["done", "done"])
    assert planact.run("sessions", "--json").json["sessions"][0]["title"]


def test_a_run_that_a_refusal_ends_says_so_by_its_exit_code(planact: Program) -> None:
    planact.plan("Insist in Act")
    ran = planact.run("act", "--yes", "--json")
    assert (ran.code, ran.json["status"], ran.json["steps"][0]["ended_by"]) == (4, "failed", "refusal"), ran
    assert ran.err.count("PATH_PROTECTED") >= 3
    assert not (planact.folder / ".git" / "hooks" / "post-commit").exists()


def test_one_step_is_run(planact: Program) -> None:
    plan_id = planact.plan()
    assert planact.run("act", "--plan-id", plan_id, "--yes", "--step", "1").code == 0
    text = planact.document(plan_id).read_text()
    assert ("- [x] 1." in text, "- [ ] 2." in text, planact.greeting) == (True, True, "goodbye\n")


def test_a_selection_of_steps_is_run(planact: Program) -> None:
    plan_id = planact.plan()
    assert planact.run("act", plan_id, "--yes", "--steps", "1-2", "--json").json["only_steps"] == [1, 2]
    for words in ("0", "2-1", "1,", "x", "1-99999999"):
        assert planact.run("act", plan_id, "--yes", "--steps", words).code == 2, words


def test_without_anybody_to_ask_nothing_starts(planact: Program) -> None:
    plan_id = planact.plan()
    ran = planact.run("act")
    assert (ran.code, planact.greeting) == (3, "hello\n")
    assert "planact answer" in ran.err
    assert f"planact act {plan_id}" in ran.err


@pytest.mark.parametrize(("answer", "code", "greeting"), [("true", 0, "goodbye\n"), ("Cancel", 1, "hello\n")])
def test_a_yes_given_later_counts_for_the_next_try(planact: Program, answer: str, code: int, greeting: str) -> None:
    planact.plan()
    question = planact.run("act", "--json").json["waiting"]["question_id"]
    assert planact.run("answer", question, answer).code == 0
    assert (planact.run("act").code, planact.greeting) == (code, greeting)


def test_an_answer_given_later_is_what_the_next_run_goes_on_with(planact: Program) -> None:
    plan_id = planact.plan("Greet as I like")
    waiting = planact.run("act", "--yes", "--json")
    assert (waiting.code, waiting.json["status"]) == (3, "paused"), waiting
    question = waiting.json["waiting"]["question_id"]
    assert planact.run("questions", "--json").json["questions"][0]["question_id"] == question
    assert planact.run("questions").out.splitlines()[1] == "  Which word?"  # of one question the name says nothing
    answered = planact.run("answer", question, "Good day")
    assert (answered.code, answered.out) == (0, "Answered: Good day\n")
    assert answered.err == f"Go on with: planact resume {waiting.json['id']}\n"
    ran = planact.run("act", plan_id)
    assert (ran.code, planact.greeting) == (0, "good day\n"), ran


def test_a_flag_goes_on_with_no_stale_plan(planact: Program) -> None:
    planact.plan()
    (planact.folder / "greeting.txt").write_text("hello there\n")
    ran = planact.run("act", "--yes")
    assert (ran.code, planact.greeting) == (5, "hello there\n")
    assert ran.err.rstrip().endswith("[PLAN_STALE]")


def test_a_flag_runs_no_plan_with_a_comment_that_nobody_read(planact: Program) -> None:
    path = planact.document(planact.plan())
    path.write_text(f"{path.read_text()}\n> be warm\n")
    ran = planact.run("act", "--yes")
    assert (ran.code, planact.greeting) == (5, "hello\n")
    assert ("be warm" in ran.err, ran.err.rstrip().endswith("[PLAN_HAS_COMMENTS]")) == (True, True)


def test_an_invalid_plan_is_not_executed(planact: Program) -> None:
    path = planact.document(planact.plan())
    path.write_text(path.read_text().replace("# Say goodbye\n", ""))
    ran = planact.run("act", str(path.relative_to(planact.folder)), "--yes")
    assert (ran.code, "[PLAN_INVALID]" in ran.err) == (5, True)


def test_a_failed_check_fails_the_run(planact: Program) -> None:
    plan_id = planact.plan()
    path = planact.document(plan_id)
    path.write_text(path.read_text().replace("grep -q goodbye", "grep -q farewell"))
    ran = planact.run("act", plan_id, "--hash", planact.hash(plan_id))
    assert (ran.code, "check failed" in ran.out, "partial success" in ran.out) == (1, True, True)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_the_first_interrupt_pauses_the_run_and_ends_its_commands(planact: Program, number: signal.Signals) -> None:
    plan_id = planact.plan("Take your time")
    planact.variables["PLANACT_COMMANDS_ALLOW"] = '["touch started; sleep 600"]'
    ran = planact.run("act", "--yes", signals=(planact.folder / "started").exists, number=number)
    (run,) = planact.run("executions", "--json").json["executions"]
    assert (ran.code, f"Interrupted. Go on with: planact resume {run['id']}\n" in ran.err) == (130, True), ran
    assert "status: paused" in planact.document(plan_id).read_text()
    assert sleepers(planact.folder) == []


def test_a_terminal_that_is_closed_is_an_interrupt_and_no_failure(planact: Program) -> None:
    planact.plan("Take your time")
    planact.variables["PLANACT_COMMANDS_ALLOW"] = '["touch started; sleep 600"]'
    terminal = Terminal(planact, "act", "--yes")
    interrupt_when(terminal.process, (planact.folder / "started").exists, 0)
    os.close(terminal.descriptor)
    assert terminal.process.wait(180) == 130


def test_a_run_goes_on_though_nobody_watches_any_more(planact: Program) -> None:
    planact.plan()
    process = planact.start("act", "--yes")
    assert process.stderr is not None
    process.stderr.close()
    process.stderr = None
    process.communicate(timeout=180)
    assert (process.returncode, planact.greeting) == (0, "goodbye\n")


def test_the_second_interrupt_ends_at_once(planact: Program) -> None:
    planact.plan("Take your time")
    command = "trap '' TERM; touch started; sleep 600; sleep 610"
    planact.variables["PLANACT_COMMANDS_ALLOW"] = f'["{command}"]'
    script = Path(__file__).with_name("model.yaml").read_text().replace("touch started; sleep 600", command)
    (planact.home / "model.yaml").write_text(script)
    process = planact.start("act", "--yes", model=f"scripted:{planact.home / 'model.yaml'}")
    interrupt_when(process, (planact.folder / "started").exists, signal.SIGSTOP)
    for number in (
        signal.SIGINT,
        signal.SIGTERM,
        signal.SIGCONT,
    ):  # they come at once, so the first can't be done before
        process.send_signal(number)
    _, err = process.communicate(timeout=180)
    assert (process.returncode, "Interrupted." in err) == (130, False), err
    end = time.monotonic() + 180  # it was killed, which a busy machine may do a moment later
    while sleepers(planact.folder) and time.monotonic() < end:
        time.sleep(0.05)
    assert sleepers(planact.folder) == []


def test_an_interrupt_while_planning_leaves_in_good_order(planact: Program) -> None:
    process = planact.start("plan", "Think slowly")
    assert process.stderr is not None
    seen = ""
    while "two" not in seen:
        seen += os.read(process.stderr.fileno(), 100).decode()
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=180)
    assert (process.returncode, "Go on with: planact chat --session" in err) == (130, True), err


def sleepers(folder: Path) -> list[str]:
    found = []
    for process in psutil.process_iter():
        try:
            if process.name() == "sleep" and process.cwd() == str(folder) and process.status() != "zombie":
                found.append(" ".join(process.cmdline()))
        except psutil.Error:
            continue
    return found


def test_a_safe_plan_is_made_and_carried_out(planact: Program) -> None:
    ran = planact.run("planandact", "Greet safely", "--yes")
    assert (ran.code, planact.greeting) == (0, "goodbye\n"), ran


def test_a_plan_that_is_not_safe_waits_also_with_the_flag(planact: Program) -> None:
    ran = planact.run("planandact", "Greet as I like", "--yes", "--json")
    assert (ran.code, planact.greeting) == (3, "hello\n")
    assert ran.json["waiting"]["purpose"] == "confirm"


@pytest.mark.parametrize(("request_", "code"), [("What does it say?", 1), ("Insist on it", 4), ("Ask me first", 3)])
def test_planandact_tells_why_there_is_no_plan(planact: Program, request_: str, code: int) -> None:
    assert planact.run("planandact", request_).code == code


def test_a_closed_pipe_is_no_traceback(planact: Program) -> None:
    planact.plan()
    reader, writer = os.pipe()
    process = planact.start("plan", "list", stdout=writer)
    os.close(writer)
    os.close(reader)
    _, err = process.communicate(timeout=180)
    assert "Traceback" not in err


def test_a_plan_that_another_process_executes_is_not_deleted_until_that_ends(planact: Program) -> None:
    plan_id = planact.plan("Take your time")
    planact.variables["PLANACT_COMMANDS_ALLOW"] = '["touch started; sleep 600"]'
    process = planact.start("act", "--yes")
    interrupt_when(process, (planact.folder / "started").exists, signal.SIGSTOP)
    refused = planact.run("plan", "delete", plan_id, "--yes", "--json")
    assert (refused.code, refused.json["error"]["code"]) == (1, "BUSY")
    assert planact.document(plan_id).exists()
    for each in (*psutil.Process(process.pid).children(recursive=True), process):
        each.kill()
    process.communicate(timeout=180)
    assert planact.run("plan", "delete", plan_id, "--yes").code == 0


def test_a_file_that_changes_in_a_run_that_nobody_watches_pauses_it(planact: Program) -> None:
    plan_id = planact.plan("Take two files")
    process = planact.start("act", "--yes")
    assert process.stderr is not None
    seen = ""
    while "one two" not in seen:  # the command is over; the model still talks
        seen += os.read(process.stderr.fileno(), 100).decode()
    (planact.folder / "greeting.txt").write_text("hello there\n")
    _, err = process.communicate(timeout=180)
    assert (process.returncode, err.rstrip().endswith("[PLAN_STALE]")) == (5, True), err
    text = planact.document(plan_id).read_text()
    assert ("- [x] 1." in text, "- [ ] 2." in text, "status: paused" in text) == (True, True, True)
    waiting = planact.run("act", "--json")
    assert (waiting.code, planact.greeting) == (3, "hello there\n")
    assert [option["value"] for option in waiting.json["waiting"]["questions"][0]["options"]] == [
        *("replan", "go_on", "show_changes", "cancel")
    ]


def test_at_a_terminal_changes_are_shown_and_planned_for(planact: Program) -> None:
    planact.plan()
    (planact.folder / "greeting.txt").write_text("hello there\n")
    with contextlib.closing(Terminal(planact, "act")) as terminal:
        _show_and_plan_anew(terminal)
    (path,) = (planact.folder / ".planact" / "plans").glob("*.plan")
    assert "# Say goodbye as it is now" in path.read_text()
    assert planact.greeting == "hello there\n"


def _show_and_plan_anew(terminal: Terminal) -> None:
    terminal.until("have changed since: greeting.txt")
    terminal.until("decline: ")
    terminal.types("Show changes\n")
    terminal.until("-hello")
    terminal.until("+hello there")
    terminal.until("decline: ")
    terminal.types("Re-plan\n")
    assert terminal.ends() == 1
    assert "was revised and not executed" in terminal.seen


def test_a_plan_that_comes_with_a_clone_runs_by_its_hash_alone(planact: Program) -> None:
    plan_id = planact.plan()
    planact.home = planact.home.with_name("another home")
    planact.home.mkdir()
    refused = planact.run("act", "--yes", "--json")
    assert (refused.code, refused.json["error"]["code"], planact.greeting) == (5, "PLAN_FOREIGN", "hello\n")
    assert f"planact act {plan_id}" in refused.json["error"]["hint"]
    asked = planact.run("act", plan_id, "--json")
    shown = planact.run("plan", "show", plan_id, "--json").json
    assert (asked.code, asked.json["waiting"]["plan_hash"], shown["origin"]) == (3, shown["plan_hash"], "foreign")
    assert "- Run: `grep -q goodbye greeting.txt`" in asked.json["waiting"]["questions"][0]["context"]
    assert "(not yours)" in planact.run("plan", "list").out
    ran = planact.run("act", plan_id, "--hash", shown["plan_hash"], "--json")
    assert (ran.code, ran.json["plan_hash"], planact.greeting) == (0, shown["plan_hash"], "goodbye\n")
