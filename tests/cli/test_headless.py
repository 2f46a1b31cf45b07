"""Runs that nobody watches: exact exit codes, events as lines, answers prepared before, questions left for later."""

import json
import signal
from collections.abc import Callable
from typing import Any

import pytest
import yaml

from planact.cli.command import Exit
from planact.model.runs.journal import Event
from tests.cli.program import Program, Ran


def act_on(request: str, *words: str) -> Callable[[Program], Ran]:
    """Plan, then act with the flag."""

    def run(planact: Program) -> Ran:
        planact.plan(request)
        return planact.run("act", "--yes", *words)

    return run


def run(*words: str, **more: Any) -> Callable[[Program], Ran]:
    return lambda planact: planact.run(*words, **more)


def with_failing_check(planact: Program) -> Ran:
    plan_id = planact.plan()
    path = planact.document(plan_id)
    path.write_text(path.read_text().replace("grep -q goodbye", "grep -q farewell"))
    return planact.run("act", plan_id, "--hash", planact.hash(plan_id))


def of_others(*words: str) -> Callable[[Program], Ran]:
    """A plan that comes with the folder, as into a clone."""

    def run(planact: Program) -> Ran:
        plan_id = planact.plan()
        planact.home = planact.home.with_name("another home")
        planact.home.mkdir()
        return planact.run(*(plan_id if word == "ID" else word for word in words))

    return run


def stale(planact: Program) -> Ran:
    planact.plan()
    (planact.folder / "greeting.txt").write_text("hello there\n")
    return planact.run("act", "--yes")


def without_goal(planact: Program) -> Ran:
    path = planact.document(planact.plan())
    path.write_text(path.read_text().replace("# Say goodbye\n", ""))
    return planact.run("act", str(path.relative_to(planact.folder)), "--yes")


def changed_after_approval(planact: Program) -> Ran:
    plan_id = planact.plan()
    assert planact.run("plan", "approve", plan_id).code == 0
    path = planact.document(plan_id)
    path.write_text(path.read_text().replace("it is late", "it is early"))
    return planact.run("act", plan_id)


def failing_hook(planact: Program) -> Ran:
    planact.plan()
    planact.run("trust")
    planact.variables["PLANACT_HOOKS_BEFORE_EXECUTION"] = '["exit 3"]'
    return planact.run("act", "--yes")


def interrupted(planact: Program) -> Ran:
    planact.plan("Take your time")
    planact.variables["PLANACT_COMMANDS_ALLOW"] = '["touch started; sleep 600"]'
    return planact.run("act", "--yes", signals=(planact.folder / "started").exists, number=signal.SIGTERM)


ENDS: list[tuple[Exit, str, Callable[[Program], Ran]]] = [
    (Exit.DONE, "a run that succeeds", act_on("Greet again")),
    (Exit.DONE, "a plan is made", run("plan", "Greet again")),
    (Exit.DONE, "a question is answered", run("chat", "What does it say?")),
    (Exit.DONE, "the agent's default is taken", run("chat", "Ask me first", "--defaults")),
    (Exit.FAILED, "a check fails", with_failing_check),
    (Exit.FAILED, "a hook fails before it", failing_hook),
    (Exit.FAILED, "no plan comes of it", run("plan", "What does it say?")),
    (Exit.FAILED, "there is nothing to do", run("act", "--yes")),
    (Exit.USAGE, "no such word", run("atc")),
    (Exit.USAGE, "no such option", run("act", "--now")),
    (Exit.USAGE, "no such folder", run("act", "--cwd", "nowhere")),
    (Exit.USAGE, "no such answers file", run("chat", "hello", "--answers", "nowhere.yaml")),
    (Exit.WAITING, "nobody answers the agent", run("chat", "Ask me first")),
    (Exit.WAITING, "nobody confirms a run", lambda planact: (planact.plan(), planact.run("act"))[1]),
    (Exit.WAITING, "the flag answers no question", act_on("Greet as I like")),
    (Exit.WAITING, "it was changed after the approval", changed_after_approval),
    (Exit.REFUSED, "a refusal ends the turn in Plan", run("chat", "Insist on it")),
    (Exit.REFUSED, "a refusal ends a step in Act", act_on("Insist in Act")),
    (Exit.STALE, "only plans of others are there", of_others("act", "--yes")),
    (Exit.STALE, "a plan of others without its hash", of_others("act", "ID", "--yes")),
    (Exit.STALE, "a plan of others with another hash", of_others("act", "ID", "--hash", "0" * 64)),
    (Exit.STALE, "approving a plan of others without its hash", of_others("plan", "approve", "ID")),
    (Exit.WAITING, "a plan of others by its name alone", of_others("act", "ID")),
    (Exit.USAGE, "an empty hash", of_others("act", "ID", "--hash", "")),
    (Exit.USAGE, "a hash without its plan", of_others("act", "--hash", "0" * 64)),
    (Exit.STALE, "what the plan rests on changed", stale),
    (Exit.STALE, "the plan is none", without_goal),
    (Exit.NO_MODEL, "the model is overloaded", run("plan", "Be overloaded")),
    (Exit.NO_MODEL, "there is no model", run("plan", "Greet again", model="")),
    (Exit.INTERRUPTED, "it is asked to end", interrupted),
]


def test_every_exit_code_is_in_the_table() -> None:
    assert {code for code, _, _ in ENDS} == set(Exit)


@pytest.mark.parametrize(("code", "run"), [pytest.param(code, run, id=why) for code, why, run in ENDS])
def test_a_command_ends_with_the_code_that_says_how(
    planact: Program, code: Exit, run: Callable[[Program], Ran]
) -> None:
    ran = run(planact)
    assert (ran.code, "Traceback" in ran.err) == (code, False), ran


def test_with_json_lines_events_come_as_they_happen_and_the_result_last(planact: Program) -> None:
    planact.plan()
    ran = planact.run("act", "--yes", "--json-lines")
    *lines, result = map(json.loads, ran.out.splitlines())
    events = [Event.model_validate(line) for line in lines]
    kinds = [event.kind for event in events]
    assert (ran.code, result["status"], "kind" in result) == (0, "success", False)
    assert [kind for kind in kinds if kind.startswith(("step", "execution"))] == [
        *("step_started", "step_finished") * 2,
        "execution_finished",
    ]
    kept = planact.run("events", "--json").out.splitlines()
    assert list(map(json.loads, kept))[-len(lines) :] == lines, "they are those that are kept"


def test_an_error_is_the_last_line_too(planact: Program) -> None:
    ran = planact.run("act", "--yes", "--json-lines")
    assert (ran.code, [json.loads(line)["error"]["code"] for line in ran.out.splitlines()]) == (1, ["PLAN_NOT_FOUND"])


def test_no_line_has_a_secret(planact: Program) -> None:
    planact.variables["DEPLOY_TOKEN"] = "correct-horse-battery"
    planact.plan()
    planact.variables["PLANACT_HOOKS_AFTER_STEP"] = '["echo correct-horse-battery; false"]'
    ran = planact.run("act", "--yes", "--json-lines")
    assert (ran.code, "correct-horse" in ran.out) == (0, False)


def test_answers_prepared_beforehand_are_given_and_the_rest_waits_with_its_id(planact: Program) -> None:
    answers = planact.folder / "answers.yaml"
    planact.plan("Greet as I like")
    answers.write_text(yaml.safe_dump([{"match": "Which colour", "answer": "blue"}]))
    ran = planact.run("act", "--yes", "--answers", "answers.yaml", "--json")
    question = ran.json["waiting"]["question_id"]
    assert ran.code == Exit.WAITING
    assert [each["question_id"] for each in planact.run("questions", "--json").json["questions"]] == [question]
    answers.write_text(yaml.safe_dump([{"match": "Which word", "answer": "Good day"}]))
    again = planact.run("act", "--yes", "--answers", "answers.yaml")
    assert (again.code, planact.greeting) == (0, "good day\n")
    assert planact.run("questions", "--json").json["questions"] == []
