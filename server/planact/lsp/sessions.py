"""The session in hand of each workspace folder, and which session a command means that names none."""

import contextlib
from collections.abc import Callable, Sequence
from pathlib import Path

from planact.base.errors import NotFound
from planact.lsp.arguments import OneSession
from planact.model.notice import ModeChanged
from planact.model.permission import Mode
from planact.model.session import Session
from planact.workflows.choose_model import check_model
from planact.workflows.sessions import change_session, new_session
from planact.workflows.workspace import Workspace


class Sessions:
    """`workspace` is the folder with a URI, or the first; `workspaces` the one with that URI, or all."""

    def __init__(self, workspace: Callable[[str], Workspace], workspaces: Callable[[str], Sequence[Workspace]]) -> None:
        self._workspace = workspace
        self._workspaces = workspaces
        self._in_hand: dict[Path, str] = {}

    def find(self, named: OneSession) -> tuple[Workspace, Session]:
        """The session that arguments name, or the one in hand of their folder, which is made when there is none.

        Raises:
            NotFound: SESSION_NOT_FOUND, NO_WORKSPACE.
        """
        if not named.session_id:
            ws = self._workspace(named.folder)
            return ws, self.of(ws)
        for ws in self._workspaces(named.folder):
            with contextlib.suppress(NotFound):
                return ws, ws.ports.sessions.get(named.session_id)
        raise NotFound(
            "SESSION_NOT_FOUND", f"there is no session {named.session_id}", "List the sessions to see what is there."
        )

    def choose(self, named: OneSession) -> tuple[Workspace, Session]:
        """The same, and it is in hand from now on."""
        ws, session = self.find(named)
        return ws, self.take(ws, session)

    def of(self, ws: Workspace, session_id: str = "") -> Session:
        """A session of a folder; empty = the one in hand, which is made when there is none."""
        found = ws.ports.sessions.get(session_id) if session_id else self.in_hand(ws)
        return self.take(ws, found or new_session(ws))

    def planning(self, ws: Workspace, session_id: str, path: str = "") -> Session:
        """One in Plan that has nothing running: the one asked for, the one in hand, or a new one, unless no model could
        work in that.

        `path` is the plan it is to go on with, if its document is there already.
        """
        free = self._free(ws, session_id, path)
        if free is None:
            check_model(ws, Mode.PLAN)
        return free or self.take(ws, new_session(ws, Mode.PLAN))

    def desk(self, ws: Workspace, session_id: str, path: str = "") -> Session:
        """The same for what needs no model, but may have something to ask."""
        return self._free(ws, session_id, path) or self.take(ws, new_session(ws, Mode.PLAN))

    def executing(self, ws: Workspace, session_id: str, path: str) -> Session:
        """The one asked for, the last one that had the plan in hand, or a new one, which has it from now on: whoever
        asks about this plan again comes to the same session, and so to the question that it may have open.
        """
        if session_id:
            return self.take(ws, ws.ports.sessions.get(session_id))
        session = self._last_about(ws, path) or change_session(ws, new_session(ws, Mode.PLAN).id, plan_file=path)
        return self.take(ws, session)

    def in_hand(self, ws: Workspace) -> Session | None:
        """The folder's session in hand, if there is one that nobody has deleted."""
        with contextlib.suppress(NotFound):
            return ws.ports.sessions.get(self._in_hand.get(ws.ports.files.root, ""))
        return None

    def take(self, ws: Workspace, session: Session) -> Session:
        """Put it in hand: commands without a session id mean it from now on, and the client hears of it."""
        if self._in_hand.get(ws.ports.files.root) != session.id:
            self._in_hand[ws.ports.files.root] = session.id
            ws.ports.editor.tell(ModeChanged(session))
        return session

    def to_stop(self, named: OneSession) -> tuple[Workspace, Session]:
        """The session that arguments name; without one, the one in hand if it works, else any that does, those of the
        named folder first.
        """
        if not named.session_id:
            asked_first = self._workspace(named.folder) if named.folder else None
            for ws in sorted(self._workspaces(""), key=lambda each: each is not asked_first):
                in_hand = self._in_hand.get(ws.ports.files.root, "")
                for running in sorted(ws.running, key=lambda each: each != in_hand):
                    return ws, ws.ports.sessions.get(running)
        return self.find(named)

    def _free(self, ws: Workspace, session_id: str, path: str) -> Session | None:
        if session_id:
            return self.take(ws, ws.ports.sessions.get(session_id))
        for known in (self.in_hand(ws), self._last_about(ws, path)):  # of a server that has just started, the latter
            is_free = known is not None and known.mode is Mode.PLAN and known.id not in ws.running
            if known is not None and is_free and known.plan_file in ("", path):
                return self.take(ws, known)
        return None

    def _last_about(self, ws: Workspace, path: str) -> Session | None:
        """The last session that had the plan in hand."""
        return next((each for each in ws.ports.sessions.list() if path and each.plan_file == path), None)
