"""Argument schemas of MCP servers, made fit for requests: a provider that rejects one rejects them all.

Only what is known is kept, in known shapes; definitions are put where they are referred to. Servers check their
arguments themselves, so what is lost is but advice.
"""

import json
import re
from collections.abc import Callable, Mapping
from typing import Any

from planact.base.text import one_line

_DEPTH = 24
_NODES = 1_000
_LARGEST = 10_000  # characters of JSON
_DESCRIPTION = 300
_PROPERTY = re.compile(r"[A-Za-z0-9_.-]{1,64}")
_TYPES = {"array", "boolean", "integer", "null", "number", "object", "string"}
_NUMBERS = ("exclusiveMaximum", "exclusiveMinimum", "maximum", "minimum")
_COUNTS = ("maxItems", "maxLength", "minItems", "minLength")


class UnfitSchema(Exception):
    """A schema that can't be offered to a model; says why."""


def fit_schema(schema: Mapping[str, Any]) -> dict[str, Any]:
    """Return the schema of an object's properties, without the keywords that planact doesn't know.

    Raises:
        UnfitSchema: it isn't one, is too large, or refers to itself or to somewhere else.
    """
    fitted = _Fitting(schema).node(schema, ())
    if fitted.get("type", "object") != "object":
        raise UnfitSchema("its arguments are no object")
    result: dict[str, Any] = {"type": "object", "properties": {}}
    result |= {key: fitted[key] for key in ("properties", "required", "additionalProperties") if key in fitted}
    try:
        size = len(json.dumps(result, ensure_ascii=False, allow_nan=False))
    except ValueError:
        raise UnfitSchema("its schema holds a number that is none") from None
    if size > _LARGEST:
        raise UnfitSchema(f"its schema is larger than {_LARGEST:,} characters")
    return result


class _Fitting:
    def __init__(self, root: Mapping[str, Any]) -> None:
        self._root = root
        self._nodes = 0
        self._keywords: dict[str, Callable[[Any, tuple[str, ...]], Any]] = {
            "additionalProperties": self._schema_or_bool,
            "anyOf": self._alternatives,
            "description": lambda value, _: one_line(value, _DESCRIPTION) if isinstance(value, str) else None,
            "enum": lambda value, _: value if isinstance(value, list) and value else None,
            "items": lambda value, way: self.node(value, way) if isinstance(value, Mapping) else None,
            "oneOf": self._alternatives,
            "properties": self._properties,
            "type": lambda value, _: _type(value),
        }

    def node(self, node: Mapping[str, Any], way: tuple[str, ...]) -> dict[str, Any]:
        """One schema; `way` = the references that led to it."""
        self._nodes += 1
        if self._nodes > _NODES or len(way) > _DEPTH:
            raise UnfitSchema("its schema is too large or too deep")
        if "$ref" in node:
            ref = node["$ref"]
            if ref in way:
                raise UnfitSchema("its schema refers to itself")
            said = {key: value for key, value in node.items() if key == "description"}
            return self.node({**self._resolve(ref), **said}, (*way, str(ref)))
        if isinstance(node.get("allOf"), list) and len(node["allOf"]) == 1 and isinstance(node["allOf"][0], Mapping):
            return self.node({**node["allOf"][0], **{k: v for k, v in node.items() if k != "allOf"}}, (*way, "allOf"))
        fitted = {}
        for key, value in node.items():
            found = self._keywords[key](value, (*way, key)) if key in self._keywords else _plain(key, value)
            if found is not None:
                fitted[_RENAMED.get(key, key)] = found
        required = [name for name in fitted.get("required", ()) if name in fitted.get("properties", {})]
        return {**fitted, "required": required} if required else {k: v for k, v in fitted.items() if k != "required"}

    def _resolve(self, ref: Any) -> Mapping[str, Any]:
        parts = ref.split("/") if isinstance(ref, str) else []
        if len(parts) != 3 or parts[0] != "#" or parts[1] not in ("$defs", "definitions"):
            raise UnfitSchema("its schema refers to a schema outside of it")
        found = self._root.get(parts[1])
        found = found.get(parts[2]) if isinstance(found, Mapping) else None
        if not isinstance(found, Mapping):
            raise UnfitSchema("its schema refers to a definition that isn't there")
        return found

    def _properties(self, value: Any, way: tuple[str, ...]) -> Any:
        if not isinstance(value, Mapping):
            return None
        if any(not _PROPERTY.fullmatch(name) for name in value):
            raise UnfitSchema("its arguments have names of more than letters, digits and _.-")
        return {name: self.node(item, way) if isinstance(item, Mapping) else {} for name, item in value.items()}

    def _alternatives(self, value: Any, way: tuple[str, ...]) -> Any:
        nodes = [self.node(item, way) for item in value if isinstance(item, Mapping)] if isinstance(value, list) else []
        return nodes or None

    def _schema_or_bool(self, value: Any, way: tuple[str, ...]) -> Any:
        return self.node(value, way) if isinstance(value, Mapping) else value if isinstance(value, bool) else None


_RENAMED = {"const": "enum", "oneOf": "anyOf"}  # understood by more providers


def _plain(key: str, value: Any) -> Any:
    if key in _NUMBERS:
        return value if isinstance(value, (int, float)) and not isinstance(value, bool) else None
    if key in _COUNTS:
        return value if type(value) is int and value >= 0 else None
    if key == "required" and isinstance(value, list):
        return list(dict.fromkeys(name for name in value if isinstance(name, str)))
    if key == "const":
        return [value]
    return None


def _type(value: Any) -> Any:
    if isinstance(value, list):
        return list(dict.fromkeys(name for name in value if isinstance(name, str) and name in _TYPES)) or None
    return value if isinstance(value, str) and value in _TYPES else None
