"""`ask_user`, `write_plan` and `exit_plan_mode` act only on the conversation, which the workflows' tests follow."""

import json
from pathlib import Path
from typing import Any

import pytest

from planact.tools.outcome import Done, Failed, Refused
from planact.tools.registry import BY_NAME, planned_tools
from tests.fakes.bench import ACT, PLAN, Bench

QUESTION = {"question": "Which?"}
STEP = {"action": "Mend it"}


@pytest.mark.parametrize("standing", [PLAN, ACT])
def test_the_user_can_be_asked_in_both_modes(tmp_path: Path, standing: Any) -> None:
    assert Bench(tmp_path, standing).run("ask_user", questions=[QUESTION]) == Done("answered")


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


def test_what_the_model_is_told_of_a_tool_has_no_references_and_no_titles() -> None:
    for tool in BY_NAME.values():
        text = json.dumps(tool.schema()["function"]["parameters"])
        assert '"$ref"' not in text
        assert '"title"' not in text
        assert '"additionalProperties": false' in text


def test_what_only_concerns_who_reads_the_code_costs_no_tokens() -> None:
    schemas = json.dumps([tool.schema() for tool in BY_NAME.values()])
    assert "Attributes" not in schemas
    assert "\\n" not in schemas
    assert '"null"' not in schemas
    assert '"minLength"' not in schemas
    assert "`old` must stand exactly once in the file" in schemas
    ask = BY_NAME["ask_user"].schema()["function"]["parameters"]["properties"]["questions"]["items"]["properties"]
    assert {*ask} == {"name", "question", "context", "severity", "schema", "options", "default", "allow_custom"}
