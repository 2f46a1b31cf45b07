"""Begin, change and delete conversations."""

from collections.abc import Iterable

from planact.base.errors import Conflict
from planact.base.text import one_line
from planact.model.chat.message import Session
from planact.model.notice import ModeNotice
from planact.model.rights.permission import Mode
from planact.workflows.hooks import confirm_deletion
from planact.workflows.workspace import Workspace

_MOST_OF_A_TITLE = 60


def new_session(ws: Workspace, mode: Mode | None = None) -> Session:
    """A new session, in the mode that the settings say if none is given."""
    mode = mode or start_mode(ws)
    now = ws.now()
    session = Session(id=ws.ports.ids.uuid7(), mode=mode, role=default_role(ws, mode), created_at=now, updated_at=now)
    ws.ports.sessions.put(session)
    ws.record("mode_entered", session.id, {"mode": mode.value, "by": "new session"})
    ws.ports.editor.notify(ModeNotice(session))
    return session


def start_mode(ws: Workspace) -> Mode:
    """Return the mode of new sessions, by the settings."""
    return Mode.ACT if ws.settings.start_mode == "act" else Mode.PLAN


def with_content(ws: Workspace, sessions: Iterable[Session]) -> list[Session]:
    """Return the sessions worth coming back to: with messages, a choice or a current plan. Many commands need a session
    for a question at most.
    """
    return [
        session
        for session in sessions
        if session.title or session.plan_file or session.model or session.role != default_role(ws, session.mode)
    ]


def change_session(ws: Workspace, session_id: str, **changes: object) -> Session:
    """Keep a change of a session; the clients hear of a change of mode, role or plan."""
    before = ws.ports.sessions.get(session_id)
    session = before.model_copy(update={**changes, "updated_at": ws.now()})
    ws.ports.sessions.put(session)
    if (before.mode, before.role, before.plan_file) != (session.mode, session.role, session.plan_file):
        ws.ports.editor.notify(ModeNotice(session))
    return session


def name_session(ws: Workspace, session_id: str, text: str) -> None:
    """A session is called after what it was about first."""
    if not ws.ports.sessions.get(session_id).title:
        change_session(ws, session_id, title=title_from(text))


def rename_session(ws: Workspace, session_id: str, title: str) -> Session:
    """Give the session another title, in one line."""
    return change_session(ws, session_id, title=one_line(title, _MOST_OF_A_TITLE))


async def delete_session(ws: Workspace, session_id: str) -> None:
    """Forget a conversation and its open questions. Its plans and executions stay.

    Raises:
        Conflict: BUSY, while work runs in it; NOT_CONFIRMED, when the user says no.
    """
    session = ws.ports.sessions.get(session_id)
    ws.check_idle(session_id)
    name, subject = f"the session “{session.title or session.id}”", f"delete session {session.id}"
    context = "What was said in it is gone; its plans and what they changed stay."
    if not await confirm_deletion(ws, session.id, name, subject, context):
        raise Conflict(
            "NOT_CONFIRMED", "the session was not deleted: you didn't confirm it", "Confirm it to delete it."
        )
    ws.check_idle(session_id)  # work may have begun while the user thought
    ws.questions.cancel_all(session_id, "the session was deleted")
    ws.ports.sessions.delete(session_id)
    ws.ports.scratch.remove(session_id)


def default_role(ws: Workspace, mode: Mode) -> str:
    """The name of the role that a switch to `mode` selects, by the settings."""
    return ws.settings.roles.plan if mode is Mode.PLAN else ws.settings.roles.act


def title_from(text: str) -> str:
    """A short title from what the user said first."""
    first = next((line.strip() for line in text.splitlines() if line.strip()), "")
    return first if len(first) <= _MOST_OF_A_TITLE else f"{first[: _MOST_OF_A_TITLE - 1]}…"
