"""Delegate a task from one role to another, whose turn runs inside the first one's.

A delegate shares the session, its journal and its budget. Its messages are kept in the same transcript, marked with the
id of its subtask, and stay out of its parent's context. Its rights are its role's, cut down at each verdict to those
that the parent's role hands out and the mode allows at that moment.
"""

from dataclasses import replace
from functools import reduce
from typing import assert_never

from planact.agent.loop import TurnResult
from planact.base.errors import InvalidInput
from planact.model.chat.message import Usage
from planact.model.notice import ToolNotice
from planact.model.rights.permission import Role
from planact.policy.context import PolicyContext
from planact.policy.rights import DELEGATING, delegate_role
from planact.tools.turn import EndTurn
from planact.workflows.history.earlier_answers import answers_for_delegate
from planact.workflows.sessions.choose_model import model_name
from planact.workflows.sessions.roles import RoleWatch, usable_role
from planact.workflows.turns.turn_runner import TurnRunner
from planact.workflows.workspace import Workspace

MAX_REPORT = 12_000
"""Characters that the parent reads at once."""


def part_of_report(text: str, subtask_id: str, skip: int = 0) -> str:
    """Return the report from character `skip` on, at most `MAX_REPORT` characters, with a line on how to read on."""
    end = skip + MAX_REPORT
    if len(text) <= end:
        return text[skip:]
    return f"{text[skip:end]}\n… {len(text) - end} more characters; go on with report={subtask_id}, skip={end}"


def read_report(ws: Workspace, session_id: str, subtask_id: str, skip: int) -> str:
    """Return a part of a report that was made in this session.

    Raises:
        InvalidInput: INVALID_ARGUMENTS.
    """
    said = (each for each in reversed(ws.ports.sessions.messages(session_id)) if each.subtask_id == subtask_id)
    text = next((each.content.strip() for each in said if each.role == "assistant"), "")
    if not subtask_id or skip >= len(text):
        cause = f"has no more than {len(text)} characters" if text else "is none of this session"
        hint = "Take `report` and `skip` from where it was cut"
        raise InvalidInput("INVALID_ARGUMENTS", f"the report {subtask_id} {cause}", hint)
    return part_of_report(text, subtask_id, skip)


async def delegate(parent: TurnRunner, role_name: str, task: str) -> str:
    """Have another role work on a task, and return its report.

    Raises:
        NotFound: ROLE_NOT_FOUND. InvalidInput: ROLE_INVALID.
        EndTurn: a question waits, or the user stopped the work.
    """
    ws, session_id = parent.ws, parent.turn.session_id
    role = usable_role(ws, role_name)
    watch = RoleWatch(ws, session_id, role.name)

    def policy_context() -> PolicyContext:
        return delegate_context(watch.role(ws.ports.sessions.get(session_id)), parent.turn.policy_context())

    # Others may read at the same time: what its commands said is its own.
    trace = replace(parent.turn.trace, commands=[]) if parent.is_reading_role(role.name) else parent.turn.trace
    model = model_name(ws, session_id, role.name)
    turn = replace(parent.turn, policy_context=policy_context, model=model, trace=trace)
    subtask_id = ws.ports.ids.uuid7()
    child = TurnRunner(
        ws, turn, parent.prompt_context, parent.budget, parent.spent, parent.mcp_tools, subtask_id=subtask_id
    )
    text = f"The task of the {role.name}:\n\n{task}\n\nYour last message goes back as your report."
    answers = answers_for_delegate(ws, session_id, turn.execution_id)
    text = f"{text}\n\n{answers}" if answers else text
    ws.add_message(session_id, "system", text, for_model=True, delegate=subtask_id)
    try:
        result = await child.run()
    finally:
        _notify_cost(ws, session_id, role.name, subtask_id)
    return _report(result, subtask_id)


def _notify_cost(ws: Workspace, session_id: str, role_name: str, subtask_id: str) -> None:
    messages = (each for each in ws.ports.sessions.messages(session_id) if each.subtask_id == subtask_id)
    used = reduce(Usage.plus, (each.usage for each in messages if each.usage), Usage())
    if used.requests:
        ws.ports.editor.notify(ToolNotice(session_id, DELEGATING, f"the {role_name} used {used.in_words()}"))


def delegate_context(role: Role, parent: PolicyContext) -> PolicyContext:
    """Return the policy context of a delegate: the parent's, with no right that the parent can't hand out."""
    return replace(parent, role=delegate_role(role, parent.role, parent.mode), is_delegate=True)


def _report(result: TurnResult, subtask_id: str) -> str:
    text = part_of_report(result.text.strip() or "It said nothing.", subtask_id)
    match result.kind:
        case "finished":
            return text
        case "refused" | "limit" | "nothing_done":
            return f"{text}\n\n[planact] It ended before it was done: {result.reason}"
        case "waiting" | "stopped" | "cancelled" | "replan" | "accepted" | "review":
            raise EndTurn(result.kind, result.reason)
        case _:
            assert_never(result.kind)
