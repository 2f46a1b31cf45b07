"""Notices as the messages that clients get which follow them."""

from pathlib import Path
from typing import assert_never

from pydantic import BaseModel

from planact.base.text import one_line
from planact.lsp import protocol, results
from planact.lsp.convert import uri_of
from planact.model.notice import (
    CommandOutput,
    ExecutionProgress,
    FilesEdited,
    MessageAdded,
    MessageDelta,
    ModeChanged,
    Notice,
    PlanChanged,
    QuestionResolved,
    ToolNotice,
    UsageChanged,
    WorkChanged,
)

_MOST_OF_A_CALL = 200


def message_of(notice: Notice, root: Path) -> tuple[str, BaseModel] | None:
    """Method and payload; None for what has no message of its own. `root` is the workspace folder."""
    match notice:
        case ModeChanged(session=session):
            return protocol.MODE_CHANGED, protocol.ModeChanged(
                folder=uri_of(root),
                session_id=session.id,
                mode=session.mode,
                role=session.role,
                plan_file=session.plan_file,
            )
        case MessageAdded(message=message):
            return protocol.MESSAGE, message
        case MessageDelta():
            return protocol.MESSAGE_DELTA, protocol.MessageDelta(
                session_id=notice.session_id,
                message_id=notice.message_id,
                text=notice.text,
                is_reasoning=notice.is_reasoning,
            )
        case PlanChanged():
            return protocol.PLAN_CHANGED, protocol.PlanChanged(
                session_id=notice.session_id,
                plan_id=notice.plan_id,
                path=notice.path,
                uri=uri_of(root / notice.path),
            )
        case ExecutionProgress():
            return protocol.EXECUTION_PROGRESS, protocol.ExecutionProgress(execution=notice.execution, text=notice.text)
        case UsageChanged(session=session, context_tokens=tokens, context_window=window):
            return protocol.USAGE, protocol.UsageChanged(
                session_id=session.id, usage=session.usage, context_tokens=tokens, context_window=window
            )
        case WorkChanged(session_id=session_id, is_running=is_running):
            return protocol.WORK_CHANGED, protocol.WorkChanged(session_id=session_id, is_running=is_running)
        case QuestionResolved(question=question):
            return protocol.QUESTION_RESOLVED, results.QuestionResolved.of(question)
        case CommandOutput() | ToolNotice() | FilesEdited():
            return None
        case _:
            assert_never(notice)


def log_line_of(notice: Notice) -> str:
    """One line for the client's log, empty for what would only fill it."""
    match notice:
        case ExecutionProgress(text=text):
            return text
        case ToolNotice():
            code = f" [{notice.code}]" if notice.code else ""
            call = f"{notice.tool} {one_line(notice.arguments, _MOST_OF_A_CALL)}".rstrip()
            return f"{call}: {notice.text}{code}"
        case _:
            return ""
