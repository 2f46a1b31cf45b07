"""`planact.sendMessage`: say something to the agent, and wait for what comes of it."""

import contextlib
from contextlib import AbstractAsyncContextManager
from typing import Literal

from lsprotocol import types

from planact.agent.loop import EndKind, TurnResult
from planact.base.errors import InvalidInput
from planact.lsp.arguments import SendMessage
from planact.lsp.host import host_of
from planact.lsp.progress import Progress
from planact.lsp.results import TurnEnded
from planact.lsp.server import PlanactServer
from planact.model.permission import Mode
from planact.model.session import Session
from planact.policy.modes import MODE_TITLES
from planact.workflows.ask_about import words_about
from planact.workflows.chat_words import SaidWord, read_word
from planact.workflows.choose_model import check_model
from planact.workflows.heed_word import heed_word
from planact.workflows.mentions import Handed
from planact.workflows.send_message import send_message
from planact.workflows.workspace import Stopped, Workspace

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
        said = None if arguments.about else read_word(arguments.text)
        ws, session = _session(ls, arguments, needs_model=said is None and bool(arguments.text.strip()))
        if said is not None and arguments.images:
            raise InvalidInput("INVALID_ARGUMENTS", f"images don't go with {said.name}", "Send them with a message.")
        if said is not None:
            return await _heed(ls, ws, session, said)
        text = arguments.text
        if arguments.about:
            question = f"What do you want to know about `{arguments.about}`?"
            text = await words_about(ws, session.id, arguments.about, text, question)
            if not text:
                return TurnEnded(session_id=session.id, status="stopped", reason="You asked nothing.")
        async with _progress(ls, ws, session):
            handed = Handed(arguments.selection, arguments.problems)
            result = await send_message(ws, session.id, text, arguments.images, handed)
        if result is None:
            return TurnEnded(session_id=session.id, status="queued")
        if arguments.about and result.text:
            ls.window_show_message(types.ShowMessageParams(types.MessageType.Info, result.text))
        return _ended(session.id, result)


async def _heed(ls: PlanactServer, ws: Workspace, session: Session, said: SaidWord) -> TurnEnded:
    try:
        async with _progress(ls, ws, session) if said.works else contextlib.nullcontext():
            heeded = await heed_word(ws, session.id, said)
    except Stopped:
        return TurnEnded(session_id=session.id, status="stopped", reason="You stopped it.")
    if heeded.session_id != session.id:
        host_of(ls).sessions.take(ws, ws.ports.sessions.get(heeded.session_id))
    return _ended(heeded.session_id, heeded.result)


def _progress(ls: PlanactServer, ws: Workspace, session: Session) -> AbstractAsyncContextManager[Progress]:
    return host_of(ls).progress(ws, session.id, f"Planact: {MODE_TITLES[session.mode]}")


def _ended(session_id: str, result: TurnResult) -> TurnEnded:
    return TurnEnded(session_id=session_id, status=_STATUSES[result.kind], text=result.text, reason=result.reason)


def _session(ls: PlanactServer, arguments: SendMessage, *, needs_model: bool) -> tuple[Workspace, Session]:
    """Who asks about a place in a file is answered in Plan, whatever else goes on. No session begins that no model
    could work in.
    """
    host = host_of(ls)
    if arguments.about:
        ws = host.workspace(arguments.folder)
        return ws, host.sessions.planning(ws, arguments.session_id)
    if needs_model and not arguments.session_id:
        ws = host.workspace(arguments.folder)
        if host.sessions.in_hand(ws) is None:
            check_model(ws, Mode(ws.settings.start_mode))
    return host.sessions.choose(arguments)
