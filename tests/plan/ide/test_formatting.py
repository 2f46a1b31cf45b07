"""Formatting: one way to write headings, steps and details. What it may never change is among the properties."""

import pytest

from planact.base.span import Span, apply_edits
from planact.plan.ide.formatting import formatting, formatting_of
from planact.plan.syntax.parser import parse
from tests.plan.plans import DOCUMENT


def formatted(text: str) -> str:
    return apply_edits(text, formatting(parse(text)))


STEPS = "# G\n\n## Steps\n"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (STEPS + "*  [X]  3)   a \n", STEPS + "- [x] 3. a\n"),
        (STEPS + "- [ ] a\n- [ ] b", STEPS + "- [ ] 1. a\n- [ ] 2. b\n"),
        (STEPS + "- [ ] 2. a\n- [ ] b\n", STEPS + "- [ ] 2. a\n- [ ] b\n"),
        (STEPS + "- [ ] 1. a\n      *  Reason:why  \n", STEPS + "- [ ] 1. a\n  - reason: why\n"),
        (STEPS + "- [ ] 1. a\n    - files: b ,c,\n", STEPS + "- [ ] 1. a\n  - files: b, c\n"),
        (STEPS + "- [ ] 1. a\n    - files: b ,\n      c\n", STEPS + "- [ ] 1. a\n  - files: b ,\n    c\n"),
        (STEPS + "- [ ] 1. a\n    - check:\n        - `b`\n", STEPS + "- [ ] 1. a\n  - check:\n      - `b`\n"),
        (STEPS + "- [ ] 1. a\n    - Mine:  b\n", STEPS + "- [ ] 1. a\n  - Mine:  b\n"),
        (STEPS + "- [ ] 1. a\n   more\n     - time:  b\n", STEPS + "- [ ] 1. a\n   more\n     - time: b\n"),
        (STEPS + "- [ ] 1. a\n    - time:  b\n  > c\n", STEPS + "- [ ] 1. a\n    - time:  b\n  > c\n"),
        (STEPS + "- [ ] 1. a\n    - time:  b\n      ```\n      c\n      ```\n",) * 2,
        ("#   G\n##  sTEPS  \n- [ ] 1. a\n\n\n\n## risks\n", STEPS + "- [ ] 1. a\n\n## Risks\n"),
        ("# G\r\n## Steps\r\n- [ ] 1. a\r\n## Risks", "# G\r\n\r\n## Steps\r\n- [ ] 1. a\r\n\r\n## Risks\r\n"),
        ("---\nid: x\n---\n\n\n# G\n## Steps\n", "---\nid: x\n---\n\n\n# G\n\n## Steps\n"),
        (STEPS + "- [ ] 1. a\n## Mine\nx\n\n\n## Risks\n", STEPS + "- [ ] 1. a\n## Mine\nx\n\n\n## Risks\n"),
        (STEPS + "- [ ] 1. a\n\n## Mine\nx  ",) * 2,
        ("make  it   fast  ",) * 2,
        (STEPS + "*  [ ] a\n```",) * 2,
        (DOCUMENT,) * 2,
        ("",) * 2,
    ],
)  # fmt: skip
def test_what_belongs_to_the_language_is_written_one_way(text: str, expected: str) -> None:
    assert formatted(text) == expected
    assert formatted(expected) == expected


def test_of_a_selection_only_what_it_touches_is_formatted() -> None:
    text = STEPS + "* [ ] 1. a\n     - time: b\n* [ ] 2. c\n* [ ] 3. d\n"
    at = text.index("time")
    assert apply_edits(text, formatting_of(parse(text), Span(at, at))) == (
        STEPS + "- [ ] 1. a\n  - time: b\n* [ ] 2. c\n* [ ] 3. d\n"
    )
    second = text.index("2. c")
    assert apply_edits(text, formatting_of(parse(text), Span(at, second))) == (
        STEPS + "- [ ] 1. a\n  - time: b\n- [ ] 2. c\n* [ ] 3. d\n"
    )


def test_edits_are_as_small_as_they_can_be() -> None:
    text = STEPS + "* [ ] 1. a\n  - time: b\n"
    at = text.index("*")
    assert [(edit.span, edit.new_text) for edit in formatting(parse(text))] == [(Span(at, at + 1), "-")]
