"""What works at first and fails later: pygls' thread handlers, and annotations that aren't there at run time."""

import ast

import pytest

from tests.architecture.source import PACKAGE

THREAD = "a thread handler starves the reader of stdin and outlives the client: write a coroutine"
LAZY = "pygls and pydantic read annotations at run time: import what they name"


def faults(source: str) -> list[tuple[int, str]]:
    """Line and reason of every forbidden construct in a module's source."""
    found = []
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            found += [(mark.lineno, THREAD) for mark in node.decorator_list if name_of(mark) == "thread"]
        elif isinstance(node, ast.ImportFrom) and node.module == "__future__":
            found += [(node.lineno, LAZY) for name in node.names if name.name == "annotations"]
        elif isinstance(node, ast.Name | ast.Attribute) and name_of(node) == "TYPE_CHECKING":
            found.append((node.lineno, LAZY))
    return found


def name_of(node: ast.expr) -> str:
    """The last word of a name, an attribute, or of what is called."""
    match node:
        case ast.Call(func=func):
            return name_of(func)
        case ast.Attribute(attr=attr):
            return attr
        case ast.Name(id=name):
            return name
        case _:
            return ""


def test_the_package_has_none_of_them() -> None:
    modules = sorted(PACKAGE.rglob("*.py"))
    assert modules
    found = {str(path.relative_to(PACKAGE)): faults(path.read_text("utf-8")) for path in modules}
    assert {path: list_ for path, list_ in found.items() if list_} == {}


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("@server.thread()\ndef f(ls): ...", [(1, THREAD)]),
        ("@server.feature('x')\n@server.thread\ndef f(ls): ...", [(2, THREAD)]),
        ("@thread()\nasync def f(ls): ...", [(1, THREAD)]),
        ("from __future__ import annotations", [(1, LAZY)]),
        ("from typing import TYPE_CHECKING\nif TYPE_CHECKING: ...", [(2, LAZY)]),
        ("import typing\nif typing.TYPE_CHECKING: ...", [(2, LAZY)]),
        ("@server.feature('x')\nasync def f(ls): ...\nthread = 1", []),
    ],
)
def test_each_of_them_is_found(source: str, expected: list[tuple[int, str]]) -> None:
    assert faults(source) == expected
