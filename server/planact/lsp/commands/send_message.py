"""`planact.sendMessage`: say something to the agent, and wait for what comes of it."""

from typing import Literal

from planact.agent.loop import EndKind
from planact.lsp.arguments import SendMessage
from planact.lsp.host import host_of
from planact.lsp.results import TurnEnded
from planact.lsp.server import PlanactServer
from planact.model.permission import Mode
from planact.policy.modes import MODE_TITLES
from planact.workflows.send_message import send_message

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
        ws, session = host_of(ls).find_session(arguments.session_id)
        host_of(ls).take_in_hand(ws, session)
        async with host_of(ls).progress(ws, session.id, f"Planact: {MODE_TITLES[Mode(session.mode)]}"):
            result = await send_message(ws, session.id, arguments.text)
        if result is None:
            return TurnEnded(session_id=session.id, status="queued")
        return TurnEnded(session_id=session.id, status=_STATUSES[result.kind], text=result.text, reason=result.reason)
