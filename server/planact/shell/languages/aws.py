"""The AWS CLI: an operation is known by the table made from IAM's access levels; the few that aren't IAM's stand here.

Options are free, but for those that would send requests elsewhere: a read stays one whatever it is asked.
"""

import re
from collections.abc import Sequence

from planact.shell.aws.reads_a_b import READS_A_B
from planact.shell.aws.reads_c_d import READS_C_D
from planact.shell.aws.reads_e_i import READS_E_I
from planact.shell.aws.reads_j_o import READS_J_O
from planact.shell.aws.reads_p_r import READS_P_R
from planact.shell.aws.reads_s_z import READS_S_Z
from planact.shell.aws.secrets import SECRETS
from planact.shell.table import Call, Judge, Refused, names
from planact.shell.words import Word

_READS = READS_A_B + READS_C_D + READS_E_I + READS_J_O + READS_P_R + READS_S_Z
_GLOBAL = names("--region --profile --output --query --color --cli-read-timeout --cli-connect-timeout")
_GLOBAL_LONE = names("--no-cli-pager --no-paginate --no-sign-request --debug --no-cli-auto-prompt")
# They send credentials elsewhere, ask at a terminal, or write files.
_REFUSED = ("--endpoint-url", "--cli-auto-prompt", "--ca-bundle", "--outfile", "--save-as", "--no-verify-ssl")
_CUSTOM = frozenset(
    ("s3 ls", "logs tail", "configure list", "configure list-profiles", "history list", "codeartifact list-packages")
)
_CUSTOM_SECRETS = frozenset(
    (
        "s3 presign",
        "ecr get-login-password",
        "ecr-public get-login-password",
        "eks get-token",
        "configure export-credentials",
        "rds generate-db-auth-token",
        "redshift get-cluster-credentials",
        "sts assume-role",
        "sso get-role-credentials",
    )
)
_SETTING = re.compile(r"(?:[\w-]+\.)?(?:region|output|cli_pager|sso_[a-z_]+|role_arn|source_profile)\Z")
_NAME = re.compile(r"[a-z0-9][a-z0-9-]*\Z")


def check_aws(call: Call, judge: Judge) -> None:
    """Raises Refused for operations that aren't known to only read."""
    words = list(call.arguments)
    texts = [word.text for word in words]
    if texts == ["--version"]:
        return
    service, operation, rest = _split(call, texts)
    _check_options(call, rest, words)
    name = f"{service} {operation}"
    if operation == "wait" and rest and _NAME.match(rest[0]) and _operations(_READS, service):
        return
    if name == "configure get" and len(rest) == 1 and _SETTING.match(rest[0]):
        return
    is_secret = name in _CUSTOM_SECRETS or operation in _operations(SECRETS, service)
    if not is_secret and name not in _CUSTOM and operation not in _operations(_READS, service):
        raise Refused("aws", f"`aws {name}` isn't known to only read", _at(words, operation) or call.name)
    if is_secret or "--with-decryption" in rest or "--include-values" in rest or "--include-value" in rest:
        judge.mark("secret")
    for text in rest:
        if found := re.match(r"(?:.*=)?fileb?://(.+)\Z", text):
            judge.read(Word(found[1]))


def _split(call: Call, texts: Sequence[str]) -> tuple[str, str, list[str]]:
    """Service, operation, and what stands behind or between, but for the options that say where and how."""
    found: list[str] = []
    at = 0
    while at < len(texts) and len(found) < 2:
        option = texts[at].partition("=")[0]
        if option in _GLOBAL:
            at += 1 if "=" in texts[at] else 2
        elif texts[at] in _GLOBAL_LONE:
            at += 1
        elif _NAME.match(texts[at]):
            found.append(texts[at])
            at += 1
        else:
            raise Refused("aws", "`aws` with an option that isn't known to be harmless", call.name)
    if len(found) < 2:
        raise Refused("aws", "`aws` without an operation", call.name)
    return found[0], found[1], list(texts[at:])


def _check_options(call: Call, rest: Sequence[str], words: Sequence[Word]) -> None:
    for text in rest:
        option = text.partition("=")[0]
        # The CLI takes abbreviations.
        if option.startswith("--") and any(refused.startswith(option) for refused in _REFUSED):
            raise Refused("aws", f"`aws … {option}` isn't known to be harmless", _at(words, text) or call.name)


def _at(words: Sequence[Word], text: str) -> Word | None:
    return next((word for word in words if word.text == text), None)


def _operations(table: str, service: str) -> frozenset[str]:
    start = table.find(f"\n{service}: ")
    if start < 0:
        return frozenset()
    end = re.compile(r"\n(?! )").search(table, start + 1)
    row = table[start + len(service) + 2 : end.start() if end else len(table)]
    return frozenset(
        verb if rest.strip() == "." else f"{verb}-{rest.strip()}"
        for verb, group in re.findall(r"([a-z-]+)\(([^)]*)\)", row)
        for rest in group.split(",")
    )
