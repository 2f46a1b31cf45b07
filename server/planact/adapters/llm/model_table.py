"""litellm's own table of models: their context, prices and abilities.

It is read from the file in litellm's package without an import. One model is looked up in the text: parsing the whole
file blocks the process for 30 ms and takes 30 MB.
"""

import importlib.util
import json
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from planact.model.chat.language_model import LanguageModel, key_variable

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
_OBJECT = re.compile(r"\s*:\s*(?={)")
_MILLION = 1_000_000

Entry = tuple[Any, ...]
"""The values of `_KEPT`."""


class ModelTable:
    """The table; only models that were asked about stay in memory. `keys` are the user's keys, by variable."""

    def __init__(self, keys: Mapping[str, str], path: Path | None = None) -> None:
        self._keys = keys
        self._path = path
        self._found: dict[str, Entry | None] = {}
        self._dearest: dict[str, LanguageModel] = {}

    def about(self, name: str) -> LanguageModel:
        """Return the table's entry for `name`, with its provider or without; only the name where there is no entry."""
        if name not in self._found:
            self._found[name] = self._look_up(name)
        entry = self._found[name]
        return self._model(name, entry) if entry else LanguageModel(name=name)

    def list(self) -> Sequence[LanguageModel]:
        """Return all chat models as `provider/model`, sorted by name."""
        entries = {name: _kept(entry) for name, entry in _table(self._text()).items()}
        full = {_full(name, entry[0]): entry for name, entry in entries.items() if entry}
        full |= {name: entry for name, entry in entries.items() if entry and name in full}  # said in full counts
        return [self._model(name, entry) for name, entry in sorted(full.items())]

    def dearest(self, provider: str) -> LanguageModel:
        """Return the dearest model of the provider, or of all where none of its has a price."""
        if provider not in self._dearest:
            priced = [each for each in self.list() if each.cost_of(1, 1)]
            own = [each for each in priced if each.provider == provider]
            self._dearest[provider] = max(own or priced, key=_price_of_both, default=LanguageModel(name=""))
        return self._dearest[provider]

    def _look_up(self, name: str) -> Entry | None:
        text, name = self._text(), name.replace("/responses/", "/", 1)  # OpenAI's other API has no entries of its own
        for known in (name, name.partition("/")[2]):
            entry = _kept(_value(text, known))
            if entry and name in (known, _full(known, entry[0])):
                return entry
        return None

    def _text(self) -> str:
        """Return the table's text, empty where it can't be read: planact works without it."""
        path = self._path or _installed()
        try:
            return path.read_text("utf-8") if path else ""
        except (OSError, ValueError):
            return ""

    def _model(self, name: str, entry: Entry) -> LanguageModel:
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


def _price_of_both(model: LanguageModel) -> float:
    return model.cost_of(1, 1) or 0.0


def _provider(text: Any) -> str:
    """Return the provider as it begins model names; the table also splits providers by kinds of models."""
    return str(text or "").partition("-")[0].removesuffix("_converse")


def _full(name: str, provider: Any) -> str:
    known = _provider(provider)
    return name if "/" in name or not known else f"{known}/{name}"


def _installed() -> Path | None:
    """Return the path of the table; finding a package doesn't import it."""
    found = importlib.util.find_spec("litellm")
    folders = list(found.submodule_search_locations or ()) if found else []
    return Path(folders[0]) / _FILE if folders else None


def _table(text: str) -> Mapping[str, Any]:
    try:
        data = json.loads(text)
    except ValueError:
        return {}
    return data if isinstance(data, dict) else {}


def _value(text: str, name: str) -> Any:
    """Return the JSON value under `name`; None without one or when it can't be parsed."""
    key, at = json.dumps(name), -1
    while name and (at := text.find(key, at + 1)) >= 0:
        if begin := _OBJECT.match(text, at + len(key)):
            try:
                return json.JSONDecoder().raw_decode(text, begin.end())[0]
            except ValueError:
                return None
    return None


def _kept(entry: Any) -> Entry | None:
    """Return the values of `_KEPT`; None for an entry that is no chat model's."""
    is_one = isinstance(entry, dict) and entry.get("mode") in _MODES
    return tuple(map(entry.get, _KEPT)) if is_one else None


def _count(value: Any) -> int:
    return int(value) if isinstance(value, int | float) and value > 0 else 0


def _price(value: Any) -> float | None:
    return round(value * _MILLION, 6) if isinstance(value, int | float) else None
