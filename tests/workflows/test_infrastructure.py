"""Whether a plan changes things outside the workspace is computed from its commands, whatever its front matter says."""

import asyncio
from pathlib import Path

import pytest

from planact.model.plan import Plan, Step
from planact.plan.syntax.lower import plan_json
from planact.plan.syntax.render import render
from planact.workflows.plans.infrastructure import MAX_JUDGED_COMMANDS, infrastructure_commands, with_infrastructure
from planact.workflows.plans.library import list_plans, read_document
from planact.workflows.runs.make_plan import make_plan
from tests.fakes.world import call, calls
from tests.workflows.scene import SAID, Scene

CHANGE = "kubectl delete pod x"


def plan(action: str = "Do it", *checks: str, validation: str = "", is_declared: bool = False) -> Plan:
    steps = (Step(action=action, validation_checks=checks),)
    items = (validation,) if validation else ()
    return Plan(id="p", goal="g", steps=steps, validation=items, has_infrastructure_changes=is_declared)


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        (plan(), False),
        (plan(is_declared=True), True),
        (plan("Do it", "pytest -q", is_declared=True), True),
        (plan("Do it", "pytest -q"), False),
        (plan("Do it", CHANGE), True),
        (plan("Do it", "true", "cd infra && terraform apply -auto-approve"), True),
        (plan("Do it", "kubectl get pods"), False),
        (plan("Do it", "aws ec2 describe-instances"), False),
        (plan("Do it", "bash -c 'aws s3 rm s3://b --recursive'"), True),
        (plan(f"Take it away: `{CHANGE}`, then look"), True),
        (plan(f"Take it away: ``{CHANGE} `a` ``"), True),
        (plan("Look at `kubectl get pods`"), False),
        (plan(f"Don't say {CHANGE}"), False),
        (plan("Read the docker docs", "docker ps"), False),
        (plan(validation="`npm publish`"), True),
        (plan(validation="People run `npm publish` then"), True),
        (plan("Do it", *(f"kubectl get pod {n}" for n in range(MAX_JUDGED_COMMANDS + 1))), True),
    ],
)
def test_what_a_plan_changes_outside_is_computed_from_its_commands(given: Plan, expected: bool) -> None:
    assert with_infrastructure(given).has_infrastructure_changes is expected


def test_nothing_else_of_the_plan_is_touched() -> None:
    given = plan("Do it", CHANGE)
    computed = with_infrastructure(given)
    assert computed == given.model_copy(update={"has_infrastructure_changes": True})
    assert list(infrastructure_commands(given)) == [CHANGE]


@pytest.mark.parametrize("said", ["", "infrastructure: false\n", "infrastructure: true\n"])
def test_no_front_matter_hides_it_from_data_and_list(tmp_path: Path, said: str) -> None:
    it = Scene(tmp_path)
    text = render(plan("Do it", CHANGE)).replace("infrastructure: false\n", said)
    it.write_plan(text, "hidden.plan")
    document = read_document(it.ws, "hidden.plan")
    assert plan_json(document.complete())["has_infrastructure_changes"] is True
    assert [row.has_infrastructure_changes for row in list_plans(it.ws)] == [True]
    assert document.file.text == text


def test_what_the_planner_left_out_stands_in_the_document_it_writes(tmp_path: Path) -> None:
    step = {"action": "Deploy it", "validation_checks": ["cdk deploy"]}
    it = Scene(tmp_path, calls(call("write_plan", goal="Deploy", steps=[step], has_infrastructure_changes=False)), SAID)
    written = asyncio.run(make_plan(it.ws, it.session_id, "deploy it")).written
    assert written is not None
    assert "\ninfrastructure: true\n" in written.file.text
