"""Document symbols: goal, sections, steps."""

from typing import Any

import pytest

from planact.plan.ide.symbols import Symbol, symbols
from planact.plan.syntax.parser import parse


def outline(found: tuple[Symbol, ...]) -> list[Any]:
    return [(symbol.kind, symbol.name, outline(symbol.children)) for symbol in found]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", []),
        ("make it fast", []),
        (
            "# G 🦀\n## Mine\n## Steps\n- [ ] 1. a\n- [ ] b\n## Risks",
            [
                (
                    "goal",
                    "G 🦀",
                    [
                        ("section", "Mine", []),
                        ("section", "Steps", [("step", "1. a", []), ("step", "2. b", [])]),
                        ("section", "Risks", []),
                    ],
                ),
            ],
        ),
        (
            "## Steps\n- [ ]\n##",
            [("section", "Steps", [("step", "1. (no action)", [])]), ("section", "(no title)", [])],
        ),
    ],
)
def test_the_outline_is_goal_sections_steps(text: str, expected: list[Any]) -> None:
    assert outline(symbols(parse(text))) == expected
