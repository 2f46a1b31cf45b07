"""The end of a run that broke off: paused if it can go on.

A cancellation without a cause counts as the user's.
"""

import asyncio

from planact.base.errors import ModelFailure, PlanactError
from planact.model.runs.execution import ExecutionStatus

EDITOR_CLOSED = "the editor was closed or reloaded"
FOLDER_CLOSED = "its folder was closed"


def status_of_end(error: BaseException) -> tuple[ExecutionStatus, str]:
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
