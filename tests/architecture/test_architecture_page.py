"""ARCHITECTURE.md speaks of the code that is there: what it names as a module, or as a part of one, can be found."""

import re
from pathlib import Path

from tests.architecture.source import PACKAGE, ROOT

PAGE = (ROOT / "server" / "ARCHITECTURE.md").read_text("utf-8")
LAYERS = sorted(folder.name for folder in PACKAGE.iterdir() if (folder / "__init__.py").is_file())

_NAME = re.compile(r"`([^`\n]+)`")
_MODULE = re.compile(rf"(?:{'|'.join(LAYERS)})(?:[./](?!x\b|test_)\w+)+(?:\.py)?")


def test_every_module_that_it_names_is_there() -> None:
    named = {name for name in _NAME.findall(PAGE) if _MODULE.fullmatch(name)}
    assert len(named) > 50
    assert sorted(name for name in named if not is_there(name)) == []


def is_there(name: str) -> bool:
    """Whether it is a module, a folder of them, or something that the module before the last dot speaks of."""
    path = PACKAGE / name.removesuffix(".py").replace(".", "/")
    module = path.parent.with_suffix(".py")
    return is_module(path) or (module.is_file() and bool(re.search(rf"\b{path.name}\b", module.read_text("utf-8"))))


def is_module(path: Path) -> bool:
    return path.is_dir() or path.with_suffix(".py").is_file()


def test_its_map_has_every_package_and_what_it_names_in_each_is_below_it() -> None:
    rows = dict(re.findall(r"^\| `(\w+)/` \|(.*)\|.*\|$", PAGE, re.MULTILINE))
    assert sorted(rows) == LAYERS
    named = {f"{layer}/{part}" for layer, parts in rows.items() for part in re.findall(r"`(\w+)/?`", parts)}
    below = {f"{layer}/{path.stem}" for layer in LAYERS for path in (PACKAGE / layer).rglob("*") if is_module(path)}
    assert sorted(named - below) == ["lsp/applyEdit", "workflows/Workspace"]
