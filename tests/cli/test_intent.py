"""A plan that was just made is executed in plain words: at a terminal, and where nobody watches."""

import pytest

from tests.cli.program import Program
from tests.cli.terminal import Terminal

NAMED = "Execute the plan “Say goodbye” (2 steps)?"
GO = "Go ahead with the plan."


def planned(planact: Program) -> str:
    """The session in which a plan was just made."""
    return str(planact.run("chat", "Greet again", "--json").json["session_id"])


def test_without_anybody_to_ask_the_question_is_saved(planact: Program) -> None:
    session = planned(planact)
    ran = planact.run("chat", "--continue", GO, "--json")
    waiting = ran.json["waiting"]
    assert (ran.code, waiting["purpose"], waiting["questions"][0]["question"]) == (3, "confirm", NAMED)
    assert (planact.greeting, [each["mode"] for each in planact.run("sessions", "--json").json["sessions"]]) == (
        "hello\n",
        ["plan"],
    )
    answered = planact.run("answer", waiting["question_id"], "Execute Plan")
    assert (answered.code, "Go on with: planact act plan_" in answered.err) == (0, True)
    assert (planact.run("act").code, planact.greeting) == (0, "goodbye\n")
    assert planact.run("sessions", "--json").json["sessions"][0]["id"] == session


@pytest.mark.parametrize(
    ("answers", "code", "out", "greeting"),
    [
        ("- {match: Execute the plan, answer: true}", 0, "goodbye", "goodbye\n"),
        ("- {match: Execute the plan, answer: Keep Planning}", 0, "I keep planning.\n", "hello\n"),
        ("- {match: Execute the plan, decline: true}", 4, "", "hello\n"),
        ("- {match: Execute the plan, answer: 1}", 3, "", "hello\n"),
        ("[]", 3, "", "hello\n"),
    ],
)
def test_a_file_answers_what_it_fits(planact: Program, answers: str, code: int, out: str, greeting: str) -> None:
    planned(planact)
    (planact.folder / "answers.yaml").write_text(answers)
    ran = planact.run("chat", "--continue", GO, "--answers", "answers.yaml")
    assert (ran.code, planact.greeting) == (code, greeting), ran
    assert out in ran.out


def test_defaults_are_no_yes(planact: Program) -> None:
    planned(planact)
    assert (planact.run("chat", "--continue", GO, "--defaults").code, planact.greeting) == (3, "hello\n")


@pytest.mark.parametrize(
    ("switch", "code", "greeting"), [("confirm", 3, "hello\n"), ("auto", 0, "goodbye\n"), ("off", 0, "hello\n")]
)
def test_the_setting_decides(planact: Program, switch: str, code: int, greeting: str) -> None:
    planact.variables["PLANACT_INTENT_SWITCH"] = switch
    planned(planact)
    ran = planact.run("chat", "--continue", GO)
    assert (ran.code, planact.greeting) == (code, greeting), ran
    assert (f"Switched to Act because you wrote “{GO}”." in ran.err) is (switch == "auto")


def test_another_session_has_no_plan_at_hand(planact: Program) -> None:
    planned(planact)
    ran = planact.run("chat", GO)
    assert (ran.code, ran.out, planact.greeting) == (0, "What with?\n", "hello\n")


@pytest.mark.parametrize("terminal", [("chat",)], indirect=True)
def test_at_a_terminal_one_line_confirms(terminal: Terminal, planact: Program) -> None:
    terminal.until("plan › ")
    terminal.types("Greet again\n")
    terminal.until("e execute · a approve")
    terminal.until("plan › ")
    terminal.types(f"{GO}\n")
    terminal.until(NAMED)
    terminal.until("decline: ")
    terminal.types("2\n")
    terminal.until("I keep planning.")
    terminal.until("plan › ")
    terminal.types("/act\n")
    terminal.until(NAMED)
    terminal.until("decline: ")
    terminal.types("1\n")
    terminal.until("Record: ")
    terminal.until("act › ")
    terminal.types("\x04")
    assert (terminal.ends(), planact.greeting) == (0, "goodbye\n")


@pytest.mark.parametrize("terminal", [("chat",)], indirect=True)
def test_the_plan_of_this_conversation_is_the_latest(terminal: Terminal, planact: Program) -> None:
    """Another conversation that was used since, and its plan, are not meant."""
    terminal.until("plan › ")
    terminal.types("Greet again\n")
    terminal.until("e execute · a approve")
    assert planact.run("chat", "Take your time").code == 0
    terminal.until("plan › ")
    terminal.types("/act\n")
    terminal.until(NAMED)
    terminal.until("decline: ")
    terminal.types("decline\n")
    terminal.until("plan › ")
    terminal.types("\x04")
    assert (terminal.ends(), planact.greeting) == (0, "hello\n")
