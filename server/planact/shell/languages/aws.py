"""The AWS CLI: the class of an operation stands in the generated table; the few exceptions stand here.

Options are free, but for those that would send requests to another server: a read stays one with any other options.
"""

import re
from collections.abc import Sequence

from planact.base.text import word_set
from planact.shell.aws import operations
from planact.shell.table import CallRefused, CommandCall, Judge
from planact.shell.words import ShellWord

_GLOBAL = word_set("--region --profile --output --query --color --cli-read-timeout --cli-connect-timeout")
_GLOBAL_LONE = word_set("--no-cli-pager --no-paginate --no-sign-request --debug --no-cli-auto-prompt")
# They send credentials to another server, ask at a terminal, or write files.
_REFUSED = ("--endpoint-url", "--cli-auto-prompt", "--ca-bundle", "--outfile", "--save-as", "--no-verify-ssl")
# They make a read show values that it otherwise leaves out; the last two may ask for that in a text that isn't parsed.
_REVEALING = ("--with-decryption", "--include-values", "--cli-input-json", "--cli-input-yaml")
_MAY_REVEAL = re.compile(r"ssm get-parameter|apigateway get-api-key")
_SETTING = re.compile(r"(?:[\w-]+\.)?(?:region|output|cli_pager|sso_[a-z_]+|role_arn|source_profile)\Z")
_NAME = re.compile(r"[a-z0-9][a-z0-9-]*\Z")
_SIGNS_IN_OR_OUT = ("login", "logout")


def check_aws(call: CommandCall, judge: Judge) -> None:
    """Raise Refused for operations that may do more than read."""
    words = list(call.arguments)
    texts = [word.text for word in words]
    if texts == ["--version"]:
        return
    service, operation, rest = _split(call, words)
    name = f"{service} {operation}"
    kind = operations(service).get(f"wait {rest[0]}" if operation == "wait" and rest else operation)
    # To standard output it only reads, but no check covers that.
    if name == "s3 cp" and rest[-1:] == ["-"]:
        kind = "other"
    if kind == "write" or service in _SIGNS_IN_OR_OUT:
        raise CallRefused("aws", f"`aws {name.strip()}` changes things", _at(words, operation) or call.name, "mutating")
    _check_options(call, rest, words)
    is_setting = name == "configure get" and len(rest) == 1 and _SETTING.match(rest[0])
    if kind not in ("read", "secret", "wait") and not is_setting:
        raise CallRefused("aws", f"`aws {name}` may change resources", _at(words, operation) or call.name)
    if kind == "secret" or (_MAY_REVEAL.match(name) and any(map(_reveals, rest))):
        judge.mark("secret")
    for text in rest:
        if found := re.match(r"(?:.*=)?fileb?://(.+)\Z", text):
            judge.read(ShellWord(found[1]))


def _split(call: CommandCall, words: Sequence[ShellWord]) -> tuple[str, str, list[str]]:
    """Return service, operation, and the texts behind, without the options before that say where and how."""
    found: list[str] = []
    at = 0
    while at < len(words) and len(found) < 2 and found[:1] not in (["login"], ["logout"]):
        text = words[at].text
        if text.partition("=")[0] in _GLOBAL:
            at += 1 if "=" in text else 2
        elif text in _GLOBAL_LONE:
            at += 1
        elif _NAME.match(text) and words[at].is_exact and words[at].is_one:
            found.append(text)
            at += 1
        else:
            raise CallRefused("aws", "`aws` with an unknown option", call.name)
    if not found or (len(found) < 2 and found[0] not in _SIGNS_IN_OR_OUT):
        raise CallRefused("aws", "`aws` without an operation", call.name)
    return found[0], found[1] if len(found) > 1 else "", [word.text for word in words[at:]]


def _check_options(call: CommandCall, rest: Sequence[str], words: Sequence[ShellWord]) -> None:
    for text in rest:
        option = text.partition("=")[0]
        # The CLI takes abbreviations.
        if option.startswith("--") and any(refused.startswith(option) for refused in _REFUSED):
            raise CallRefused("aws", f"`aws … {option}` isn't a known harmless option", _at(words, text) or call.name)


def _reveals(text: str) -> bool:
    option = text.partition("=")[0]
    return option.startswith("--") and any(revealing.startswith(option) for revealing in _REVEALING)


def _at(words: Sequence[ShellWord], text: str) -> ShellWord | None:
    return next((word for word in words if word.text == text), None)
