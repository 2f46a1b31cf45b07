"""The user's hooks around a run and its steps: one that fails before pauses the run, so that it can go on later."""

import contextlib

from planact.base.errors import Conflict
from planact.model.execution import Execution
from planact.workflows.hooks import Moment, after_hooks, before_hooks
from planact.workflows.workspace import Stopped, Workspace


async def why_hooks_pause(ws: Workspace, execution: Execution, moment: Moment, step: int = 0) -> str:
    """Run the hooks before the run or a step of it; why the run must pause here, empty = none of them minds."""
    try:
        await before_hooks(ws, execution.session_id, moment, execution.id, **_about(execution, step))
    except Conflict as conflict:
        return conflict.message
    return ""


async def hooks_after_step(ws: Workspace, execution: Execution, step: int, status: str) -> None:
    """Run those after a step, as a part of the run."""
    about = _about(execution, step)
    await after_hooks(ws, execution.session_id, "Step", execution.id, **about, status=status)


async def hooks_after_run(ws: Workspace, execution: Execution) -> None:
    """Run those after the run. The user can stop them too."""
    about = _about(execution)
    hooks = after_hooks(ws, execution.session_id, "Execution", execution.id, **about, status=execution.status)
    with contextlib.suppress(Stopped):
        await ws.work(execution.session_id, hooks)


def _about(execution: Execution, step: int = 0) -> dict[str, str]:
    return {
        "plan_id": execution.plan_id,
        "plan_file": execution.plan_file,
        "step": str(step) if step else "",
    }
