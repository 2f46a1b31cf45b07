"""A plan as a picture: all steps, files and commands are in it, and no text of the plan is markup."""

import re

from hypothesis import given
from hypothesis import strategies as st

from planact.model.plan import Plan, Step, StepStatus
from planact.plan.diagram import diagram

PLAN = Plan(
    goal="Greet politely",
    steps=(
        Step(step_number=1, action="Write it", files=("a.txt", "src/b.py"), status=StepStatus.DONE),
        Step(step_number=2, action="Test it", files=("a.txt",), validation_checks=("pytest -q",)),
    ),
    validation=("`make check`", "People like it"),
)


def test_steps_files_and_commands_are_drawn() -> None:
    assert diagram(PLAN).split("  classDef")[0].splitlines() == [
        "flowchart TD",
        '  goal(["Greet politely"])',
        '  s1["1. Write it"]:::done',
        "  goal --> s1",
        "  s1 -.-> f1",
        "  s1 -.-> f2",
        '  s2["2. Test it"]',
        "  s1 --> s2",
        "  s2 -.-> f1",
        '  s2 --> s2c1{{"pytest -q"}}',
        '  s2 --> s2v1{{"make check"}}',
        '  f1[/"a.txt"/]',
        '  f2[/"src/b.py"/]',
    ]


@given(st.text(min_size=1, max_size=200))
def test_no_text_of_the_plan_is_markup(text: str) -> None:
    step = Step(step_number=1, action=text, files=(text,), validation_checks=(text,))
    drawn = diagram(Plan(goal=text, steps=(step,), validation=(f"`{text}`",)))
    for line in drawn.partition("  classDef")[0].splitlines():
        label = re.search(r'"(.*)"', line)
        rest = line.replace(label[0], "") if label else line
        assert not label or re.fullmatch(r"(?:[^\W]|[ \-./,]|#\d+;)*", label[1])
        assert re.fullmatch(r"flowchart TD|  goal\(\[\]\)|  (?:\w+ (?:-->|-\.->) )?\w+(?:\[\]|\{\{\}\}|\[//\])?", rest)


def test_a_directive_stays_text() -> None:
    drawn = diagram(PLAN.model_copy(update={"goal": '%%{init: {"x": 1}}%%\n"] --> x; click x "javascript:alert(1)"'}))
    assert "%%" not in drawn
    assert 'click x "' not in drawn
