"""LSP's types as the server has them are those of lsprotocol, but for when they are completed."""

import json
import subprocess
import sys

import pytest

DESCRIBE = """
import json, re, sys
from planact.lsp.wire.late_types import import_lsp_types
if sys.argv[1] == "late":
    import_lsp_types()
import attrs
from lsprotocol import types
from lsprotocol.converters import get_converter

get_converter()  # resolves what is named in advance
kinds = {name: kind for name, kind in vars(types).items() if isinstance(kind, type) and attrs.has(kind)}
print(json.dumps({
    name: [
        [re.sub(" at 0x[0-9a-f]+", "", repr(field)) for field in attrs.fields(kind)],
        [base.__name__ for base in kind.__mro__],
        kind.__match_args__,
        kind.__hash__ is None,
        sorted(name for name in ("__eq__", "__ne__", "__repr__", "__lt__", "__init__") if name in vars(kind)),
    ]
    for name, kind in kinds.items()
}))
"""

USE = """
from planact.lsp.wire.late_types import import_lsp_types
import_lsp_types()
from lsprotocol import types
from pygls.protocol import default_converter

start, end = types.Position(1, 2), types.Position(character=3, line=1)
assert start < end and start == types.Position(1, 2) and {start.line, end.character} == {1, 3}
found = types.Diagnostic(types.Range(start, end), "bad", severity=types.DiagnosticSeverity.Error)
wire = default_converter().unstructure(found)
assert wire["range"]["end"] == {"line": 1, "character": 3}, wire
assert default_converter().structure(wire, types.Diagnostic) == found
named_in_advance = default_converter().structure({"workspace": {"applyEdit": True}}, types.ClientCapabilities)
assert named_in_advance.workspace.apply_edit
for refused in (lambda: types.Position(-1, 0), lambda: types.Position(0), lambda: setattr(start, "line", "x")):
    try:
        refused()
    except (TypeError, ValueError) as error:
        print(type(error).__name__)
"""

COMPLETED = """
from planact.lsp.wire.late_types import import_lsp_types
import_lsp_types()
from planact.lsp.connection import create_server
create_server()
from lsprotocol import types
kinds = [kind for kind in vars(types).values() if isinstance(kind, type) and "__attrs_attrs__" in vars(kind)]
print(len(kinds), sum("__eq__" in vars(kind) for kind in kinds))
"""


def told(code: str, *words: str) -> str:
    ran = subprocess.run([sys.executable, "-c", code, *words], capture_output=True, text=True, timeout=120, check=False)
    assert ran.returncode == 0, ran.stderr
    return ran.stdout


@pytest.fixture(scope="module")
def as_published() -> dict[str, list[object]]:
    described: dict[str, list[object]] = json.loads(told(DESCRIBE, "at once"))
    return described


def test_each_type_is_what_lsprotocol_makes_of_it(as_published: dict[str, list[object]]) -> None:
    assert len(as_published) > 500
    assert json.loads(told(DESCRIBE, "late")) == as_published


@pytest.mark.parametrize("before", ["", "import lsprotocol.types\n"])
def test_values_are_made_compared_converted_and_refused_as_ever(before: str) -> None:
    assert told(before + USE).split() == ["ValueError", "TypeError", "ValueError"]


def test_a_server_that_nobody_has_asked_anything_has_completed_few_of_them(
    as_published: dict[str, list[object]],
) -> None:
    count, completed = map(int, told(COMPLETED).split())
    assert count == len(as_published)
    assert completed < 50
