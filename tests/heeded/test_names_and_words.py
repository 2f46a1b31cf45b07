"""Words and names of the user's are taken as meant: `begin` approves, a provider that isn't there is refused, and the
values of a template are read by their types.
"""

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


TYPED = """---
description: Greets
parameters:
  - {name: count, description: How often, schema: {type: integer, minimum: 1}}
  - {name: rate, default: 0.5, schema: {type: number}}
  - {name: is_loud, default: "no", schema: {type: boolean}}
  - {name: names, schema: {type: array, items: {type: string}, minItems: 1}}
---
# Greet {{names}} {{count}} times, at {{rate}}, loud: {{is_loud}}

## Steps
- [ ] 1. Say hello
"""
USE = ("template", "use", "greet", "--set", "count=3", "--set", "rate=1.5", "--set", "is_loud=yes")


def write_template(planact: Program) -> None:
    folder = planact.folder / ".planact" / "templates"
    folder.mkdir(parents=True)
    (folder / "greet.plan").write_text(TYPED)


def test_values_of_each_type_are_read_by_it(planact: Program) -> None:
    write_template(planact)
    used = planact.run(*USE, "--set", "names=ada, bob", "--json")
    assert (used.code, used.json["plan"]["goal"]) == (0, "Greet ada, bob 3 times, at 1.5, loud: true"), used
    refused = planact.run(*USE[:3], "--set", "count=often", "--set", "names=ada", "--defaults")
    assert (refused.code != 0, "count" in refused.err) == (True, True), refused


def test_a_parameter_that_is_not_there_is_named_at_once(planact: Program) -> None:
    write_template(planact)
    refused = planact.run(*USE, "--set", "names=ada", "--set", "nmaes=bob")
    assert (refused.code, "nmaes" in refused.err) == (2, True), refused
    assert not list((planact.folder / ".planact").glob("plans/*.plan"))


def test_the_chat_makes_a_template_from_a_plan(planact: Program) -> None:
    plan_id = planact.plan()
    made = planact.run("chat", f'/template create --from-plan {plan_id} -n bye -d "Says goodbye"')
    assert made.code == 0, made
    assert "Says goodbye" in planact.run("template", "show", "bye").out


def test_there_are_templates_for_each_part_of_a_cloud(planact: Program) -> None:
    listed = {line.split()[0] for line in planact.run("template", "list").out.splitlines() if line.strip()}
    assert [word for word in ("ec2", "lambda", "iam", "migrat") if not any(word in name for name in listed)] == []
