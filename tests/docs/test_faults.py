"""The table of faults in ARCHITECTURE.md names for each the test that shows it, and has all that are tested by rows."""

import ast
import re
from collections.abc import Iterator
from functools import cache
from typing import get_args

import pytest

from planact.base.errors import ErrorCode
from tests.architecture.source import ROOT
from tests.docs.pages import section
from tests.kill import test_faults as around_a_run
from tests.lsp.commands import test_faults as around_a_server

PAGE = ROOT / "server" / "ARCHITECTURE.md"
BY_ROWS = {
    "kill/test_faults.py": {name: fault.code for name, fault in around_a_run.FAULTS.items()},
    "lsp/commands/test_faults.py": {
        **{name: fault.code for name, fault in around_a_server.FAULTS.items()},
        **dict.fromkeys(around_a_server.ODDITIES, ""),
    },
}


def table() -> list[tuple[str, str, list[str]]]:
    """Fault, what is seen, and the tests."""
    lines = [line for line in section(PAGE, "When something around it fails").splitlines() if line.startswith("| ")]
    rows = [[cell.strip() for cell in line.strip("|").split(" | ")] for line in lines[1:]]
    return [(fault, seen, re.findall(r"`([^`]+)`", tests)) for fault, seen, tests in rows]


@cache
def functions_of(path: str) -> frozenset[str]:
    tree = ast.parse((ROOT / "tests" / path).read_text("utf-8"))
    functions = (node for node in tree.body if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef))
    return frozenset(function.name for function in functions)


def lost() -> Iterator[str]:
    for fault, seen, tests in table():
        for test in tests:
            path, _, name = test.partition("::")
            if name and name not in functions_of(path):
                yield f"{fault}: there is no {test}"
            elif not name and BY_ROWS[path].get(fault) is None:
                yield f"{fault}: no row of {path}"
            elif not name and (code := BY_ROWS[path][fault]) not in seen:
                yield f"{fault}: {path} expects {code}"


def test_each_fault_is_shown_by_a_test_that_is_there() -> None:
    assert list(lost()) == []


def test_no_fault_is_listed_twice_or_without_a_test() -> None:
    faults = [fault for fault, seen, tests in table() if seen and tests]
    assert len(set(faults)) == len(table()) > 30


@pytest.mark.parametrize("path", BY_ROWS)
def test_each_row_of_a_test_is_in_the_table(path: str) -> None:
    listed = {fault for fault, _, tests in table() if path in tests}
    assert BY_ROWS[path].keys() - listed == set()


def test_the_codes_in_it_are_codes() -> None:
    codes = {code for _, seen, _ in table() for code in re.findall(r"`([A-Z_]+)`", seen)}
    assert codes - set(get_args(ErrorCode)) == set()
