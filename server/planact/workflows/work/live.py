"""The work that goes on in this process, followed by the notices that it sends."""

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field

from planact.model.chat.message import Session
from planact.model.notice import (
    CallRuns,
    ExecutionProgress,
    MessageAdded,
    MessageDelta,
    ModelRetry,
    ModeNotice,
    Notice,
    PlanNotice,
    QuestionNotice,
    RunningCall,
    WorkNotice,
    WorkStopping,
)
from planact.model.question import QuestionSet
from planact.model.work import Activity, Work, WorkState
from planact.workflows.work.words import in_words, waiting_for

_UNSHOWN = ("ask_user", "exit_plan_mode")
"""Tools whose run is a question."""


@dataclass(slots=True)
class _Live:
    """What one session does. `calls` have beside each whether planact itself made it; what `is_over` is shown as it was
    until it is known how it ended.
    """

    session: Session
    started_at: str
    since: str
    activity: Activity = "thinking"
    is_stopping: bool = False
    is_over: bool = False
    retry: ModelRetry | None = None
    progress: ExecutionProgress | None = None
    asked: dict[str, QuestionSet] = field(default_factory=dict)
    calls: dict[str, tuple[RunningCall, bool]] = field(default_factory=dict)

    def work(self) -> Work:
        question = next(iter(self.asked.values()), None)
        repair, _, repairs = (self.progress.repairing if self.progress else "").partition(" of ")
        work = Work(
            session_id=self.session.id,
            mode=self.session.mode,
            plan_path=self.session.plan_file,
            state=self._state(question),
            activity="" if question else self._activity(),
            since=self.since,
            started_at=self.started_at,
            repair=int(repair or 0),
            repairs=int(repairs or 0),
            question_id=question.id if question else "",
            calls=tuple(call for call, _ in self.calls.values()),
            retry=self.retry,
            reason=self.retry.reason if self.retry else "",
            code=self.retry.code if self.retry else "",
        )
        if self.progress is not None:
            execution = self.progress.execution
            place = self.progress.model_dump(include={"step", "action", "of", "finished"})
            run = {"execution_id": execution.id, "plan_path": execution.plan_file, "goal": execution.goal}
            work = work.model_copy(update={**place, **run})
        return in_words(work)

    def _state(self, question: QuestionSet | None) -> WorkState:
        if self.is_stopping:
            return "stopping"
        if question is not None:
            return waiting_for(question)
        if self.retry is not None:
            return "retrying"
        if self.progress is None or not self.progress.execution.plan_file:
            return "working"
        return "repairing" if self.progress.repairing else "running"

    def _activity(self) -> Activity:
        if not self.calls:
            return self.activity
        return "checking" if all(is_check for _, is_check in self.calls.values()) else "calling"


class LiveWorks:
    """The sessions of one folder that work in this process.

    Args:
        session_of: returns the session with an id.
        now: returns the time, ISO 8601.
    """

    def __init__(self, session_of: Callable[[str], Session], now: Callable[[], str]) -> None:
        self._session_of = session_of
        self._now = now
        self._live: dict[str, _Live] = {}

    def works(self) -> Sequence[Work]:
        """Return the work of each, in the order in which they began."""
        return [live.work() for live in self._live.values()]

    def over(self) -> Sequence[str]:
        """Return the sessions whose work is over, and which are among `works` until they are left out."""
        return [session_id for session_id, live in self._live.items() if live.is_over]

    def leave_out(self, sessions: Collection[str]) -> None:
        """Show the work of these sessions no longer, but for those that work again."""
        self._live = {key: live for key, live in self._live.items() if not (live.is_over and key in sessions)}

    def take(self, notice: Notice) -> str:
        """Follow a notice; return the session whose work is to be shown otherwise now, empty = none."""
        session_id = self._begin_or_end(notice) or _session_of(notice)
        live = self._live.get(session_id)
        if live is None:
            return ""
        before = live.work()
        self._follow(live, notice)
        return self._note(live, before)

    def asked(self, question: QuestionSet) -> str:
        """Follow that a question is shown; return as `take` does."""
        live = self._live.get(question.session_id)
        if live is None:
            return ""
        before = live.work()
        live.asked[question.id] = question
        return self._note(live, before)

    def _note(self, live: _Live, before: Work) -> str:
        after = live.work()
        if after == before:
            return ""
        if (after.state, after.activity, after.step) != (before.state, before.activity, before.step):
            live.since = self._now()
        return live.session.id

    def _begin_or_end(self, notice: Notice) -> str:
        if not isinstance(notice, WorkNotice):
            return ""
        if notice.is_running:
            now = self._now()
            self._live[notice.session_id] = _Live(self._session_of(notice.session_id), now, now)
        elif notice.session_id in self._live:
            self._live[notice.session_id].is_over = True
        return notice.session_id

    def _follow(self, live: _Live, notice: Notice) -> None:
        match notice:
            case WorkStopping():
                live.is_stopping = True
            case ModeNotice(session=session):
                live.session = session
            case PlanNotice(path=path):
                live.session = live.session.model_copy(update={"plan_file": path})
            case ExecutionProgress():
                live.progress = _joined(live.progress, notice)
            case QuestionNotice(question=question):
                live.asked.pop(question.id, None)
            case CallRuns(call=call, is_over=is_over) if call.tool not in _UNSHOWN:
                live.calls.pop(call.call_id, None)
                if not is_over:
                    live.calls[call.call_id] = call, notice.is_check
            case _:
                _follow_answer(live, notice)


def _follow_answer(live: _Live, notice: Notice) -> None:
    match notice:
        case MessageDelta(is_reasoning=is_reasoning, begins_anew=begins_anew):
            live.activity = "thinking" if is_reasoning or begins_anew else "writing"
        case MessageAdded(message=message):
            live.activity = "thinking"
            if message.is_said_by_user and live.progress and live.progress.execution.status != "running":
                live.progress = None  # the work goes on with what was said meanwhile
        case ModelRetry(seconds_left=left):
            live.retry = notice if left else None
            live.activity = "thinking"
        case _:
            pass


def _joined(before: ExecutionProgress | None, now: ExecutionProgress) -> ExecutionProgress:
    """Return a run's place from two notices: not every notice has all of it."""
    if before is None:
        return now
    place = ("step", "action", "of", "finished", "repairing")
    kept = place if not now.step else ("finished",) if not now.finished else ()
    return now.model_copy(update={name: getattr(before, name) for name in kept})


def _session_of(notice: Notice) -> str:
    match notice:
        case ModeNotice(session=session):
            return session.id
        case MessageAdded(message=message):
            return message.session_id
        case ExecutionProgress(execution=execution):
            return execution.session_id
        case QuestionNotice(question=question):
            return question.session_id
        case WorkStopping() | PlanNotice() | MessageDelta() | ModelRetry() | CallRuns() | WorkNotice():
            return notice.session_id
        case _:
            return ""
