"""Check an answer against its question. Schemas come from models, so a costly one is not used."""

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from planact.base.errors import InvalidInput
from planact.base.patterns import MAX_SEARCHED_TEXT, bounded
from planact.model.answer import shown_value
from planact.model.question import Question, QuestionSet
from planact.tools.calls.judged_call import ALLOW

MAX_ANSWER = 100_000
"""Characters of an answer as JSON."""

MAX_SCHEMA = 10_000
"""Characters of the JSON Schema of an answer, as JSON."""

UNBOUNDED = frozenset({"$ref", "$dynamicRef", "$recursiveRef", "patternProperties"})
"""Keywords that a hostile schema could make us fetch, go round in circles or search for ever with."""


def answer_problem(question_set: QuestionSet, answers: Mapping[str, Any]) -> str:
    """Return the problem with the answers, for people; empty when they are valid."""
    names = [question.name for question in question_set.questions]
    unknown = [name for name in answers if name not in names]
    if unknown:
        return f"there is no question named {unknown[0]!r}; the names are {', '.join(names)}"
    if len(_json(answers)) > MAX_ANSWER:
        return f"the answer is longer than {MAX_ANSWER} characters"
    problems = (value_problem(question, answers) for question in question_set.questions)
    return next((problem for problem in problems if problem), "")


def rejection_problem(question_set: QuestionSet, answers: Mapping[str, Any], rejected: Sequence[str]) -> str:
    """Return the reason why these files can't be left out of a call, for people; empty when they can."""
    paths = [edit.path for edit in question_set.edits]
    unknown = [path for path in rejected if path not in paths]
    if unknown:
        if not paths:
            return "this question has no files of which some could be rejected"
        return f"{unknown[0]!r} is none of the files that would change: {', '.join(paths)}"
    if rejected and ALLOW not in answers.values():
        return "files can be rejected only where the others are allowed once"
    return ""


def value_problem(question: Question, answers: Mapping[str, Any]) -> str:
    """Return the reason why the answer to one question doesn't fit, or an empty string."""
    if question.name not in answers:
        return f"the answer to {question.name!r} is missing"
    value = answers[question.name]
    offered = [option.value for option in question.options]
    chosen = value if question.takes_several and isinstance(value, list) else [value]
    is_offered = bool(offered) and {*map(_json, chosen)} <= {*map(_json, offered)}
    if offered and not is_offered and not question.allow_custom:
        choices = ", ".join(map(shown_value, offered))
        return f"{shown_value(value)!r} is not among the choices for {question.name!r}: {choices}"
    if is_offered and not question.takes_several:
        return ""
    if question.schema_:
        if "pattern" in _keywords(question.schema_) and any(len(text) > MAX_SEARCHED_TEXT for text in _texts(value)):
            limit = f"{MAX_SEARCHED_TEXT} characters"
            return f"{question.name}: longer than {limit}, which is the most that its pattern is tried on"
        from planact.workflows.questions.json_schema import misfit

        problem = misfit(question.schema_, value)
        return f"{question.name}: {problem}" if problem else ""
    if not isinstance(value, str) or not value.strip():
        return f"the answer to {question.name!r} must be a text"
    return ""


def check_schema(question: Question) -> None:
    """Raises InvalidInput INVALID_ARGUMENTS, when an answer can't be checked by it in bounded time."""
    problem = _schema_problem(question.schema_)
    if problem:
        message = f"the schema of the question {question.name!r} can't be used: {problem}"
        raise InvalidInput("INVALID_ARGUMENTS", message, "Mend the schema or leave it out.")


def _schema_problem(schema: Mapping[str, Any]) -> str:
    if len(_json(schema)) > MAX_SCHEMA:
        return f"it is longer than {MAX_SCHEMA} characters"
    unbounded = sorted(UNBOUNDED.intersection(_keywords(schema)))
    unbounded += [f"the pattern {text}" for text in _patterns(schema) if bounded(text) is None]
    if unbounded:
        return f"{', '.join(unbounded)} can't be checked in bounded time; say in words what is wanted, or offer options"
    from planact.workflows.questions.json_schema import fault

    return fault(schema)


def _keywords(node: Any) -> Iterator[str]:
    """Every keyword at any depth; below `properties` stand names that may look like one."""
    if isinstance(node, Mapping):
        for key, value in node.items():
            yield key
            yield from _keywords(list(value.values()) if key == "properties" and isinstance(value, Mapping) else value)
    elif isinstance(node, list):
        for item in node:
            yield from _keywords(item)


def _patterns(node: Any) -> Iterator[str]:
    """The value of every `pattern`, at any depth."""
    if isinstance(node, Mapping):
        for key, value in node.items():
            if key == "pattern" and isinstance(value, str):
                yield value
            yield from _patterns(value)
    elif isinstance(node, list):
        for item in node:
            yield from _patterns(item)


def _texts(value: Any) -> Iterator[str]:
    """Every text in an answer, at any depth."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for item in (*value, *value.values()):
            yield from _texts(item)
    elif isinstance(value, list):
        for item in value:
            yield from _texts(item)


def _json(value: Any) -> str:
    """One text for each JSON value: 1 is not true there, as it is in Python."""
    return json.dumps(value, sort_keys=True, default=str)
