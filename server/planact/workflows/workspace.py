"""One workspace folder and what is going on in it. Workflows are functions over this."""

import asyncio
from collections import defaultdict
from collections.abc import Callable, Coroutine, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import PurePath
from typing import Any, TypeVar

from planact.agent.add_message import add_message
from planact.base.errors import Conflict, EditFailure, InvalidInput, ModelFailure, PlanactError
from planact.base.filetext import decode_text
from planact.base.paths import Place
from planact.base.text import time_taken
from planact.model.chat.image import Image
from planact.model.chat.message import FAILURE, Message, MessageType, Speaker
from planact.model.notice import ToolNotice, WorkNotice, WorkStopping
from planact.model.rights.credentials import holds_credentials
from planact.model.rights.permission import RoleFiles
from planact.model.runs.journal import Event, EventKind
from planact.model.settings import ApprovalSetting, Settings
from planact.plan.syntax.parsed_plans import ParsedPlans
from planact.ports import Ports
from planact.tools.edit.known_texts import KnownTexts
from planact.tools.gate import Gate
from planact.tools.shielded import wait_until_done
from planact.tools.turn import CallLimits
from planact.workflows.questions.service import QuestionService
from planact.workflows.run_end import FOLDER_CLOSED

T = TypeVar("T")

_MOST_KNOWN = 8
"""Sessions of which it is remembered what the model knows of files: those that worked last."""


class Stopped(Exception):
    """The user stopped the work."""


@dataclass(slots=True)
class RunningWork:
    """The running work of one session; `hurry` ends its waits for the model."""

    task: asyncio.Task[Any]
    is_stopping: bool = False
    hurry: asyncio.Event = field(default_factory=asyncio.Event)


@dataclass(slots=True)
class Workspace:
    """The ports, the settings in force, and the running work by session.

    `platform` is named in the prompt. `accepting` are the sessions in which the user allowed all edits inside the
    folder; with `is_strict`, that doesn't count in a folder without trust. `reading` are the folders outside that the
    user let commands of a session read. `is_restricted` means that the user's editor
    doesn't trust the folder now, and `awaits_trust` that the user's own hooks and MCP servers wait until the user
    trusts it. Lookups before work begins happen inside `entry`, one after the other, so that messages stay in order and
    a stop reaches work that is about to begin. `role_files` is the cache of `roles.load_roles`, `plans` that of
    `plans.library.read_document`.
    """

    ports: Ports
    settings: Settings
    gate: Gate
    questions: QuestionService
    platform: str
    is_strict: bool = False
    is_restricted: Callable[[], bool] = lambda: False
    awaits_trust: Callable[[], bool] = lambda: False
    running: dict[str, RunningWork] = field(default_factory=dict)
    entry: asyncio.Lock = field(default_factory=asyncio.Lock)
    role_files: RoleFiles | None = field(default=None, init=False)
    plans: ParsedPlans = field(default_factory=ParsedPlans, init=False)
    accepting: set[str] = field(default_factory=set)
    reading: defaultdict[str, set[PurePath]] = field(default_factory=lambda: defaultdict(set))
    _told: set[str] = field(default_factory=set)
    _known: dict[str, KnownTexts] = field(default_factory=dict)

    def limits(self) -> CallLimits:
        """The bounds of one call."""
        limits = self.settings.limits
        return CallLimits(limits.file_bytes, float(limits.command_seconds), limits.command_output)

    def known_texts(self, session_id: str) -> KnownTexts:
        """Return the texts of files that the session's model has seen."""
        known = self._known[session_id] = self._known.pop(session_id, KnownTexts())
        while len(self._known) > _MOST_KNOWN:
            del self._known[next(iter(self._known))]
        return known

    def forget_texts(self, session_id: str) -> None:
        """The model of a session doesn't know what it knew of files any more."""
        self._known.pop(session_id, None)

    def approval(self, session_id: str) -> ApprovalSetting:
        """Return the approval setting of a session: the calls that pass in Act without a question."""
        return "acceptAll" if session_id in self.accepting and not self.is_strict else self.settings.approval

    def may_show(self, place: Place) -> bool:
        """Return whether the content of a file may be shown: no link leads outside, to credentials or to what the
        user's patterns hide.
        """
        return not (place.relative is None or holds_credentials(place.relative) or self.ports.files.is_hidden(place))

    def read(self, place: Place) -> bytes:
        """Read a file up to the size of the settings. Raises as `Files.read`."""
        return self.ports.files.read(place, self.settings.limits.file_bytes)

    def now(self) -> str:
        """The time for records: ISO 8601, UTC."""
        return self.ports.clock.now().isoformat(timespec="seconds")

    def notify_once(self, notice: ToolNotice) -> None:
        """Show a lasting fact to the user once, instead of at each call."""
        if notice.text not in self._told:
            self._told.add(notice.text)
            self.ports.editor.notify(notice)

    def record(self, kind: EventKind, session_id: str, data: Mapping[str, Any]) -> None:
        """Keep an event."""
        time = self.ports.clock.now().isoformat()
        self.ports.events.record(Event(kind=kind, session_id=session_id, time=time, data=dict(data)))

    def add_message(
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
        return add_message(self.ports, session_id, role, text, kind, images=images, metadata=metadata)

    def shown_text(self, path: str) -> str | None:
        """Return the text of a file of the workspace that the agent may be shown, as the editor has it, else from disk;
        None where there is none. From any thread.
        """
        place = self.ports.files.resolve(path)
        if not self.may_show(place):
            return None
        try:
            file = self.ports.editor.buffer(place) or decode_text(self.read(place))
        except (InvalidInput, EditFailure):
            return None
        return file.text if file else None

    def last_said(self, session_id: str) -> str:
        """The id of the last message of a session, by which others can be told to have come later; empty = none."""
        messages = self.ports.sessions.messages(session_id)
        return messages[-1].id if messages else ""

    def is_working(self, session_id: str) -> bool:
        """Work is running in the session, in this or another process."""
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
            Stopped: the user stopped it; the job itself has seen a cancellation and cleaned up.
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
        work = self.running[session_id] = RunningWork(task)
        self.ports.editor.notify(WorkNotice(session_id=session_id, is_running=True))
        try:
            await asyncio.sleep(0)  # a job that is cancelled before it begins can't put anything in order
            return await task
        except asyncio.CancelledError:
            if not task.done():
                task.cancel()
                await wait_until_done(task)
            if work.is_stopping:
                raise Stopped from None
            raise
        except PlanactError as error:
            self._report_failure(session_id, error)
            raise
        finally:
            self.running.pop(session_id, None)
            lock.release()
            self.ports.editor.notify(WorkNotice(session_id=session_id, is_running=False))

    def _report_failure(self, session_id: str, error: PlanactError) -> None:
        """Leave a trace of the error with which work ended; one that can't be written is told by the error alone."""
        title, text, hint = "The work could not go on", str(error).removesuffix(f" [{error.code}]"), ""
        if isinstance(error, ModelFailure):
            if error.title != error.reason:  # else it has none, and would be told twice
                title = f"{error.title[:1].upper()}{error.title[1:]}"
            if error.attempts > 1:
                time = f" in {time_taken(error.seconds)}" if error.seconds >= 1 else ""
                title, text = "The model did not answer", f"{error.attempts} tries{time}; the last: {error.reason}."
                hint = error.hint
        failure: dict[str, Any] = {"code": error.code, "title": title, "text": text, "hint": hint}
        failure["can_try_again"] = isinstance(error, ModelFailure)
        with suppress(PlanactError):
            add_message(self.ports, session_id, "system", f"{title}. {text}", metadata={FAILURE: failure})

    def retry_now(self, session_id: str) -> bool:
        """End the session's wait before it asks the model again; False where it doesn't work."""
        work = self.running.get(session_id)
        if work is not None:
            work.hurry.set()
        return work is not None

    async def suspend_work(self) -> None:
        """Cancel all work of a closed folder as the end of the process would, so that it can be resumed, and wait until
        it has cleaned up. Questions that can be resumed stay open.
        """
        tasks = {*(work.task for work in self.running.values()), *self.questions.waiting}
        if tasks:
            await asyncio.sleep(0)  # as in `work`
            for task in tasks:
                task.cancel(FOLDER_CLOSED)
            await asyncio.wait(tasks)

    async def stop(self, session_id: str) -> bool:
        """Stop the session's work at the next safe point and wait until it has cleaned up; False if there was none."""
        self.questions.cancel_all(session_id, "the user stopped the work")
        if session_id not in self.running:
            async with self.entry:
                pass
        work = self.running.get(session_id)
        if work is None:
            return False
        work.is_stopping = True
        self.ports.editor.notify(WorkStopping(session_id))
        await asyncio.sleep(0)  # as above
        work.task.cancel()
        await asyncio.wait([work.task])
        return True
