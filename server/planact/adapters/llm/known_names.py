"""Which models litellm knows by name, and which of them is meant by one that it doesn't know.

Takes litellm as an argument, since it is imported elsewhere. Its lists lack what is new and what users name themselves,
so a name that isn't listed may well be right; one without a provider can't.
"""

import difflib
from collections.abc import Iterator
from typing import Any


def provider_of(litellm: Any, name: str, endpoint: str) -> str:
    """The provider that litellm would send to; empty = it knows none for that name."""
    try:
        return str(litellm.get_llm_provider(model=name, api_base=endpoint or None)[1])
    except Exception:  # noqa: BLE001  that is how it says so
        return ""


def is_listed(litellm: Any, name: str, provider: str) -> bool:
    """Whether a provider's list has the name; a provider without a list takes any."""
    listed = {*_names(litellm, provider)}
    return not listed or {name, f"{provider}/{name}"} & listed != set()


def nearest(litellm: Any, name: str, provider: str = "") -> str:
    """The listed name that looks most like it, of that provider if there is one; empty = none does."""
    providers = [provider] if provider else litellm.models_by_provider
    listed = [known for each in providers for known in _names(litellm, each)]
    if "/" not in name:
        listed = [known.partition("/")[2] for known in listed]
    return next(iter(difflib.get_close_matches(name, listed, 1)), "")


def _names(litellm: Any, provider: str) -> Iterator[str]:
    for known in litellm.models_by_provider.get(provider, ()):
        yield f"{provider}/{known.removeprefix(f'{provider}/')}"
