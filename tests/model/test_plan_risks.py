"""Which items of a plan's risks name one."""

import pytest

from planact.model.plan import Plan, Step

STEPS = (Step(action="Do it"),)


@pytest.mark.parametrize(
    "item", ["None", "`None`", "none.", "**None**", "N/A", "No known risks.", "There are none", "-"]
)
def test_an_item_that_says_that_there_is_none_names_no_risk(item: str) -> None:
    assert Plan(goal="x", steps=STEPS, risks=(item,)).named_risks == ()


@pytest.mark.parametrize(
    "item", ["None of the tests covers it", "Nobody can log in meanwhile", "No backup", "Nothing is saved"]
)
def test_all_else_names_one(item: str) -> None:
    assert Plan(goal="x", steps=STEPS, risks=("None", item)).named_risks == (item,)
