"""How a run has ended that was broken off: where it can go on, it is paused."""

import asyncio

from planact.base.errors import ModelFailure, PlanactError
from planact.model.execution import ExecutionStatus


def end_by(error: BaseException) -> tuple[ExecutionStatus, str]:
    """The status of the run, and the reason for people."""
    match error:
        case asyncio.CancelledError():
            return "paused", "stopped by the user"
        case ModelFailure():
            return "paused", str(error)
        case PlanactError():
            return "failed", str(error)
        case _:
            return "aborted", "interrupted"
