"""One obvious place stays true: what lies in a folder of parts is named in the tuple that registers it.

`plan/rules`, `lsp/features`, `lsp/commands` and `cli/commands` need none: their folder is the list. Tools have
`test_pieces_of_a_tool.py`.
"""

import ast

import pytest

from tests.architecture.source import PACKAGE, python_modules

# Folder of parts → the module and the tuple that name them all.
LISTS = {
    "policy/rules": ("policy/rules/__init__.py", "RULES"),
}


def modules_named_in(tuple_name: str, source: str, package: str) -> set[str]:
    """The modules directly under `package` that the tuple's elements come from."""
    tree = ast.parse(source)
    origin: dict[str, str] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.module == package:
            origin |= {name.asname or name.name: name.name for name in node.names}
        elif isinstance(node, ast.ImportFrom) and (node.module or "").startswith(package + "."):
            module = (node.module or "").removeprefix(package + ".")
            origin |= {name.asname or name.name: module for name in node.names}
    elements = [element for value in assigned(tuple_name, tree) for element in value.elts]
    names = {node.id for element in elements for node in ast.walk(element) if isinstance(node, ast.Name)}
    return {origin[name] for name in names if name in origin}


def assigned(name: str, tree: ast.Module) -> list[ast.Tuple]:
    targets = [
        (target, node.value)
        for node in tree.body
        if isinstance(node, ast.Assign | ast.AnnAssign)
        for target in (node.targets if isinstance(node, ast.Assign) else [node.target])
    ]
    return [
        value
        for target, value in targets
        if isinstance(target, ast.Name) and target.id == name and isinstance(value, ast.Tuple)
    ]


def test_every_part_of_a_folder_is_in_its_tuple() -> None:
    folders = {folder: {path.stem for path in python_modules(PACKAGE / folder)} for folder in LISTS}
    named = {folder: named_in_list_of(folder) for folder, parts in folders.items() if parts}
    assert named.keys() == LISTS.keys()
    missing = [
        f"server/planact/{LISTS[folder][0]}: add what {folder}/{part}.py has to {LISTS[folder][1]}"
        for folder in named
        for part in sorted(folders[folder] - named[folder])
    ]
    assert not missing, "\n".join(missing)


def named_in_list_of(folder: str) -> set[str]:
    registry, tuple_name = LISTS[folder]
    source = (PACKAGE / registry).read_text("utf-8")
    return modules_named_in(tuple_name, source, "planact." + folder.replace("/", "."))


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("from p.a import X\nfrom p.b import X as Y\nALL = (X, Y)", {"a", "b"}),
        ("from p import a, b\nALL: tuple[T, ...] = (a.X, T(b.f))", {"a", "b"}),
        ("from p import a, b\nALL = (a,)\nOTHER = (b,)", {"a"}),
        ("from q.a import X\nALL = (X,)", set()),
        ("from p import a\nALL = ()", set()),
    ],
)
def test_a_part_counts_as_listed_only_when_the_tuple_names_it(source: str, expected: set[str]) -> None:
    assert modules_named_in("ALL", source, "p") == expected
