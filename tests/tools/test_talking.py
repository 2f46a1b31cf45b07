"""`ask_user`, `write_plan` and `exit_plan_mode` act only on the conversation, which the workflows' tests follow."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from planact.tools.registry import BY_NAME, planned_tools
from planact.tools.tool_result import Done, Failed, Refused
from tests.fakes.bench import ACT, PLAN, Bench

QUESTION = {"question": "Which?"}
STEP = {"action": "Mend it"}


@pytest.mark.parametrize("standing", [PLAN, ACT])
def test_the_user_can_be_asked_in_both_modes(tmp_path: Path, standing: Any) -> None:
    assert Bench(tmp_path, standing).run("ask_user", questions=[QUESTION]) == Done("answered")


def test_a_question_of_the_agent_cannot_pass_for_one_of_planacts(tmp_path: Path) -> None:
    bench, disguise = Bench(tmp_path, ACT), {"title": "Run this command?", "reason": "x", "about": "command"}
    bench.run("ask_user", questions=[{**QUESTION, **disguise, "counted_as": "x", "default": "a"}])
    [asked] = bench.listener.asked
    assert (asked.title, asked.reason, asked.about, asked.counted_as) == ("", "", None, "")
    assert (asked.question, asked.default) == ("Which?", "a")


@pytest.mark.parametrize("name", ["write_plan", "exit_plan_mode"])
def test_in_act_no_plan_is_made_or_put_before_the_user(tmp_path: Path, name: str) -> None:
    arguments: dict[str, Any] = {
        "write_plan": {"goal": "g", "steps": [STEP]},
        "exit_plan_mode": {"plan_file_path": "a.plan"},
    }
    bench = Bench(tmp_path, ACT)
    bench.world.write("a.plan", "")
    outcome = bench.run(name, **arguments[name])
    assert isinstance(outcome, Refused)
    assert outcome.code == "TOOL_BLOCKED_BY_MODE"
    assert name not in planned_tools()


@pytest.mark.parametrize(
    ("tool", "arguments"),
    [
        ("ask_user", {"questions": []}),
        ("ask_user", {"questions": [QUESTION] * 11}),
        ("ask_user", {"questions": [{"question": ""}]}),
        ("ask_user", {"questions": [{**QUESTION, "severity": "fatal"}]}),
        ("ask_user", {"questions": [{**QUESTION, "options": [{"label": "", "value": 1}]}]}),
        ("write_plan", {"goal": "g", "steps": []}),
        ("write_plan", {"goal": "g", "steps": [{**STEP, "status": "done"}]}),
        ("write_plan", {"goal": "g", "steps": [STEP], "status": "approved"}),
        ("write_plan", {"steps": [STEP]}),
        ("exit_plan_mode", {}),
        ("exit_plan_mode", {"plan_file_path": "a.plan", "accepted": True}),
    ],
)
def test_arguments_that_claim_too_much_or_too_little_go_back(
    tmp_path: Path, tool: str, arguments: dict[str, Any]
) -> None:
    outcome = Bench(tmp_path, PLAN).run(tool, **arguments)
    assert isinstance(outcome, Failed)
    assert outcome.code == "INVALID_ARGUMENTS"


def nodes(schema: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """A schema, and all schemas in it."""
    yield schema
    for each in (*schema.get("properties", {}).values(), *filter(None, [schema.get("items")])):
        yield from nodes(each)


def test_what_only_concerns_who_reads_the_code_costs_no_tokens() -> None:
    parameters = [tool.schema()["function"]["parameters"] for tool in BY_NAME.values()]
    keys = {key for each in parameters for node in nodes(each) for key in node}
    assert keys == {"type", "properties", "required", "items", "enum", "maximum", "description"}
    ask = BY_NAME["ask_user"].schema()["function"]["parameters"]["properties"]["questions"]["items"]["properties"]
    assert {*ask} == {"name", "question", "context", "severity", "schema", "options", "default", "allow_custom"}


def test_an_argument_whose_name_is_not_enough_is_described_in_a_line() -> None:
    said: dict[str, str] = {}
    for tool in BY_NAME.values():
        for each in nodes(tool.schema()["function"]["parameters"]):
            for name, argument in each.get("properties", {}).items():
                if "description" in argument:
                    said[f"{tool.name}.{name}"] = argument["description"]
    assert all(0 < len(text) <= 90 and "\n" not in text for text in said.values())
    unclear = {"skip", "glob", "directory", "timeout", "wait", "old", "new", "replace_all", "patch", "edits", "report"}
    for tool in BY_NAME.values():
        properties = tool.args.model_fields
        assert [name for name in properties if name in unclear and f"{tool.name}.{name}" not in said] == []


def test_every_argument_has_a_type_and_no_choice_is_empty_since_gemini_takes_no_other() -> None:
    for tool in BY_NAME.values():
        for node in nodes(tool.schema()["function"]["parameters"]):
            assert node["type"], tool.name
            assert "" not in node.get("enum", ()), tool.name


def test_an_example_is_a_call_that_fits_and_stands_behind_what_is_said_of_the_tool() -> None:
    shown = {tool.name: tool.examples for tool in BY_NAME.values() if tool.examples}
    assert {*shown} == {"ask_user", "delegate", "execute_command", "search_code", "update_file", "write_plan"}
    for name, examples in shown.items():
        tool = BY_NAME[name]
        told = tool.schema()["function"]["description"].split("\n")
        assert told == [tool.summary, *(f"Example: {example}" for example in examples)]
        for example in examples:
            made = tool.args.model_validate_json(example)
            assert made.model_dump(mode="json", by_alias=True, exclude_unset=True) == json.loads(example)
