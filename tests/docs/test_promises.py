"""The table of promises in security.md has a word and a test for each rung, and each test is there."""

import re

from tests.architecture.source import ROOT
from tests.docs.pages import section
from tests.docs.test_faults import functions_of

TEXT = section(ROOT / "server" / "docs" / "security.md", "What holds on each jail")
TESTS = dict(re.findall(r"(?m)^- ([A-Z]): `([^`]+)`", TEXT))
ROWS = [[cell.strip() for cell in line.strip("|").split("|")] for line in TEXT.splitlines() if line.startswith("| ")]


def test_each_promise_is_kept_or_not_on_each_rung_and_shown() -> None:
    rungs = len(ROWS[0])
    assert [row[0] for row in ROWS if len(row) != rungs] == []
    cells = [cell for row in ROWS[1:] for cell in row[1:]]
    assert len(cells) > 40
    shown = [re.fullmatch(r"[^()]+ \(([A-Z](?:, [A-Z])*)\)", cell) for cell in cells]
    assert [cell for cell, found in zip(cells, shown, strict=True) if found is None] == []
    assert {letter for found in shown if found for letter in found[1].split(", ")} == TESTS.keys()


def test_each_test_that_it_names_is_there() -> None:
    named = [test.partition("::") for test in TESTS.values()]
    assert [path for path, _, _ in named if not (ROOT / "tests" / path).is_file()] == []
    assert [name for path, _, name in named if name and name not in functions_of(path)] == []
