"""Go on with work when its question has an answer: after a restart, no work waits for it any more."""

import asyncio
from dataclasses import dataclass

from planact.agent.budget import TurnBudget, TurnSpent, reached_limit
from planact.base.errors import InvalidInput
from planact.model.question import QuestionSet
from planact.model.rights.permission import Mode
from planact.model.runs.execution import Execution
from planact.workflows.chat.send_message import plan_in_hand
from planact.workflows.history.check_freshness import stale_files
from planact.workflows.history.journal_queries import load_record
from planact.workflows.plans.library import is_approved, read_document
from planact.workflows.runs.make_plan import execute_if_accepted
from planact.workflows.runs.queued_messages import said_by_user
from planact.workflows.runs.resume import resume_execution
from planact.workflows.runs.run_without_plan import run_without_plan
from planact.workflows.turns.take_turn import take_planning_turn
from planact.workflows.workspace import Workspace


@dataclass(frozen=True, slots=True)
class HeldWork:
    """Work that a question held up; `run` is the run of a plan, None = a turn of the session."""

    session_id: str
    run: Execution | None


def work_held_by(ws: Workspace, ended: QuestionSet) -> HeldWork | None:
    """Return the work that can go on now that a question has ended; None where it goes on by itself or needs none."""
    if ended.status not in ("answered", "declined") or ended.is_momentary or ws.is_working(ended.session_id):
        return None
    if any(asked.session_id == ended.session_id for asked in ws.ports.questions.open()):
        return None
    if ended.execution_id:
        run = load_record(ws, ended.execution_id)
        is_held = run is not None and run.status in ("paused", "aborted", "running")
        return HeldWork(ended.session_id, run) if is_held else None
    is_of_turn = ended.purpose in ("agent", "approval") and not ended.subject.startswith("hook ")
    return HeldWork(ended.session_id, None) if is_of_turn else None


async def obstacle_to(ws: Workspace, held: HeldWork) -> str:
    """Return why the work may not go on by itself, as a clause for the user; empty = it may."""
    session = ws.ports.sessions.get(held.session_id)
    limits = ws.settings.limits
    budget = TurnBudget(limits.max_turns, limits.max_tokens, limits.max_cost)
    if limit := reached_limit(budget, TurnSpent(), session.usage):
        return limit
    if session.mode is Mode.PLAN and held.run is None:
        return ""
    if session.mode is not Mode.ACT:
        return "you have switched to Plan since"
    if ws.is_restricted():
        return "your editor doesn't trust this folder"
    if run := ws.ports.lock.holder():
        return f"another run is at work: {run}"
    return await asyncio.to_thread(_change_of_plan, ws, held.run) if held.run else ""


async def go_on(ws: Workspace, held: HeldWork) -> None:
    """Go on with the work. A run asks first about commands that had begun; the model is told the answers.

    Raises:
        What `resume_execution`, `take_planning_turn` and `run_without_plan` raise.
    """
    session_id = held.session_id
    if held.run is not None:
        await resume_execution(ws, session_id, held.run)
        return
    document = await plan_in_hand(ws, session_id)
    if ws.ports.sessions.get(session_id).mode is Mode.ACT:
        said = said_by_user(ws, session_id)
        await run_without_plan(ws, session_id, said[-1].typed if said else "Go on", document)
        return
    target = document if document and not is_approved(ws, document) else None
    await execute_if_accepted(ws, session_id, await ws.work(session_id, take_planning_turn(ws, session_id, target)))


def _change_of_plan(ws: Workspace, run: Execution) -> str:
    try:
        document = read_document(ws, run.plan_file)
        plan = document.complete()
    except InvalidInput as error:
        return error.message
    if document.hash != run.plan_hash or not is_approved(ws, document):
        return f"{run.plan_file} isn't the text that you approved"
    changed = stale_files(ws, plan)
    return f"{changed[0].path} has changed since" if changed else ""
