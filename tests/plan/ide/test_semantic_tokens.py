"""Semantic tokens: the words of the language, and what they name."""

import pytest

from planact.base.span import Span
from planact.plan.ide.semantic_tokens import KINDS, MODIFIERS, semantic_tokens
from planact.plan.syntax.parser import parse

TEXT = """---
status: draft
owner: me
context:
  - {path: a.py, sha256: 0f}
---
# Greet {{who}}

## steps
- [x] 1. Change `src/a.py` now
  - Reason: `b.py` is text
  - tools: read_file, `x`
  - files: a.py,
    src/{{module}}.py
  - mine: c
  - check: `make {{who}}`
  > be
  > warm
- [?] two

## Validation
- `make test`

## Mine
"""


def shown(text: str, selection: Span | None = None) -> list[tuple[str, str, str | None]]:
    found = semantic_tokens(parse(text), selection or Span(0, len(text)))
    return [(text[slice(*token.span)], token.kind, token.modifier) for token in found]


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_words_and_names_are_told_apart_from_text(end: str) -> None:
    assert shown(TEXT.replace("\n", end)) == [
        ("status", "property", None),
        ("draft", "enumMember", None),
        ("context", "property", None),
        ("a.py", "string", None),
        ("{{who}}", "parameter", None),
        ("steps", "keyword", None),
        ("x", "enumMember", "done"),
        ("1", "number", None),
        ("src/a.py", "string", None),
        ("Reason", "property", None),
        ("tools", "property", None),
        ("read_file", "function", None),
        ("x", "function", None),
        ("files", "property", None),
        ("a.py", "string", None),
        ("src/", "string", None),
        ("{{module}}", "parameter", None),
        (".py", "string", None),
        ("check", "property", None),
        ("make ", "macro", None),
        ("{{who}}", "parameter", None),
        ("  > be", "comment", None),
        ("  > warm", "comment", None),
        ("?", "enumMember", None),
        ("Validation", "keyword", None),
        ("make test", "macro", None),
    ]


def test_of_a_range_only_what_it_touches_is_told() -> None:
    start = TEXT.index("- [?]")
    assert shown(TEXT, Span(start, start + 5)) == [("?", "enumMember", None)]


@pytest.mark.parametrize(("mark", "modifier"), [(" ", None), ("~", "running"), ("-", "skipped"), ("!", "failed")])
def test_a_mark_shows_how_far_the_step_is(mark: str, modifier: str | None) -> None:
    assert shown(f"## Steps\n- [{mark}] a") == [("Steps", "keyword", None), (mark, "enumMember", modifier)]


def test_what_clients_know_by_number_stays_in_its_place() -> None:
    words = "keyword property number enumMember function string macro parameter comment"
    assert KINDS[:9] == tuple(words.split())
    assert MODIFIERS[:4] == ("running", "done", "skipped", "failed")
