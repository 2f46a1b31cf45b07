"""`planact.sendMessage`: say something to the agent, and wait for what comes of it."""

from typing import Literal

from lsprotocol import types

from planact.agent.loop import EndKind
from planact.lsp.arguments import SendMessage
from planact.lsp.host import host_of
from planact.lsp.results import TurnEnded
from planact.lsp.server import PlanactServer
from planact.model.permission import Mode
from planact.model.session import Session
from planact.policy.modes import MODE_TITLES
from planact.workflows.ask_about import words_about
from planact.workflows.send_message import send_message
from planact.workflows.workspace import Workspace

_STATUSES: dict[EndKind, Literal["done", "waiting", "stopped", "refused"]] = {
    "finished": "done",
    "waiting": "waiting",
    "stopped": "stopped",
    "refused": "refused",
    "limit": "stopped",
    "review": "stopped",
    "accepted": "done",
}


def register(server: PlanactServer) -> None:
    """Put the command on the server."""

    @server.command("planact.sendMessage")
    async def on_send_message(ls: PlanactServer, arguments: SendMessage) -> TurnEnded:
        ws, session = _session(ls, arguments)
        text = arguments.text
        if arguments.about:
            question = f"What do you want to know about `{arguments.about}`?"
            text = await words_about(ws, session.id, arguments.about, text, question)
            if not text:
                return TurnEnded(session_id=session.id, status="stopped", reason="You asked nothing.")
        async with host_of(ls).progress(ws, session.id, f"Planact: {MODE_TITLES[Mode(session.mode)]}"):
            result = await send_message(ws, session.id, text)
        if result is None:
            return TurnEnded(session_id=session.id, status="queued")
        if arguments.about and result.text:
            ls.window_show_message(types.ShowMessageParams(types.MessageType.Info, result.text))
        return TurnEnded(session_id=session.id, status=_STATUSES[result.kind], text=result.text, reason=result.reason)


def _session(ls: PlanactServer, arguments: SendMessage) -> tuple[Workspace, Session]:
    """Who asks about a place in a file is answered in Plan, whatever else goes on."""
    if arguments.about:
        ws = host_of(ls).workspace(arguments.folder)
        return ws, host_of(ls).planning_session(ws, arguments.session_id)
    ws, session = host_of(ls).find_session(arguments.session_id)
    return ws, host_of(ls).take_in_hand(ws, session)
