"""The current session of each workspace folder, and the session that a command means."""

import contextlib
from collections.abc import Callable, Sequence
from pathlib import Path

from planact.base.errors import NotFound
from planact.lsp.protocol.arguments import OneSession
from planact.model.chat.message import Session
from planact.model.notice import ModeNotice
from planact.model.rights.permission import Mode
from planact.workflows.sessions.choose_model import check_model
from planact.workflows.sessions.manage import change_session, new_session
from planact.workflows.workspace import Workspace


class CurrentSessions:
    """Current sessions. `workspace` returns the folder with a URI, or the first; `workspaces` the one with that URI, or
    all.
    """

    def __init__(self, workspace: Callable[[str], Workspace], workspaces: Callable[[str], Sequence[Workspace]]) -> None:
        self._workspace = workspace
        self._workspaces = workspaces
        self._current: dict[Path, str] = {}

    def find(self, named: OneSession) -> tuple[Workspace, Session]:
        """Return the session that arguments name, or the current one of their folder, which is made when there is none.

        Raises:
            NotFound: SESSION_NOT_FOUND, NO_WORKSPACE.
        """
        if not named.session_id:
            ws = self._workspace(named.folder)
            return ws, self.named_or_current(ws)
        for ws in self._workspaces(named.folder):
            with contextlib.suppress(NotFound):
                return ws, ws.ports.sessions.get(named.session_id)
        raise NotFound(
            "SESSION_NOT_FOUND", f"there is no session {named.session_id}", "List the sessions to see what is there."
        )

    def choose(self, named: OneSession) -> tuple[Workspace, Session]:
        """Find the session as `find` does, and make it current."""
        ws, session = self.find(named)
        return ws, self.make_current(ws, session)

    def named_or_current(self, ws: Workspace, session_id: str = "") -> Session:
        """Return a session of a folder; empty = the current one, which is made when there is none."""
        found = ws.ports.sessions.get(session_id) if session_id else self.current(ws)
        return self.make_current(ws, found or new_session(ws))

    def for_planning(self, ws: Workspace, session_id: str, path: str = "") -> Session:
        """Return a session in Plan that has no work running: the named one, the current one, or a new one, unless no
        model is chosen for that.

        `path` is the document of the plan to go on with, if there is one already.
        """
        idle = self._idle(ws, session_id, path)
        if idle is None:
            check_model(ws, Mode.PLAN)
        return idle or self.make_current(ws, new_session(ws, Mode.PLAN))

    def for_questions(self, ws: Workspace, session_id: str, path: str = "") -> Session:
        """Return a session as `for_planning` does, for work that needs no model but may ask the user."""
        return self._idle(ws, session_id, path) or self.make_current(ws, new_session(ws, Mode.PLAN))

    def for_executing(self, ws: Workspace, session_id: str, path: str) -> Session:
        """Return the named session, the last one that worked on the plan, or a new one, which works on it from now on.
        Another command on this plan comes to the same session, and so to its open question.
        """
        if session_id:
            return self.make_current(ws, ws.ports.sessions.get(session_id))
        session = self._last_on(ws, path) or change_session(ws, new_session(ws, Mode.PLAN).id, plan_file=path)
        return self.make_current(ws, session)

    def current(self, ws: Workspace) -> Session | None:
        """Return the folder's current session, unless it was deleted."""
        with contextlib.suppress(NotFound):
            return ws.ports.sessions.get(self._current.get(ws.ports.files.root, ""))
        return None

    def make_current(self, ws: Workspace, session: Session) -> Session:
        """Make the session current: commands without a session id mean it from now on, and the client is notified."""
        if self._current.get(ws.ports.files.root) != session.id:
            self._current[ws.ports.files.root] = session.id
            ws.ports.editor.notify(ModeNotice(session))
        return session

    def to_stop(self, named: OneSession) -> tuple[Workspace, Session]:
        """Return the session that arguments name; without one, the current one if it works, else any that does, those
        of the named folder first.
        """
        if not named.session_id:
            asked_first = self._workspace(named.folder) if named.folder else None
            for ws in sorted(self._workspaces(""), key=lambda each: each is not asked_first):
                current = self._current.get(ws.ports.files.root, "")
                for running in sorted(ws.running, key=lambda each: each != current):
                    return ws, ws.ports.sessions.get(running)
        return self.find(named)

    def _idle(self, ws: Workspace, session_id: str, path: str) -> Session | None:
        if session_id:
            return self.make_current(ws, ws.ports.sessions.get(session_id))
        for known in (self.current(ws), self._last_on(ws, path)):  # of a server that has just started, the latter
            is_idle = known is not None and known.mode is Mode.PLAN and known.id not in ws.running
            if known is not None and is_idle and known.plan_file in ("", path):
                return self.make_current(ws, known)
        return None

    def _last_on(self, ws: Workspace, path: str) -> Session | None:
        """Return the last session that worked on the plan."""
        return next((each for each in ws.ports.sessions.list() if path and each.plan_file == path), None)
