"""Settings of single models, checked one by one: a model with a fault in its settings is left out.

Values are never shown, since parameters may hold keys.
"""

import difflib
from collections.abc import Mapping
from typing import Any

from pydantic import ValidationError

from planact.model.settings import ModelSettings

MODELS_KEY = "models"

_KNOWN = tuple(field.alias or name for name, field in ModelSettings.model_fields.items())


def read_models(value: Any) -> tuple[dict[str, ModelSettings], list[tuple[str, str]]]:
    """Return the usable models by name, and the faults of the others: pairs of the key and of cause and next
    step.
    """
    if not isinstance(value, Mapping):
        return {}, [(MODELS_KEY, f'is no table of models; write [{MODELS_KEY}."provider/name"]')]
    models: dict[str, ModelSettings] = {}
    problems: list[tuple[str, str]] = []
    for name, said in value.items():
        try:
            models[name] = ModelSettings.model_validate(said, strict=True)
        except ValidationError as error:
            for fault in error.errors(include_input=False, include_url=False):
                at = ".".join((MODELS_KEY, str(name)[:80], *(str(part)[:40] for part in fault["loc"])))
                problems.append((at, _cause(fault["type"], fault["msg"], fault["loc"])))
    return models, problems


def _cause(kind: str, message: str, place: tuple[int | str, ...]) -> str:
    if kind == "extra_forbidden":
        near = difflib.get_close_matches(str(place[-1]), _KNOWN, 1, 0.5)
        return f"is not known; {f'did you mean {near[0]!r}?' if near else 'remove it'}"
    if not place:
        return f"is no table; its keys are {', '.join(_KNOWN)}"
    return f"doesn't fit: {message[:1].lower()}{message[1:]}; correct it"
