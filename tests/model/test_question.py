"""What a question takes over from the schema of its answer, so that every front end offers the same."""

import json
from typing import Any

import pytest

from planact.model.question import Option, Question

SLOW, FAST = {"const": 1, "title": "At leisure", "description": "nobody waits"}, {"const": 2, "title": "In haste"}


@pytest.mark.parametrize("schema", [{"oneOf": [SLOW, FAST]}, {"type": "array", "items": {"anyOf": [SLOW, FAST]}}])
def test_values_with_titles_are_the_options(schema: dict[str, Any]) -> None:
    question = Question.model_validate({"question": "How fast?", "schema": schema})
    assert question.options == (
        Option(label="At leisure", value=1, description="nobody waits"),
        Option(label="In haste", value=2),
    )
    assert Question.model_validate(question.model_dump(mode="json", by_alias=True)) == question


@pytest.mark.parametrize(
    ("schema", "choices"),
    [
        ({"enum": ["low", 2, 2.5, None]}, [("low", "low"), ("2", 2), ("2.5", 2.5), ("null", None)]),
        ({"type": "boolean"}, [("Yes", True), ("No", False)]),
        ({"type": "boolean", "enum": [False]}, [("No", False)]),
        ({"type": "array", "items": {"enum": ["a", "", "a"]}}, [("a", "a"), ('""', "")]),
        ({"type": "array", "items": {"type": "boolean"}}, [("Yes", True), ("No", False)]),
        ({"enum": [1, True, "1"]}, [("1 (1)", 1), ("Yes", True), ('1 ("1")', "1")]),
        ({"enum": ["a", "b"], "oneOf": [{"pattern": "a"}, {"pattern": "b"}]}, [("a", "a"), ("b", "b")]),
    ],
)
def test_listed_values_are_the_options_and_keep_their_types(
    schema: dict[str, Any], choices: list[tuple[str, Any]]
) -> None:
    question = Question.model_validate({"question": "Which?", "schema": schema, "allow_custom": True})
    offered = [(option.label, json.dumps(option.value)) for option in question.options]
    assert offered == [(label, json.dumps(value)) for label, value in choices]
    assert not question.allow_custom  # the schema refuses others
    assert Question.model_validate(question.model_dump(mode="json", by_alias=True)) == question


def test_a_value_without_a_title_is_called_as_it_is() -> None:
    listed = [{"const": "a"}, {"const": 2, "title": ""}, {"const": None, "title": 7}]
    question = Question.model_validate({"question": "?", "schema": {"oneOf": listed}})
    assert [option.label for option in question.options] == ["a", "2", "null"]


@pytest.mark.parametrize(
    "schema",
    [
        {"oneOf": [SLOW, {"type": "string"}]},
        {"oneOf": "no list"},
        {"anyOf": [1]},
        {"items": {"oneOf": [SLOW]}},
        {},
        {"enum": "no list"},
        {"enum": []},
        {"type": "array", "items": [{"enum": [1]}]},
        {"type": "array", "enum": [[1]]},
    ],
)
def test_what_is_no_choice_offers_nothing(schema: dict[str, Any]) -> None:
    assert Question.model_validate({"question": "?", "schema": schema}).options == ()


def test_options_and_a_default_of_its_own_come_first() -> None:
    own = [{"label": "Never", "value": 0}]
    schema = {"oneOf": [SLOW, FAST], "default": 1}
    assert Question.model_validate({"question": "?", "schema": schema}).default == 1
    for name in ("options", "buttons"):
        question = Question.model_validate({"question": "?", "schema": schema, name: own, "default": 0})
        assert (question.options, question.default) == ((Option(label="Never", value=0),), 0)
