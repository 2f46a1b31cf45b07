"""`planact chat`, once and at a terminal; questions and who answers them."""

import os
import pty
import subprocess
from pathlib import Path

import pytest

from tests.cli.program import MODEL, Program
from tests.cli.terminal import Terminal


def test_a_question_is_answered_without_a_plan(planact: Program) -> None:
    ran = planact.run("chat", "What does it say?")
    assert (ran.code, ran.out) == (0, "It says hello.\n")
    assert planact.run("chat", typed="What does it say?").out == "It says hello.\n"
    assert planact.run("chat", "--json", "What does it say?").json["text"] == "It says hello."


def test_a_session_goes_on(planact: Program) -> None:
    first = planact.run("chat", "What does it say?", "--json").json["session_id"]
    again = planact.run("chat", "--continue", "What does it say, again?", "--json").json["session_id"]
    named = planact.run("chat", "--session", first, "What does it say, now?", "--json").json["session_id"]
    listed = planact.run("sessions", "--json").json["sessions"]
    assert (again, named, [session["id"] for session in listed]) == (first, first, [first])
    assert planact.run("sessions").out.startswith(f"{first}  plan  ")


def test_what_needed_a_session_for_its_question_alone_is_none_to_go_on_with(planact: Program) -> None:
    first = planact.run("chat", "What does it say?", "--json").json["session_id"]
    assert planact.run("template", "use", "rename").code == 3
    listed = planact.run("sessions", "--json").json["sessions"]
    again = planact.run("chat", "--continue", "What does it say, again?", "--json").json["session_id"]
    assert (again, [session["id"] for session in listed]) == (first, [first])


def test_the_model_said_now_counts_more_than_the_one_chosen_in_the_session(planact: Program) -> None:
    (planact.folder / "other.yaml").write_text("scenes: [{turns: [{say: I am the other.}]}]")
    chosen = planact.run("chat", "/model scripted:other.yaml", "--json").json["session_id"]
    assert planact.run("chat", "--session", chosen, "What does it say?").out == "I am the other.\n"
    ran = planact.run("chat", "--session", chosen, "--model", MODEL, "What does it say?")
    assert (ran.code, ran.out) == (0, "It says hello.\n")


def test_an_image_goes_with_the_message(planact: Program) -> None:
    (planact.folder / "a.png").write_bytes(b"\x89PNG\r\n\x1a\n")
    (planact.folder / "a.txt").write_text("text")
    ran = planact.run("chat", "--image", "a.png", "What does it say?", "--json")
    assert (ran.code, ran.json["text"]) == (0, "It says hello.")
    (chat,) = (planact.folder / ".planact" / "sessions").glob("*.chat")
    assert "What does it say?\n[image/png]\n" in chat.read_text()
    ran = planact.run("chat", "--image", "a.txt", "What does it say?", "--json")
    assert (ran.code, "it is none of image/png" in ran.json["error"]["message"]) == (2, True)


def test_work_in_act_asks_before_each_change(planact: Program) -> None:
    ran = planact.run("chat", "--mode", "act", "Replace the greeting", "--json")
    assert (ran.code, ran.json["waiting"]["purpose"], planact.greeting) == (3, "approval", "hello\n")


def test_all_may_be_accepted_beforehand(planact: Program) -> None:
    ran = planact.run("chat", "--mode", "act", "--accept-all", "Replace the greeting")
    assert (ran.code, planact.greeting) == (0, "goodbye\n")


ANSWERS = [
    ("- {match: Which col, answer: red}", 0, "You like red.\n"),
    ("- {match: colour, answers: {colour: green}}", 0, "You like green.\n"),
    ("- {match: Something else, answer: red}", 3, ""),
    ("- {match: colour, answer: 7}", 3, ""),
    ("[]", 3, ""),
]


@pytest.mark.parametrize(("answers", "code", "out"), ANSWERS)
def test_a_file_answers_what_it_fits(planact: Program, answers: str, code: int, out: str) -> None:
    (planact.folder / "answers.yaml").write_text(answers)
    ran = planact.run("chat", "Ask me first", "--answers", "answers.yaml")
    assert (ran.code, ran.out) == (code, out), ran


@pytest.mark.parametrize(("said", "code"), [("Be overloaded", 6), ("Read it again and again", 1)])
def test_a_turn_that_broke_off_names_the_command_to_go_on_with(planact: Program, said: str, code: int) -> None:
    ran = planact.run("chat", said)
    [session] = planact.run("sessions", "--json").json["sessions"]
    last = ran.err.splitlines()[-1]
    assert (ran.code, last) == (code, f'Go on with: planact chat --session {session["id"]} "go on"'), ran


def test_defaults_are_taken_only_when_asked_for_and_noted_as_assumed(planact: Program) -> None:
    assert planact.run("chat", "Ask me first").code == 3
    ran = planact.run("chat", "Ask me first", "--defaults")
    assert (ran.code, ran.out, "(default, assumed)" in ran.err) == (0, "You like blue.\n", True)


def test_defaults_are_no_leave_to_act(planact: Program) -> None:
    planact.plan()
    assert (planact.run("act", "--defaults").code, planact.greeting) == (3, "hello\n")


def test_a_question_is_listed_and_ends_once(planact: Program) -> None:
    question = planact.run("chat", "Ask me first", "--json").json["waiting"]["question_id"]
    listed = planact.run("questions").out
    assert (question in listed, "Which colour?" in listed) == (True, True)
    assert planact.run("answer", question, "--value", "shade=red").code == 2
    assert planact.run("answer", question).code == 3
    assert planact.run("answer", question, "--value", "colour=red", "--json").json["answers"] == {"colour": "red"}
    assert planact.run("questions", "--json").json == {"questions": []}
    again = planact.run("answer", question, "--decline")
    assert (again.code, "[QUESTION_NOT_OPEN]" in again.err) == (1, True)


def test_a_question_may_be_declined(planact: Program) -> None:
    question = planact.run("chat", "Ask me first", "--json").json["waiting"]["question_id"]
    assert planact.run("answer", question, "--decline").out == "Declined\n"


def test_what_a_model_says_cannot_steer_the_terminal(planact: Program) -> None:
    ran = planact.run("chat", "Say nothing evil")
    assert ran.out == "red \\x1b[31m and a bell \\x07\n"
    assert not {"\x1b", "\x07"} & {*ran.err}


@pytest.mark.parametrize("terminal", [("planandact", "Greet as I like", "--yes")], indirect=True)
def test_questions_are_asked_at_the_terminal(terminal: Terminal, planact: Program) -> None:
    terminal.until("Execute the plan")
    terminal.until("decline: ")
    terminal.types("\n")
    terminal.until("is empty")
    terminal.until("decline: ")
    terminal.types("perhaps\n")
    terminal.until("is not among the choices")
    terminal.until("decline: ")
    terminal.types("1\n")
    terminal.until("2 Hi (default)")
    terminal.until("decline: ")
    terminal.types("good DAY\n")
    assert (terminal.ends(), planact.greeting) == (0, "good day\n")


@pytest.mark.parametrize("terminal", [("chat", "What does it say?")], indirect=True)
def test_at_a_terminal_an_answer_is_seen_once(terminal: Terminal) -> None:
    terminal.until("It says hello.")
    assert terminal.ends() == 0
    assert "hello" not in terminal.seen


@pytest.mark.parametrize("terminal", [("chat", "Ask me first")], indirect=True)
@pytest.mark.parametrize(("typed", "code"), [("\x04", 3), ("\x03", 130), ("red\n", 0)])
def test_leaving_a_question_is_no_answer(terminal: Terminal, planact: Program, typed: str, code: int) -> None:
    terminal.until("or decline: ")
    terminal.types(typed)
    assert terminal.ends() == code
    assert len(planact.run("questions", "--json").json["questions"]) == (code == 3)


@pytest.mark.parametrize("terminal", [("chat",)], indirect=True)
def test_a_conversation_has_words_of_its_own(terminal: Terminal, planact: Program) -> None:
    for typed, shown in (
        ("/help", "/planandact REQUEST"),
        ("What does it say?", "It says hello."),
        ("Greet again", " 1 Replace the greeting"),
        ("/mode act", "Act: The agent carries out"),
        ("/role tester", "The role is tester."),
        ("/role", "- tester (at work) · act · Writes and runs tests."),
        ("/role planner", "the role planner is for Plan, and the session is in Act"),
        ("/nonsense", "there is no command /nonsense"),
        ("/plant Greet safely", "did you mean /plan?"),
        ("/status", "Instructions of the repository: none"),
        ("/cost", "requests, "),
        ("/plan acceptall Greet safely", "e execute · a approve"),
        ("/plans", "draft 0/1"),
    ):
        terminal.until(" › ")
        terminal.types(f"{typed}\n")
        terminal.until(shown)
    terminal.until("plan › ")
    terminal.types("/act\n")
    terminal.until("decline: ")
    terminal.types("Execute Plan\n")
    terminal.until("Record: ")
    terminal.until("act › ")
    terminal.types("/new\n")
    terminal.until("plan › ")
    terminal.types("\x04")
    assert (terminal.ends(), planact.greeting) == (0, "goodbye\n")


def test_a_message_may_be_a_word(planact: Program) -> None:
    made = planact.run("chat", "/plan Greet again", "--json")
    assert (made.code, made.json["plan"]["goal"]) == (0, "Say goodbye")
    told = planact.run("chat", "--continue", "/plans", "--json").json
    assert told == {
        "session_id": made.json["session_id"],
        "text": f"- {made.json['plan_id']} · draft 0/2 · Say goodbye",
    }
    wrong = planact.run("chat", "/plam Greet again")
    assert (wrong.code, "did you mean /plan? /help lists the commands." in wrong.err) == (2, True)
    asked = planact.run("chat", "--continue", "/template use add-tests file=greeting.txt")
    assert (asked.code, asked.err.endswith("\nRun it again with test_file=… test_command=…\n")) == (3, True)
    assert planact.run("questions", "--json").json == {"questions": []}


def test_colours_need_a_terminal(planact: Program) -> None:
    planact.variables["TERM"] = "xterm"
    assert "\x1b" not in planact.run("chat", "Ask me first", "--defaults").err


def test_a_conversation_is_no_json_object(planact: Program, tmp_path: Path) -> None:
    descriptor, inner = pty.openpty()
    process = planact.start("chat", "--json", stdin=inner, stdout=subprocess.PIPE)
    out, _ = process.communicate(timeout=180)
    os.close(inner)
    os.close(descriptor)
    assert (process.returncode, '"INVALID_ARGUMENTS"' in out) == (2, True)
