"""The file of `--answers`.

It is a YAML list. The first entry that fits a question and isn't used up answers it; a question without an entry stays
open, as it does without a terminal:

    - match: What is to become of the old name   # regular expression, searched in the question's text and its name
      answer: Remove it                          # a value, or the label of a choice
      times: 1                                   # default: as often as it fits
    - match: ^credentials$
      answers: {user: ada, store: keychain}      # several questions that are asked together, by name
    - match: telemetry
      decline: true
    - match: ^approval$
      answer: Allow once
      reject: [src/app.py]               # of the files that would change, those that stay as they are
      comment: Leave the log alone.      # what the agent hears of it
"""

import re
from collections import Counter
from pathlib import Path
from typing import Any, Self

import yaml
from pydantic import (
    BaseModel,
    ConfigDict,
    Field,
    JsonValue,
    PositiveInt,
    TypeAdapter,
    ValidationError,
    model_validator,
)

from planact.base.errors import InvalidInput
from planact.base.patterns import Pattern
from planact.model.answer import matching_choices
from planact.model.question import Answered, DeclinedByUser, Question, QuestionSet
from planact.workflows.history.review_edits import rejected_with


class AnswerEntry(BaseModel):
    """One entry of the file."""

    model_config = ConfigDict(frozen=True, defer_build=True, extra="forbid")

    match: Pattern
    answer: JsonValue = None
    answers: dict[str, JsonValue] | None = None
    decline: bool = False
    reject: tuple[str, ...] = ()
    comment: str = Field(default="", max_length=10_000)
    times: PositiveInt | None = None

    @model_validator(mode="after")
    def _says_one_thing(self) -> Self:
        if ("answer" in self.model_fields_set) + (self.answers is not None) + self.decline != 1:
            raise ValueError("give one of `answer`, `answers` and `decline: true`")
        return self

    def fits(self, question: Question) -> bool:
        """Return whether the entry's pattern is found in the question's text or name."""
        return any(re.search(self.match, text) for text in (question.question, question.name))


class AnswersFile:
    """Answers of an answers file; counts how often each entry was used."""

    def __init__(self, entries: tuple[AnswerEntry, ...] = ()) -> None:
        self._entries = entries
        self._used: Counter[int] = Counter()

    @classmethod
    def load(cls, path: Path) -> "AnswersFile":
        """Load the answers file at `path`.

        Raises:
            InvalidInput: CONFIG_INVALID, with the place of each fault.
        """
        try:
            entries = TypeAdapter(tuple[AnswerEntry, ...]).validate_python(yaml.safe_load(path.read_text("utf-8")))
        except FileNotFoundError as error:
            raise InvalidInput(
                "CONFIG_INVALID", f"there is no answers file {path}", "Name one that is there."
            ) from error
        except (OSError, UnicodeDecodeError) as error:
            raise _invalid(path, f"can't be read: {error}") from error
        except yaml.YAMLError as error:
            raise _invalid(path, f"isn't YAML: {' '.join(str(error).split())}") from error
        except ValidationError as error:
            faults = [f"{'.'.join(map(str, fault['loc'])) or 'the whole'}: {fault['msg']}" for fault in error.errors()]
            raise _invalid(path, "; ".join(faults)) from error
        return cls(entries)

    def answer_to(self, asked: QuestionSet) -> Answered | DeclinedByUser | None:
        """Return the answers to all questions of a set; None if one of them has no entry."""
        answers: dict[str, Any] = {}
        used: list[int] = []
        rejected: set[str] = set()
        comments: list[str] = []
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
            rejected |= set(entry.reject)
            comments += [entry.comment] if entry.comment else []
        self._used.update(used)
        stay, comment = tuple(edit.path for edit in asked.edits if edit.path in rejected), "\n".join(comments)
        if stay and len(stay) == len(asked.edits):
            return rejected_with(asked, comment)
        return Answered(answers, rejected=stay, comment=comment)

    def _entry_for(self, question: Question) -> int | None:
        for number, entry in enumerate(self._entries):
            if (entry.times is None or self._used[number] < entry.times) and entry.fits(question):
                return number
        return None


def _value(question: Question, answer: JsonValue) -> JsonValue:
    """Return the value of an answer: the value of the option with that label, else the answer itself."""
    chosen = matching_choices(question, answer) if isinstance(answer, str) else []
    return chosen[0] if len(chosen) == 1 else answer


def _invalid(path: Path, cause: str) -> InvalidInput:
    return InvalidInput("CONFIG_INVALID", f"the answers file {path} is unusable: {cause}", "Mend it.")
