"""What the user wrote while work ran and no model has read yet: each work reads it at its next request, and what comes
too late for that is not left lying.
"""

from planact.base.errors import PlanactError
from planact.model.message import Message, standing
from planact.model.permission import Mode
from planact.workflows.loose_work import do_loose_work
from planact.workflows.workspace import Stopped, Workspace


def unread(ws: Workspace, session_id: str) -> tuple[Message, ...]:
    """The messages that were queued since the model was asked last: those after its last reply, and those just before
    it that are younger than its id, which is as old as the request.
    """
    messages = [message for message in standing(ws.ports.sessions.messages(session_id)) if not message.errand]
    replies = [place for place, message in enumerate(messages) if message.role == "assistant"]
    before, last = [-1, -1, *replies][-2:]
    return tuple(
        message
        for place, message in enumerate(messages)
        if message.metadata.get("queued") and message.is_said_by_user
        # Only there are ids compared: the clock may have been set since.
        if place > last or (place > before and message.id > messages[last].id)
    )


def said_by_user(ws: Workspace, session_id: str) -> tuple[Message, ...]:
    """The messages of the user's that the conversation stands on."""
    return tuple(m for m in standing(ws.ports.sessions.messages(session_id)) if m.is_said_by_user)


def told_unread(ws: Workspace, session_id: str) -> str:
    """The same for a context that begins anew, in the words that begin it; empty when there is none."""
    texts = "\n\n".join(message.content for message in unread(ws, session_id))
    return f"\n\nThe user wrote before it, and it was not read yet:\n\n{texts}" if texts else ""


async def heed_unread(ws: Workspace, session_id: str) -> None:
    """Let the agent work on what came after the last request of a run that is over. What goes wrong is told."""
    try:
        while (late := unread(ws, session_id)) and _may_act(ws, session_id):
            await do_loose_work(ws, session_id, late[-1].content, None)
    except Stopped:
        return
    except PlanactError as error:
        ws.say(session_id, "system", f"What you wrote meanwhile could not be worked on: {error.message}. {error.hint}")


def _may_act(ws: Workspace, session_id: str) -> bool:
    return ws.ports.sessions.get(session_id).mode is Mode.ACT and not ws.is_working(session_id)
