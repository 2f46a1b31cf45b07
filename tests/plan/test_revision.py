"""Plans that arrive where there is text already."""

import pytest

from planact.base.errors import InvalidInput
from planact.base.span import apply_edits
from planact.model.plan import Plan, Step
from planact.plan.revision import fill_request, replace_plan
from planact.plan.syntax.lower import lower
from planact.plan.syntax.parser import parse
from tests.plan.plans import DOCUMENT, PLAN

NEW = Plan(
    id="plan_other",
    goal="Read faster",
    description="By hand.",
    steps=(Step(step_number=1, action="Measure"), Step(step_number=2, action="Cache")),
    risks=("None known.",),
)


def filled(text: str) -> str:
    return apply_edits(text, fill_request(text, NEW))


FRONT = '---\nformat_version: "1.0"\nid: plan_other\nstatus: draft\ninfrastructure: false\n---\n'
REST = "## Steps\n- [ ] 1. Measure\n- [ ] 2. Cache\n\n## Risks\n- None known.\n"


@pytest.mark.parametrize(
    ("request_", "expected"),
    [
        ("", f"{FRONT}# Read faster\n\n\n\nBy hand.\n\n{REST}"),
        ("make it fast", f"{FRONT}# Read faster\n\nmake it fast\n\nBy hand.\n\n{REST}"),
        ("make it fast\n", f"{FRONT}# Read faster\n\nmake it fast\n\nBy hand.\n\n{REST}"),
        ("# Fast\n\nBy hand.\n", f"{FRONT}# Fast\n\nBy hand.\n\n{REST}"),
        ("#\nBy hand.\n", f"{FRONT}# Read faster\nBy hand.\n\n{REST}"),
        ("Do:\n```\ncode\n", f"{FRONT}# Read faster\n\nDo:\n```\ncode\n\n```\n\nBy hand.\n\n{REST}"),
        (
            "By hand.\n## Risks\n- Mine.\n\n## Limits\nMine.\n",
            f"{FRONT}# Read faster\n\nBy hand.\n## Risks\n- Mine.\n- None known.\n\n## Limits\nMine.\n\n"
            "## Steps\n- [ ] 1. Measure\n- [ ] 2. Cache\n",
        ),
        (
            "---\nid: mine\nowner: me\n---\nBy hand.\n",
            '---\nid: mine\nowner: me\nformat_version: "1.0"\nstatus: draft\ninfrastructure: false\n---\n'
            f"# Read faster\n\nBy hand.\n\n{REST}",
        ),
    ],
)
@pytest.mark.parametrize("line_end", ["\n", "\r\n"])
def test_a_request_becomes_a_plan_around_the_users_words(request_: str, expected: str, line_end: str) -> None:
    if "\n" in request_ or line_end == "\n":
        assert filled(request_.replace("\n", line_end)) == expected.replace("\n", line_end)


def test_a_plan_is_not_filled_again() -> None:
    with pytest.raises(InvalidInput, match="PLAN_INVALID"):
        fill_request(DOCUMENT, NEW)


@pytest.mark.parametrize("line_end", ["\n", "\r\n"])
def test_a_revision_keeps_what_is_the_users_own(line_end: str) -> None:
    text = DOCUMENT.replace("Untouched", "> to the planner\nUntouched").replace("\n", line_end)
    revised = apply_edits(text, replace_plan(parse(text), NEW)).replace(line_end, "\n")
    front, body = revised.split("---\n", 2)[1:]
    assert front == DOCUMENT.split("---\n", 2)[1]
    assert body == (
        "# Read faster\n\nBy hand.\n\n## Steps\n- [ ] 1. Measure\n- [ ] 2. Cache\n\n"
        "## Notes of mine\nUntouched 🦀.\n\n## Risks\n- None known.\n"
    )


def test_a_revision_that_changes_nothing_is_no_edit() -> None:
    text = apply_edits(DOCUMENT, replace_plan(parse(DOCUMENT), PLAN))
    assert lower(parse(text)) == PLAN
    assert replace_plan(parse(text), PLAN) == ()


def test_a_revision_touches_no_line_that_stays() -> None:
    text = apply_edits(DOCUMENT, replace_plan(parse(DOCUMENT), PLAN))
    steps = (PLAN.steps[0], PLAN.steps[1].model_copy(update={"action": "Update all"}))
    edits = replace_plan(parse(text), PLAN.model_copy(update={"steps": steps}))
    assert [edit.new_text for edit in edits] == ["- [x] 2. Update all\n"]
