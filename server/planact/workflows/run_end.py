"""How a run has ended that was broken off: where it can go on, it is paused.

A cancellation that says nothing of its cause is the user's.
"""

import asyncio

from planact.base.errors import ModelFailure, PlanactError
from planact.model.execution import ExecutionStatus

EDITOR_CLOSED = "the editor was closed or reloaded"
FOLDER_CLOSED = "its folder was closed"


def end_by(error: BaseException) -> tuple[ExecutionStatus, str]:
    """The status of the run, and the reason for people."""
    match error:
        case asyncio.CancelledError():
            cause = str(error)
            return "paused", cause if cause in (EDITOR_CLOSED, FOLDER_CLOSED) else "stopped by the user"
        case ModelFailure():
            return "paused", str(error)
        case PlanactError():
            return "failed", str(error)
        case _:
            return "aborted", "interrupted"
