"""Questions written into plans: understood as written, answered only in one clear way, gone without a trace."""

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from planact.base.errors import InvalidInput
from planact.base.span import apply_edits
from planact.model.question import Answered, Option, ProposedEdit, Question, QuestionSet
from planact.plan.approval import approval_hash
from planact.plan.ide.formatting import formatting
from planact.plan.question_blocks import (
    MAX_QUESTION_TEXT,
    answers_in,
    blocks_of,
    remove_blocks,
    without_questions,
    write_blocks,
)
from planact.plan.syntax.lower import lower
from planact.plan.syntax.parser import parse
from tests.plan.plans import said, texts
from tests.plan.test_properties import on_texts

ID = "01900000-0000-7000-8000-000000000001"
TONE = Question(
    name="tone",
    question="Which 🎵 tone?",
    severity="major",
    options=(Option(label="Warm", value="warm", description="friendly"), Option(label="Cool", value="cool")),
)
NAME = Question(name="name", question="Your\nname?")
PLAN = "# Greet\n\n## Steps\n- [~] 1. Say hello\n  - reason: r\n- [ ] 2. Leave\n  - reason: r\n"


def asking(*questions: Question, **more: Any) -> QuestionSet:
    return QuestionSet(id=ID, session_id="s", questions=questions, created_at="now", **more)


def same(data: Any) -> Any:
    return data


def written(text: str, asked: QuestionSet, step: int | None = None, redact: Callable[[Any], Any] = same) -> str:
    edits = write_blocks(parse(text), asked, step, redact)
    assert edits is not None
    return apply_edits(text, edits)


BOXES = f"> [!QUESTION] {ID} major: Which 🎵 tone?\n> - [ ] warm: Warm (friendly)\n> - [ ] cool: Cool\n"


def test_a_question_stands_below_its_step() -> None:
    indented = "".join(f"  {line}\n" for line in BOXES.splitlines())
    assert written(PLAN, asking(TONE), 1) == PLAN.replace("reason: r\n", f"reason: r\n{indented}", 1)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (PLAN, PLAN.replace("# Greet\n", f"# Greet\n{BOXES}")),
        ("make it\nfast", f"{BOXES}make it\nfast"),
        ("", BOXES),
        ("---\nid: x\n---\nmake it", f"---\nid: x\n---\n{BOXES}make it"),
        ("# Greet", f"# Greet\n{BOXES.rstrip()}"),
        ("# Greet \r\nsoon\r\n", f"# Greet \r\n{BOXES}soon\r\n".replace("\n", "\r\n").replace("\r\r", "\r")),
    ],
)
def test_a_question_about_the_plan_stands_below_its_goal(text: str, expected: str) -> None:
    assert written(text, asking(TONE)) == expected


@pytest.mark.parametrize("step", [1, None])
@pytest.mark.parametrize("text", ["# G\r\n## Steps\r\n- [ ] 1. a\n", "# G\n## Steps\r\n- [ ] 1. a\r\n"])
def test_a_text_that_mixes_line_ends_is_the_same_without_the_question(text: str, step: int | None) -> None:
    asked = written(text, asking(TONE), step)
    assert (approval_hash(asked), apply_edits(asked, remove_blocks(parse(asked), ID))) == (approval_hash(text), text)


@pytest.mark.parametrize(
    ("question", "lines"),
    [
        (NAME, ["minor: Your name?", "> answer:"]),
        (
            TONE.model_copy(update={"allow_custom": True, "context": "It is\nlate."}),
            ["major: Which 🎵 tone? It is late.", "> - [ ] warm: Warm (friendly)", "> - [ ] cool: Cool", "> answer:"],
        ),
        (
            Question(question="Go?", options=(Option(label="Yes", value=True), Option(label="No", value=False))),
            ["minor: Go?", "> - [ ] true: Yes", "> - [ ] false: No"],
        ),
        (
            Question(question="Where?", options=(Option(label="A", value="a: b"), Option(label="B", value={"x": 1}))),
            ["minor: Where?", "> - [ ] 1: A", "> - [ ] 2: B"],
        ),
        (
            Question(question="Which?", options=tuple(Option(label=f"L{n}", value=n) for n in range(60))),
            ["minor: Which?", "> answer:"],
        ),
    ],
)
def test_every_kind_of_question_has_its_form(question: Question, lines: list[str]) -> None:
    text = written("", asking(question))
    assert text.splitlines() == [f"> [!QUESTION] {ID} {lines[0]}", *lines[1:]]


def test_questions_that_are_asked_together_have_a_block_each_and_one_answer() -> None:
    text = written(PLAN, asking(TONE, NAME), 1)
    assert [block.id for block in parse(text).questions] == [f"{ID}_1", f"{ID}_2"]
    text = text.replace("[ ] cool", "[x] cool").replace("answer:", "answer: Ada")
    assert answers_in(parse(text), asking(TONE, NAME), same).answers == {"tone": "cool", "name": "Ada"}
    assert apply_edits(text, remove_blocks(parse(text), ID)) == PLAN


def test_of_edits_of_several_files_some_are_rejected_by_boxes_and_words_say_why() -> None:
    may = Question(name="approval", question="May it?", options=(Option(label="Allow once", value="allow_once"),))
    asked = asking(may, purpose="approval", edits=(ProposedEdit(path="a.py"), ProposedEdit(path="b [x].py")))
    text = written(PLAN, asked, 1)
    assert [line.strip() for line in text.splitlines() if line.lstrip().startswith(">")] == [
        f"> [!QUESTION] {ID}_1 minor: May it?",
        "> - [ ] allow_once: Allow once",
        f"> [!QUESTION] {ID}_2 minor: Which of these stay as they are, though the rest is allowed?",
        "> - [ ] 1: a.py",
        "> - [ ] 2: b [x].py",
        f"> [!QUESTION] {ID}_3 minor: What should be different? The agent reads this; it may stay empty.",
        "> answer:",
    ]
    allowed = text.replace("[ ] allow_once", "[x] allow_once")
    assert answers_in(parse(allowed), asked, same) == Answered({"approval": "allow_once"})
    partly = allowed.replace("[ ] 2:", "[x] 2:").replace("> answer:", "> answer: not there")
    expected = Answered({"approval": "allow_once"}, rejected=("b [x].py",), comment="not there")
    assert answers_in(parse(partly), asked, same) == expected
    assert apply_edits(partly, remove_blocks(parse(partly), ID)) == PLAN


def answered(question: Question, *changes: tuple[str, str]) -> Any:
    text = written(PLAN, asking(question), 1)
    for old, new in changes:
        assert old in text
        text = text.replace(old, new)
    return answers_in(parse(text), asking(question), same).answers[question.name]


NUMBER = Question(name="n", question="How many?", schema={"type": "integer"})
OPEN = TONE.model_copy(update={"allow_custom": True})
SEVERAL = TONE.model_copy(update={"schema_": {"type": "array"}})


@pytest.mark.parametrize(
    ("question", "changes", "value"),
    [
        (TONE, [("[ ] cool", "[x] cool")], "cool"),
        (TONE, [("[ ] warm", "[X] warm")], "warm"),
        (OPEN, [("answer:", "answer:   as you like ")], "as you like"),
        (OPEN, [("answer:", "answer: Cool")], "cool"),
        (OPEN, [("[ ] cool", "[x] cool")], "cool"),
        (NAME, [("answer:", "answer: Ada 👋")], "Ada 👋"),
        (NUMBER, [("answer:", "answer: 7")], 7),
        (SEVERAL, [("[ ] cool", "[x] cool"), ("[ ] warm", "[x] warm")], ["warm", "cool"]),
    ],
)
def test_what_is_ticked_or_written_is_the_answer(question: Question, changes: Any, value: Any) -> None:
    assert answered(question, *changes) == value


@pytest.mark.parametrize(
    ("question", "changes", "why"),
    [
        (TONE, [], "no box is ticked for 'tone'"),
        (NAME, [], "nothing is written behind `answer:` for 'name'"),
        (TONE, [("[ ] cool", "[x] cool"), ("[ ] warm", "[x] warm")], "2 boxes are ticked for 'tone': tick one"),
        (OPEN, [("[ ] cool", "[x] cool"), ("answer:", "answer: x")], "'tone' has both a ticked box and a written"),
        (TONE, [("[ ] cool: Cool", "[x] cool: Warm")], "changed by more than an answer"),
        (TONE, [("[ ] cool", "[x] warm")], "changed by more than an answer"),
        (TONE, [("Which 🎵 tone?", "Is it late?"), ("[ ] cool", "[x] cool")], "changed by more than an answer"),
        (TONE, [("major", "minor"), ("[ ] cool", "[x] cool")], "changed by more than an answer"),
        (TONE, [("  > - [ ] warm: Warm (friendly)\n", ""), ("[ ] cool", "[x] cool")], "changed by more than an"),
        (NAME, [("answer:", "- [x] yes: Yes")], "changed by more than an answer"),
        (NAME, [(ID, "other")], "changed by more than an answer"),
    ],
)
def test_what_is_no_clear_answer_answers_nothing(question: Question, changes: Any, why: str) -> None:
    with pytest.raises(InvalidInput, match=why.replace("(", r"\(")) as caught:
        answered(question, *changes)
    assert caught.value.code == "ANSWER_INVALID"


def test_what_is_ticked_already_stays_when_the_question_is_written_again() -> None:
    text = written(PLAN, asking(TONE), 1).replace("[ ] cool", "[x] cool")
    assert write_blocks(parse(text), asking(TONE), 1, same) == ()


def test_a_block_that_somebody_changed_is_written_anew() -> None:
    text = written(PLAN, asking(TONE), 1)
    assert written(text.replace("Cool", "Cold"), asking(TONE), 1) == text
    assert written(text.replace("  >", ">"), asking(TONE), 1) == text.replace("  >", ">")


@pytest.mark.parametrize("step", [None, 1])
def test_formatting_the_plan_leaves_the_question_as_it_was(step: int | None) -> None:
    text = written(PLAN.replace("- [~]", "*   [~]"), asking(TONE), step).replace("[ ] cool", "[x] cool")
    formatted = apply_edits(text, formatting(parse(text)))
    assert formatted != text
    assert answers_in(parse(formatted), asking(TONE), same).answers == {"tone": "cool"}


def test_secrets_stay_out_of_the_document() -> None:
    text = written("", asking(TONE), redact=lambda lines: [line.replace("Warm", "[redacted]") for line in lines])
    assert "Warm" not in text
    assert "- [ ] warm: [redacted] (friendly)" in text


def test_what_asks_for_leave_is_shown_whole_or_not_at_all() -> None:
    long = TONE.model_copy(update={"context": "x" * MAX_QUESTION_TEXT})
    assert written("", asking(long)).splitlines()[0].endswith("x …")
    assert write_blocks(parse(""), asking(long, purpose="approval"), None, same) is None


def test_nothing_is_written_where_it_would_not_be_understood() -> None:
    for text in ("# Greet\n## Steps\n- [~] 1. a\n  ```\n", "---\nid: x\n---"):
        assert write_blocks(parse(text), asking(TONE), 1, same) is None


@on_texts
@given(texts, said, st.integers(0, 3), st.booleans())
def test_a_question_changes_nothing_else_and_leaves_no_trace(text: str, words: str, step: int, boxes: bool) -> None:
    question = (TONE if boxes else NAME).model_copy(update={"question": words})
    edits = write_blocks(parse(text), asking(question), step, same)
    if edits is None:
        return
    asked = apply_edits(text, edits)
    tree = parse(asked)
    assert len(blocks_of(tree, ID)) == 1
    assert lower(tree) == lower(parse(text))
    assert approval_hash(asked) == approval_hash(text)
    assert apply_edits(asked, remove_blocks(tree, ID)) == text
    assert without_questions(tree) == without_questions(parse(text))
    assert write_blocks(tree, asking(question), step, same) == ()
