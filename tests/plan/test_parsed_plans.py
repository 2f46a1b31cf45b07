"""Texts of plans are parsed once, and those that were read long ago are forgotten."""

import pytest

from planact.plan.syntax import parsed_plans
from planact.plan.syntax.parsed_plans import ParsedPlans
from planact.plan.syntax.parser import parse

TEXT = "# Goal\n\n## Steps\n- [ ] 1. One\n- [ ] 2. Two\n"


def test_the_same_text_is_parsed_once() -> None:
    plans = ParsedPlans()
    tree = plans.parse("a.plan", TEXT)
    assert plans.parse("a.plan", TEXT) is tree
    later = TEXT.replace("[ ] 2", "[x] 2")
    assert plans.parse("a.plan", later) == parse(later)
    assert plans.parse("b.plan", TEXT) == tree


def test_what_was_read_long_ago_is_forgotten_and_the_last_text_stays_however_long(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(parsed_plans, "_MOST_KEPT", 2 * len(TEXT))
    plans = ParsedPlans()
    first, second = plans.parse("a.plan", TEXT), plans.parse("b.plan", TEXT)
    assert plans.parse("a.plan", TEXT) is first
    plans.parse("c.plan", TEXT)
    assert plans.parse("a.plan", TEXT) is first
    assert plans.parse("b.plan", TEXT) is not second
    long = TEXT * 9
    tree = plans.parse("long.plan", long)
    assert plans.parse("long.plan", long) is tree
