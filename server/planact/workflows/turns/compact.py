"""Compact a conversation on the user's request; one that fills the model's window is compacted by the loop."""

from dataclasses import dataclass

from planact.agent.ask_model import Asker
from planact.agent.budget import TurnSpent
from planact.agent.compact import Compactor
from planact.model.chat.message import Message
from planact.tools.trace import Trace
from planact.workflows.sessions.choose_model import model_name
from planact.workflows.sessions.context import context_tokens, own_transcript
from planact.workflows.turns.take_turn import Scope, make_turn
from planact.workflows.workspace import Workspace


@dataclass(frozen=True, slots=True)
class Compacted:
    """Estimated tokens of a conversation before and after; `message` replaces the part left out, None = no part was."""

    before: int
    after: int
    message: Message | None


async def compact(ws: Workspace, session_id: str) -> Compacted:
    """Compact a session in which no turn runs. The transcript stays whole; only the model's requests get shorter.

    Raises:
        Conflict: BUSY. NotFound: SESSION_NOT_FOUND.
        ModelFailure: the model, which writes the summary, can't be reached.
        Stopped: the user stopped it; the conversation stays as it was.
    """
    before = _size(ws, session_id)
    message = await ws.work(session_id, _compact(ws, session_id))
    return Compacted(before, _size(ws, session_id), message)


async def _compact(ws: Workspace, session_id: str) -> Message | None:
    name = model_name(ws, session_id)
    model = ws.ports.models.open(name)
    turn, _ = make_turn(ws, session_id, Scope(), Trace(), name)
    asker = Asker(ws.ports, model, turn, TurnSpent(), window=ws.ports.models.about(name).context_tokens)
    return await Compactor(asker).compact(own_transcript(ws, session_id), is_wish=True)


def _size(ws: Workspace, session_id: str) -> int:
    return context_tokens(own_transcript(ws, session_id))
