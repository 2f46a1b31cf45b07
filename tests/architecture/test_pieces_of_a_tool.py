"""A tool whose piece is missing fails here, and the message names the file and the line to add."""

import ast
from collections.abc import Mapping, Set

import pytest

from planact.policy.roles import BUILT_IN, built_in_role
from planact.tools.registry import TOOLS
from tests.architecture.source import PACKAGE

BUILTIN = PACKAGE / "tools" / "builtin"


def missing_pieces(modules: Mapping[str, str], registered: Set[str], offered: Set[str]) -> list[str]:
    """Lines to add: for the sources of `modules`, the tools in the registry, and roles' tools."""
    missing = []
    for module, source in modules.items():
        values = [
            node.targets[0].id
            for node in ast.parse(source).body
            if isinstance(node, ast.Assign)
            and isinstance(node.targets[0], ast.Name)
            and isinstance(node.value, ast.Call)
            and isinstance(node.value.func, ast.Name)
            and node.value.func.id in ("Tool", "edit_tool")
        ]
        tool = module.rpartition("/")[2]
        value = tool.upper()
        if values != [value]:
            missing.append(f"server/planact/tools/builtin/{module}.py: end it with `{value} = Tool(…)`")
        if tool not in registered:
            line = f"from planact.tools.builtin.{module.replace('/', '.')} import {value}"
            missing.append(f"server/planact/tools/registry.py: add `{line}`, and `{value}` to TOOLS")
    for tool in sorted(registered):
        if tool not in {module.rpartition("/")[2] for module in modules}:
            missing.append(f"server/planact/tools/builtin/{tool}.py: add the module, named like its tool")
        if tool not in offered:
            missing.append(f"server/planact/policy/roles/*.md: add `{tool}` to `tools:` of each role that gets it")
    return missing


def test_no_piece_of_a_tool_is_missing() -> None:
    modules = {
        path.relative_to(BUILTIN).with_suffix("").as_posix(): path.read_text("utf-8")
        for path in BUILTIN.rglob("*.py")
        if path.name != "__init__.py"
    }
    offered = {name for role in BUILT_IN for names in built_in_role(role).rights.tools for name in names}
    missing = missing_pieces(modules, {tool.name for tool in TOOLS}, offered)
    assert not missing, "\n".join(["A tool lacks a piece:", *missing])


@pytest.mark.parametrize(
    ("source", "registered", "offered", "expected"),
    [
        ("X = Tool(name='x')", {"x"}, {"x"}, []),
        ("Y = Tool(name='x')", {"x"}, {"x"}, ["tools/builtin/x.py: end it with `X = Tool(…)`"]),
        ("X = Tool(name='x')", set(), {"x"}, ["registry.py: add `from planact.tools.builtin.x import X`, and `X`"]),
        ("X = Tool(name='x')", {"x"}, set(), ["policy/roles/*.md: add `x` to `tools:`"]),
        ("X = Tool(name='x')", {"x", "y"}, {"x", "y"}, ["tools/builtin/y.py: add the module"]),
    ],
)
def test_each_missing_piece_is_named(source: str, registered: set[str], offered: set[str], expected: list[str]) -> None:
    found = missing_pieces({"x": source}, registered, offered)
    assert len(found) == len(expected)
    assert all(part in line for part, line in zip(expected, found, strict=True))
