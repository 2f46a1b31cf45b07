"""What the gate would say to a call, in each mode, from the gate itself: nothing is asked, run or recorded.

Only a tool of an MCP server has its server started, which alone knows the tool.
"""

from collections.abc import Mapping

from planact.model.mcp import PREFIX
from planact.model.permission import Mode
from planact.model.session import Session
from planact.model.tool_call import ToolCall
from planact.policy.standing import Standing
from planact.tools.judged import Judged
from planact.tools.outcome import Failed
from planact.workflows.offer_mcp import find_mcp_tools
from planact.workflows.roles import mode_of_role, role_of_new_session
from planact.workflows.take_turn import Scope, standing_of
from planact.workflows.workspace import Workspace


def standings(ws: Workspace) -> Mapping[Mode, Standing]:
    """What would be so in each mode, in a new session without a plan, with the settings and rules as they are now."""
    return {mode: _standing(ws, mode) for mode in Mode}


async def explain_call(
    ws: Workspace, call: ToolCall, standing: Mapping[Mode, Standing]
) -> Mapping[Mode, Judged] | Failed:
    """The verdicts by mode; Failed where there is no such tool, or its arguments make no sense."""
    more = await find_mcp_tools(ws, "", standing[Mode.ACT]) if call.name.startswith(PREFIX) else {}
    judged = await ws.gate.explain(call, tuple(standing.values()), lambda name: mode_of_role(ws, name), more)
    return judged if isinstance(judged, Failed) else dict(zip(standing, judged, strict=True))


def _standing(ws: Workspace, mode: Mode) -> Standing:
    role = role_of_new_session(ws, mode)
    return standing_of(ws, Session(id="", mode=mode, role=role.name), role, Scope())
