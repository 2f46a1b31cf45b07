"""A package that isn't installed is no error of an edit; a wrong name of the project's own is."""

import pytest

from planact.model.file import EditorProblem
from planact.workflows.runs.checks.missing_package import misses_package

PYTHON, SCRIPT = "reportMissingImports", "2307"


@pytest.mark.parametrize(
    ("code", "message", "there", "expected"),
    [
        ("unresolved-import", "Cannot resolve imported module `requests.adapters`", [], True),
        (PYTHON, 'Import "yaml" could not be resolved', ["pkg/pyproject.toml"], True),
        (PYTHON, 'Import "yaml" could not be resolved', [".venv"], False),
        (PYTHON, 'Import "yaml" could not be resolved', ["pkg/venv"], False),
        (PYTHON, 'Import "shop.carts" could not be resolved', ["src/shop"], False),
        (PYTHON, 'Import "shop.carts" could not be resolved', ["pkg/shop.py"], False),
        (PYTHON, 'Import ".carts" could not be resolved', [], False),
        ("reportAttributeAccessIssue", '"yaml" is not a known attribute', [], False),
        (SCRIPT, "Cannot find module 'react/jsx-runtime' or its corresponding type declarations.", [], True),
        (SCRIPT, "Cannot find module '@scope/tool'.", [], True),
        (SCRIPT, "Cannot find module 'react'.", ["node_modules"], False),
        (SCRIPT, "Cannot find module './react'.", [], False),
        (SCRIPT, "Cannot find module '@/react'.", [], False),
        (SCRIPT, "Cannot find module 'shop/carts'.", ["src/shop"], False),
        (SCRIPT, "it names none", [], False),
    ],
)
def test_a_package_counts_only_where_packages_are_installed(
    code: str, message: str, there: list[str], expected: bool
) -> None:
    problem = EditorProblem("pkg/sub/a.py", 1, "error", message, "", code)
    assert misses_package(problem, set(there).__contains__) is expected
