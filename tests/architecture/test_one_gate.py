"""No tool gets hands but from the gate, and no verdict is given anywhere else."""

import ast
from collections.abc import Mapping

import pytest

from tests.architecture.source import PACKAGE

# Name that is called → the only modules that may call it.
MAKERS = {
    "Permit": {"tools/calls/run.py"},
    "Grant": {"tools/calls/run.py"},
    "ReadAccess": {"tools/calls/ask.py", "tools/calls/prepare.py"},
    "run_call": {"tools/gate.py"},
    "decide": {"tools/calls/judge.py"},
}


@pytest.fixture(scope="module")
def callers() -> Mapping[str, set[str]]:
    """The modules that call each of these names."""
    found: dict[str, set[str]] = {name: set() for name in MAKERS}
    for path in PACKAGE.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in found:
                found[node.func.id].add(path.relative_to(PACKAGE).as_posix())
    return found


@pytest.mark.parametrize("name", MAKERS)
def test_only_a_station_of_the_gate_calls_it(callers: Mapping[str, set[str]], name: str) -> None:
    assert callers[name] == MAKERS[name]
