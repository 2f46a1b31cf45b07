"""What a person means by what they wrote in answer to a question, at a terminal or in a document."""

import json

from pydantic import JsonValue

from planact.base.errors import InvalidInput
from planact.model.question import Question


def value_of(question: Question, text: str) -> JsonValue:
    """What a person means who writes `text`: a choice by label or value, JSON where the schema asks for it, or text.

    Raises:
        InvalidInput: ANSWER_INVALID, when it is none of the choices, or means several.
    """
    text = text.strip()
    if not text:
        raise InvalidInput("ANSWER_INVALID", f"the answer to {question.name!r} is empty", "Write one, or decline.")
    chosen = choices_called(question, text)
    if len(chosen) == 1:
        return chosen[0]
    if chosen or (question.options and not question.allow_custom):
        labels = ", ".join(option.label for option in question.options)
        why = "means several choices" if chosen else "is not among the choices"
        raise InvalidInput("ANSWER_INVALID", f"{text!r} {why} for {question.name!r}", f"The choices are: {labels}.")
    if question.schema_.get("type", "string") == "string":
        return text
    try:
        value: JsonValue = json.loads(text)
    except ValueError:
        return text
    return value


def choices_called(question: Question, text: str) -> list[JsonValue]:
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
