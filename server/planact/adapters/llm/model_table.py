"""What litellm's own table says of models: how much they take and cost, and what they can do.

It is read from the file in litellm's package, in 20 ms and without importing it, when somebody first asks.
"""

import importlib.util
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from planact.model.language_model import LanguageModel, key_variable

_FILE = "model_prices_and_context_window_backup.json"
_MODES = ("chat", "responses")
_MILLION = 1_000_000


class ModelTable:
    """The table, condensed to what planact asks of it. `environment` tells which keys there are."""

    def __init__(self, environment: Mapping[str, str], path: Path | None = None) -> None:
        self._environment = environment
        self._path = path
        self._models: dict[str, LanguageModel] | None = None

    def about(self, name: str) -> LanguageModel:
        """What the table has under `name`, with its provider or without; nothing but the name where it has nothing."""
        return self._read().get(name, LanguageModel(name=name)).model_copy(update={"name": name})

    def list(self) -> Sequence[LanguageModel]:
        """All models that one can talk to, as `provider/model`, by name."""
        return [model for name, model in sorted(self._read().items()) if name == model.name]

    def _read(self) -> Mapping[str, LanguageModel]:
        if self._models is None:
            self._models = {}
            for name, entry in _entries(self._path or _installed()).items():
                if isinstance(entry, dict) and entry.get("mode") in _MODES:
                    model = self._condensed(name, entry)
                    self._models |= {model.name: model, name: model}
        return self._models

    def _condensed(self, name: str, entry: Mapping[str, Any]) -> LanguageModel:
        provider = str(entry.get("litellm_provider", "")).partition("-")[0].removesuffix("_converse")
        full = name if "/" in name or not provider else f"{provider}/{name}"
        variable = key_variable(full)
        return LanguageModel(
            name=full,
            provider=provider,
            context_tokens=_count(entry.get("max_input_tokens") or entry.get("max_tokens")),
            output_tokens=_count(entry.get("max_output_tokens")),
            input_cost=_price(entry.get("input_cost_per_token")),
            output_cost=_price(entry.get("output_cost_per_token")),
            calls_tools=entry.get("supports_function_calling") is True,
            takes_images=entry.get("supports_vision") is True,
            reasons=entry.get("supports_reasoning") is True,
            has_key=bool(self._environment.get(variable)) if variable else None,
        )


def _installed() -> Path | None:
    """Finding a package doesn't import it."""
    found = importlib.util.find_spec("litellm")
    folders = list(found.submodule_search_locations or ()) if found else []
    return Path(folders[0]) / _FILE if folders else None


def _entries(path: Path | None) -> Mapping[str, Any]:
    """Nothing where the table can't be read: everything works without it."""
    try:
        data = json.loads(path.read_bytes()) if path else {}
    except (OSError, ValueError):
        return {}
    return data if isinstance(data, dict) else {}


def _count(value: Any) -> int:
    return int(value) if isinstance(value, int | float) and value > 0 else 0


def _price(value: Any) -> float | None:
    return round(value * _MILLION, 6) if isinstance(value, int | float) else None
