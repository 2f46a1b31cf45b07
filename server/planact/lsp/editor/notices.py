"""Conversion of notices to the messages and log lines that clients get."""

from pathlib import Path
from typing import assert_never

from pydantic import BaseModel

from planact.base.text import one_line
from planact.lsp.documents.convert import uri_of
from planact.lsp.protocol import messages, results
from planact.model.notice import (
    CallRuns,
    CommandOutput,
    ExecutionProgress,
    FilesEdited,
    MessageAdded,
    MessageDelta,
    ModelRetry,
    ModeNotice,
    Notice,
    PlanNotice,
    QuestionNotice,
    ToolNotice,
    UsageNotice,
    WorkMoved,
    WorkNotice,
    WorkStopping,
)

_MOST_OF_A_CALL = 200
_SENT_AS_THEY_ARE: dict[type[Notice], str] = {
    MessageDelta: messages.MESSAGE_DELTA,
    ModelRetry: messages.MODEL_RETRY,
    ExecutionProgress: messages.EXECUTION_PROGRESS,
}


def message_of(notice: Notice, root: Path) -> tuple[str, BaseModel] | None:
    """Return method and payload; None for a notice without a message. `root` is the workspace folder."""
    match notice:
        case ModeNotice(session=session):
            return messages.MODE_CHANGED, messages.ModeChanged(
                folder=uri_of(root),
                session_id=session.id,
                mode=session.mode,
                role=session.role,
                plan_file=session.plan_file,
            )
        case MessageAdded(message=message):
            return messages.MESSAGE, message
        case MessageDelta() | ModelRetry() | ExecutionProgress():
            return _SENT_AS_THEY_ARE[type(notice)], notice
        case PlanNotice():
            return messages.PLAN_CHANGED, messages.PlanChanged(
                session_id=notice.session_id,
                plan_id=notice.plan_id,
                path=notice.path,
                uri=uri_of(root / notice.path),
            )
        case UsageNotice(session=session, context_tokens=tokens, context_window=window):
            return messages.USAGE, messages.UsageChanged(
                session_id=session.id, usage=session.usage, context_tokens=tokens, context_window=window
            )
        case QuestionNotice(question=question):
            return messages.QUESTION_RESOLVED, results.QuestionResolved.of(question)
        case CommandOutput() | ToolNotice() | FilesEdited() | CallRuns() | WorkStopping() | WorkMoved() | WorkNotice():
            return None  # work is told as a whole, by the folder's host
        case _:
            assert_never(notice)


def log_line_of(notice: Notice) -> str:
    """Return one line for the client's log, empty for notices that would only fill it."""
    match notice:
        case ExecutionProgress(text=text):
            return text
        case ModelRetry():
            return notice.line and f"model: {notice.line}"
        case ToolNotice():
            code = f" [{notice.code}]" if notice.code else ""
            call = f"{notice.tool} {one_line(notice.arguments, _MOST_OF_A_CALL)}".rstrip()
            return f"{call}: {notice.text}{code}"
        case _:
            return ""
