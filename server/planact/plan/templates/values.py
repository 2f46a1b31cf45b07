"""Values of parameters by the type of their schema: from text, as terminals and front matter have it, and back."""

import json
import re
from collections.abc import Mapping
from typing import Any

from planact.base.errors import InvalidInput

_TRUE, _FALSE = frozenset({"true", "yes", "on", "1"}), frozenset({"false", "no", "off", "0"})
_INTEGER = re.compile(r"[+-]?[0-9]{1,18}")
_NUMBER = re.compile(r"[+-]?(?:[0-9]{1,18}(?:\.[0-9]{1,18})?|\.[0-9]{1,18})(?:[eE][+-]?[0-9]{1,2})?")


def read_value(name: str, schema: Mapping[str, Any], said: Any) -> Any:
    """Return the value that a text means by its schema; a value that is no text stays as it is.

    An array is JSON, or its items with commas between them. Empty text stays a text, for a value that isn't given.

    Raises:
        InvalidInput: ANSWER_INVALID, naming the parameter and what it wants.
    """
    kind = schema.get("type", "string")
    if not isinstance(said, str) or kind == "string" or not said.strip():
        return said
    text = said.strip()
    match kind:
        case "integer" if _INTEGER.fullmatch(text):
            return int(text)
        case "number" if _NUMBER.fullmatch(text):
            return float(text) if re.search(r"[.eE]", text) else int(text)
        case "boolean" if text.casefold() in _TRUE | _FALSE:
            return text.casefold() in _TRUE
        case "array":
            return [read_value(name, schema.get("items", {}), item) for item in _items(name, text)]
        case _:
            wanted = {"integer": "a whole number", "number": "a number", "boolean": "true or false"}[kind]
            raise InvalidInput("ANSWER_INVALID", f"{name} is {text[:80]!r} and must be {wanted}", "Give it another.")


def value_text(value: Any) -> str:
    """Return the text that a value leaves in a plan: `true`, `1.5`, and items with commas."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, list | tuple):
        return ", ".join(map(value_text, value))
    return "" if value is None else str(value)


def _items(name: str, text: str) -> list[Any]:
    if not text.startswith("["):
        return [item for part in text.split(",") if (item := part.strip())]
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        raise InvalidInput(
            "ANSWER_INVALID", f"{name} is no JSON array", 'Write ["a", "b"], or items with commas.'
        ) from None
    return [item if isinstance(item, str | int | float) else json.dumps(item) for item in found]
