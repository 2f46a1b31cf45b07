"""`delegate` acts only on the conversation; whom work can be handed to, the gate decides."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from planact.policy.context import PolicyContext
from planact.policy.roles import built_in_role
from planact.tools.registry import for_delegates, tools_for
from planact.tools.tool_result import Done, Failed, Refused
from tests.fakes.bench import ACT, PLAN, Bench

COMMANDING = replace(ACT, role=built_in_role("commander"))


def planning() -> PolicyContext:
    """A role of Plan that may hand out work."""
    tools = frozenset({frozenset({"delegate"})})
    return replace(PLAN, role=replace(PLAN.role, rights=replace(PLAN.role.rights, tools=tools)))


@pytest.mark.parametrize(
    ("standing", "role", "expected"),
    [
        (COMMANDING, "actor", "done"),
        (COMMANDING, "reviewer", "done"),
        (COMMANDING, "nobody", "done"),
        (planning(), "reviewer", "done"),
        (planning(), "actor", "TOOL_BLOCKED_BY_MODE"),
        (PLAN, "reviewer", "TOOL_BLOCKED_BY_ROLE"),
        (ACT, "tester", "TOOL_BLOCKED_BY_ROLE"),
        (replace(COMMANDING, is_delegate=True), "tester", "TOOL_BLOCKED_BY_ROLE"),
    ],
)
def test_who_may_hand_work_to_whom(tmp_path: Path, standing: PolicyContext, role: str, expected: str) -> None:
    outcome = Bench(tmp_path, standing).run("delegate", role=role, task="look")
    if expected == "done":
        assert outcome == Done(f"{role} did look")
    else:
        assert isinstance(outcome, Refused)
        assert outcome.code == expected


@pytest.mark.parametrize("arguments", [{}, {"role": "", "task": "x"}, {"role": "actor", "task": ""}, {"role": 3}])
def test_a_task_has_a_role_and_a_text(tmp_path: Path, arguments: dict[str, Any]) -> None:
    outcome = Bench(tmp_path, COMMANDING).run("delegate", **arguments)
    assert isinstance(outcome, Failed)
    assert outcome.code == "INVALID_ARGUMENTS"


def test_delegates_are_not_offered_what_is_not_for_them() -> None:
    for name in ("commander", "planner"):
        tools = tools_for(built_in_role(name).rights)
        left_out = {tool.name for tool in tools} - {tool.name for tool in for_delegates(tools)}
        assert left_out == {"delegate"} if name == "commander" else {"exit_plan_mode"}
