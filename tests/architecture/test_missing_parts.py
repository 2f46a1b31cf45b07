"""What the table *Other parts* of CONTRIBUTING.md describes lacks nothing; else a message names the file and the line.

Rules of the gate have `test_lists_complete.py`.
"""

import re
from collections.abc import Callable, Collection, Iterable, Iterator
from pathlib import Path
from typing import get_args

import pytest

from planact.adapters.store.state import database
from planact.base.errors import ErrorCode
from planact.lsp import features
from planact.lsp.features import FEATURES
from planact.policy.context import DenyCode
from tests.architecture.source import PACKAGE, ROOT, python_modules
from tests.bench.parts import PARTS


def read(path: str) -> str:
    return (ROOT / path).read_text("utf-8")


# --- an LSP feature

TESTED_WITH_OTHERS = {"initialized", "did_close"}  # in test_initialize and test_publish_diagnostics


def of_features(handlers: Iterable[str], tests: Collection[str]) -> Iterator[str]:
    """`handlers` without `on_`; `tests` by name of their file."""
    for name in sorted({*handlers} - TESTED_WITH_OTHERS):
        if not any(f"test_{name}".startswith(test) for test in tests):
            yield f"tests/lsp/features/test_{name}.py: add what the feature answers, tested"


def lsp_features() -> Iterator[str]:
    sources = [path.read_text("utf-8") for path in Path(*features.__path__).glob("*.py")]
    handlers = {name for source in sources for name in re.findall(r"def on_(\w+)\(", source)}
    assert len(handlers) >= len(FEATURES)
    return of_features(handlers, {path.stem for path in (ROOT / "tests/lsp/features").glob("test_*.py")})


# --- an error code


def of_errors(codes: Collection[str], page: str, sources: str) -> Iterator[str]:
    """`codes` of errors and refusals; what `sources` of the server name besides may have a row, too."""
    rows = set(re.findall(r"^\| `([A-Z_]+)` \|", page, re.MULTILINE))
    for code in sorted({*codes} - rows):
        yield f"server/docs/errors.md: add `| `{code}` | what happened | what to do |`"
    for code in sorted(rows - {*codes}):
        if f'"{code}"' not in sources:
            yield f'server/planact/base/errors.py: add `"{code}"` to ErrorCode, or drop its row in docs/errors.md'


def errors() -> Iterator[str]:
    sources = "".join(path.read_text("utf-8") for path in PACKAGE.rglob("*.py"))
    return of_errors({*get_args(ErrorCode), *get_args(DenyCode)}, read("server/docs/errors.md"), sources)


# --- a page for users


def of_pages(pages: Iterable[str], readme: str) -> Iterator[str]:
    for page in sorted(pages):
        if f"](server/docs/{page}" not in readme:
            yield f"README.md, table of pages: add `| … | [TITLE](server/docs/{page}) |`"


def pages() -> Iterator[str]:
    return of_pages((path.name for path in (ROOT / "server/docs").glob("*.md")), read("README.md"))


# --- a part of the bench


def of_bench(modules: Collection[str], listed: Collection[str]) -> Iterator[str]:
    for part in sorted({*modules} - {*listed}):
        yield f'tests/bench/parts/__init__.py: add `"{part}"` to PARTS'
    for part in sorted({*listed} - {*modules}):
        yield f"tests/bench/parts/{part}.py: add the module with `bench(room)`, or drop it from PARTS"


def bench() -> Iterator[str]:
    return of_bench({path.stem for path in python_modules(ROOT / "tests/bench/parts")}, PARTS)


# --- a version of the database


def of_versions(migrations: str) -> Iterator[str]:
    found = re.findall(r"^-- version ([0-9]+)$", migrations, re.MULTILINE)
    for at, number in enumerate(found, 1):
        if int(number) != at:
            yield f"server/planact/adapters/store/state/migrations.sql: `-- version {number}`: write `-- version {at}`"


def versions() -> Iterator[str]:
    return of_versions(Path(database.__file__).with_name("migrations.sql").read_text("utf-8"))


@pytest.mark.parametrize("parts", [lsp_features, errors, pages, bench, versions])
def test_no_part_lacks_anything(parts: Callable[[], Iterable[str]]) -> None:
    missing = list(parts())
    assert not missing, "\n".join(["Add, as CONTRIBUTING.md describes:", *missing])


@pytest.mark.parametrize(
    ("missing", "expected"),
    [
        (of_features(["hover", "did_close"], ["test_hover"]), []),
        (of_features(["models_changed"], ["test_models"]), []),
        (of_features(["hover"], ["test_models"]), ["tests/lsp/features/test_hover.py: add"]),
        (of_errors(["BUSY"], "| `BUSY` | … |", ""), []),
        (of_errors([], "| `BUSY` | … |", 'Refused("BUSY")'), []),
        (of_errors(["BUSY"], "", ""), ["server/docs/errors.md: add `| `BUSY` |"]),
        (of_errors([], "| `BUSY` | … |", ""), ['base/errors.py: add `"BUSY"` to ErrorCode']),
        (of_pages(["x.md"], "| a | [X](server/docs/x.md#b) |"), []),
        (of_pages(["x.md"], ""), ["README.md, table of pages: add `| … | [TITLE](server/docs/x.md) |`"]),
        (of_bench(["x"], ["x"]), []),
        (of_bench(["x"], []), ['bench/parts/__init__.py: add `"x"` to PARTS']),
        (of_bench([], ["x"]), ["tests/bench/parts/x.py: add the module"]),
        (of_versions("-- version 1\nx;\n-- version 2\n"), []),
        (of_versions("-- version 1\nx;\n-- version 3\n"), ["`-- version 3`: write `-- version 2`"]),
    ],
)
def test_what_is_missing_is_named(missing: Iterable[str], expected: list[str]) -> None:
    found = list(missing)
    assert len(found) == len(expected), found
    assert all(part in line for part, line in zip(expected, found, strict=True)), found
