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
    """

    execution: Execution
    text: str
    repairing: str = ""


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


class WorkChanged(FrozenModel):
    """Work began in a session, or it is over."""

    session_id: str
    is_running: bool


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
    | WorkChanged
    | QuestionNotice
    | ToolNotice
    | FilesEdited
)
