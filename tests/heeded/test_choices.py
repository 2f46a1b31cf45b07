"""Every client sees the choices of a question, also where only the schema of its answer lists them."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from lsprotocol import types

from tests.cli.program import Program
from tests.fakes.loopback_model import Call, Say, results
from tests.heeded.rewording_model import Reword, RewordingModel
from tests.lsp.commands.planact_client import full, planact_client
from tests.lsp.raw_client import until

PATH = ".planact/plans/plan_20261120_test-greet.plan"
PLAN = """---
format_version: "1.0"
id: plan_20261120_test
status: draft
---
# Greet

## Steps
- [ ] 1. Write the greeting
  - reason: it is missing
  - files: greeting.txt
"""
FRAMEWORKS = {"enum": ["pytest", "unittest", None, 3]}
MANY = {"enum": ["red", "green", "blue", "black", "white"]}
SURE = {"type": "boolean"}
PACE = {"oneOf": [{"const": 1, "title": "At leisure"}, {"const": 2, "title": "In haste"}]}
SEVERAL = {"type": "array", "items": {"enum": ["core", "docs"]}}

Schema = dict[str, Any]


class Asking:
    """Asks one question with a schema alone, in other words each time, and says the answers that it got."""

    def __init__(self) -> None:
        self.schema: Schema = {}

    def __call__(self, request: dict[str, Any], reword: Reword) -> Say:
        heard = [text for text in results(request, "ask_user") if '"answers"' in text]
        if heard:
            return Say(f"You said {json.dumps(json.loads(heard[-1])['answers']['it'])}")
        asked = {"name": "it", "question": reword("Which is it?"), "schema": self.schema}
        return Say("", [Call("ask_user", {"questions": [asked]})])


@pytest.fixture
def asking() -> Asking:
    return Asking()


@pytest.fixture
def model(monkeypatch: pytest.MonkeyPatch, asking: Asking) -> Iterator[RewordingModel]:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-test")
    monkeypatch.setenv("LITELLM_LOCAL_MODEL_COST_MAP", "True")
    with RewordingModel(asking) as model:
        yield model


@pytest.fixture
def planact(tmp_path: Path, model: RewordingModel) -> Program:
    program = Program(tmp_path / "work", tmp_path / "home")
    program.folder.mkdir()
    program.home.mkdir()
    model.serve(program)
    return program


def waiting(planact: Program) -> Any:
    """The question at which planning waits; it is printed for people, too."""
    ran = planact.run("plan", "Test it", "--json", model="")
    assert ran.code == 3, ran
    return ran.json["waiting"]


def test_the_terminal_names_the_version_of_a_question(planact: Program) -> None:
    asked = waiting(planact)
    (listed,) = planact.run("questions", "--json", model="").json["questions"]
    assert asked["format_version"] == listed["format_version"] == "1.0"


@pytest.mark.parametrize(
    ("schema", "lines", "said", "value"),
    [
        (FRAMEWORKS, ["1 pytest", "2 unittest", "3 null", "- 3"], "null", None),
        (MANY, ["1 red", "2 green", "3 blue", "4 black", "5 white"], "4", "black"),
        (SURE, ["1 Yes", "2 No"], "no", False),
        (SURE, ["1 Yes", "2 No"], "true", True),
        (PACE, ["1 At leisure", "2 In haste"], "In haste", 2),
        (SEVERAL, ["1 core", "2 docs"], "2, core", ["docs", "core"]),
    ],
)
def test_the_terminal_lists_the_choices_and_takes_label_value_and_number(
    planact: Program, asking: Asking, schema: Schema, lines: list[str], said: str, value: Any
) -> None:
    asking.schema = schema
    asked = waiting(planact)
    if "- 3" in lines:  # to say 3 could mean the third as well
        lines = ["- pytest", "- unittest", "- null", "- 3"]
    listed = planact.run("questions", model="").out.splitlines()
    assert [line.strip() for line in listed if line.startswith("    ") and "several" not in line] == lines
    answered = planact.run("answer", asked["question_id"], said, "--json", model="")
    assert (answered.code, answered.json["answers"]) == (0, {"it": value}), answered


def test_an_answer_that_is_none_of_them_leaves_the_question_open(planact: Program, asking: Asking) -> None:
    asking.schema = FRAMEWORKS
    asked = waiting(planact)
    refused = planact.run("answer", asked["question_id"], "nose", model="")
    assert "The choices are: pytest, unittest, null, 3." in refused.err
    assert planact.run("questions", "--json", model="").json["questions"]


@pytest.mark.asyncio(loop_scope="session")
@pytest.mark.parametrize(
    ("schema", "labels"),
    [
        (FRAMEWORKS, ["pytest", "unittest", "null", "3"]),
        (SURE, ["Yes", "No"]),
        (PACE, ["At leisure", "In haste"]),
        (SEVERAL, ["core", "docs"]),
    ],
)
async def test_a_client_with_forms_gets_the_choices(
    tmp_path: Path, model: RewordingModel, asking: Asking, schema: Schema, labels: list[str]
) -> None:
    asking.schema = schema
    async with planact_client(tmp_path, settings=model.settings) as client:
        client.begin("sendMessage", text="What do you need?")
        asked = await client.question()
        (listed,) = (await client.do("listQuestions")).questions
        assert asked.format_version == listed.format_version == "1.0"
        assert [option.label for option in asked.questions[0].options] == labels
        await client.do("cancelQuestion", question_id=asked.question_id)


@pytest.mark.asyncio(loop_scope="session")
@pytest.mark.parametrize(
    ("schema", "titles", "clicked", "value"),
    [
        (FRAMEWORKS, ["pytest", "unittest", "null", "3"], "null", "null"),
        (FRAMEWORKS, ["pytest", "unittest", "null", "3"], "3", "3"),
        (SURE, ["Yes", "No"], "No", "false"),
        (PACE, ["At leisure", "In haste"], "In haste", "2"),
    ],
)
async def test_a_plain_client_gets_few_short_choices_as_buttons(
    tmp_path: Path,
    model: RewordingModel,
    asking: Asking,
    schema: Schema,
    titles: list[str],
    clicked: str,
    value: str,
) -> None:
    asking.schema = schema
    shown: list[list[str]] = []

    async def click(params: types.ShowMessageRequestParams) -> Any:
        shown.append([action.title for action in params.actions or ()])
        return types.MessageActionItem(clicked)

    async with planact_client(tmp_path, full(extras={}), settings=model.settings) as client:
        client.on_question = click
        ended = await client.do("sendMessage", text="What do you need?")
        assert (ended.text, shown) == (f"You said {value}", [[*titles, "Decline"]])


@pytest.mark.asyncio(loop_scope="session")
@pytest.mark.parametrize(
    ("schema", "boxes", "ticked", "value"),
    [
        (MANY, ["red", "green", "blue", "black", "white"], ["blue"], '"blue"'),
        (SEVERAL, ["core", "docs"], ["core", "docs"], '["core", "docs"]'),
        ({"enum": ["a" * 41, None, 7]}, ["a" * 41, "null", "7"], ["7"], "7"),
    ],
)
async def test_more_choices_are_boxes_in_the_plan(
    tmp_path: Path,
    model: RewordingModel,
    asking: Asking,
    schema: Schema,
    boxes: list[str],
    ticked: list[str],
    value: str,
) -> None:
    asking.schema = schema
    async with planact_client(tmp_path, full(extras={}), settings=model.settings) as client:
        uri = client.write(PATH, PLAN)
        client.show(PATH)
        client.on_question = None
        working = client.begin("revisePlan", uri=uri, feedback="Ask me")
        await until(lambda: "> [!QUESTION]" in client.text(PATH))
        (asked,) = (await client.do("listQuestions")).questions
        text = client.text(PATH)
        found = [line.split("] ", 1)[1] for line in text.splitlines() if line.strip().startswith("> - [ ]")]
        assert [line.rpartition(": ")[2] for line in found] == boxes
        await until(lambda: len(client.messages) == 1)
        assert "tick a box in" in client.messages[0].message
        for each in ticked:
            (line,) = [line for line in text.splitlines() if line.startswith("> - [ ]") and line.endswith(f": {each}")]
            text = text.replace(line, line.replace("[ ]", "[x]"))
        client.type(uri, text)
        answered = await client.do("answerQuestion", question_id=asked.question_id, uri=uri)
        assert answered.status == "answered"
        await working
        assert model.is_asked(json.dumps(f'"it": {value}')[1:-1])


@pytest.mark.asyncio(loop_scope="session")
async def test_without_a_plan_the_message_numbers_them(tmp_path: Path, model: RewordingModel, asking: Asking) -> None:
    asking.schema = MANY
    async with planact_client(tmp_path, full(extras={}), settings=model.settings) as client:
        client.on_question = None
        working = client.begin("sendMessage", text="What do you need?")
        await until(lambda: len(client.messages) == 1)
        (asked,) = (await client.do("listQuestions")).questions
        number = asked.question_id
        assert client.messages[0].message.splitlines() == [
            "Which is it?",
            *("1 red", "2 green", "3 blue", "4 black", "5 white"),
            f"To answer, write `planact answer {number} NUMBER` at a terminal, or run the command "
            f"planact.answerQuestion with question_id {number}.",
        ]
        await client.answer(asked, it="blue")
        assert (await working).text == 'You said "blue"'
