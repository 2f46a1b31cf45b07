"""Offer a plan or Act in the client, after the response to a message that changed nothing in Plan."""

import asyncio

from lsprotocol import types

from planact.base.errors import PlanactError
from planact.lsp.host.workspace_host import host_of
from planact.lsp.server import PlanactServer
from planact.tools.turn import EndTurn
from planact.workflows.chat.ask_way_on import WayOn, ask_way_on, take_way_on
from planact.workflows.workspace import Stopped, Workspace

_TITLES: dict[WayOn, str] = {"plan": "Planact: planning", "act": "Planact: Act"}


def ask_after_response(ls: PlanactServer, ws: Workspace, session_id: str) -> None:
    """Ask once the request at work has its response, and do what the user chooses."""
    request = asyncio.current_task()
    assert request is not None
    host_of(ls).start(_ask(ls, ws, session_id, request))


async def _ask(ls: PlanactServer, ws: Workspace, session_id: str, request: "asyncio.Task[object]") -> None:
    await asyncio.wait([request])
    try:
        way = await ask_way_on(ws, session_id)
        if way == "leave":
            return
        async with host_of(ls).display.progress(ws, session_id, _TITLES[way]):
            result = await take_way_on(ws, session_id, way)
    except (Stopped, EndTurn):
        return
    except PlanactError as error:
        _show(ls, types.MessageType.Warning, f"{error.message[:1].upper()}{error.message[1:]}. {error.hint}".strip())
        return
    is_done = result.kind in ("finished", "accepted")
    if not is_done or not ls.client.planact.messages:  # others show what the agent says
        kind = types.MessageType.Info if is_done else types.MessageType.Warning
        _show(ls, kind, "\n".join(part for part in (result.text, result.reason) if part))


def _show(ls: PlanactServer, kind: types.MessageType, text: str) -> None:
    ls.window_show_message(types.ShowMessageParams(kind, text))
