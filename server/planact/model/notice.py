"""What a front end may want to show at once. Pictures, never the truth: losing one loses nothing."""

from dataclasses import dataclass

from planact.model.execution import Execution
from planact.model.jail import Confinement
from planact.model.message import Message
from planact.model.question import QuestionSet
from planact.model.session import Session


@dataclass(frozen=True, slots=True)
class ModeChanged:
    """The session has another mode, role or plan in hand."""

    session: Session


@dataclass(frozen=True, slots=True)
class MessageAdded:
    """A message is in the transcript."""

    message: Message


@dataclass(frozen=True, slots=True)
class MessageDelta:
    """A piece of the assistant's answer, as it streams; `message_id` is that of the message to come."""

    session_id: str
    message_id: str
    text: str
    is_reasoning: bool = False


@dataclass(frozen=True, slots=True)
class PlanChanged:
    """A plan document was written or marked; `path` is relative to the workspace folder."""

    session_id: str
    plan_id: str
    path: str


@dataclass(frozen=True, slots=True)
class ExecutionProgress:
    """A run has moved; `text` is one line for people."""

    execution: Execution
    text: str


@dataclass(frozen=True, slots=True)
class CommandOutput:
    """A running command printed something."""

    session_id: str
    text: str


@dataclass(frozen=True, slots=True)
class UsageChanged:
    """The session has used more of the model.

    `context_tokens` are in the model's context by now, of `context_window`; 0 = nobody knows.
    """

    session: Session
    context_tokens: int = 0
    context_window: int = 0


@dataclass(frozen=True, slots=True)
class WorkChanged:
    """Work began in a session, or it is over."""

    session_id: str
    is_running: bool


@dataclass(frozen=True, slots=True)
class QuestionResolved:
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
    """What a call that was refused would have been about."""
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
    ModeChanged
    | MessageAdded
    | MessageDelta
    | PlanChanged
    | ExecutionProgress
    | CommandOutput
    | UsageChanged
    | WorkChanged
    | QuestionResolved
    | ToolNotice
    | FilesEdited
)
