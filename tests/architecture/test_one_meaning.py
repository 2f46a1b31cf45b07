"""A public name has one meaning: no two modules define the same one at their top level."""

import ast
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

from tests.architecture.source import PACKAGE

CONVENTIONS = {
    "COMMANDS": "cli/commands",
    "check": "plan/rules",
    "judge": "policy/rules",
    "register": "lsp/features",
    "main": "",
    "log": "",
    "T": "",
}
"""Names that each module of a folder defines for its registry; or, in any folder, a program's entry, a logger, a type
variable.
"""

SAMPLE_PROGRAM = PACKAGE / "cli" / "demo" / "project"
"""The project that `planact demo` changes, which is no part of planact."""


def names_in(source: str) -> Iterator[tuple[str, int]]:
    """Yield the public functions, classes and constants of a module with their lines."""
    for node in ast.parse(source).body:
        match node:
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
                found = [name]
            case ast.Assign(targets=targets):
                found = [target.id for target in targets if isinstance(target, ast.Name)]
            case ast.AnnAssign(target=ast.Name(id=name)):
                found = [name]
            case _:
                found = []
        yield from ((name, node.lineno) for name in found if not name.startswith("_"))


def defined_twice(modules: dict[str, str]) -> list[str]:
    """Return a sentence for each name that stands in two modules; `modules` are sources by path."""
    places: dict[str, dict[str, int]] = defaultdict(dict)
    for path, source in modules.items():
        for name, line in names_in(source):
            places[name].setdefault(path, line)
    return [
        f"`{name}` stands in " + " and ".join(f"{path}:{line}" for path, line in sorted(found.items()))
        for name, found in sorted(places.items())
        if len(found) > 1 and not all(path.startswith(CONVENTIONS.get(name, "\0")) for path in found)
    ]


def modules() -> dict[str, str]:
    paths: list[Path] = [path for path in PACKAGE.rglob("*.py") if not path.is_relative_to(SAMPLE_PROGRAM)]
    return {path.relative_to(PACKAGE).as_posix(): path.read_text("utf-8") for path in paths}


def test_a_public_name_stands_in_one_module() -> None:
    twice = defined_twice(modules())
    assert not twice, "give each thing its own name, or import the one that exists:\n" + "\n".join(twice)


def test_each_convention_is_used() -> None:
    defined = [name for source in modules().values() for name in {name for name, _ in names_in(source)}]
    assert [name for name in CONVENTIONS if defined.count(name) < 2] == []


def test_the_message_names_both_files() -> None:
    found = defined_twice({"a.py": "X = 1\n", "b/c.py": "\nclass X: ...\n_y = 1\n", "d.py": "_y = 2\ndef z(): X = 1\n"})
    assert found == ["`X` stands in a.py:1 and b/c.py:2"]


def test_a_registry_name_may_stand_in_its_folder_alone() -> None:
    rules = {"plan/rules/a.py": "def check(): ...\n", "plan/rules/b.py": "def check(): ...\n"}
    assert defined_twice(rules) == []
    assert defined_twice({**rules, "cli/c.py": "check = 1\n"}) != []
