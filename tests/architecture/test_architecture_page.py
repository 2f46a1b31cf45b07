"""ARCHITECTURE.md and CONTRIBUTING.md speak of the code that is there: what they name as a module, as a part of one or
as a path can be found. So can paths on the pages for users.
"""

import re
from pathlib import Path

import pytest

from tests.architecture.source import PACKAGE, ROOT
from tests.docs.pages import name_of, pages, prose

CONTRIBUTING = ROOT / "CONTRIBUTING.md"
PAGE = (ROOT / "server" / "ARCHITECTURE.md").read_text("utf-8")
LAYERS = sorted(folder.name for folder in PACKAGE.iterdir() if (folder / "__init__.py").is_file())

_NAME = re.compile(r"`([^`\n]+)`")
_PATH = re.compile(r"`((?:server|client-vscode|tests|\.ci)/[\w./-]+)`")
_IS_NO_FILE = re.compile(r"(?:^|/|test_)x(?:\.\w+|_card\.tsx)?(?:/|$)|\.vsix$")
_MODULE = re.compile(rf"(?:{'|'.join(LAYERS)})(?:[./](?!x\b|test_)\w+)+(?:\.py)?")


def test_every_module_that_they_name_is_there() -> None:
    named = {name for name in _NAME.findall(PAGE + CONTRIBUTING.read_text("utf-8")) if _MODULE.fullmatch(name)}
    assert len(named) > 50
    assert sorted(name for name in named if not is_there(name)) == []


@pytest.mark.parametrize("page", [ROOT / "server" / "ARCHITECTURE.md", CONTRIBUTING, *pages()], ids=name_of)
def test_every_path_that_a_page_names_is_there(page: Path) -> None:
    named = {path.rstrip("./") for path in _PATH.findall(prose(page))}
    assert [path for path in sorted(named) if not _IS_NO_FILE.search(path) and not (ROOT / path).exists()] == []


def test_the_glossary_has_at_most_60_words() -> None:
    table = PAGE.partition("\n## Glossary\n")[2].partition("\n## ")[0]
    words = [word for row in re.findall(r"^\| ([^|]+) \|", table, re.MULTILINE)[1:] for word in row.split(", ")]
    assert 30 < len(words) <= 60


def is_there(name: str) -> bool:
    """Whether it is a file, a module, a folder of them, or what the module before the last dot speaks of."""
    path = PACKAGE / name.removesuffix(".py").replace(".", "/")
    module = path.parent.with_suffix(".py")
    return (
        (PACKAGE / name).is_file()
        or is_module(path)
        or (module.is_file() and bool(re.search(rf"\b{path.name}\b", module.read_text("utf-8"))))
    )


def is_module(path: Path) -> bool:
    return path.is_dir() or path.with_suffix(".py").is_file()


def test_its_map_has_every_package_and_what_it_names_in_each_is_below_it() -> None:
    rows = dict(re.findall(r"^\| `(\w+)/` \|(.*)\|.*\|$", PAGE, re.MULTILINE))
    assert sorted(rows) == LAYERS
    named = {f"{layer}/{part}" for layer, parts in rows.items() for part in re.findall(r"`(\w+)/?`", parts)}
    below = {f"{layer}/{path.stem}" for layer in LAYERS for path in (PACKAGE / layer).rglob("*") if is_module(path)}
    assert sorted(named - below) == ["lsp/applyEdit", "workflows/Workspace"]
