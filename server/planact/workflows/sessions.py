"""Begin, open and list conversations."""

from planact.model.notice import ModeChanged
from planact.model.permission import Mode
from planact.model.session import Session
from planact.workflows.workspace import Workspace


def new_session(ws: Workspace, mode: Mode | None = None) -> Session:
    """A new session, in the mode that the settings say if none is given."""
    mode = mode or Mode(ws.settings.start_mode)
    now = ws.now()
    session = Session(id=ws.ports.ids.uuid7(), mode=mode, role=default_role(ws, mode), created_at=now, updated_at=now)
    ws.ports.sessions.put(session)
    ws.record("mode_entered", session.id, {"mode": mode.value, "by": "new session"})
    ws.ports.editor.tell(ModeChanged(session))
    return session


def change_session(ws: Workspace, session_id: str, **changes: object) -> Session:
    """Keep a change of a session; the clients hear of a change of mode, role or plan."""
    before = ws.ports.sessions.get(session_id)
    session = before.model_copy(update={**changes, "updated_at": ws.now()})
    ws.ports.sessions.put(session)
    if (before.mode, before.role, before.plan_file) != (session.mode, session.role, session.plan_file):
        ws.ports.editor.tell(ModeChanged(session))
    return session


def default_role(ws: Workspace, mode: Mode) -> str:
    """The name of the role that a switch to `mode` selects, by the settings."""
    return ws.settings.roles.plan if mode is Mode.PLAN else ws.settings.roles.act


def title_from(text: str) -> str:
    """A short title from what the user said first."""
    first = next((line.strip() for line in text.splitlines() if line.strip()), "")
    return first if len(first) <= 60 else f"{first[:59]}…"
