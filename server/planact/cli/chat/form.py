"""Forms for question sets, with menus and fields: one field for each property of a JSON Schema."""

import json
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any, Protocol

from pydantic import JsonValue

from planact.base.errors import InvalidInput
from planact.cli.output.prompt import DECLINE_WORD, MenuItem, MenuPrompt
from planact.model.answer import matching_choices, shown_value, value_of, wanted
from planact.model.question import Answered, DeclinedByUser, Option, Question, QuestionSet, named_choices
from planact.workflows.questions.check_answer import value_problem

_NESTED = 6
"""Levels of objects and lists that are asked field by field; deeper ones are asked as JSON."""


class FormPrompt(MenuPrompt, Protocol):
    """Prompts that a form needs beside menus and fields."""

    async def choose_several(self, title: str, choices: Sequence[MenuItem], marked: frozenset[int]) -> frozenset[int]:
        """Return the indexes of the chosen items; those in `marked` are marked at first."""

    def show_message(self, text: str) -> None:
        """Show a message about the answer, such as its fault."""


class _Declined(Exception):
    """The user declined."""


_LEFT_OUT = object()


async def fill_form(prompt: FormPrompt, asked: QuestionSet) -> Answered | DeclinedByUser:
    """Ask until each question has an answer and the user sends them."""
    answers: dict[str, Any] = {}
    count = len(asked.questions)
    try:
        for number, question in enumerate(asked.questions, 1):
            prompt.introduce(question, f"{number} of {count}" if count > 1 else "")
            answers[question.name] = await _answer(prompt, question)
        while count > 1 and (again := await _reviewed(prompt, asked, answers)) is not None:
            prompt.introduce(again, "")
            answers[again.name] = await _answer(prompt, again)
    except _Declined:
        return DeclinedByUser()
    return Answered(answers)


async def _reviewed(prompt: FormPrompt, asked: QuestionSet, answers: Mapping[str, Any]) -> Question | None:
    """Return the question to answer again; None if the user sends the answers."""
    questions = asked.questions
    changes = [MenuItem(f"Change {each.name}", shown_value(answers[each.name])) for each in questions]
    choices = (MenuItem("Send the answers"), *changes, MenuItem("Decline"))
    prompt.show_message("All questions are answered.")
    place = await prompt.choose("", choices, 0)
    if place == len(choices) - 1:
        raise _Declined
    return questions[place - 1] if place else None


async def _answer(prompt: FormPrompt, question: Question) -> JsonValue:
    while True:
        value = await _value(prompt, question)
        problem = value_problem(question, {question.name: value})
        if not problem:
            return value
        prompt.show_message(f"! {problem}")


async def _value(prompt: FormPrompt, question: Question) -> JsonValue:
    if question.takes_several:
        return await _several(prompt, question)
    if question.options:
        return await _one(prompt, question)
    if question.schema_.get("type", "string") != "string":
        value: JsonValue = await _field(prompt, "", question.schema_, question.default, levels=_NESTED)
        return value
    return await _text(prompt, question)


async def _one(prompt: FormPrompt, question: Question) -> JsonValue:
    options = question.options
    others = [MenuItem("Other…", "an answer of your own")] if question.allow_custom else []
    at = next(
        (n for n, each in enumerate(options) if question.default is not None and each.value == question.default), None
    )
    choices = _choices(options, {at})
    place = await prompt.choose("", [*choices, *others, MenuItem("Decline")], at)
    if place < len(options):
        return options[place].value
    if place == len(options) + len(others):
        raise _Declined
    return await _text(prompt, question)


async def _several(prompt: FormPrompt, question: Question) -> JsonValue:
    options = question.options
    default = question.default if isinstance(question.default, list) else []
    marked = frozenset(n for n, each in enumerate(options) if each.value in default)
    choices = _choices(options, marked)
    others = [MenuItem("Other…", "an answer of your own")] if question.allow_custom else []
    chosen = await prompt.choose_several("", [*choices, *others, MenuItem("Decline")], marked)
    if len(options) + len(others) in chosen:
        raise _Declined
    values: list[JsonValue] = [options[place].value for place in sorted(chosen) if place < len(options)]
    if others and len(options) in chosen:
        values.append(_undeclined(await prompt.write("Other", "", "", lambda text: "" if text.strip() else "is empty")))
    return values


async def _text(prompt: FormPrompt, question: Question) -> JsonValue:
    offered = [option.value for option in question.options]
    default = question.default if isinstance(question.default, str) and question.default not in offered else ""
    text = await prompt.write("", wanted(question.model_copy(update={"default": None})), default, _problem_of(question))
    if _declines(question, text):
        raise _Declined
    return value_of(question, text)


async def _field(
    prompt: FormPrompt, title: str, schema: Mapping[str, Any], default: Any, *, levels: int, is_needed: bool = True
) -> Any:
    """Return the value of one field, or `_LEFT_OUT`."""
    default = schema.get("default") if default is None else default
    kind, items = schema.get("type"), schema.get("items")
    if offered := named_choices(schema):
        return await _listed(prompt, title, offered, default, is_needed=is_needed)
    if kind == "array" and isinstance(items, Mapping) and (offered := named_choices(items)):
        return await _listed_several(prompt, title, offered, default)
    if kind == "object" and isinstance(schema.get("properties"), Mapping) and levels:
        return await _object(prompt, title, schema, default, levels)
    if kind == "array" and isinstance(items, Mapping) and items.get("type") == "object" and levels:
        return await _objects(prompt, title, items, levels)
    return await _typed(prompt, title, schema, default, is_needed=is_needed)


async def _listed(prompt: FormPrompt, title: str, offered: Sequence[Option], default: Any, *, is_needed: bool) -> Any:
    at = next((n for n, each in enumerate(offered) if json.dumps(each.value) == json.dumps(default)), None)
    choices = _choices(offered, {at})
    last = MenuItem("Decline") if is_needed else MenuItem("Leave it out")
    place = await prompt.choose(title, [*choices, last], at)
    if place < len(offered):
        return offered[place].value
    if is_needed:
        raise _Declined
    return _LEFT_OUT


async def _listed_several(prompt: FormPrompt, title: str, offered: Sequence[Option], default: Any) -> Any:
    marked = frozenset(n for n, each in enumerate(offered) if isinstance(default, list) and each.value in default)
    choices = _choices(offered, marked)
    return [offered[place].value for place in sorted(await prompt.choose_several(title, choices, marked))]


async def _object(prompt: FormPrompt, title: str, schema: Mapping[str, Any], default: Any, levels: int) -> Any:
    needed = schema.get("required", [])
    value: dict[str, Any] = {}
    for name, each in schema["properties"].items():
        if not isinstance(each, Mapping):
            continue
        label = f"{title} › {name}" if title else str(name)
        before = default.get(name) if isinstance(default, Mapping) else None
        about = str(each.get("title") or each.get("description") or "")
        said = f"{label}: {about}" if about else label
        got = await _field(prompt, said, each, before, levels=levels - 1, is_needed=name in needed)
        if got is not _LEFT_OUT:
            value[name] = got
    return value


async def _objects(prompt: FormPrompt, title: str, items: Mapping[str, Any], levels: int) -> Any:
    values: list[Any] = []
    while True:
        about = f"{title}: {len(values)} so far" if title else f"{len(values)} so far"
        if await prompt.choose(about, (MenuItem("Add one"), MenuItem("No more")), 1 if values else 0):
            return values
        number = f"{title} {len(values) + 1}".strip()
        values.append(await _field(prompt, number, items, None, levels=levels - 1))


async def _typed(prompt: FormPrompt, title: str, schema: Mapping[str, Any], default: Any, *, is_needed: bool) -> Any:
    question = Question(name=title.partition(":")[0] or "answer", question="?", schema_=dict(schema))

    hint = wanted(question.model_copy(update={"default": None}))
    left = "may be left out" if not is_needed else ""
    shown = "" if default is None else shown_value(default)
    text = await prompt.write(
        title,
        "; ".join(part for part in (hint, left) if part),
        shown,
        _problem_of(question, may_be_empty=not is_needed),
    )
    if _declines(question, text):
        raise _Declined
    return value_of(question, text) if text.strip() else _LEFT_OUT


def _problem_of(question: Question, *, may_be_empty: bool = False) -> Callable[[str], str]:
    """Return a function that returns the fault of a text as an answer, or an empty string."""

    def problem_of(text: str) -> str:
        if _declines(question, text) or (may_be_empty and not text.strip()):
            return ""
        try:
            value = value_of(question, text)
        except InvalidInput as error:
            return f"{error.message}. {error.hint}"
        return value_problem(question, {question.name: value})

    return problem_of


def _undeclined(text: str) -> str:
    if text.strip().casefold() == DECLINE_WORD:
        raise _Declined
    return text.strip()


def _declines(question: Question, text: str) -> bool:
    return text.strip().casefold() == DECLINE_WORD and not matching_choices(question, text.strip())


def _choices(options: Sequence[Option], marked: Collection[int | None]) -> list[MenuItem]:
    return [MenuItem(each.label, _detail(each.description, is_default=n in marked)) for n, each in enumerate(options)]


def _detail(description: str, *, is_default: bool) -> str:
    return " · ".join(part for part in ("default" if is_default else "", description) if part)
