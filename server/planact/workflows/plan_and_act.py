"""Plan, show, and carry out by itself only what is safe; everything else waits for the user's yes."""

from dataclasses import dataclass

from planact.base.errors import Conflict, NotFound
from planact.model.execution import Execution
from planact.model.notice import ToolNotice
from planact.policy.safety import unsafe_reasons
from planact.workflows.execute_plan import Confirmation, execute_plan
from planact.workflows.library import PlanDocument, read_document
from planact.workflows.lint_plan import Linter
from planact.workflows.make_plan import make_plan
from planact.workflows.workspace import Workspace

GRACE_SECONDS = 5.0
"""How long a safe plan waits before it starts, so that the user can stop it."""


@dataclass(frozen=True, slots=True)
class PlannedAndActed:
    """The plan that was made, and its execution if there was one."""

    document: PlanDocument
    execution: Execution | None


async def plan_and_act(ws: Workspace, session_id: str, request: str) -> PlannedAndActed:
    """Make a plan and carry it out, after a moment to stop it where it is safe, else after the user's yes.

    Raises:
        NotFound: PLAN_NOT_FOUND, when the planner made no plan.
    """
    taken = await make_plan(ws, session_id, request)
    if taken.written is None:
        raise NotFound("PLAN_NOT_FOUND", "no plan came of the request", taken.result.text or taken.result.reason)
    if taken.is_held or taken.result.kind not in ("finished", "accepted"):
        return PlannedAndActed(taken.written, None)
    return await act_if_safe(ws, session_id, taken.written.path, is_accepted=taken.result.kind == "accepted")


async def act_if_safe(
    ws: Workspace, session_id: str, path: str, *, is_accepted: bool, grace_seconds: float = GRACE_SECONDS
) -> PlannedAndActed:
    """Carry out a plan that was just made: at once if the user accepted it meanwhile, after a moment to stop it where
    it is safe, else after their yes. What starts is the text that was judged, or they are asked.
    """
    document = read_document(ws, path)
    if is_accepted:
        return PlannedAndActed(document, await execute_plan(ws, session_id, path, Confirmation.UNLESS_APPROVED))
    reasons = unsafe_reasons(document.complete(), frozenset(ws.settings.commands.allow))
    reasons += tuple(p.message for p in Linter().lint(ws, document.tree) if p.severity == "error")
    judged = "" if reasons else document.hash
    if reasons:
        _tell(ws, session_id, f"The plan needs your yes: {'; '.join(reasons)}.")
    else:
        chance = f" and starts in {grace_seconds:.0f} s. Stop it if you don't want that" if grace_seconds else ""
        _tell(ws, session_id, f"The plan is safe{chance}.")
        await ws.work(session_id, ws.ports.clock.sleep(grace_seconds))
    try:
        execution = await execute_plan(ws, session_id, path, Confirmation.ASK, seen_hash=judged)
    except Conflict as conflict:
        if conflict.code != "NOT_CONFIRMED":
            raise
        return PlannedAndActed(document, None)
    return PlannedAndActed(document, execution)


def _tell(ws: Workspace, session_id: str, text: str) -> None:
    ws.say(session_id, "system", text)
    ws.ports.editor.tell(ToolNotice(session_id, "planandact", text))
