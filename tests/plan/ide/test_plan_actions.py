"""Lenses and code actions: what can be done in each state, and that both say the same."""

from typing import Any

import pytest

from planact.base.span import Span
from planact.plan.ide.actions import actions
from planact.plan.plan_actions import PlanState, plan_actions
from planact.plan.syntax.parser import parse

STEPS = "# G\n## Steps\n"
ONE = STEPS + "- [ ] 1. a\n"
TWO = STEPS + "- [x] 1. a\n- [!] 2. b\n"
CURSOR = "‸"


def shown(text: str, state: PlanState) -> list[str]:
    tree = parse(text)
    return [f"{text[slice(*lens.span)]}: {lens.title}" for lens in plan_actions(tree, state)]


@pytest.mark.parametrize(
    ("text", "state", "expected"),
    [
        ("", PlanState(), []),
        (" \n\nmake it fast\n", PlanState(), ["make it fast: Generate plan"]),
        ("make it fast", PlanState(is_busy_generating=True), ["make it fast: Generating plan", "make it fast: Stop"]),
        (
            ONE,
            PlanState(),
            ["G: Draft · 1 step", "G: Approve", "G: Execute Plan", "G: Revise", "a: Run step", "a: Skip"],
        ),
        (
            ONE + "> c\n",
            PlanState(is_approved=True),
            ["G: Approved · 1 step", "G: Revise (1 comment)", "G: Execute Plan", "a: Run step", "a: Skip"],
        ),
        (
            "---\nstatus: approved\n---\n" + ONE + "> c\n\n> d",
            PlanState(),
            ["G: Draft · 1 step", "G: Revise (2 comments)", "G: Approve", "G: Execute Plan", "a: Run step", "a: Skip"],
        ),
        (ONE, PlanState(is_busy_generating=True), ["G: Revising plan", "G: Stop"]),
        (
            TWO,
            PlanState(),
            ["G: 1 of 2 done · 1 failed", "G: Approve", "G: Execute Plan", "G: Revise", "b: Retry", "b: Skip"],
        ),
        (
            TWO,
            PlanState(is_approved=True, is_paused=True),
            ["G: 1 of 2 done · 1 failed", "G: Continue", "G: Revise", "b: Retry", "b: Skip"],
        ),
        (
            ONE,
            PlanState(is_paused=True),
            ["G: Draft · 1 step", "G: Approve", "G: Execute Plan", "G: Revise", "a: Run step", "a: Skip"],
        ),
        (TWO, PlanState(running_step=2, is_elsewhere=True), ["G: Running step 2 of 2 in another window"]),
        (TWO, PlanState(running_step=0, is_rolling_back=True), ["G: Rolling back"]),
        (
            TWO,
            PlanState(running_step=0, is_rolling_back=True, is_elsewhere=True),
            ["G: Rolling back in another window"],
        ),
        (TWO, PlanState(running_step=2), ["G: Running step 2 of 2", "G: Stop"]),
        (TWO, PlanState(running_step=2, open_question_id="q"), ["G: Waiting for your answer", "G: Answer"]),
        (STEPS + "- [x] 1. a\n- [x] 2. b", PlanState(), ["G: 2 of 2 done", "G: Revise"]),
        (
            TWO,
            PlanState(to_roll_back={1, 2}, changed_files={1}),
            [
                *("G: 1 of 2 done · 1 failed", "G: Approve", "G: Execute Plan", "G: Revise", "G: Roll back"),
                *("a: Show diff", "a: Roll back", "b: Retry", "b: Skip", "b: Roll back"),
            ],
        ),
        (
            STEPS + "- [x] 1. a\n- [~] 2. b",
            PlanState(running_step=2, to_roll_back={1, 2}, changed_files={1, 2}),
            ["G: Running step 2 of 2", "G: Stop", "a: Show diff"],
        ),
        (
            TWO,
            PlanState(is_approved=True, failed={1, 2}),
            [
                *("G: 1 of 2 done · 1 failed", "G: Execute Plan", "G: Revise"),
                *("b: Retry", "b: Skip", "b: Show what failed"),
            ],
        ),
        (STEPS + "- [x] 1. a\n- [-] 2. b", PlanState(), ["G: 1 of 2 done · 1 skipped", "G: Revise"]),
        (
            "## Steps\n- [ ] 1. a",
            PlanState(),
            ["## Steps: Draft · 1 step", "## Steps: Revise", "a: Run step", "a: Skip"],
        ),
        ("---\nparameters: x\n---\n" + ONE, PlanState(), []),
    ],
)
def test_a_plan_offers_what_can_be_done_now(text: str, state: PlanState, expected: list[str]) -> None:
    assert shown(text, state) == expected


PLAN_ACTIONS: list[tuple[str, dict[str, Any]]] = [
    ("planact.approvePlan", {}),
    ("planact.executePlan", {}),
    ("planact.revisePlan", {}),
]


def test_of_a_selection_the_steps_that_can_be_run_are_offered_together() -> None:
    text = STEPS + "- [x] 1. a\n- [!] 2. b\n- [ ] 4. c\n- [ ] 5. d\n"
    tree, start = parse(text), text.index("1. a")
    titles = {
        end: [(each.title, each.arguments) for each in actions(tree, PlanState(), Span(start, text.index(end)))][:1]
        for end in ("2. b", "5. d")
    }
    assert titles["5. d"] == [("Run 3 selected steps", {"steps": [2, 4, 5]})]
    assert titles["2. b"][0][0] == "Approve"
    assert actions(tree, PlanState(running_step=4), Span(start, len(text)))[0].title == "Stop"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            STEPS + "- [ ] 4. ‸a\n- [ ] 5. b",
            [("planact.executeStep", {"step": 4}), ("planact.skipStep", {"step": 4}), *PLAN_ACTIONS],
        ),
        (
            STEPS + "- [ ] 4. a\n- [ ] 5. b\n  - reason: ‸c",
            [("planact.executeStep", {"step": 5}), ("planact.skipStep", {"step": 5}), *PLAN_ACTIONS],
        ),
        (STEPS + "- [x] 4. ‸a\n- [ ] 5. b", PLAN_ACTIONS),
        ("# G‸\n## Steps\n- [ ] 4. a", PLAN_ACTIONS),
        ("make it ‸fast", [("planact.generatePlan", {})]),
    ],
)
def test_code_actions_are_those_of_the_step_at_the_cursor_and_of_the_plan(
    text: str, expected: list[tuple[str, dict[str, Any]]]
) -> None:
    at = text.index(CURSOR)
    tree = parse(text.replace(CURSOR, ""))
    made = actions(tree, PlanState(), Span(at, at))
    assert [(action.command, action.arguments) for action in made] == expected
    assert all(action in plan_actions(tree, PlanState()) for action in made)


def test_an_answer_names_its_question() -> None:
    made = actions(parse(ONE), PlanState(open_question_id="q7"), Span(0, 0))
    assert [(action.command, action.arguments) for action in made] == [
        ("planact.answerQuestion", {"question_id": "q7"})
    ]


def test_questions_in_the_plan_are_answered_where_they_stand_and_only_open_ones() -> None:
    text = (
        "# G\n> [!QUESTION] q7_1 minor: a?\n> answer:\n> [!QUESTION] q7_2 minor: b?\n> answer:\n## Steps\n- [ ] 1. a\n"
    )
    text += "  > [!QUESTION] q8 minor: c?\n  > - [x] yes: Yes\n"
    tree = parse(text)
    made = actions(tree, PlanState(open_question_id="q7", open_questions={"q7"}), Span(0, 0))
    assert [(action.command, action.arguments, text[action.span.start :].partition("\n")[0]) for action in made] == [
        ("planact.answerQuestion", {"question_id": "q7"}, "> [!QUESTION] q7_1 minor: a?"),
        ("planact.declineQuestion", {"question_id": "q7"}, "> [!QUESTION] q7_1 minor: a?"),
    ]
    assert all(action.title != "Answer" for action in actions(tree, PlanState(), Span(0, 0)))
