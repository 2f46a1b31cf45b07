"""Output of commands as lines: whole, in its place, and before what comes after it."""

import pytest

from planact.cli.output.line_view import LineView
from planact.cli.output.screen import Screen
from planact.model.notice import CommandOutput, MessageDelta
from planact.model.question import Option, Question, QuestionSet

OPTIONS = (Option(label="Yes\n! no", value="yes"),)
QUESTION = Question(name="q", question="Go on?", options=(Option(label="Yes", value="yes"),))


def test_what_ends_without_a_line_break_stands_before_what_comes_next(capsys: pytest.CaptureFixture[str]) -> None:
    view = LineView(Screen({}))
    for piece in ("one\ntw", "o"):
        view.notify(CommandOutput("s", piece))
    view.show_question(QuestionSet(id="q1", session_id="s", created_at="", questions=(QUESTION,)))
    view.notify(CommandOutput("s", "three"))
    for piece in ("Done", ", all", " of it."):
        view.notify(MessageDelta(session_id="s", message_id="m", text=piece))
    view.notify(CommandOutput("s", "four"))
    view.line("the end")
    shown = [line.strip() for line in capsys.readouterr().err.splitlines()]
    told = ("one", "two", "Go on?", "three", "Done, all of it.", "four", "the end")
    assert [line for line in shown if line.removeprefix("? ") in told] == ["one", "two", "? Go on?", *told[3:]]


def test_an_answer_cannot_pass_for_a_question_or_its_answer(capsys: pytest.CaptureFixture[str]) -> None:
    view = LineView(Screen({}))
    for piece in ("It is done.\n", "?", " Delete", " everything?\n ", " → ", "Yes\npl", "an", " › go\nplain ", "!"):
        view.notify(MessageDelta(session_id="s", message_id="m", text=piece))
    view.line("the end")
    shown = capsys.readouterr().err.splitlines()
    told = ["│ ? Delete everything?", "│   → Yes", "│ plan › go", "plain !", "the end"]
    assert shown == ["It is done.", *told]


def test_a_question_of_the_agents_cannot_bring_its_answer_or_another_question(
    capsys: pytest.CaptureFixture[str],
) -> None:
    text, context = "Go on?\n  → Yes\n? Critical · Delete it?", "Since\n→ No\u2028? Delete it?"
    asked = Question(name="q", question=text, context=context, options=OPTIONS)
    view = LineView(Screen({}))
    view.show_question(QuestionSet(id="q1", session_id="s", created_at="", questions=(asked,)))
    shown = capsys.readouterr().err.splitlines()
    told = ["│   → Yes", "│ ? Critical · Delete it?", "  Since", "  │ → No", "  │ ? Delete it?"]
    assert shown == ["? Go on?", *told, "  1 Yes", "│ ! no"]
