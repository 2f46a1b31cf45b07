"""`planact resume`, and what is asked at the terminal when a step fails."""

import contextlib
import json
import os
import signal
from typing import Any

import pytest

from tests.cli.program import Program, Ran
from tests.cli.terminal import Terminal

THIRD_TIME = "! mkdir once && ! mkdir twice"
"""A check that fails twice: it runs a second time before its failure counts."""


def failing(planact: Program) -> str:
    """The id of an approved plan whose second step fails at the first try, which the user is asked about at once."""
    planact.variables["PLANACT_LIMITS_REPAIRS"] = "0"
    plan_id = planact.plan()
    path = planact.document(plan_id)
    path.write_text(path.read_text().replace("grep -q goodbye greeting.txt", THIRD_TIME))
    assert planact.run("plan", "approve", plan_id, "--hash", planact.hash(plan_id)).code == 0
    return plan_id


def waiting(ran: Ran) -> dict[str, Any]:
    assert ran.code == 3, ran
    asked: dict[str, Any] = ran.json["waiting"]
    assert [option["value"] for option in asked["questions"][0]["options"]] == ["retry", "skip", "replan", "stop"]
    return asked


@pytest.mark.parametrize(
    ("answer", "code", "marks"), [("Retry", 0, ("x", "x")), ("skip", 1, ("x", "-")), ("Stop", 1, ("x", "!"))]
)
def test_an_answer_given_later_is_what_the_run_goes_on_with(
    planact: Program, answer: str, code: int, marks: tuple[str, str]
) -> None:
    plan_id = failing(planact)
    asked = waiting(planact.run("act", plan_id, "--json"))
    assert waiting(planact.run("resume", "--json"))["question_id"] == asked["question_id"]
    assert planact.run("answer", asked["question_id"], answer).code == 0
    ran = planact.run("resume", plan_id)
    assert ran.code == code, ran
    text = planact.document(plan_id).read_text()
    assert tuple(text.partition(f" {number}. ")[0][-2] for number in (1, 2)) == marks


def test_a_run_that_ends_where_a_step_fails_says_how_to_go_on_and_how_to_take_it_back(planact: Program) -> None:
    ran = planact.run("act", failing(planact), "--yes")
    (run,) = (run["id"] for run in planact.run("executions", "--json").json["executions"])
    told = [f"Go on with: planact resume {run}", f"Take it back with: planact rollback {run}"]
    assert (ran.code, ran.err.splitlines()[-2:]) == (1, told), ran


def test_the_file_of_answers_says_what_is_done_about_a_failed_step(planact: Program) -> None:
    plan_id = failing(planact)
    (planact.folder / "answers.yaml").write_text("- {match: ^failed$, answer: Retry}")
    ran = planact.run("act", plan_id, "--answers", "answers.yaml", "--json")
    assert (ran.code, ran.json["status"]) == (0, "success"), ran
    assert [(step["step_number"], step["attempt"], step["status"]) for step in ran.json["steps"]] == [
        *((1, 1, "done"), (2, 1, "failed"), (2, 2, "done"))
    ]


def test_a_killed_program_leaves_the_question_and_it_is_asked_again(planact: Program) -> None:
    plan_id = failing(planact)
    with contextlib.closing(Terminal(planact, "act", plan_id)) as terminal:
        terminal.until("Step 2 failed: the check")
        terminal.until("decline: ")
        os.kill(terminal.process.pid, signal.SIGKILL)
        terminal.process.wait(180)
    (asked,) = planact.run("questions", "--json").json["questions"]
    with contextlib.closing(Terminal(planact, "resume")) as terminal:
        terminal.until("Step 2 failed: the check")
        terminal.until("decline: ")
        terminal.types("Retry\n")
        assert terminal.ends() == 0
    assert planact.run("questions", "--json").json["questions"] == []
    runs = planact.run("executions", "--json").json["executions"]
    assert [(run["status"], [step["status"] for step in run["steps"]]) for run in runs] == [
        ("success", ["done", "failed", "done"])
    ]
    assert asked["purpose"] == "confirm"


def test_a_question_that_only_the_killed_program_could_use_is_over(planact: Program) -> None:
    plan_id = planact.plan()
    with contextlib.closing(Terminal(planact, "plan", "revise", plan_id)) as terminal:
        terminal.until("decline: ")
        [asked] = planact.run("questions", "--json").json["questions"]
        os.kill(terminal.process.pid, signal.SIGKILL)
        terminal.process.wait(180)
    assert planact.run("questions", "--json").json == {"questions": []}
    late = planact.run("answer", asked["question_id"], "Be late")
    assert (late.code, "is cancelled already" in late.err) == (1, True)


def test_a_run_is_named_by_its_id_or_its_plan(planact: Program) -> None:
    plan_id = failing(planact)
    waiting(planact.run("act", plan_id, "--json"))
    (run,) = planact.run("executions", "list", "--json").json["executions"]
    for named in (run["id"], run["id"][-8:], plan_id, run["plan_file"]):
        waiting(planact.run("resume", named, "--json"))
    for named, code in (("none", "PLAN_NOT_FOUND"), ("x.plan", "PLAN_NOT_FOUND")):
        ran = planact.run("resume", named, "--json")
        assert (ran.code, json.loads(ran.out)["error"]["code"]) == (1, code)


def test_without_a_run_there_is_nothing_to_go_on_with(planact: Program) -> None:
    ran = planact.run("resume")
    assert (ran.code, ran.err.splitlines()[-1]) == (
        1,
        "there is no execution that stopped before it was done. Execute a plan to begin one. [EXECUTION_NOT_FOUND]",
    )


def test_a_run_that_could_never_begin_is_told_with_the_plan_to_execute(planact: Program) -> None:
    plan_id = planact.plan()
    ran = planact.run("resume")
    assert ran.code == 1
    assert f"To begin one, execute {plan_id}: `planact act {plan_id}` or `/act {plan_id}`." in ran.err


def test_a_run_that_the_model_broke_off_names_the_command_to_go_on_with(planact: Program) -> None:
    planact.run("plan", "Plan what the model will not do")
    for words in (("act", "--yes"), ("resume",)):
        ran = planact.run(*words)
        [run] = planact.run("executions", "--json").json["executions"]
        assert (ran.code, "gone for lunch" in ran.err) == (6, True), ran
        assert ran.err.splitlines()[-1] == f"Go on with: planact resume {run['id']}"
