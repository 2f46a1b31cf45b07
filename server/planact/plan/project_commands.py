"""The commands that a project itself names: scripts, targets and tools, read from its manifests and never run.

Manifests come with a repository: a malformed entry is no command, and only plain names become words of one.
"""

import json
import re
import tomllib
from collections.abc import Callable, Collection, Iterator, Mapping
from typing import Any

MAX_COMMANDS = 100
"""Most commands of a project that are listed."""

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.:@/-]{0,79}")
_TARGET = re.compile(
    r"^([A-Za-z0-9][A-Za-z0-9_.-]{0,79})(?:[ \t]+[A-Za-z0-9][A-Za-z0-9_. -]*)?[ \t]*::?(?!=)", re.MULTILINE
)
_LOCKS = {"pnpm-lock.yaml": "pnpm", "yarn.lock": "yarn", "bun.lock": "bun", "bun.lockb": "bun"}
_TOOLS = {
    "pytest": "python -m pytest -q",
    "ruff": "ruff check .",
    "mypy": "mypy .",
    "black": "black --check .",
    "tox": "tox",
}
_RUNNERS = {("poe", "tasks"): "poe", ("pdm", "scripts"): "pdm run", ("taskipy", "tasks"): "task"}


def project_commands(texts: Mapping[str, str], names: Collection[str]) -> tuple[str, ...]:
    """The commands that manifests name, `texts` by file name; `names` are the files beside them."""
    found = (command for name, text in texts.items() if name in SOURCES for command in SOURCES[name](text, names))
    return tuple(dict.fromkeys(found))[:MAX_COMMANDS]


def _package_json(text: str, names: Collection[str]) -> Iterator[str]:
    manager = next((manager for lock, manager in _LOCKS.items() if lock in names), "npm")
    scripts = _table(_json(text), "scripts")
    for name in scripts:
        is_hook = name.removeprefix("pre") in scripts or name.removeprefix("post") in scripts
        if _NAME.fullmatch(name) and not (is_hook and name.startswith(("pre", "post"))):
            yield f"{manager} test" if name == "test" else f"{manager} run {name}"


def _makefile(text: str, _names: Collection[str]) -> Iterator[str]:
    yield from (f"make {target}" for target in _TARGET.findall(text))


def _pyproject(text: str, names: Collection[str]) -> Iterator[str]:
    tools = _table(_toml(text), "tool")
    yield from (command for name, command in _TOOLS.items() if name in tools)
    if "noxfile.py" in names:
        yield "nox"
    for (tool, key), runner in _RUNNERS.items():
        yield from (f"{runner} {name}" for name in _table(_table(tools, tool), key) if _NAME.fullmatch(name))


def _cargo(_text: str, _names: Collection[str]) -> Iterator[str]:
    yield from ("cargo test", "cargo check", "cargo clippy")


def _go(_text: str, _names: Collection[str]) -> Iterator[str]:
    yield from ("go test ./...", "go vet ./...")


SOURCES: Mapping[str, Callable[[str, Collection[str]], Iterator[str]]] = {
    "package.json": _package_json,
    "Makefile": _makefile,
    "pyproject.toml": _pyproject,
    "Cargo.toml": _cargo,
    "go.mod": _go,
}
"""Readers of manifests, by the name of the file."""

BESIDE = (*_LOCKS, "noxfile.py")
"""Files that tell by their existence which tools a project uses."""


def _json(text: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


def _toml(text: str) -> Any:
    try:
        return tomllib.loads(text)
    except (ValueError, RecursionError):
        return None


def _table(value: Any, key: str) -> Mapping[str, Any]:
    found = value.get(key) if isinstance(value, Mapping) else None
    return found if isinstance(found, Mapping) else {}
