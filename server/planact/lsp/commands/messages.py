"""The command that sends the agent a message."""

import contextlib
from contextlib import AbstractAsyncContextManager
from typing import Literal, Self

from lsprotocol import types
from pydantic import model_validator

from planact.agent.loop import EndKind, TurnResult
from planact.base.errors import InvalidInput
from planact.base.frozen_model import FrozenModel
from planact.lsp.editor.progress import Progress
from planact.lsp.host.ask_after_response import ask_after_response
from planact.lsp.host.workspace_host import host_of
from planact.lsp.protocol.arguments import OneSession
from planact.lsp.server import PlanactServer
from planact.model.chat.image import Image
from planact.model.chat.message import Session
from planact.policy.rights import MODE_TITLES
from planact.workflows.chat.ask_way_on import needs_way_on
from planact.workflows.chat.handle_slash_command import handle_slash_command
from planact.workflows.chat.send_message import ask_about, send_message
from planact.workflows.chat.slash_commands import SlashCommandCall, parse_slash_command
from planact.workflows.chat.try_again import try_again
from planact.workflows.sessions.choose_model import check_model
from planact.workflows.sessions.manage import start_mode
from planact.workflows.turns.mentions import Handed
from planact.workflows.workspace import Stopped, Workspace

_STATUSES: dict[EndKind, Literal["done", "waiting", "stopped", "refused", "nothing_done"]] = {
    "finished": "done",
    "waiting": "waiting",
    "stopped": "stopped",
    "cancelled": "stopped",
    "replan": "stopped",
    "refused": "refused",
    "limit": "stopped",
    "review": "stopped",
    "accepted": "done",
    "nothing_done": "nothing_done",
}


class SendMessage(OneSession):
    """A message of the user. While work runs it is queued and read at the next safe point.

    `about` is a place in the folder such as `src/app.py:10-20`; then the server asks for the text if there is none, in
    a session of its own in Plan, and shows the answer. `images` go to models that take them.

    Files and folders that the text mentions (`@src/app.py:10-20`, `@folder:src`) are read for the model, within the
    limits of its own reads. `selection`, a place like that, is the meaning of `@selection`, and `problems`, one a line,
    that of `@problems`.
    """

    text: str = ""
    about: str = ""
    images: tuple[Image, ...] = ()
    selection: str = ""
    problems: tuple[str, ...] = ()

    @model_validator(mode="after")
    def _has_one(self) -> Self:
        if not self.text and not self.about:
            raise ValueError("give a text, or the place that it is about")
        return self


class TurnEnded(FrozenModel):
    """The end of the turn that answered a message.

    `done`: `text` is the answer; `waiting`: a question is open; `stopped`, `refused` (a change was, and none was
    made), `nothing_done` (a change or a plan was asked for): `reason` says why, `text` is the answer; `queued`: work is
    running, and the message is read at the next safe point. After `refused` and `nothing_done` in Plan, a question
    follows that offers a plan or Act.
    """

    session_id: str
    status: Literal["done", "waiting", "stopped", "refused", "nothing_done", "queued"]
    text: str = ""
    reason: str = ""


async def handle_send_message(ls: PlanactServer, arguments: SendMessage) -> TurnEnded:
    """Send the agent a message, or run a slash command, and wait for the end of the turn."""
    said = None if arguments.about else parse_slash_command(arguments.text)
    ws, session = _choose_session(ls, arguments, needs_model=said is None and bool(arguments.text.strip()))
    if said is not None and arguments.images:
        raise InvalidInput("INVALID_ARGUMENTS", f"images don't go with {said.name}", "Send them with a message.")
    if said is not None:
        return await _run_slash_command(ls, ws, session, said)
    text = arguments.text
    if arguments.about:
        question = f"What do you want to know about `{arguments.about}`?"
        text = await ask_about(ws, session.id, arguments.about, text, question)
        if not text:
            return TurnEnded(session_id=session.id, status="stopped", reason="You asked nothing.")
    async with _progress(ls, ws, session):
        handed = Handed(arguments.selection, arguments.problems)
        result = await send_message(ws, session.id, text, arguments.images, handed)
    if result is None:
        return TurnEnded(session_id=session.id, status="queued")
    if arguments.about and result.text:
        ls.window_show_message(types.ShowMessageParams(types.MessageType.Info, result.text))
    if needs_way_on(ws, session.id, result):
        ask_after_response(ls, ws, session.id)
    return _ended(session.id, result)


async def handle_try_again(ls: PlanactServer, arguments: OneSession) -> TurnEnded:
    """Go on with the session's work, which ended with an error, where it ended."""
    ws, session = host_of(ls).sessions.choose(arguments)
    try:
        async with _progress(ls, ws, session):
            result = await try_again(ws, session.id)
    except Stopped:
        return TurnEnded(session_id=session.id, status="stopped", reason="You stopped it.")
    if result is None:
        return TurnEnded(session_id=session.id, status="done")
    if needs_way_on(ws, session.id, result):
        ask_after_response(ls, ws, session.id)
    return _ended(session.id, result)


async def _run_slash_command(ls: PlanactServer, ws: Workspace, session: Session, said: SlashCommandCall) -> TurnEnded:
    try:
        async with _progress(ls, ws, session) if said.works else contextlib.nullcontext():
            ended = await handle_slash_command(ws, session.id, said)
    except Stopped:
        return TurnEnded(session_id=session.id, status="stopped", reason="You stopped it.")
    if ended.session_id != session.id:
        host_of(ls).sessions.make_current(ws, ws.ports.sessions.get(ended.session_id))
    return _ended(ended.session_id, ended.result)


def _progress(ls: PlanactServer, ws: Workspace, session: Session) -> AbstractAsyncContextManager[Progress]:
    return host_of(ls).display.progress(ws, session.id, f"Planact: {MODE_TITLES[session.mode]}")


def _ended(session_id: str, result: TurnResult) -> TurnEnded:
    return TurnEnded(session_id=session_id, status=_STATUSES[result.kind], text=result.text, reason=result.reason)


def _choose_session(ls: PlanactServer, arguments: SendMessage, *, needs_model: bool) -> tuple[Workspace, Session]:
    """Choose the session. A question about a place in a file is answered in Plan, beside other work. No session begins
    for which no model is chosen.
    """
    host = host_of(ls)
    if arguments.about:
        ws = host.workspaces.get(arguments.folder)
        return ws, host.sessions.for_planning(ws, arguments.session_id)
    if needs_model and not arguments.session_id:
        ws = host.workspaces.get(arguments.folder)
        if host.sessions.current(ws) is None:
            check_model(ws, start_mode(ws))
    return host.sessions.choose(arguments)
