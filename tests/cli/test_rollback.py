"""`planact rollback`: what a run did is taken back by the real program, also after the one before was killed."""

import contextlib
import signal
import time
from pathlib import Path

from tests.cli.program import Program, Ran
from tests.cli.terminal import Terminal

MANY = 400
ATTEMPTS = 5
PLAN = """---
format_version: "1.0"
id: plan_20261120_k3v9
---
# Make many

## Steps
- [ ] 1. Make many files with `sh make.sh`
  - reason: one is not enough
  - tools: execute_command
  - files: {files}
  - check: `test -f many/399.txt`
"""

TWO = """---
format_version: "1.0"
id: plan_20261120_k3v8
---
# Make two

## Steps
- [ ] 1. Make one
  - reason: none is not enough
  - files: one.txt
- [ ] 2. Make another
  - reason: one is not enough
  - files: two.txt
"""
MAKES = "{mode: act, when: Carry out step %s, turns: [{calls: [{tool: create_file, args: %s}]}, {say: Done.}]}"
TWO_RUN = "scenes:\n" + "".join(
    f"  - {MAKES % (number, f'{{path: {path}, content: x}}')}\n" for number, path in ((1, "one.txt"), (2, "two.txt"))
)


def executed(planact: Program) -> str:
    """The id of the run that replaced the greeting."""
    planact.plan()
    ran = planact.run("act", "--yes", "--json")
    assert (ran.code, planact.greeting) == (0, "goodbye\n"), ran
    return str(ran.json["id"])


def test_ctrl_c_at_its_question_names_the_command_again(planact: Program) -> None:
    execution_id = executed(planact)
    terminal = Terminal(planact, "rollback")
    try:
        terminal.until("Number or decline: ")
        terminal.types("\x03")
        assert terminal.ends() == 130
    finally:
        terminal.close()
    assert terminal.seen == f"^C\r\nInterrupted. Go on with: planact rollback {execution_id}\r\n"
    assert planact.greeting == "goodbye\n"


def test_a_run_is_taken_back_with_a_flag(planact: Program) -> None:
    executed(planact)
    ran = planact.run("rollback", "--yes")
    assert (ran.code, planact.greeting) == (0, "hello\n"), ran
    assert ran.out == "Rolled back by the user: steps 1, 2 of “Say goodbye”\n- restored greeting.txt\n"
    [document] = (planact.folder / ".planact/plans").glob("*.plan")
    assert document.read_text().count("- [ ] ") == 2
    [listed] = planact.run("executions").out.splitlines()
    assert listed.split("  ")[2:] == ["rolled back", "Say goodbye"]
    again = planact.run("rollback", "--yes")
    assert again.code == 1
    assert "[NOTHING_TO_ROLL_BACK]" in again.err


def test_one_step_of_a_run_is_taken_back_and_told_as_json(planact: Program) -> None:
    run = executed(planact)
    ran = planact.run("rollback", run[-8:], "--step", "1", "-y", "--json")
    assert ran.code == 0
    assert {key: value for key, value in ran.json.items() if key != "session_id"} == {
        "execution_ids": [run],
        "steps": [1],
        "files": [{"path": "greeting.txt", "what": "restored"}],
        "stayed": [],
    }
    [document] = (planact.folder / ".planact/plans").glob("*.plan")
    assert ("- [ ] 1." in document.read_text(), "- [x] 2." in document.read_text()) == (True, True)


def test_what_is_left_of_a_run_is_told_after_one_step(planact: Program) -> None:
    (planact.folder / "two.plan").write_text(TWO)
    (planact.folder / "run.yaml").write_text(TWO_RUN)
    run = planact.run("act", "two.plan", "--hash", planact.hash("two.plan"), "--json", model="scripted:run.yaml").json[
        "id"
    ]
    asked = planact.run("rollback", run)
    assert asked.code == 3, asked
    ran = planact.run("rollback", run, "--step", "1", "-y")
    assert ran.out.splitlines()[-1] == "Not rolled back: step 2 of “Make two”", ran
    assert f"Take back the rest with: planact rollback {run}" in ran.err
    assert planact.run("questions", "--json").json == {"questions": []}


def test_all_runs_of_a_plan_are_taken_back_by_its_path(planact: Program) -> None:
    executed(planact)
    [document] = (planact.folder / ".planact/plans").glob("*.plan")
    path = document.relative_to(planact.folder).as_posix()
    assert planact.run("rollback", path, "-y").code == 0
    assert planact.greeting == "hello\n"


def test_a_file_that_moved_on_is_refused_with_the_difference(planact: Program) -> None:
    executed(planact)
    (planact.folder / "greeting.txt").write_text("goodbye\nand my own line\n")
    ran = planact.run("rollback", "--yes")
    assert (ran.code, planact.greeting) == (1, "goodbye\nand my own line\n")
    assert "+and my own line" in ran.out
    assert "greeting.txt has changed since" in ran.err
    assert "[FILE_MOVED_ON]" in ran.err
    error = planact.run("rollback", "--yes", "--json").json["error"]
    assert (error["code"], "+and my own line" in error["diff"]) == ("FILE_MOVED_ON", True)


def test_without_anybody_to_ask_the_question_waits_and_its_answer_counts(planact: Program) -> None:
    run = executed(planact)
    ran = planact.run("rollback", "--step", "1", "--json")
    assert (ran.code, planact.greeting) == (3, "goodbye\n"), ran
    question = ran.json["waiting"]["question_id"]
    answered = planact.run("answer", question, "true")
    assert f"Go on with: planact rollback {run} --step 1" in answered.err
    assert planact.run("rollback", run, "--step", "1").code == 0
    assert planact.greeting == "hello\n"


def test_what_is_not_there_is_told(planact: Program) -> None:
    nothing = planact.run("rollback")
    assert (nothing.code, "[EXECUTION_NOT_FOUND]" in nothing.err) == (1, True)
    executed(planact)
    assert "[EXECUTION_NOT_FOUND]" in planact.run("rollback", "nothing-like-it", "-y").err
    assert "[STEP_NOT_FOUND]" in planact.run("rollback", "--step", "7", "-y").err


def test_a_rollback_that_was_killed_is_finished_by_the_next(planact: Program) -> None:
    names = [f"many/{number:03}.txt" for number in range(MANY)]
    script = f"mkdir -p many; for n in $(seq -w 0 {MANY - 1}); do echo $n > many/$n.txt; done; echo bye > greeting.txt"
    (planact.folder / "make.sh").write_text(script)
    (planact.folder / "many.plan").write_text(PLAN.format(files=", ".join(["greeting.txt", *names])))
    (planact.folder / "run.yaml").write_text(
        "scenes:\n  - {mode: act, when: Carry out step 1, turns: [{calls: [{tool: execute_command, args: "
        "{command: sh make.sh}}]}, {say: Done.}]}\n"
    )
    killed_at = next(
        found for found in (killed_while_rolling_back(planact) for _ in range(ATTEMPTS)) if 0 < found < MANY
    )
    ran: Ran = planact.run("rollback", "many.plan", "--yes", "--json")
    assert ran.code == 0, ran
    assert len(ran.json["files"]) in (killed_at, killed_at + 1)  # with the greeting, unless that was first
    assert (planact.greeting, (planact.folder / "many").exists()) == ("hello\n", False)
    assert "- [ ] 1." in (planact.folder / "many.plan").read_text()


def killed_while_rolling_back(planact: Program) -> int:
    """How many files were left at the kill: on a busy machine it may come too late, also just before the end."""
    if "- [x] 1." in (planact.folder / "many.plan").read_text():
        assert planact.run("rollback", "many.plan", "--yes").code == 0
    assert planact.run("act", "many.plan", "--hash", planact.hash("many.plan"), model="scripted:run.yaml").code == 0
    assert left(planact.folder) == MANY
    made = planact.folder / "many"
    as_it_was = changed_at(made)  # counting the files takes as long as removing some
    process = planact.start("rollback", "many.plan", "--yes")
    end = time.monotonic() + 180
    while changed_at(made) == as_it_was and process.poll() is None:
        assert time.monotonic() < end
    process.send_signal(signal.SIGKILL)
    process.communicate(timeout=180)
    return left(planact.folder)


def changed_at(folder: Path) -> int:
    with contextlib.suppress(FileNotFoundError):
        return folder.stat().st_mtime_ns
    return 0


def left(folder: Path) -> int:
    return len([*(folder / "many").iterdir()]) if (folder / "many").exists() else 0
