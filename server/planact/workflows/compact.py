"""Make a conversation shorter because the user wants it; where it fills the context, that happens by itself."""

from dataclasses import dataclass

from planact.agent.ask_model import Asker, Spent
from planact.agent.compact import Compactor
from planact.agent.context import request_messages, tokens_of
from planact.model.message import Message, standing
from planact.tools.trace import Trace
from planact.workflows.choose_model import model_name
from planact.workflows.take_turn import Scope, make_turn
from planact.workflows.workspace import Workspace


@dataclass(frozen=True, slots=True)
class Compacted:
    """About so many tokens the conversation took before and after; `message` stands for what was left out, None =
    there was nothing that could be.
    """

    before: int
    after: int
    message: Message | None


async def compact(ws: Workspace, session_id: str) -> Compacted:
    """Compact a session in which nothing runs. The transcript stays whole; only the model gets to know less.

    Raises:
        Conflict: BUSY. NotFound: SESSION_NOT_FOUND.
        ModelFailure: the model, which writes the summary, can't be reached.
        Stopped: the user stopped it; nothing was compacted.
    """
    before = _size(ws, session_id)
    message = await ws.work(session_id, _compact(ws, session_id))
    return Compacted(before, _size(ws, session_id), message)


async def _compact(ws: Workspace, session_id: str) -> Message | None:
    name = model_name(ws, session_id)
    model = ws.ports.models.open(name)
    turn, _ = make_turn(ws, session_id, Scope(), Trace(), name)
    asker = Asker(ws.ports, model, turn, Spent(), window=ws.ports.models.about(name).context_tokens)
    return await Compactor(asker).compact(_own(ws, session_id), is_wish=True)


def _own(ws: Workspace, session_id: str) -> list[Message]:
    return [message for message in standing(ws.ports.sessions.messages(session_id)) if not message.errand]


def _size(ws: Workspace, session_id: str) -> int:
    return tokens_of(*request_messages("", _own(ws, session_id))[1:])
