"""Names of models that litellm lists, and the listed name nearest to an unknown one.

litellm comes as an argument, since another module imports it. Its lists lack new models and names that users chose, so
an unlisted name may be right; a name without a provider can't be.
"""

import difflib
from collections.abc import Iterator
from typing import Any


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
