"""Messages that the user wrote while work ran and that no model has read yet: the work reads them at its next request,
and late ones are sent afterwards.
"""

from planact.base.errors import PlanactError
from planact.model.chat.message import Message, active_messages
from planact.model.rights.permission import Mode
from planact.workflows.runs.make_plan import plan_instead
from planact.workflows.runs.run_without_plan import run_without_plan
from planact.workflows.sessions.context import own_transcript
from planact.workflows.turns.take_turn import TurnTaken
from planact.workflows.workspace import Stopped, Workspace


def unread(ws: Workspace, session_id: str) -> tuple[Message, ...]:
    """The messages that were queued since the model was asked last: those after its last reply, and those just before
    it that are younger than its id, which is as old as the request.
    """
    messages = own_transcript(ws, session_id)
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
    return tuple(m for m in active_messages(ws.ports.sessions.messages(session_id)) if m.is_said_by_user)


def unread_as_text(ws: Workspace, session_id: str) -> str:
    """Return the unread messages as text for a new context; empty when there are none."""
    texts = "\n\n".join(message.content for message in unread(ws, session_id))
    return f"\n\nThe user wrote before it, and it was not read yet:\n\n{texts}" if texts else ""


async def handle_unread(ws: Workspace, session_id: str) -> TurnTaken | None:
    """Let the agent work on what came after the last request of a run that is over. Return the turn that made a plan
    for it, where the user chose that. What goes wrong is told.
    """
    try:
        while (late := unread(ws, session_id)) and _may_act(ws, session_id):
            task = late[-1].content
            result = await run_without_plan(ws, session_id, task, None)
            if result.kind == "replan":
                return await plan_instead(ws, session_id, task, result.reason)
    except Stopped:
        return None
    except PlanactError as error:
        ws.add_message(
            session_id, "system", f"What you wrote meanwhile could not be worked on: {error.message}. {error.hint}"
        )
    return None


def _may_act(ws: Workspace, session_id: str) -> bool:
    return ws.ports.sessions.get(session_id).mode is Mode.ACT and not ws.is_working(session_id)
