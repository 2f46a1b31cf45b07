"""Read the text that a user wrote in answer to a question, at a terminal or in a document."""

import json
from collections.abc import Mapping
from typing import Any

from pydantic import JsonValue

from planact.base.errors import InvalidInput
from planact.model.question import Question, QuestionSet, named_choices


def value_of(question: Question, text: str, *, is_numbered: bool = False) -> JsonValue:
    """Return the answer that `text` stands for: a choice by label or value, JSON where the schema asks for it, or text.

    Several answers are written with commas between them, or as a JSON list. With `is_numbered` the user saw the choices
    as `choice_lines` has them, and may write their numbers.

    Raises:
        InvalidInput: ANSWER_INVALID, when the text matches no choice, or several.
    """
    text = text.strip()
    if not text:
        raise InvalidInput("ANSWER_INVALID", f"the answer to {question.name!r} is empty", "Write one, or decline.")
    if question.takes_several:
        return [_value(question, part, is_numbered) for part in _parts(question, text)]
    return _value(question, text, is_numbered)


def _parts(question: Question, text: str) -> list[str]:
    if matching_choices(question, text):
        return [text]
    value = _json(text)
    return [*map(shown_value, value)] if isinstance(value, list) else [part.strip() for part in text.split(",")]


def _value(question: Question, text: str, is_numbered: bool) -> JsonValue:
    chosen = matching_choices(question, text)
    if len(chosen) == 1:
        return chosen[0]
    numbers = _numbers(question) if is_numbered and not chosen else []
    if text in numbers:
        return question.options[numbers.index(text)].value
    if chosen or (question.options and not question.allow_custom):
        labels = ", ".join(option.label for option in question.options)
        why = "means several choices" if chosen else "is not among the choices"
        raise InvalidInput("ANSWER_INVALID", f"{text!r} {why} for {question.name!r}", f"The choices are: {labels}.")
    return text if question.takes_several else _by_schema(question.schema_, text)


def choice_lines(question: Question) -> list[str]:
    """Return the choices, a line each, with the numbers by which they can be chosen."""
    numbers = _numbers(question) or ["-"] * len(question.options)
    lines = []
    for number, option in zip(numbers, question.options, strict=True):
        is_default = question.default is not None and option.value == question.default
        description = f": {option.description}" if option.description else ""
        lines.append(f"{number} {option.label}{' (default)' if is_default else ''}{description}")
    return lines


def has_numbers(question: Question) -> bool:
    """Return whether choices can be chosen by number: none of them is called by a number that isn't its own."""
    return bool(_numbers(question))


def _numbers(question: Question) -> list[str]:
    numbers = [str(number) for number, _ in enumerate(question.options, 1)]
    names = zip(numbers, question.options, strict=True)
    is_clear = all(
        name == number or not name.isdecimal()
        for number, option in names
        for name in (option.label, shown_value(option.value))
    )
    return numbers if is_clear else []


def _by_schema(schema: Mapping[str, Any], text: str) -> JsonValue:
    listed = [value for value in _listed(schema) if shown_value(value) == text]
    if listed:
        return listed[0]
    types, value = _types(schema), _json(text)
    if "string" in types:
        return None if text == "null" and "null" in types else text
    items = schema.get("items")
    if "array" in types and isinstance(items, Mapping) and _is_plain(items) and not text.startswith("["):
        return [_by_schema(items, part.strip()) for part in text.split(",")]
    return value


def _types(schema: Mapping[str, Any]) -> list[Any]:
    types = schema.get("type", "string")
    return types if isinstance(types, list) else [types]


def _is_plain(items: Any) -> bool:
    """The items can be written with commas between them."""
    return isinstance(items, Mapping) and not {"array", "object"}.intersection(_types(items))


def wanted(question: Question) -> str:
    """Describe the answer that the schema wants, and the default, in a few words; empty where any text will do."""
    words = ["" if question.options else _kind(question.schema_)]
    if question.takes_several:
        words = ["several with commas between them"]
    if question.default is not None and all(question.default != option.value for option in question.options):
        words.append(f"default {shown_value(question.default)}")
    return "; ".join(word for word in words if word)


def _kind(schema: Mapping[str, Any], levels: int = 3) -> str:
    if not levels:
        return ""
    if schema.get("type") != "boolean" and (listed := ", ".join(map(shown_value, _listed(schema)))):
        return f"one of {listed}"
    match schema.get("type"):
        case "object":
            needed = schema.get("required", [])
            fields = [
                f"{name} ({_kind(each, levels - 1) or 'text'}{'' if name in needed else ', optional'})"
                for name, each in schema.get("properties", {}).items()
                if isinstance(each, Mapping)
            ]
            return f"a JSON object{' with ' if fields else ''}{', '.join(fields)}"
        case "array":
            items = schema.get("items")
            kind = _kind(items, levels - 1) if isinstance(items, Mapping) else ""
            what = "list with commas in it" if _is_plain(items) else "JSON list"
            return f"a {what}{f', each {kind}' if kind else ''}"
        case "integer":
            return "a whole number"
        case "number":
            return "a number"
        case "boolean":
            return "true or false"
        case _:
            return f"text like {schema['pattern']}" if "pattern" in schema else ""


def _listed(schema: Mapping[str, Any]) -> list[JsonValue]:
    return [option.value for option in named_choices(schema)]


def _json(text: str) -> JsonValue:
    try:
        value: JsonValue = json.loads(text)
    except ValueError:
        return text
    return value


def matching_choices(question: Question, text: str) -> list[JsonValue]:
    """The values of the choices that have this label or value; exact ones, else without regard to case."""
    for same in (str, str.casefold):
        found = [
            option.value
            for option in question.options
            if same(text) in (same(option.label), same(shown_value(option.value)))
        ]
        if found:
            return [value for number, value in enumerate(found) if value not in found[:number]]
    return []


def shown_value(value: JsonValue) -> str:
    """A value as people write it."""
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def answers_in_words(asked: QuestionSet) -> str:
    """The answers that were given, in the words of the choices; of several questions each behind its name."""
    told = []
    for question in asked.questions:
        if question.name in asked.answers:
            value = asked.answers[question.name]
            values = value if question.takes_several and isinstance(value, list) else [value]
            labels = {shown_value(option.value): option.label for option in question.options}
            said = ", ".join(labels.get(shown_value(each), shown_value(each)) for each in values)
            told.append(f"{question.name}: {said}" if len(asked.questions) > 1 else said)
    return "; ".join(told)
