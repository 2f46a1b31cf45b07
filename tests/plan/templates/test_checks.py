"""What the checks of built-in templates say of the world: they look only, and they can fail."""

import json
import os
import subprocess
import sys
from collections.abc import Mapping
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest

from planact.plan.syntax.lower import lower
from planact.plan.syntax.parser import parse
from planact.plan.templates.template import fill_template, read_template
from tests.shell.judged import classify

pytestmark = pytest.mark.slow

BUILT_IN = files("planact.plan.templates") / "builtin"
NAMES = sorted(file.name.removesuffix(".plan") for file in BUILT_IN.iterdir() if file.name.endswith(".plan"))
VALUES = {
    "blue_arn": "arn:blue",
    "green_arn": "arn:green",
    "listener_arn": "arn:listener",
    "bucket": "b-1",
    "group": "web",
    "minimum": "1",
    "maximum": "3",
    "desired": "2",
    "group_id": "sg-1",
    "port": "80",
    "cidr": "10.0.0.0/8",
    "old": "load",
    "new": "read_config",
    "version": "1.2.0",
    "version_file": "version.txt",
    "package": "left",
    "manifest": "left.txt",
    "image": "ami-1",
    "subnet": "subnet-1",
    "function": "greet",
    "code_file": "greet.py",
    "handler": "greet.main",
    "role_arn": "arn:aws:iam::123456789012:role/greet",
    "policy_arn": "arn:aws:iam::123456789012:policy/greet",
    "policy_file": "policy.json",
}
USERS_OWN = {"test_command": "true", "dry_run_command": "true", "scanner": "true"}

AWS = f"""#!{sys.executable}
import json, os, sys
import jmespath
if failure := os.environ.get("FAILURE"):
    sys.exit(failure)
said = json.loads(os.environ["ANSWER"])
if "--query" in sys.argv:
    said = jmespath.search(sys.argv[sys.argv.index("--query") + 1], said)
if "--output" in sys.argv and sys.argv[sys.argv.index("--output") + 1] == "text":
    print("\\t".join(map(str, said)) if isinstance(said, list) else said)
else:
    print(json.dumps(said, indent=4))
"""
"""Answers like the cloud's program: what the environment says, through the same query language."""


def checks(name: str, step: int) -> tuple[str, ...]:
    template = read_template(name, (BUILT_IN / f"{name}.plan").read_text(encoding="utf-8"))
    known = {each.name: each.default or "x1" for each in template.parameters}
    known |= {key: value for key, value in (VALUES | USERS_OWN).items() if key in known}
    plan = lower(parse(fill_template(template, known)))
    assert plan is not None
    return plan.steps[step - 1].validation_checks if step <= len(plan.steps) else ()


def passes(check: str, folder: Path, **environment: str) -> bool:
    (folder / "bin").mkdir(exist_ok=True)
    aws = folder / "bin/aws"
    aws.write_text(AWS, "utf-8")
    aws.chmod(0o755)
    path = f"{aws.parent}{os.pathsep}{os.environ['PATH']}"
    ran = subprocess.run(
        ["bash", "-c", check], cwd=folder, env={**os.environ, **environment, "PATH": path}, timeout=180, check=False
    )
    return ran.returncode == 0


@pytest.mark.parametrize("name", NAMES)
def test_what_a_template_checks_only_looks(name: str) -> None:
    found = {check: classify(check).cls for step in range(1, 9) for check in checks(name, step)}
    assert found
    assert {check: cls for check, cls in found.items() if cls not in ("local-read", "net-read")} == {}


def listener(*actions: Mapping[str, Any]) -> dict[str, Any]:
    return {"Listeners": [{"DefaultActions": actions}]}


def weighted(green: int) -> dict[str, Any]:
    groups = [{"TargetGroupArn": "arn:blue", "Weight": 90}, {"TargetGroupArn": "arn:green", "Weight": green}]
    return listener({"Type": "forward", "ForwardConfig": {"TargetGroups": groups}})


def health(*states: str) -> dict[str, Any]:
    return {"TargetHealthDescriptions": [{"TargetHealth": {"State": state}} for state in states]}


def group(*instances: str, desired: int = 2) -> dict[str, Any]:
    told = [{"LifecycleState": state, "HealthStatus": "Healthy"} for state in instances]
    sizes = {"MinSize": 1, "MaxSize": 3, "DesiredCapacity": desired}
    return {"AutoScalingGroups": [{**sizes, "Instances": told}]}


def rule(**more: Any) -> dict[str, Any]:
    return {"IsEgress": False, "CidrIpv4": "10.0.0.0/8", "FromPort": 80, "ToPort": 80, **more}


def rules(*known: Mapping[str, Any]) -> dict[str, Any]:
    return {"SecurityGroupRules": known}


def block(**more: bool) -> dict[str, Any]:
    words = ("BlockPublicAcls", "IgnorePublicAcls", "BlockPublicPolicy", "RestrictPublicBuckets")
    return {"PublicAccessBlockConfiguration": {**dict.fromkeys(words, True), **more}}


@pytest.mark.parametrize(
    ("name", "step", "number", "answer", "is_right"),
    [
        *(("aws-blue-green", step, 0, health("healthy", "healthy"), True) for step in (1, 3)),
        *(("aws-blue-green", step, 0, health("healthy", "unhealthy"), False) for step in (1, 3)),
        ("aws-blue-green", 1, 0, health(), False),
        ("aws-blue-green", 2, 0, listener({"TargetGroupArn": "arn:green"}), True),
        ("aws-blue-green", 2, 0, listener({"TargetGroupArn": "arn:blue"}), False),
        *(("aws-canary", step, 0, health("healthy"), True) for step in (1, 3)),
        *(("aws-canary", step, 0, health("draining"), False) for step in (1, 3)),
        ("aws-canary", 2, 0, weighted(10), True),
        ("aws-canary", 2, 0, weighted(100), False),
        ("aws-canary", 2, 0, listener({"TargetGroupArn": "arn:blue"}), False),
        ("aws-canary", 4, 0, listener({"TargetGroupArn": "arn:green"}), True),
        ("aws-canary", 4, 0, listener({}), False),
        ("aws-auto-scaling", 1, 0, group(desired=7), True),
        ("aws-auto-scaling", 1, 0, {"AutoScalingGroups": []}, False),
        ("aws-auto-scaling", 2, 0, group(), True),
        ("aws-auto-scaling", 2, 0, group(desired=3), False),
        ("aws-auto-scaling", 2, 0, {"AutoScalingGroups": []}, False),
        ("aws-auto-scaling", 3, 0, group("InService", "InService"), True),
        ("aws-auto-scaling", 3, 0, group("InService", "Pending"), False),
        ("aws-security-group", 3, 0, rules(rule(), rule(FromPort=443, ToPort=443)), True),
        ("aws-security-group", 3, 0, rules(), False),
        ("aws-security-group", 3, 0, rules(rule(IsEgress=True)), False),
        ("aws-security-group", 3, 0, rules(rule(CidrIpv4="0.0.0.0/0")), False),
        ("aws-ec2-instance", 3, 0, {"Reservations": [{"Instances": [{}]}]}, True),
        ("aws-ec2-instance", 3, 0, {"Reservations": [{"Instances": [{}]}, {"Instances": [{}]}]}, False),
        ("aws-ec2-instance", 3, 0, {"Reservations": []}, False),
        ("aws-lambda", 3, 0, {"State": "Active", "Runtime": "python3.12", "Handler": "greet.main"}, True),
        ("aws-lambda", 3, 0, {"State": "Pending", "Runtime": "python3.12", "Handler": "greet.main"}, False),
        ("aws-lambda", 3, 0, {"State": "Active", "Runtime": "python3.12", "Handler": "other.main"}, False),
        ("aws-iam-policy", 4, 0, {"Policy": {"DefaultVersionId": "v2"}}, True),
        ("aws-iam-policy", 4, 0, {}, False),
        ("aws-bucket", 3, 0, block(), True),
        ("aws-bucket", 3, 0, block(BlockPublicPolicy=False), False),
        ("aws-bucket", 4, 0, {"Status": "Enabled"}, True),
        ("aws-bucket", 4, 0, {}, False),
    ],
)
def test_a_check_in_the_cloud_passes_only_where_it_is_so(
    tmp_path: Path, name: str, step: int, number: int, answer: Mapping[str, Any], is_right: bool
) -> None:
    check = checks(name, step)[number]
    assert passes(check, tmp_path, ANSWER=json.dumps(answer)) is is_right
    assert not passes(check, tmp_path, FAILURE="Unable to locate credentials.")


@pytest.mark.parametrize(
    ("failure", "is_free"),
    [
        ("An error occurred (404) when calling the HeadBucket operation: Not Found", True),
        ("An error occurred (403) when calling the HeadBucket operation: Forbidden", False),
        ("Unable to locate credentials.", False),
    ],
)
def test_a_bucket_is_free_only_where_nobody_has_it(tmp_path: Path, failure: str, is_free: bool) -> None:
    [check] = checks("aws-bucket", 1)
    assert passes(check, tmp_path, FAILURE=failure) is is_free
    assert not passes(check, tmp_path, ANSWER="{}")


def test_a_name_is_looked_for_in_the_code_and_not_in_what_planact_wrote(tmp_path: Path) -> None:
    [is_free], [is_gone] = checks("rename", 1), checks("rename", 2)
    for path, text in {
        ".planact/plans/p.json": "load read_config",
        ".planact/sessions/s.chat": "load read_config",
        "mine.plan": "load read_config",
        "app.pyc": "\0 load read_config",
        "app.py": "def load(): pass",
    }.items():
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(text, "utf-8")
    assert (passes(is_free, tmp_path), passes(is_gone, tmp_path)) == (True, False)
    (tmp_path / "app.py").write_text("def read_config(): pass", "utf-8")
    assert (passes(is_free, tmp_path), passes(is_gone, tmp_path)) == (False, True)


@pytest.mark.parametrize(
    ("name", "step", "file"), [("release", 3, "version.txt"), ("upgrade-dependency", 2, "left.txt")]
)
def test_a_version_that_is_written_is_found_as_it_is(tmp_path: Path, name: str, step: int, file: str) -> None:
    [check] = checks(name, step)
    (tmp_path / file).write_text("left = 1.2.0\n", "utf-8")
    assert passes(check, tmp_path)
    (tmp_path / file).write_text("left = 1x2x0\n", "utf-8")
    assert not passes(check, tmp_path)
