"""One workspace folder and what is going on in it. Workflows are functions over this."""

import asyncio
from collections.abc import Callable, Coroutine, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeVar

from planact.agent.say import say
from planact.base.errors import Conflict, PlanactError
from planact.model.event import Event, EventKind
from planact.model.image import Image
from planact.model.message import Message, MessageType, Speaker
from planact.model.notice import ToolNotice, WorkChanged
from planact.model.role import RoleFiles
from planact.model.settings import ApprovalSetting, Settings
from planact.ports import Ports
from planact.tools.finish import ended
from planact.tools.gate import Gate
from planact.tools.known_texts import KnownTexts
from planact.tools.permit import Limits
from planact.workflows.ask_question import QuestionDesk
from planact.workflows.run_end import FOLDER_CLOSED

T = TypeVar("T")

_MOST_KNOWN = 8
"""Sessions of which it is remembered what the model knows of files: those that worked last."""


class Stopped(Exception):
    """The user stopped the work."""


@dataclass(slots=True)
class Work:
    """What runs in one session."""

    task: asyncio.Task[Any]
    is_stopping: bool = False


@dataclass(slots=True)
class Workspace:
    """The ports, the settings in force, and the running work by session.

    `platform` is named in the prompt. `accepting` are the sessions in which the user said that everything inside the
    folder may be done; `is_strict` says that a folder nobody trusts yet wants to be asked, and then that counts for
    nothing. `is_restricted` says whether the user's editor doesn't trust what is in the folder, at this moment. Who has
    something to look up before work begins does so at the `entry`, one after the other, so that messages stay in order
    and who stops work meets what was about to begin. `role_files` are those that somebody has just read, see
    `roles.look_at_roles`.
    """

    ports: Ports
    settings: Settings
    gate: Gate
    desk: QuestionDesk
    platform: str
    is_strict: bool = False
    is_restricted: Callable[[], bool] = lambda: False
    running: dict[str, Work] = field(default_factory=dict)
    entry: asyncio.Lock = field(default_factory=asyncio.Lock)
    role_files: RoleFiles | None = field(default=None, init=False)
    accepting: set[str] = field(default_factory=set)
    _told: set[str] = field(default_factory=set)
    _known: dict[str, KnownTexts] = field(default_factory=dict)

    def limits(self) -> Limits:
        """The bounds of one call."""
        limits = self.settings.limits
        return Limits(limits.file_bytes, float(limits.command_seconds), limits.command_output)

    def known_texts(self, session_id: str) -> KnownTexts:
        """What the model of a session knows of files."""
        known = self._known[session_id] = self._known.pop(session_id, KnownTexts())
        while len(self._known) > _MOST_KNOWN:
            del self._known[next(iter(self._known))]
        return known

    def forget_texts(self, session_id: str) -> None:
        """The model of a session doesn't know what it knew of files any more."""
        self._known.pop(session_id, None)

    def approval(self, session_id: str) -> ApprovalSetting:
        """What passes in Act without a question, in a session."""
        return "acceptAll" if session_id in self.accepting and not self.is_strict else self.settings.approval

    def now(self) -> str:
        """The time for records: ISO 8601, UTC."""
        return self.ports.clock.now().isoformat(timespec="seconds")

    def tell_once(self, notice: ToolNotice) -> None:
        """Tell the user something that stays so, and would be told again and again."""
        if notice.text not in self._told:
            self._told.add(notice.text)
            self.ports.editor.tell(notice)

    def record(self, kind: EventKind, session_id: str, data: Mapping[str, Any]) -> None:
        """Keep an event."""
        time = self.ports.clock.now().isoformat()
        self.ports.events.record(Event(kind=kind, session_id=session_id, time=time, data=dict(data)))

    def say(
        self,
        session_id: str,
        role: Speaker,
        text: str,
        kind: MessageType = "text",
        *,
        images: tuple[Image, ...] = (),
        **metadata: Any,
    ) -> Message:
        """Append to the transcript and show it."""
        return say(self.ports, session_id, role, text, kind, images=images, metadata=metadata)

    def last_said(self, session_id: str) -> str:
        """The id of the last message of a session, by which others can be told to have come later; empty = none."""
        messages = self.ports.sessions.messages(session_id)
        return messages[-1].id if messages else ""

    def is_working(self, session_id: str) -> bool:
        """Whether work is running in the session, in whatever process."""
        return session_id in self.running or bool(self.ports.session_lock(session_id).holder())

    def check_idle(self, session_id: str) -> None:
        """Raises Conflict BUSY, when work is running in the session."""
        if session_id in self.running:
            raise Conflict("BUSY", "work is running in this session", "Wait for it, or stop it.")
        if self.is_working(session_id):
            raise self._busy_elsewhere()

    def _busy_elsewhere(self) -> Conflict:
        run = self.ports.lock.holder()
        message = f"another planact works in this session{f': {run}' if run else ''}"
        return Conflict("BUSY", message, "Wait for it, stop it there, or begin a new session.")

    async def work(self, session_id: str, job: Coroutine[Any, Any, T]) -> T:
        """Run the one job a session may have at a time, so that it can be stopped.

        Raises:
            Conflict: BUSY, when the session has one.
            Stopped: the user stopped it; the job itself has seen a cancellation and put things in order.
        """
        lock = self.ports.session_lock(session_id)
        try:
            self.check_idle(session_id)
            if lock.acquire("its session works"):
                raise self._busy_elsewhere()
        except PlanactError:
            job.close()
            raise
        task = asyncio.ensure_future(job)
        work = self.running[session_id] = Work(task)
        self.ports.editor.tell(WorkChanged(session_id, is_running=True))
        try:
            await asyncio.sleep(0)  # a job that is cancelled before it begins can't put anything in order
            return await task
        except asyncio.CancelledError:
            if not task.done():
                task.cancel()
                await ended(task)
            if work.is_stopping:
                raise Stopped from None
            raise
        finally:
            self.running.pop(session_id, None)
            lock.release()
            self.ports.editor.tell(WorkChanged(session_id, is_running=False))

    async def break_off(self) -> None:
        """The folder isn't open any more: cancel all work as the end of the process would, so that it can go on
        another time, and wait until it has put things in order. Questions that can be taken up again stay open.
        """
        tasks = {*(work.task for work in self.running.values()), *self.desk.waiting}
        if tasks:
            await asyncio.sleep(0)  # as in `work`
            for task in tasks:
                task.cancel(FOLDER_CLOSED)
            await asyncio.wait(tasks)

    async def stop(self, session_id: str) -> bool:
        """Stop the session's work at the next safe point and wait until it has put things in order; False if there
        was none.
        """
        self.desk.cancel_all(session_id, "the user stopped the work")
        if session_id not in self.running:
            async with self.entry:
                pass
        work = self.running.get(session_id)
        if work is None:
            return False
        work.is_stopping = True
        await asyncio.sleep(0)  # as above
        work.task.cancel()
        await asyncio.wait([work.task])
        return True
