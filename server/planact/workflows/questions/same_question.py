"""Find again what the agent asked before a restart: models don't repeat themselves word for word."""

import json
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass

from pydantic import JsonValue

from planact.model.question import Question, QuestionSet
from planact.workflows.questions.check_answer import value_problem

_UNNAMED = "answer"
"""Name of a question to which the model gave none."""

_SAYS_NOTHING = {"true", "false", "yes", "no", "ok", "y", "n"}
"""Choices that many questions have, and that tell none of them from another."""

_SMALL_WORDS = {
    *("the", "and", "for", "use", "used", "using", "should", "would", "want", "like", "please", "you", "your", "which"),
    *("what", "that", "this", "how", "with", "shall", "can", "does", "are", "new", "have", "from"),
}
_WORD = re.compile(r"\w+")
_WIDE = re.compile(r"[^\x00-\u2fff]")


@dataclass(frozen=True, slots=True)
class EarlierAnswer:
    """The end of a question that was asked before: the user answered it, or declined."""

    asked: QuestionSet
    question: Question

    @property
    def is_declined(self) -> bool:
        return self.asked.status == "declined"

    @property
    def value(self) -> JsonValue:
        return self.asked.answers.get(self.question.name)


def is_same(question: Question, other: Question) -> bool:
    """Return whether two questions are the same by their names and choices. Where neither tells one question from
    another, their words must be alike.
    """
    choices = _choices(question)
    if question.name != other.name or choices != _choices(other):
        return False
    return question.name != _UNNAMED or not choices <= _SAYS_NOTHING or _are_alike(question.question, other.question)


def is_same_set(questions: Sequence[Question], others: Sequence[Question]) -> bool:
    """Return whether the same questions are asked together, in any order."""
    by_name = {other.name: other for other in others}
    return len(questions) == len(others) and all(
        question.name in by_name and is_same(question, by_name[question.name]) for question in questions
    )


def find_earlier(
    questions: Sequence[Question], asked: Sequence[QuestionSet], but: Collection[tuple[str, str]]
) -> Mapping[str, EarlierAnswer]:
    """Return the earlier answers that fit the questions, by name; `but` are ids and names of answers that are taken.
    One that paused or ended the work has had its effect: whoever goes on is asked again.
    """
    found: dict[str, EarlierAnswer] = {}
    for question in questions:
        candidates = [each for each in _ended(asked) if (each.asked.id, each.question.name) not in but]
        fitting = [each for each in candidates if is_same(each.question, question) and _fits(each, question)]
        # The same words count first, where several questions have one name.
        fitting.sort(key=lambda each: each.question.question != question.question)
        if fitting:
            found[question.name] = fitting[0]
    return found


def _ended(asked: Sequence[QuestionSet]) -> Iterator[EarlierAnswer]:
    for question_set in asked:
        for question in question_set.questions if question_set.status in ("answered", "declined") else ():
            chosen = question.chosen_options(question_set.answers.get(question.name))
            if not any(option.chosen_effect in ("pause", "stop") for option in chosen):
                yield EarlierAnswer(question_set, question)


def _fits(earlier: EarlierAnswer, question: Question) -> bool:
    return earlier.is_declined or not value_problem(question, earlier.asked.answers)


def _choices(question: Question) -> frozenset[str]:
    return frozenset(json.dumps(option.value, sort_keys=True).casefold().strip('"') for option in question.options)


def _are_alike(text: str, other: str) -> bool:
    words, others = _words(text), _words(other)
    return len(words & others) * 2 >= max(1, min(len(words), len(others))) or " ".join(text.split()) == " ".join(
        other.split()
    )


def _words(text: str) -> set[str]:
    """Return the words that say what a text is about, without plurals; of a script without spaces its characters."""
    text = text.casefold()
    words = {word.removesuffix("s") for word in _WORD.findall(text) if len(word) > 2 and word not in _SMALL_WORDS}
    return words | set(_WIDE.findall(text))
