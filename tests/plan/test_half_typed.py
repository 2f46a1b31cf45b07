"""Whatever people type, wherever they stop: nothing raises, nothing points outside, and time grows with the text."""

import gc
import sys
import time
from collections.abc import Callable, Iterator
from textwrap import dedent
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from planact.base.span import Span, apply_edits
from planact.plan.ide.actions import actions
from planact.plan.ide.fixes import fixes, renumbering
from planact.plan.plan_actions import PlanState, plan_actions
from planact.plan.question_blocks import blocks_of, question_id, without_questions
from planact.plan.rules import lint
from planact.plan.syntax.parser import parse
from tests.plan.lint_contexts import GONE
from tests.plan.plans import DOCUMENT, texts
from tests.plan.test_properties import lies_in, on_texts, spans_in

ASKED = "> [!QUESTION] q7_1 major: Which 🎵?\n> - [x] warm: Warm\n> - [ ] cool: Cool\n> answer: 👋\n"
TASKS = "# Plan 👋\n\n## Phase 1\n- [x] 1. Look\n  - [ ] 1.1 deep\n- b\n```\n- [ ] c\n```\n\n## Phase 2\n- [ ]* Leap\n"
HEADINGS = "Do it\n\n### Step 1: Look\nat it\n~~~\n# x\n~~~\n### **Step 2: Leap**\n1. a\n\n# End\nbye"
CONFLICT = "# G\n<<<<<<< ours\n## Steps\n- [ ] 1. a\n=======\n- [x] 2. b\n>>>>>>> theirs\n"
WRITTEN = [
    DOCUMENT,
    DOCUMENT.replace("\n", "\r\n"),
    DOCUMENT.replace("## Risks", f"{ASKED}## Risks"),
    ASKED + TASKS,
    "---\nid: x\n---\n" + TASKS.replace("\n", "\r"),
    "\ufeff" + HEADINGS,
    CONFLICT,
    dedent("1. one\n   more\n2. two\nlazy\n\n3. three\n- [ ] box"),
]
STATES = (
    PlanState(open_question_id="q7", open_questions={"q7"}),
    PlanState(running_step=1),
    PlanState(is_busy_generating=True),
    PlanState(),
)


def test_what_a_merge_left_is_no_comment_to_the_planner() -> None:
    assert parse(CONFLICT).comments == ()
    assert [comment.text for comment in parse(CONFLICT.replace(" theirs", "\n> louder")).comments] == ["louder"]
    assert [comment.text for comment in parse("# G\n>>>>>>>> deep\n").comments] == [">>>>>>> deep"]


def look_at(text: str) -> None:
    """Have everything done with a text that is done while somebody types."""
    tree, whole = parse(text), Span(0, len(text))
    found = lint(tree, GONE)
    assert all(lies_in(span, whole) for problem in found for span in spans_in(problem))
    for problem in found:
        for fix in problem.fixes:
            parse(apply_edits(text, fix.edits))
    for state in STATES:
        offered = (*plan_actions(tree, state), *actions(tree, state, whole))
        assert all(lies_in(offer.span, whole) for offer in offered)
    assert all(lies_in(edit.span, whole) for fix in renumbering(tree, whole) for edit in fix.edits)
    assert len([*fixes(found, whole)]) <= sum(len(problem.fixes) for problem in found)
    assert all(block in blocks_of(tree, question_id(block)) for block in tree.questions)
    assert parse(without_questions(tree)).questions == ()


@pytest.mark.slow
@pytest.mark.parametrize("text", WRITTEN)
def test_a_document_can_be_cut_anywhere(text: str) -> None:
    for end in range(0, len(text) + 1, 3):
        look_at(text[:end])
    for start in range(0, len(text), 5):
        look_at(text[start:])


@on_texts
@given(st.lists(st.one_of(texts, st.sampled_from(WRITTEN)), max_size=3), st.integers(0, 500), st.integers(0, 60))
def test_pieces_can_be_put_together_and_torn_apart(pieces: list[str], at: int, length: int) -> None:
    text = "\n".join(pieces)
    look_at(text[:at] + text[at + length :])


# --- growth


def steps(count: int) -> str:
    return "# G\n\n## Steps\n" + "".join(
        f"- [ ] {n}. Step\n  - reason: r\n  - tools: read_file\n  - files: f{n}.py\n" for n in range(1, count + 1)
    )


def boxes(count: int) -> str:
    return "# G\n\n" + "".join(f"- [ ] do {n}\n  - [x] detail\nlazy\n\n" for n in range(count))


def questions(count: int) -> str:
    blocks = "".join(f"  > [!QUESTION] q{n} minor: a?\n  > - [ ] v: l\n" for n in range(count))
    return f"# G\n\n## Steps\n- [ ] 1. a\n{blocks}"


def conflicts(count: int) -> str:
    return "# G\n" + "<<<<<<< a\n=======\n>>>>>>> b\n" * count


def calls_of(work: Callable[[], Any]) -> int:
    """How many functions are called, those written in C too."""
    count = 0

    def see(_frame: Any, event: str, _arg: Any) -> None:
        nonlocal count
        count += event in ("call", "c_call")

    sys.setprofile(see)
    try:
        work()
    finally:
        sys.setprofile(None)
    return count


def works(text: str) -> Iterator[Callable[[], Any]]:
    tree = parse(text)
    state = PlanState(open_questions={question_id(block) for block in tree.questions})
    yield lambda: parse(text)
    yield lambda: lint(tree, GONE)
    yield lambda: plan_actions(tree, state)
    yield lambda: actions(tree, state, Span(0, 0))
    yield lambda: without_questions(tree)


@pytest.mark.slow
@pytest.mark.parametrize("write", [steps, boxes, questions, conflicts])
def test_ten_thousand_of_anything_cost_ten_times_what_a_thousand_do(write: Callable[[int], str]) -> None:
    for few, many in zip(works(write(1_000)), works(write(10_000)), strict=True):
        assert calls_of(many) <= 11 * calls_of(few) + 1_000


@pytest.mark.slow
@pytest.mark.parametrize("write", [steps, boxes, questions, conflicts])
def test_what_is_done_within_one_call_grows_no_faster(write: Callable[[int], str]) -> None:
    few, many = write(500), write(5_000)

    def seconds(text: str) -> float:
        gc.collect()
        gc.disable()  # else the larger text also pays for looking through what all tests before have left
        try:
            begun = time.process_time()
            for work in works(text):
                work()
            return time.process_time() - begun
        finally:
            gc.enable()

    # Ten times the text: linear is about 10, quadratic 100.
    assert min(seconds(many) for _ in range(2)) < 40 * min(seconds(few) for _ in range(3))
