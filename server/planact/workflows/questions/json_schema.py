"""JSON Schema, by the one library for it. Imported late: that takes longer than many commands, and few have answers."""

from collections.abc import Mapping
from typing import Any

from jsonschema import Draft202012Validator
from jsonschema.exceptions import SchemaError, ValidationError
from referencing import Registry


def misfit(schema: Mapping[str, Any], value: Any) -> str:
    """Return the first mismatch of a value with a schema; empty = it fits. Never fetches a reference."""
    errors = Draft202012Validator(schema, registry=Registry()).iter_errors(value)
    return next((_describe_error(error) for error in errors), "")


def _describe_error(error: ValidationError) -> str:
    """For people: the library spells a pattern as Python would."""
    if error.validator == "pattern":
        return f"{error.instance!r} does not match {error.validator_value}"
    return str(error.message)


def fault(schema: Mapping[str, Any]) -> str:
    """Return the error in a schema; empty = valid."""
    try:
        Draft202012Validator.check_schema(schema)
    except SchemaError as error:
        return error.message
    return ""
