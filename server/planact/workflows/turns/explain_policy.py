"""Explain the gate's verdict on a call in each mode, by the gate itself; no question is asked, no call run or recorded.

Only for a tool of an MCP server is the server started, which alone knows the tool.
"""

from collections.abc import Mapping

from planact.model.chat.message import Session, ToolCall
from planact.model.mcp import PREFIX
from planact.model.rights.permission import Mode
from planact.policy.context import PolicyContext
from planact.tools.calls.judged_call import JudgedCall
from planact.tools.commands.background import Background
from planact.tools.tool_result import Failed
from planact.workflows.sessions.roles import mode_of_role, role_of_new_session
from planact.workflows.turns.mcp_tools import find_mcp_tools
from planact.workflows.turns.take_turn import Scope, policy_context_of
from planact.workflows.workspace import Workspace


def standings(ws: Workspace) -> Mapping[Mode, PolicyContext]:
    """Return the policy context of each mode, in a run without a plan, under the present settings and rules."""
    return {mode: _standing(ws, mode) for mode in Mode}


async def explain_call(
    ws: Workspace, call: ToolCall, standing: Mapping[Mode, PolicyContext]
) -> Mapping[Mode, JudgedCall] | Failed:
    """Return the verdicts by mode; Failed where no tool has that name, or the arguments don't fit."""
    more = await find_mcp_tools(ws, "", standing[Mode.ACT]) if call.name.startswith(PREFIX) else {}
    gate = ws.gate.with_tools(more)
    judged = await gate.explain(call, tuple(standing.values()), lambda name: mode_of_role(ws, name))
    return judged if isinstance(judged, Failed) else dict(zip(standing, judged, strict=True))


def _standing(ws: Workspace, mode: Mode) -> PolicyContext:
    role = role_of_new_session(ws, mode)
    return policy_context_of(ws, Session(id="", mode=mode, role=role.name), role, Scope(background=Background()))
