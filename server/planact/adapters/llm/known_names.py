"""Names that litellm knows: of providers, read from its package without an import of it, and of models, with the listed
name nearest to an unknown one.

For models litellm comes as an argument, since another module imports it. Its lists lack new models and names that users
chose, so an unlisted name may be right; a name without a provider can't be.
"""

import difflib
import importlib.util
import json
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

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


def provider_of(litellm: Any, name: str, endpoint: str) -> str:
    """Return the provider that litellm would send to, or empty."""
    try:
        return str(litellm.get_llm_provider(model=name, api_base=endpoint or None)[1])
    except Exception:  # noqa: BLE001  that is how it says so
        return ""


def is_listed(litellm: Any, name: str, provider: str) -> bool:
    """Return True if the provider lists the name or has no list."""
    listed = {*_names(litellm, provider)}
    return not listed or {name, f"{provider}/{name}"} & listed != set()


def nearest(litellm: Any, name: str, provider: str = "") -> str:
    """Return the listed name that resembles `name` most, of `provider` if given; empty without one."""
    providers = [provider] if provider else litellm.models_by_provider
    listed = [known for each in providers for known in _names(litellm, each)]
    if "/" not in name:
        listed = [known.partition("/")[2] for known in listed]
    return next(iter(difflib.get_close_matches(name, listed, 1)), "")


def _names(litellm: Any, provider: str) -> Iterator[str]:
    for known in litellm.models_by_provider.get(provider, ()):
        yield f"{provider}/{known.removeprefix(f'{provider}/')}"
