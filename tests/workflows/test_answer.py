"""What people write in answer to a question fits what its schema wants, and the question says what that is."""

from typing import Any

import pytest

from planact.base.errors import InvalidInput
from planact.model.answer import choice_lines, value_of, wanted
from planact.model.question import Question
from planact.workflows.questions.check_answer import value_problem

OPTIONS = [{"label": "Red one", "value": "red"}, {"label": "Blue one", "value": "blue"}]
SEVERAL = {"schema": {"type": "array"}, "options": OPTIONS}
PORT = {"type": "object", "required": ["port"], "properties": {"port": {"type": "integer"}, "host": {"type": "string"}}}


def question(**fields: Any) -> Question:
    return Question.model_validate({"name": "it", "question": "Which?", **fields})


@pytest.mark.parametrize(
    ("fields", "text", "value"),
    [
        (SEVERAL, "Red one", ["red"]),
        (SEVERAL, "red, Blue one", ["red", "blue"]),
        (SEVERAL, '["red", "blue"]', ["red", "blue"]),
        (SEVERAL, "1, 2", ["red", "blue"]),
        ({"options": OPTIONS}, "2", "blue"),
        ({"schema": {"enum": [1, 2]}}, "2", 2),
        ({"schema": {"enum": [80, 443]}}, "443", 443),
        ({"schema": {"enum": ["low", None, 2.5]}}, "null", None),
        ({"schema": {"enum": ["low", None, 2.5]}}, "2", None),
        ({"schema": {"type": "boolean"}}, "No", False),
        ({"schema": {"type": "boolean"}}, "true", True),
        ({"schema": {"type": "boolean"}}, "1", True),
        ({"schema": {"type": "array", "items": {"type": "boolean"}}}, "yes, no", [True, False]),
        ({"schema": {"type": "array", "items": {"enum": ["low", "mid"]}}}, "2, 1", ["mid", "low"]),
        ({"schema": {"enum": ["low", "mid"]}}, "mid", "mid"),
        ({"schema": PORT}, '{"port": 80}', {"port": 80}),
        ({"schema": {"type": "array", "items": {"type": "string"}}}, '["x"]', ["x"]),
        ({"schema": {"type": "array", "items": {"type": "string"}}}, "x, y", ["x", "y"]),
        ({"schema": {"type": "array", "items": {"enum": ["low", 2]}}}, "low,2", ["low", 2]),
        ({"schema": {"type": "array", "items": {"type": "integer"}}}, "5", [5]),
        ({"schema": {"type": "array", "items": PORT}}, '[{"port": 80}]', [{"port": 80}]),
        ({"schema": {"type": ["string", "null"]}}, "5", "5"),
        ({"schema": {"type": ["string", "null"]}}, "null", None),
        ({"schema": {"type": ["integer", "null"]}}, "5", 5),
    ],
)
def test_what_people_write_is_an_answer_that_is_taken(fields: dict[str, Any], text: str, value: Any) -> None:
    asked = question(**fields)

    given = value_of(asked, text, is_numbered=True)

    assert (given, value_problem(asked, {"it": given})) == (value, "")


@pytest.mark.parametrize(
    ("values", "lines"),
    [
        (["low", "mid"], ["1 low", "2 mid"]),
        ([True, None], ["1 Yes", "2 null"]),
        ([1, 2], ["1 1", "2 2"]),
        ([2, 4], ["- 2", "- 4"]),  # to write 2 would mean both
    ],
)
def test_choices_have_numbers_unless_a_number_would_mean_two(values: list[Any], lines: list[str]) -> None:
    assert choice_lines(question(schema={"enum": values})) == lines


def test_a_number_that_is_not_shown_chooses_nothing() -> None:
    with pytest.raises(InvalidInput, match="is not among the choices"):
        value_of(question(schema={"enum": [2, 4]}), "1", is_numbered=True)
    with pytest.raises(InvalidInput, match="is not among the choices"):
        value_of(question(options=OPTIONS), "1")


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({}, ""),
        ({"options": OPTIONS}, ""),
        (SEVERAL, "several with commas between them"),
        ({"schema": {"enum": ["low", 2]}, "default": 2}, ""),
        ({"schema": {"type": "string", "pattern": "^[a-z]+$"}}, "text like ^[a-z]+$"),
        ({"schema": {"type": "boolean"}}, ""),
        (
            {"schema": {"type": "object", "properties": {"sure": {"type": "boolean"}, "size": {"enum": ["low", 2]}}}},
            "a JSON object with sure (true or false, optional), size (one of low, 2, optional)",
        ),
        ({"schema": PORT}, "a JSON object with port (a whole number), host (text, optional)"),
        ({"schema": {"type": "array", "items": {"enum": ["a", "b"]}}}, "several with commas between them"),
        ({"schema": {"type": "array", "items": {"type": "boolean"}}}, "several with commas between them"),
        ({"schema": {"type": "array", "items": {"type": "object"}}}, "a JSON list, each a JSON object"),
    ],
)
def test_a_question_says_what_its_answer_has_to_be(fields: dict[str, Any], words: str) -> None:
    assert wanted(question(**fields)) == words
