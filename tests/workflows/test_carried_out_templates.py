"""Templates that ship with planact, carried out by a scripted model with stand-ins for the programs they call."""

import asyncio
import re
from pathlib import Path

import pytest

from planact.model.settings import Settings
from planact.workflows.runs.execute import Confirmation, execute_plan
from planact.workflows.templates import find_template, use_template
from tests.fakes.world import ENVIRONMENT, Turn, answer, call, calls
from tests.workflows.scene import SAID, Scene

SAYS = {
    "aws-ec2-instance": "1",
    "aws-lambda": "Active\tpython3.12\tgreet.main",
    "aws-iam-policy": "v2",
    "application-migration": "",
    "vulnerability-scan": "",
}
VALUES = {
    "aws-ec2-instance": {"name": "web", "image": "ami-1", "subnet": "subnet-1", "group_id": "sg-1"},
    "aws-lambda": {
        "function": "greet",
        "code_file": "greet.py",
        "handler": "greet.main",
        "role_arn": "arn:aws:iam::123456789012:role/greet",
        "memory": "256",
    },
    "aws-iam-policy": {
        "policy_arn": "arn:aws:iam::123456789012:policy/greet",
        "policy_file": "policy.json",
        "change": "reading one bucket",
    },
    "application-migration": {
        "application": "the shop",
        "target": "Django 5",
        "entry_file": "shop.py",
        "config_file": "settings.py",
        "test_command": "true",
    },
    "vulnerability-scan": {"scanner": "pip-audit", "manifest": "requirements.txt", "test_command": "true"},
}


@pytest.mark.parametrize("name", VALUES)
def test_a_template_becomes_a_plan_that_can_be_carried_out(
    tmp_path: Path, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    programs = tmp_path_factory.mktemp("programs")
    for program in ("aws", "zip", "jq", "pip-audit"):
        (programs / program).write_text(f"#!/bin/sh\nprintf '%s\\n' '{SAYS[name]}'\n")
        (programs / program).chmod(0o755)
    monkeypatch.setitem(ENVIRONMENT, "PATH", f"{programs}:{ENVIRONMENT['PATH']}")
    it = Scene(tmp_path, settings=Settings(model="played"))
    template = find_template(it.ws, name).template
    values = {each.name: each.default for each in template.parameters if each.default} | VALUES[name]
    document = asyncio.run(use_template(it.ws, it.session_id, template, values))
    turns: list[Turn] = []
    for step in document.complete().steps:
        commands = [each for each in re.findall(r"`([^`]+)`", step.action) if each.startswith(("aws ", "zip ", "pip"))]
        made = [call("create_file", f"f{n}", path=path, content="{}\n") for n, path in enumerate(step.files)]
        ran = [call("execute_command", f"c{n}", command=command) for n, command in enumerate(commands)]
        turns += [calls(*made, *ran, call("list_directory", "l")), SAID]
    it.world.model.turns += turns
    it.answers(*[answer(approval="allow_once")] * 20)
    run = asyncio.run(execute_plan(it.ws, it.session_id, document.path, Confirmation.BY_FLAG))
    assert [(record.step_number, record.status.value, record.error) for record in run.steps] == [
        (step.step_number, "done", "") for step in document.complete().steps
    ]
    assert run.status == "success"
