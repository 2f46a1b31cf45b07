"""Values of parameters: the type that the schema says, from text and back."""

from typing import Any

import pytest

from planact.base.errors import InvalidInput
from planact.plan.syntax.parser import parse
from planact.plan.templates.parameters import Parameter
from planact.plan.templates.template import json_schema, read_template, read_value, suggested_values, value_text


@pytest.mark.parametrize(
    ("schema", "said", "value", "text"),
    [
        ({}, "x", "x", "x"),
        ({"type": "string"}, "1", "1", "1"),
        ({"type": "integer"}, " 42 ", 42, "42"),
        ({"type": "integer"}, 42, 42, "42"),
        ({"type": "number"}, "1.5", 1.5, "1.5"),
        ({"type": "number"}, "2", 2, "2"),
        ({"type": "boolean"}, "Yes", True, "true"),
        ({"type": "boolean"}, "off", False, "false"),
        ({"type": "array"}, "a, b", ["a", "b"], "a, b"),
        ({"type": "array", "items": {"type": "integer"}}, "[1, 2]", [1, 2], "1, 2"),
        ({"type": "array", "items": {"type": "boolean"}}, "yes,no", [True, False], "true, false"),
        ({"type": "integer"}, "", "", ""),
    ],
)
def test_a_text_becomes_what_its_type_says(schema: dict[str, Any], said: object, value: object, text: str) -> None:
    read = read_value("x", schema, said)
    assert (read, type(read), value_text(read)) == (value, type(value), text)


@pytest.mark.parametrize(
    ("kind", "said"),
    [
        ("integer", "1.5"),
        ("integer", "many"),
        ("integer", "9" * 19),
        ("number", "nan"),
        ("number", "1e999"),
        ("number", "0x10"),
        ("boolean", "maybe"),
        ("array", "[1,"),
    ],
)
def test_a_text_of_another_type_is_refused_by_name(kind: str, said: str) -> None:
    with pytest.raises(InvalidInput) as failure:
        read_value("size", {"type": kind}, said)
    assert failure.value.code == "ANSWER_INVALID"
    assert failure.value.message.startswith("size is ")


def test_a_schema_of_texts_gets_the_types_that_its_keywords_want() -> None:
    said = {"type": "array", "items": {"type": "integer", "enum": ["1", "2"]}, "minItems": "1", "uniqueItems": "true"}
    assert json_schema("t", Parameter("sizes", schema=said)) == {
        "type": "array",
        "items": {"type": "integer", "enum": [1, 2]},
        "minItems": 1,
        "uniqueItems": True,
    }
    assert json_schema("t", Parameter("x", schema={"type": "number", "minimum": "0.5"})) == {
        "type": "number",
        "minimum": 0.5,
    }


@pytest.mark.parametrize(
    "schema",
    [
        "{type: array, items: {type: array}}",
        "{type: integer, enum: [one]}",
        "{type: integer, minLength: 1.5}",
    ],
)
def test_a_schema_that_can_not_be_meant_is_told(schema: str) -> None:
    with pytest.raises(InvalidInput) as failure:
        read_template("t", f"---\nparameters:\n  - {{name: x, schema: {schema}}}\n---\n# A\n\n## Steps\n- [ ] 1. B\n")
    assert failure.value.code == "TEMPLATE_INVALID"


def test_a_default_of_another_type_is_told() -> None:
    parameter = "{name: x, default: many, schema: {type: integer}}"
    with pytest.raises(InvalidInput) as failure:
        read_template("t", f"---\nparameters:\n  - {parameter}\n---\n# A\n\n## Steps\n- [ ] 1. B\n")
    assert failure.value.code == "TEMPLATE_INVALID"


def test_code_of_the_goal_and_of_several_steps_is_offered_as_parameters() -> None:
    text = "# Rename `load`\n\n## Steps\n- [ ] 1. In `src/app.py` and `a.py`\n- [ ] 2. Test `src/app.py` and `{{x}}`\n"
    assert suggested_values(parse(text)) == {"load": "load", "src_app_py": "src/app.py"}
