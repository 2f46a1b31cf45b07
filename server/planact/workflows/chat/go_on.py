"""Go on with work when its question has an answer: after a restart, no work waits for it any more."""

import asyncio
from dataclasses import dataclass

from planact.agent.budget import TurnBudget, TurnSpent, reached_limit
from planact.agent.loop import TurnResult
from planact.base.errors import InvalidInput
from planact.model.notice import ExecutionProgress
from planact.model.question import QuestionSet
from planact.model.rights.permission import Mode
from planact.model.runs.execution import Execution
from planact.workflows.chat.send_message import plan_in_hand, work_in_act
from planact.workflows.history.check_freshness import stale_files
from planact.workflows.history.journal_queries import load_record
from planact.workflows.plans.accept import accepts_plan, approve_accepted, plan_asked_about
from planact.workflows.plans.library import is_approved, is_executed, read_document
from planact.workflows.questions.answers_as_result import effect_reason
from planact.workflows.runs.execute import Confirmation, execute_plan
from planact.workflows.runs.make_plan import plan_instead
from planact.workflows.runs.plan_and_act import execute_if_accepted
from planact.workflows.runs.plan_marks import mark_end
from planact.workflows.runs.queued_messages import said_by_user
from planact.workflows.runs.resume import resume_execution
from planact.workflows.turns.take_turn import take_planning_turn
from planact.workflows.workspace import Workspace


@dataclass(frozen=True, slots=True)
class HeldWork:
    """Work that a question held up: the run of a plan, the execution of one that the user accepted, or a turn.

    Attributes:
        run: the run of a plan.
        accepted: the question whose answer accepted a plan.
        wish: the reason why work in Act is planned anew; empty = it goes on.
    """

    session_id: str
    run: Execution | None = None
    accepted: QuestionSet | None = None
    wish: str = ""

    @property
    def plan(self) -> tuple[str, str] | None:
        """Path and approval hash of the plan that goes on; None for a turn."""
        if self.accepted:
            return plan_asked_about(self.accepted)
        return (self.run.plan_file, self.run.plan_hash) if self.run else None


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
    if accepts_plan(ended):
        return HeldWork(ended.session_id, accepted=ended)
    run = load_record(ws, ended.execution_id) if ended.execution_id else None
    if ended.execution_id and (run is None or run.status not in ("paused", "aborted", "running")):
        return None
    if run is not None and run.plan_file:
        return HeldWork(ended.session_id, run)
    is_of_turn = ended.purpose in ("agent", "approval") and not ended.subject.startswith("hook ")
    wish = effect_reason(ended) if ended.effect == "replan" else ""
    return HeldWork(ended.session_id, wish=wish) if is_of_turn else None


def is_held_elsewhere(ws: Workspace, ended: QuestionSet) -> bool:
    """Another process has the session of a question that ended, and hasn't taken the answer."""
    is_held = ended.session_id not in ws.running and ws.is_working(ended.session_id)
    return is_held and not is_taken(ws, ended)


def is_taken(ws: Workspace, ended: QuestionSet) -> bool:
    """The work that asked has the answer: the model was told, or planact acts on it."""
    if ended.purpose == "agent":
        left = ws.ports.questions.untold(ended.session_id)
    else:
        left = ws.ports.questions.asked(ended.session_id, purpose=ended.purpose, subject=ended.subject)
    return all(asked.id != ended.id for asked in left)


async def apply_answer(ws: Workspace, ended: QuestionSet) -> None:
    """Apply the user's answer where no process waits for it: end the run that it stops, or approve the plan that it
    accepts. A run at work ends by itself, and one that was killed is closed by the next.

    Raises:
        Conflict: HOOK_FAILED, before an approval.
    """
    if ws.is_working(ended.session_id):
        return
    if ended.effect == "stop":
        await _end_run(ws, ended)
    elif accepts_plan(ended):
        await approve_accepted(ws, ended)


async def _end_run(ws: Workspace, ended: QuestionSet) -> None:
    run = load_record(ws, ended.execution_id) if ended.execution_id else None
    if run is None or run.status != "paused" or (run.plan_file and is_executed(ws, run.plan_file)):
        return
    end = {"status": "aborted", "reason": effect_reason(ended)}
    ws.ports.journal.append(run.session_id, run.id, "run_finished", end)
    closed = run.model_copy(update={**end, "finished_at": ws.now()})
    ws.ports.records.put_execution(closed)
    if run.plan_file:
        await mark_end(ws, closed)
    ws.ports.editor.notify(ExecutionProgress(execution=closed, text=f"aborted: {closed.reason}"))


async def obstacle_to(ws: Workspace, held: HeldWork) -> str:
    """Return why the work may not go on by itself, as a clause for the user; empty = it may."""
    session = ws.ports.sessions.get(held.session_id)
    budget = TurnBudget.of(ws.settings.limits)
    if limit := reached_limit(budget, TurnSpent(), session.usage, ws.ports.models):
        return limit
    if session.mode is Mode.PLAN and held.plan is None:
        return ""
    if session.mode is not Mode.ACT and held.accepted is None:
        return "you have switched to Plan since"
    if ws.is_restricted():
        return "your editor doesn't trust this folder"
    if run := ws.ports.lock.holder():
        return f"another run is at work: {run}"
    return await asyncio.to_thread(_change_of_plan, ws, *held.plan) if held.plan else ""


async def go_on(ws: Workspace, held: HeldWork) -> TurnResult | None:
    """Go on with the work, and return how the turn ended; None for the run of a plan. A run asks first about commands
    that had begun; the model is told the answers.

    Raises:
        What `resume_execution`, `execute_plan`, `take_planning_turn` and `send_message` raise.
    """
    session_id = held.session_id
    if held.run is not None:
        await resume_execution(ws, session_id, held.run)
        return None
    if held.plan is not None:
        await execute_plan(ws, session_id, held.plan[0], Confirmation.UNLESS_APPROVED)
        return None
    document = await plan_in_hand(ws, session_id)
    if ws.ports.sessions.get(session_id).mode is Mode.ACT:
        said = said_by_user(ws, session_id)
        task = said[-1].typed if said else "Go on"
        if held.wish:
            planned = await plan_instead(ws, session_id, task, held.wish)
            return await execute_if_accepted(ws, session_id, planned)
        return await work_in_act(ws, session_id, task, document)
    target = document if document and not is_approved(ws, document) else None
    taken = await ws.work(session_id, take_planning_turn(ws, session_id, target))
    return await execute_if_accepted(ws, session_id, taken)


def _change_of_plan(ws: Workspace, path: str, plan_hash: str) -> str:
    try:
        document = read_document(ws, path)
        plan = document.complete()
    except InvalidInput as error:
        return error.message
    if document.hash != plan_hash or not is_approved(ws, document):
        return f"{path} isn't the text that you approved"
    changed = stale_files(ws, plan)
    return f"{changed[0].path} has changed since" if changed else ""
