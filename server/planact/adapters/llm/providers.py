"""Names of the providers that litellm can send to, read from its package without an import of it."""

import importlib.util
import json
import re
from functools import cache
from pathlib import Path

_CLASS = re.compile(r"^class LlmProviders\(.*?(?=^class )", re.DOTALL | re.MULTILINE)
_VALUE = re.compile(r"^    [A-Z0-9_]+ = \"([^\"]+)\"", re.MULTILINE)


@cache
def litellm_providers() -> frozenset[str]:
    """Return the providers as they begin model names; empty where litellm's files aren't as expected."""
    found = importlib.util.find_spec("litellm")
    folders = [Path(folder) for folder in found.submodule_search_locations or ()] if found else []
    if not folders:
        return frozenset()
    listed = _CLASS.search(_read(folders[0] / "types" / "utils.py"))
    return frozenset(_VALUE.findall(listed.group())) | _of_json(folders[0]) if listed else frozenset()


def _of_json(folder: Path) -> frozenset[str]:
    """Return the providers that litellm describes by data alone."""
    try:
        described = json.loads(_read(folder / "llms" / "openai_like" / "providers.json"))
    except ValueError:
        return frozenset()
    return frozenset(described) if isinstance(described, dict) else frozenset()


def _read(path: Path) -> str:
    try:
        return path.read_text("utf-8")
    except (OSError, ValueError):
        return ""
