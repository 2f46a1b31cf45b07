"""What the user's settings deny stays denied, whatever else a line does."""

from dataclasses import replace
from pathlib import PurePosixPath

import pytest

from planact.model.rights.permission import Mode
from planact.policy.context import Deny, PolicyContext, Request
from planact.policy.decide import decide
from tests.policy.touches import command, unlisted
from tests.shell.judged import classify

ACT = PolicyContext(
    *(Mode.ACT, unlisted("actor"), PurePosixPath(".planact/plans")),
    approval="acceptAll",
    commands_deny=frozenset({"terraform"}),
)


def is_denied(line: str) -> bool:
    touch = replace(command(line, "unknown"), found=classify(line))
    verdict = decide(Request("execute_command", frozenset(), False, (touch,)), ACT)
    return isinstance(verdict, Deny) and verdict.code == "COMMAND_DENIED"


@pytest.mark.parametrize(
    "line",
    [
        "bash -c 'terraform apply'",
        "touch a; bash -c 'terraform apply'",
        "sed -i s/a/b/ f && eval terraform apply",
        "sudo terraform apply",
        "git commit -qm a; ./with-keys terraform apply",
        "mkdir a; x=terraform; $x apply",
        "find . -exec terraform {} +",
        "rm -f a; env terraform apply",
    ],
)
def test_in_a_line_that_is_known_to_change_something_too(line: str) -> None:
    assert is_denied(line)


@pytest.mark.parametrize("line", ["git commit -m 'Update terraform'", "touch a; grep terraform a", "mkdir terraform"])
def test_a_text_or_a_name_is_no_program(line: str) -> None:
    assert not is_denied(line)
