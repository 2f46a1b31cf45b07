"""Folding: what holds more than one line folds away below the first."""

import pytest

from planact.plan.ide.folding import folding
from planact.plan.syntax.parser import parse

TEXT = """---
id: x
---
# G

> one
> two

## Steps
- [ ] 1. a
  - reason: r

- [ ] 2. b
> one

## Empty
"""


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_front_matter_sections_steps_and_comments_fold(end: str) -> None:
    text = TEXT.replace("\n", end)
    found = [(fold.kind, text[slice(*fold.span)].replace(end, "\n")) for fold in folding(parse(text))]
    assert found == [
        ("imports", "---\nid: x\n---"),
        ("comment", "> one\n> two"),
        ("region", "## Steps\n- [ ] 1. a\n  - reason: r\n\n- [ ] 2. b\n> one"),
        ("region", "- [ ] 1. a\n  - reason: r"),
        ("region", "- [ ] 2. b\n> one"),
    ]
