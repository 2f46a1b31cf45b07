"""Words and names of the user's are taken as meant: `begin` approves, a provider that isn't there is refused."""

from pathlib import Path

import pytest

from tests.cli.program import Program


@pytest.fixture
def planact(tmp_path: Path) -> Program:
    folder, home = tmp_path / "work", tmp_path / "home"
    folder.mkdir()
    home.mkdir()
    (folder / "greeting.txt").write_text("hello\n")
    return Program(folder, home)


def test_policy_intent_takes_begin_and_refuses_silence(planact: Program) -> None:
    assert planact.run("policy", "intent", typed="begin\n").out.startswith("EXECUTE_NOW")
    silent = planact.run("policy", "intent", typed="\n")
    assert (silent.code, "INVALID_ARGUMENTS" in silent.err) == (2, True)


def test_begin_right_after_a_plan_leads_to_the_question(planact: Program) -> None:
    made = planact.run("chat", "/plan Greet again", "--json").json
    asked = planact.run("chat", "begin", "--session", made["session_id"], "--json")
    assert asked.code == 3
    assert made["plan_id"] in planact.run("questions", "--json").out


def test_a_provider_that_is_not_there_is_refused_with_the_nearest(planact: Program) -> None:
    refused = planact.run("chat", "/model antropic/claude-sonnet-4-5")
    assert (refused.code, "Did you mean 'anthropic/claude-sonnet-4-5'?" in refused.err) == (6, True)


def test_a_model_newer_than_the_table_is_taken_with_a_warning(planact: Program) -> None:
    taken = planact.run("chat", "/model anthropic/claude-sonnet-99")
    assert taken.code == 0
    assert "The model is anthropic/claude-sonnet-99. The table of models doesn't list it" in taken.out


def test_an_endpoint_of_the_users_own_may_name_its_providers(planact: Program) -> None:
    planact.variables["PLANACT_MODEL_ENDPOINT"] = "http://127.0.0.1:9/v1"
    assert planact.run("chat", "/model ours/model").code == 0
