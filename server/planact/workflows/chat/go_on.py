"""Go on with work when its question has an answer: after a restart, no work waits for it any more."""

import asyncio
from dataclasses import dataclass

from planact.agent.budget import TurnBudget, TurnSpent, reached_limit
from planact.agent.earlier_answers import answers_text
from planact.base.errors import InvalidInput
from planact.model.answer import answers_in_words
from planact.model.notice import ExecutionProgress
from planact.model.question import QuestionSet
from planact.model.rights.permission import Mode
from planact.model.runs.execution import Execution
from planact.tools.calls.question import visible
from planact.workflows.chat.send_message import plan_in_hand, plan_instead, work_in_act
from planact.workflows.history.check_freshness import stale_files
from planact.workflows.history.journal_queries import load_record
from planact.workflows.plans.library import is_approved, is_executed, read_document
from planact.workflows.runs.make_plan import execute_if_accepted
from planact.workflows.runs.plan_marks import mark_end
from planact.workflows.runs.queued_messages import said_by_user
from planact.workflows.runs.resume import resume_execution
from planact.workflows.turns.take_turn import take_planning_turn
from planact.workflows.workspace import Workspace


@dataclass(frozen=True, slots=True)
class HeldWork:
    """Work that a question held up; `run` is the run of a plan, None = a turn of the session. `wish` has the answer by
    which work in Act is planned anew; empty = it goes on.
    """

    session_id: str
    run: Execution | None
    wish: str = ""


def work_held_by(ws: Workspace, ended: QuestionSet) -> HeldWork | None:
    """Return the work that can go on now that a question has ended; None where it goes on by itself or needs none, and
    where the user's answer pauses or ends it.
    """
    if ended.status not in ("answered", "declined") or ended.is_momentary or ws.is_working(ended.session_id):
        return None
    if ended.effect in ("pause", "stop"):
        return None
    if any(asked.session_id == ended.session_id for asked in ws.ports.questions.open()):
        return None
    if ended.execution_id:
        run = load_record(ws, ended.execution_id)
        return HeldWork(ended.session_id, run) if _is_held(run) else None
    is_of_turn = ended.purpose in ("agent", "approval") and not ended.subject.startswith("hook ")
    wish = answers_text([ended]) if ended.effect == "replan" else ""
    return HeldWork(ended.session_id, None, wish) if is_of_turn else None


def _is_held(run: Execution | None) -> bool:
    return run is not None and run.status in ("paused", "aborted", "running")


async def end_if_stopped(ws: Workspace, ended: QuestionSet) -> None:
    """End the run that waits for the question without a process, if the user's answer ends it. A run at work ends by
    itself, and one that was killed is closed by the next.
    """
    run = load_record(ws, ended.execution_id) if ended.effect == "stop" and ended.execution_id else None
    if run is None or run.status != "paused" or ws.is_working(ended.session_id) or is_executed(ws, run.plan_file):
        return
    end = {"status": "aborted", "reason": f"stopped by the user: you chose “{visible(answers_in_words(ended))}”"}
    ws.ports.journal.append(run.session_id, run.id, "run_finished", end)
    closed = run.model_copy(update={**end, "finished_at": ws.now()})
    ws.ports.records.put_execution(closed)
    await mark_end(ws, closed)
    ws.ports.editor.notify(ExecutionProgress(execution=closed, text=f"aborted: {closed.reason}"))


async def obstacle_to(ws: Workspace, held: HeldWork) -> str:
    """Return why the work may not go on by itself, as a clause for the user; empty = it may."""
    session = ws.ports.sessions.get(held.session_id)
    limits = ws.settings.limits
    budget = TurnBudget(limits.max_turns, limits.max_tokens, limits.max_cost)
    if limit := reached_limit(budget, TurnSpent(), session.usage, ws.ports.models):
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
        What `resume_execution`, `take_planning_turn` and `send_message` raise.
    """
    session_id = held.session_id
    if held.run is not None:
        await resume_execution(ws, session_id, held.run)
        return
    document = await plan_in_hand(ws, session_id)
    if ws.ports.sessions.get(session_id).mode is Mode.ACT:
        if held.wish:
            await plan_instead(ws, session_id, held.wish)
            return
        said = said_by_user(ws, session_id)
        await work_in_act(ws, session_id, said[-1].typed if said else "Go on", document)
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
