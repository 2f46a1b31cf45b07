"""The work of each workspace folder, told to the client as a whole whenever it changes; also the runs of other
processes, which are looked for again and again.
"""

import asyncio
import contextlib
import logging
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

from planact.app.compose import App
from planact.base.errors import PlanactError
from planact.lsp.documents.convert import uri_of
from planact.lsp.host.folders import Folders
from planact.lsp.protocol.messages import WorkChanged
from planact.model.notice import ModeNotice, Notice, WorkMoved, WorkNotice
from planact.model.question import QuestionSet
from planact.model.work import Work
from planact.workflows.sessions.manage import start_mode
from planact.workflows.work.elsewhere import work_elsewhere
from planact.workflows.work.left import works_left
from planact.workflows.work.live import LiveWorks
from planact.workflows.work.words import in_words
from planact.workflows.workspace import Workspace

LOOK_SECONDS = 2.0
"""Interval at which the runs of other processes are looked for."""

_SOON = 0.05
"""Seconds before it is looked at what is left: several notices come at once."""

log = logging.getLogger(__name__)


class FolderWork:
    """The work of one folder.

    Args:
        root: the folder as the client names it.
        seen: returns its workspace.
        in_hand: returns the id of its current session; empty = none.
    """

    def __init__(self, root: Path, seen: Callable[[], Workspace], in_hand: Callable[[], str]) -> None:
        self._root = root
        self._seen = seen
        self._in_hand = in_hand
        self._live = LiveWorks(
            lambda session_id: seen().ports.sessions.get(session_id),
            lambda: seen().ports.clock.now().isoformat(timespec="milliseconds"),
        )
        self._left: Sequence[Work] = ()
        self._elsewhere: Work | None = None
        self._holder = ""
        """The other process that holds the folder, as lenses say, too; a while longer than its run is at work."""
        self._told: tuple[Sequence[Work], Work | None, str] = ((), None, "")
        """What the last message told: the reply to a request may have found newer works, which are still to be told."""
        self._ended: list[str] = []
        """Sessions whose work is over, which is still to be told."""
        self._looking = asyncio.Lock()
        self._last = ""
        """The session that worked last in this process."""

    def take(self, notice: Notice) -> str:
        """Follow a notice; return the session whose work changed by it, empty = none."""
        if isinstance(notice, WorkNotice):
            self._last = notice.session_id
        moved = self._live.take(notice)
        return notice.session.id if isinstance(notice, ModeNotice) else moved

    def asked(self, question: QuestionSet) -> str:
        """Follow that a question is shown; return as `take` does."""
        return self._live.asked(question)

    def works(self) -> tuple[Work, ...]:
        """Return all that isn't idle: what goes on or waits comes first, of that the session in hand."""
        live, in_hand = [*self._live.works(), *([self._elsewhere] if self._elsewhere else [])], self._in_hand()
        working = {each.session_id for each in live}
        found = [*live, *(each for each in self._left if each.session_id not in working)]
        found.sort(key=lambda each: (each.is_at_rest, each.session_id != in_hand))
        return tuple(map(self._with_uri, found))

    def idle(self) -> Work:
        """Return the work where there is none."""
        ws, session_id = self._seen(), self._in_hand()
        session = ws.ports.sessions.get(session_id) if session_id else None
        mode = session.mode if session else start_mode(ws)
        return in_words(Work(session_id=session_id, mode=mode, plan_path=session.plan_file if session else ""))

    async def refresh(self, *, at_all: bool) -> bool:
        """Look for other processes' runs, and for what is left where `at_all` or those have changed; return whether
        something is to be told. Work that is over is shown as it was until then.
        """
        async with self._looking:
            ws, over = self._seen(), self._live.over() if at_all else ()
            try:
                await asyncio.to_thread(self._refresh, ws, at_all=at_all)
            except PlanactError as error:  # every command says so, too
                log.info("the work of %s can't be read: %s", self._root, error)
            self._live.leave_out(over)
            self._ended += over
            return bool(self._ended) or self._found() != self._told

    def _refresh(self, ws: Workspace, *, at_all: bool) -> None:
        """Raises PlanactError: planact's own state can't be read."""
        is_own, any_holder = ws.ports.lock.is_own(), ws.ports.lock.holder()
        holder, elsewhere = "" if is_own else any_holder, work_elsewhere(ws)
        if at_all or (holder, elsewhere is None) != (self._holder, self._elsewhere is None):
            left = works_left(ws, self._in_hand() or self._last, is_run_at_work=bool(any_holder))
            self._left = tuple(left)
        self._holder, self._elsewhere = holder, elsewhere

    def _found(self) -> tuple[Sequence[Work], Work | None, str]:
        return self._left, self._elsewhere, self._holder

    async def stop_looking(self) -> None:
        """Wait for the look that goes on, which reads the database that is closed next, and begin no other: the lock is
        kept for good.
        """
        await self._looking.acquire()

    def to_tell(self) -> Sequence[str]:
        """Return the sessions that messages are due about: those whose work is over, else the one that comes first."""
        works = self.works()
        return tuple(dict.fromkeys(self._ended)) or (works[0].session_id if works else self._in_hand(),)

    def message(self, session_id: str) -> WorkChanged:
        """Return the message that the client gets next; `session_id` is the session whose work changed."""
        self._told = self._found()
        self._ended = [each for each in self._ended if each != session_id]
        return self.state(session_id)

    def state(self, session_id: str = "") -> WorkChanged:
        """Return all work, for the reply to a request: the client still gets the message about what is new in it."""
        works = self.works()
        is_running = any(each.session_id == session_id for each in self._live.works())
        work = works[0] if works else self._with_uri(self.idle())
        return WorkChanged(
            session_id=session_id, is_running=is_running, folder=uri_of(self._root), work=work, works=works
        )

    def _with_uri(self, work: Work) -> Work:
        return work.model_copy(update={"plan_uri": uri_of(self._root / work.plan_path)}) if work.plan_path else work


class WorkStates:
    """The work of all folders of one client.

    Args:
        app: all workspace folders.
        folders: the open ones.
        in_hand: returns the id of a folder's current session; empty = none.
        start: runs a coroutine in the background.
    """

    def __init__(
        self, app: App, folders: Folders, in_hand: Callable[[Workspace], str], start: Callable[..., None]
    ) -> None:
        self._app = app
        self._folders = folders
        self._in_hand = in_hand
        self._start = start
        self._of: dict[Path, FolderWork] = {}
        self._due: set[Path] = set()
        self._found: set[Path] = set()
        self._watching: asyncio.Task[None] | None = None

    def of(self, root: Path) -> FolderWork:
        """Return the work of a folder, by the name that the client gave it."""
        if root not in self._of:
            seen = partial(self._app.seen, root)
            self._of[root] = FolderWork(root, seen, lambda: self._in_hand(seen()))
        return self._of[root]

    def refresh(self, root: Path) -> None:
        """Look soon at what the sessions of a folder left, and tell the client if that has changed."""
        if root not in self._due:
            self._due.add(root)
            self._start(self._refresh_soon(root))

    async def _refresh_soon(self, root: Path) -> None:
        await asyncio.sleep(_SOON)
        self._due.discard(root)
        with contextlib.suppress(PlanactError):
            await self._refresh(root, at_all=True)

    async def _refresh(self, root: Path, *, at_all: bool) -> None:
        """Raises PlanactError: the folder can't be read, as every command says, too."""
        if root not in self._found:
            await self._app.found(root)
            self._found.add(root)
        work = self.of(root)
        if await work.refresh(at_all=at_all):
            for session_id in work.to_tell():
                self._app.seen(root).ports.editor.notify(WorkMoved(session_id))

    def watch(self) -> None:
        """Look for the runs of other processes from now on."""
        if self._watching is None:
            self._watching = asyncio.ensure_future(self._watch())

    async def close(self) -> None:
        """Look no longer."""
        await asyncio.gather(*(work.stop_looking() for work in self._of.values()))
        if self._watching is not None:
            self._watching.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._watching

    async def _watch(self) -> None:
        while True:
            for root in self._folders.roots:
                with contextlib.suppress(PlanactError):
                    await self._refresh(root, at_all=root not in self._found)
            await asyncio.sleep(LOOK_SECONDS)
