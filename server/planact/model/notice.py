"""Notices that a front end may show at once. The state never depends on them: a lost notice loses no data."""

from dataclasses import dataclass

from planact.base.frozen_model import FrozenModel
from planact.model.chat.message import Message, Session
from planact.model.question import QuestionSet
from planact.model.rights.jail import Confinement
from planact.model.runs.execution import Execution


@dataclass(frozen=True, slots=True)
class ModeNotice:
    """The session has another mode, role or plan in hand."""

    session: Session


@dataclass(frozen=True, slots=True)
class MessageAdded:
    """A message is in the transcript."""

    message: Message


class MessageDelta(FrozenModel):
    """A piece of the assistant's answer, as it streams; `message_id` is that of the message to come.

    Attributes:
        begins_anew: the answer broke off and is asked for again, so what came of this message before is void.
    """

    session_id: str
    message_id: str
    text: str
    is_reasoning: bool = False
    begins_anew: bool = False


class ModelRetry(FrozenModel):
    """A request to the model failed and is sent again: told when the wait begins, each second of it, and at its end.

    Attributes:
        reason: cause in a few words.
        detail: the failure's whole message.
        attempt: number of the attempt that follows, of at most `of`.
        wait_seconds: the wait as a whole.
        seconds_left: 0 = the request is being sent again.
        text: all of that as one line for people; empty once nothing is left to wait for.
        title: the cause in two or three words.
        status: HTTP status of the answer; 0 = unknown.
        short_text: title, status and wait as one short line; empty as `text` is.
        ends_at: when the wait is over, ISO 8601, UTC.
    """

    session_id: str
    code: str
    reason: str
    detail: str
    attempt: int
    of: int
    wait_seconds: int
    seconds_left: int
    text: str
    title: str = ""
    status: int = 0
    short_text: str = ""
    ends_at: str = ""

    @property
    def line(self) -> str:
        """The line for logs, where a wait has one; empty but for its beginning."""
        if self.seconds_left != self.wait_seconds:
            return ""
        return (
            f"{self.detail}; trying again in {self.wait_seconds} s, attempt {self.attempt} of {self.of} [{self.code}]"
        )


@dataclass(frozen=True, slots=True)
class PlanNotice:
    """A plan document was written or marked; `path` is relative to the workspace folder."""

    session_id: str
    plan_id: str
    path: str


class ExecutionProgress(FrozenModel):
    """A run has moved; `text` is one line for people. `repairing` says so while a failed check is repaired, as
    "2 of 3".

    `step` is the number of the step in hand and `action` its text, `of` the number of the plan's steps, and `finished`
    how many of them have a result; 0 = not told.
    """

    execution: Execution
    text: str
    repairing: str = ""
    step: int = 0
    action: str = ""
    of: int = 0
    finished: int = 0


@dataclass(frozen=True, slots=True)
class CommandOutput:
    """New output of a running command."""

    session_id: str
    text: str


@dataclass(frozen=True, slots=True)
class UsageNotice:
    """The session has used more of the model.

    `context_tokens` are in the model's context by now, of `context_window`; 0 = unknown.
    """

    session: Session
    context_tokens: int = 0
    context_window: int = 0


class WorkNotice(FrozenModel):
    """Work began in a session, or it is over."""

    session_id: str
    is_running: bool


@dataclass(frozen=True, slots=True)
class WorkStopping:
    """The user wants a session's work to stop, and it will as soon as it can."""

    session_id: str


@dataclass(frozen=True, slots=True)
class WorkMoved:
    """Something else about a session's work is to be shown otherwise than before."""

    session_id: str


class RunningCall(FrozenModel):
    """A tool call that runs: `text` says what it does, for people, and `since` is when it began (ISO 8601, UTC)."""

    call_id: str
    tool: str
    text: str
    since: str


@dataclass(frozen=True, slots=True)
class CallRuns:
    """A call began to run, after its question, or its run is over. `is_check` = planact itself calls, for a plan."""

    session_id: str
    call: RunningCall
    is_check: bool = False
    is_over: bool = False


@dataclass(frozen=True, slots=True)
class QuestionNotice:
    """A question ended."""

    question: QuestionSet


@dataclass(frozen=True, slots=True)
class ToolNotice:
    """One line on a tool call: what it does, or why it was refused (then with the `code`)."""

    session_id: str
    tool: str
    text: str
    code: str = ""
    arguments: str = ""
    """Arguments of the call that was refused."""
    confinement: Confinement | None = None
    """The jail that its command runs in, where it runs one."""


@dataclass(frozen=True, slots=True)
class EditedFile:
    """A file that a call changed, and how many lines it added and removed; a renamed one has both its names."""

    path: str
    added: int = 0
    removed: int = 0


@dataclass(frozen=True, slots=True)
class FilesEdited:
    """A call has changed these files."""

    session_id: str
    files: tuple[EditedFile, ...]


Notice = (
    ModeNotice
    | MessageAdded
    | MessageDelta
    | ModelRetry
    | PlanNotice
    | ExecutionProgress
    | CommandOutput
    | UsageNotice
    | WorkNotice
    | WorkStopping
    | WorkMoved
    | CallRuns
    | QuestionNotice
    | ToolNotice
    | FilesEdited
)
