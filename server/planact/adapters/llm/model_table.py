"""What litellm's own table says of models: how much they take and cost, and what they can do.

It is read from the file in litellm's package, in 30 ms and without importing it, when somebody first asks.
"""

import importlib.util
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from planact.model.language_model import LanguageModel, key_variable

_FILE = "model_prices_and_context_window_backup.json"
_MODES = ("chat", "responses")
_KEPT = (
    "litellm_provider",
    "max_input_tokens",
    "max_tokens",
    "max_output_tokens",
    "input_cost_per_token",
    "output_cost_per_token",
    "supports_function_calling",
    "supports_vision",
    "supports_reasoning",
)
_MILLION = 1_000_000


class ModelTable:
    """The table, of which only the fields that are asked for are kept. `keys` tells which there are, by variable."""

    def __init__(self, keys: Mapping[str, str], path: Path | None = None) -> None:
        self._keys = keys
        self._path = path
        self._entries: dict[str, tuple[Any, ...]] | None = None
        self._names: dict[str, str] = {}

    def about(self, name: str) -> LanguageModel:
        """What the table has under `name`, with its provider or without; nothing but the name where it has nothing."""
        entries = self._read()
        entry = entries.get(self._names.get(name, name))
        return self._model(name, entry) if entry else LanguageModel(name=name)

    def list(self) -> Sequence[LanguageModel]:
        """All models that one can talk to, as `provider/model`, by name."""
        entries = self._read()
        return [self._model(full, entries[name]) for full, name in sorted(self._names.items())]

    def _read(self) -> Mapping[str, tuple[Any, ...]]:
        """By the table's own names; `_names` leads from full ones to them."""
        if self._entries is None:
            self._entries = {
                name: tuple(map(entry.get, _KEPT))
                for name, entry in _table(self._path or _installed()).items()
                if isinstance(entry, dict) and entry.get("mode") in _MODES
            }
            self._names = {_full(name, entry[0]): name for name, entry in self._entries.items()}
        return self._entries

    def _model(self, name: str, entry: tuple[Any, ...]) -> LanguageModel:
        provider, tokens_in, tokens, tokens_out, cost_in, cost_out, *abilities = entry
        variable = key_variable(_full(name, provider))
        calls_tools, takes_images, reasons = (ability is True for ability in abilities)
        return LanguageModel(
            name=name,
            provider=_provider(provider),
            context_tokens=_count(tokens_in or tokens),
            output_tokens=_count(tokens_out),
            input_cost=_price(cost_in),
            output_cost=_price(cost_out),
            calls_tools=calls_tools,
            takes_images=takes_images,
            reasons=reasons,
            key_variable=variable,
            has_key=bool(self._keys.get(variable)) if variable else None,
        )


def _provider(text: Any) -> str:
    """As names begin with it: the table also tells apart by what kinds of models a provider has."""
    return str(text or "").partition("-")[0].removesuffix("_converse")


def _full(name: str, provider: Any) -> str:
    known = _provider(provider)
    return name if "/" in name or not known else f"{known}/{name}"


def _installed() -> Path | None:
    """Finding a package doesn't import it."""
    found = importlib.util.find_spec("litellm")
    folders = list(found.submodule_search_locations or ()) if found else []
    return Path(folders[0]) / _FILE if folders else None


def _table(path: Path | None) -> Mapping[str, Any]:
    """Nothing where it can't be read: everything works without it."""
    try:
        data = json.loads(path.read_bytes()) if path else {}
    except (OSError, ValueError):
        return {}
    return data if isinstance(data, dict) else {}


def _count(value: Any) -> int:
    return int(value) if isinstance(value, int | float) and value > 0 else 0


def _price(value: Any) -> float | None:
    return round(value * _MILLION, 6) if isinstance(value, int | float) else None
