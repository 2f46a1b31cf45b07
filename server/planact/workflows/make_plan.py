"""From a request to a plan document."""

from typing import Any

from planact.agent.loop import EndKind, TurnResult
from planact.base.errors import Conflict, InvalidInput
from planact.model.execution import Execution
from planact.model.permission import Mode
from planact.plan.asked import without_questions
from planact.workflows.execute_plan import Confirmation, execute_plan
from planact.workflows.library import PlanDocument, read_document
from planact.workflows.mentions import with_mentions
from planact.workflows.sessions import change_session, name_session
from planact.workflows.take_turn import TurnTaken, take_planning_turn
from planact.workflows.workspace import Workspace


async def make_plan(ws: Workspace, session_id: str, request: str, target: PlanDocument | None = None) -> TurnTaken:
    """Let the planner work on a request.

    Args:
        ws: the workspace.
        session_id: a session in Plan.
        request: what the user wants.
        target: the request document that the plan is to replace; None = a new document.

    Raises:
        Conflict: MODE_CONFLICT in Act, BUSY.
        InvalidInput: INVALID_ARGUMENTS for an empty request; and what `with_mentions` raises.
    """
    if ws.ports.sessions.get(session_id).mode is not Mode.PLAN:
        raise Conflict("MODE_CONFLICT", "a plan is made in Plan", "Switch to Plan first.")
    if not request.strip():
        raise InvalidInput("INVALID_ARGUMENTS", "the request is empty", "Say what you want to have done.")
    full = await with_mentions(ws, session_id, request)
    ws.check_idle(session_id)
    name_session(ws, session_id, request)
    more: dict[str, Any] = {} if full == request else {"typed": request}
    ws.say(session_id, "user", full, **more)
    return await ws.work(session_id, take_planning_turn(ws, session_id, target))


async def make_plan_in(ws: Workspace, session_id: str, path: str) -> TurnTaken:
    """Turn the `*.plan` document at `path`, which holds only text, into a plan in place.

    Raises:
        InvalidInput: PLAN_INVALID, when it is a plan already.
    """
    document = read_document(ws, path)
    document.check_merged()
    if not document.tree.is_request:
        hint = "Revise it instead, or begin a new document."
        raise InvalidInput("PLAN_INVALID", f"{document.path} is a plan already", hint)
    ws.ports.approvals.withdraw(document.path)  # of a plan that was here before, or the new one could not be written
    change_session(ws, session_id, plan_file=document.path)
    return await make_plan(ws, session_id, without_questions(document.tree), document)


async def go_on_if_accepted(ws: Workspace, session_id: str, taken: TurnTaken) -> TurnResult:
    """Execute the plan that the user accepted in the turn, if they did."""
    if taken.result.kind != "accepted" or taken.written is None:
        return taken.result
    return turn_of(await execute_plan(ws, session_id, taken.written.path, Confirmation.UNLESS_APPROVED))


def turn_of(execution: Execution) -> TurnResult:
    """What the one who said something gets to hear of the execution that came of it."""
    kind: EndKind = "stopped" if execution.status == "paused" else "finished"
    return TurnResult(kind, execution.reason or f"{execution.status}: {execution.goal}")
