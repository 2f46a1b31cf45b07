"""What people write as the value of an answer, and the file of `--answers`.

The file is a YAML list. The first entry that fits a question and isn't used up answers it; a question that none fits is
left open, as if nobody were there:

    - match: What is to become of the old name   # regular expression, searched in the question's text and its name
      answer: Remove it                          # a value, or the label of a choice
      times: 1                                   # default: as often as it fits
    - match: ^credentials$
      answers: {user: ada, store: keychain}      # several questions that are asked together, by name
    - match: telemetry
      decline: true
"""

import json
import re
from collections import Counter
from pathlib import Path
from typing import Annotated, Any, Self

import yaml
from pydantic import (
    AfterValidator,
    BaseModel,
    ConfigDict,
    JsonValue,
    PositiveInt,
    TypeAdapter,
    ValidationError,
    model_validator,
)

from planact.base.errors import InvalidInput
from planact.model.question import Answered, DeclinedByUser, Question, QuestionSet


def _compiles(pattern: str) -> str:
    try:
        re.compile(pattern)
    except re.error as error:
        raise ValueError(f"not a regular expression: {error}") from error
    return pattern


class Entry(BaseModel):
    """One entry of the file."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    match: Annotated[str, AfterValidator(_compiles)]
    answer: JsonValue = None
    answers: dict[str, JsonValue] | None = None
    decline: bool = False
    times: PositiveInt | None = None

    @model_validator(mode="after")
    def _says_one_thing(self) -> Self:
        if ("answer" in self.model_fields_set) + (self.answers is not None) + self.decline != 1:
            raise ValueError("give one of `answer`, `answers` and `decline: true`")
        return self

    def fits(self, question: Question) -> bool:
        """Whether it is about this question."""
        return any(re.search(self.match, text) for text in (question.question, question.name))


class Replies:
    """The answers of a run that nobody watches."""

    def __init__(self, entries: tuple[Entry, ...] = ()) -> None:
        self._entries = entries
        self._used: Counter[int] = Counter()

    @classmethod
    def load(cls, path: Path) -> "Replies":
        """Those in the file at `path`. Raises InvalidInput CONFIG_INVALID, naming every place that is wrong."""
        try:
            entries = TypeAdapter(tuple[Entry, ...]).validate_python(yaml.safe_load(path.read_text("utf-8")))
        except (OSError, UnicodeDecodeError) as error:
            raise _invalid(path, f"can't be read: {error}") from error
        except yaml.YAMLError as error:
            raise _invalid(path, f"isn't YAML: {' '.join(str(error).split())}") from error
        except ValidationError as error:
            faults = [f"{'.'.join(map(str, fault['loc'])) or 'the whole'}: {fault['msg']}" for fault in error.errors()]
            raise _invalid(path, "; ".join(faults)) from error
        return cls(entries)

    def to(self, asked: QuestionSet) -> Answered | DeclinedByUser | None:
        """The answers to all questions of a set; None when one has none."""
        answers: dict[str, Any] = {}
        used: list[int] = []
        for question in asked.questions:
            if question.name in answers:
                continue
            number = self._entry_for(question)
            if number is None:
                return None
            used.append(number)
            entry = self._entries[number]
            if entry.decline:
                self._used.update(used)
                return DeclinedByUser()
            answers |= entry.answers or {question.name: _value(question, entry.answer)}
        self._used.update(used)
        return Answered(answers)

    def _entry_for(self, question: Question) -> int | None:
        for number, entry in enumerate(self._entries):
            if (entry.times is None or self._used[number] < entry.times) and entry.fits(question):
                return number
        return None


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


def _value(question: Question, answer: JsonValue) -> JsonValue:
    """The answer of a file: labels stand for their values, everything else for itself."""
    chosen = choices_called(question, answer) if isinstance(answer, str) else []
    return chosen[0] if len(chosen) == 1 else answer


def _invalid(path: Path, cause: str) -> InvalidInput:
    return InvalidInput("CONFIG_INVALID", f"the answers file {path} is unusable: {cause}", "Mend it.")
