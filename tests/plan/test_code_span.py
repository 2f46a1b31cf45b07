"""Code spans come back as they went in."""

import pytest

from planact.plan.syntax.code_span import split_list, unwrap, wrap


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("a", "`a`"),
        ("a`b", "``a`b``"),
        ("`a`", "`` `a` ``"),
        ("a``", "``` a`` ```"),
        ("`", "`` ` ``"),
        ("a, b", "`a, b`"),
    ],
)
def test_a_value_is_wrapped_so_that_it_can_be_unwrapped(value: str, expected: str) -> None:
    assert wrap(value) == expected
    assert unwrap(expected) == value


@pytest.mark.parametrize("text", ["a", "`a", "a`", "`a` b", "`a` `b`", "``a`", ""])
def test_what_is_not_one_span_stays_as_it_is(text: str) -> None:
    assert unwrap(text) == text


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", [""]),
        ("a,b", ["a", "b"]),
        ("`a,b`,c", ["`a,b`", "c"]),
        ("`a,b", ["`a", "b"]),
        ("``a`,b``,`c", ["``a`,b``", "`c"]),
    ],
)
def test_commas_inside_spans_dont_split(text: str, expected: list[str]) -> None:
    assert split_list(text) == expected
