"""From a request to a plan document."""

from typing import Any

from planact.agent.loop import TurnResult
from planact.base.errors import Conflict, InvalidInput
from planact.model.rights.permission import Mode
from planact.plan.question_blocks import without_questions
from planact.workflows.history.earlier_answers import add_earlier_answers
from planact.workflows.plans.library import PlanDocument, read_document
from planact.workflows.sessions.manage import change_session, name_session
from planact.workflows.sessions.switch_mode import enter_mode
from planact.workflows.turns.mentions import with_mentions
from planact.workflows.turns.take_turn import TurnTaken, plan_on_message, take_planning_turn
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
    add_earlier_answers(ws, session_id)
    ws.add_message(session_id, "user", full, **more)
    return await ws.work(session_id, plan_on_message(ws, session_id, target))


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


NO_PLAN = "The request led to no plan."


def result_of_planning(taken: TurnTaken) -> TurnResult:
    """Return the result of a turn that was to make a plan: `nothing_done` where the model ended it without one."""
    if taken.written is not None or taken.offer or taken.result.kind != "finished":
        return taken.result
    return TurnResult("nothing_done", taken.result.text, NO_PLAN)


async def plan_instead(ws: Workspace, session_id: str, task: str, reason: str) -> TurnTaken:
    """Make a plan in place of work in Act, since the user chose so.

    Args:
        ws: the workspace.
        session_id: the session that worked; it is in Plan from then on.
        task: the user's message, which the conversation has already.
        reason: a clause for the model.

    Raises:
        Conflict: BUSY. What `take_planning_turn` raises.
    """
    ws.check_idle(session_id)
    if ws.ports.sessions.get(session_id).mode is not Mode.PLAN:
        enter_mode(ws, session_id, Mode.PLAN, "re-plan")
    add_earlier_answers(ws, session_id)
    text = f"Plan what the user asked for, in place of doing it at once ({reason}):\n\n{task}"
    ws.add_message(session_id, "system", text, for_model=True, is_hidden=True)
    return await ws.work(session_id, take_planning_turn(ws, session_id, None))
