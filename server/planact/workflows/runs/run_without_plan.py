"""Work in Act without a plan: an execution with one implicit step, so that it has the same record."""

from itertools import islice

from planact.agent.loop import EndKind, TurnResult
from planact.model.notice import ExecutionProgress
from planact.model.plan import PlanStatus, StepStatus
from planact.model.runs.execution import Execution, ExecutionStatus, StepRecord
from planact.plan.approval import approved_text
from planact.tools.commands.background import Background
from planact.tools.commands.file_changes import not_covered, record_changes_beside
from planact.tools.shielded import run_shielded
from planact.workflows.history.interruption import warn_of_interrupted_rollbacks
from planact.workflows.history.journal_queries import changed_files, load_record, own_runs, usage_of_run
from planact.workflows.hooks import hooks_after_run, why_hooks_pause
from planact.workflows.outcomes.judge_waiting import judge_waiting
from planact.workflows.plans.library import PlanDocument, is_approved
from planact.workflows.run_end import status_of_end
from planact.workflows.runs.recover_runs import record_made_changes, recover_runs, sole_run
from planact.workflows.runs.run_step import evidence_of
from planact.workflows.sessions.manage import title_from
from planact.workflows.turns.left_undone import left_undone
from planact.workflows.turns.take_turn import Scope, TurnTaken, judge_outcomes, take_turn
from planact.workflows.workspace import Workspace

_LOOKED_BACK = 20
"""Runs of the folder that are read to find one of the same message."""

_PAUSED: frozenset[EndKind] = frozenset({"waiting", "stopped", "cancelled", "replan", "limit"})
"""Ends of a turn after which what its commands changed is judged at the next start."""

_ENDED = (PlanStatus.DONE, PlanStatus.PARTIAL, PlanStatus.FAILED, PlanStatus.ABORTED)


async def run_without_plan(ws: Workspace, session_id: str, task: str, document: PlanDocument | None) -> TurnResult:
    """Run the actor on the user's last message. No action is approved beforehand, even if the session has a plan.

    Where the user chose to re-plan, the caller makes the plan (`plan_instead`). A run in which nothing was done that
    the messages asked to change ends as `nothing_done`, unless an earlier run on the same message changed something.

    Raises:
        Conflict: BUSY.
        Stopped: the user stopped it; the record says so.
    """
    await recover_runs(ws)
    warn_of_interrupted_rollbacks(ws, session_id)
    execution = Execution(id=ws.ports.ids.uuid7(), session_id=session_id, goal=title_from(task), started_at=ws.now())
    with sole_run(ws, execution.goal):
        await judge_waiting(ws, session_id)
        try:
            result = await ws.work(session_id, _work(ws, execution, task, document))
        finally:
            if ended := load_record(ws, execution.id):
                await hooks_after_run(ws, ended)
    return result


async def _work(ws: Workspace, execution: Execution, task: str, document: PlanDocument | None) -> TurnResult:
    session_id = execution.session_id
    ws.ports.journal.append(session_id, execution.id, "run_started", {"task": task, "after": ws.last_said(session_id)})
    ws.ports.records.put_execution(execution)
    is_pinned = document is not None and is_approved(ws, document) and not _has_ended(document)
    pinned = approved_text(document.file.text) if document and is_pinned else ""
    started = ws.ports.clock.seconds()
    record = StepRecord(step_number=0, action=execution.goal, status=StepStatus.FAILED)
    background = Background()
    messages = reversed(ws.ports.sessions.messages(session_id))
    begun_by = next((message.id for message in messages if message.is_said_by_user), "")
    try:
        if pauses := await why_hooks_pause(ws, execution, "Execution"):
            status, reason = "paused", pauses
            return TurnResult("stopped", "", pauses)
        scope = Scope(execution_id=execution.id, approved_plan=pinned, background=background)
        with ws.questions.in_run(session_id, execution.id):
            taken = await take_turn(ws, session_id, scope)
            if taken.result.kind not in _PAUSED:
                taken = await judge_outcomes(ws, session_id, scope, taken)
        await run_shielded(record_changes_beside(ws.ports, background, taken.trace))
        result = _result(ws, session_id, taken, begun_by)
        status, reason = _status(taken, result)
        record = _record(record, taken, result, status)
        return result
    except BaseException as error:
        status, reason = status_of_end(error)
        raise
    finally:
        await run_shielded(background.end())
        record_made_changes(ws, session_id, execution.id)
        files = changed_files(ws, execution.id)  # also where the turn was stopped
        duration = ws.ports.clock.seconds() - started
        usage = usage_of_run(ws, execution.id, (record,))
        record = record.model_copy(update={"duration": duration, "error": reason, "files": files, "usage": usage})
        ws.ports.journal.append(session_id, execution.id, "step_finished", record.model_dump(mode="json"))
        ws.ports.journal.append(session_id, execution.id, "run_finished", {"status": status, "reason": reason})
        ended = execution.model_copy(
            update={
                "status": status,
                "reason": reason,
                "steps": (record,),
                "usage": record.usage,
                "finished_at": ws.now(),
                "duration": duration,
            }
        )
        ws.ports.records.put_execution(ended)
        data = {"execution_id": ended.id, "plan_id": "", "status": status, "reason": reason}
        ws.record("execution_finished", session_id, data)
        ws.ports.editor.notify(ExecutionProgress(execution=ended, text=status.replace("_", " ")))


def _has_ended(document: PlanDocument) -> bool:
    """The run of the plan ended, so that later turns no longer work on it."""
    return document.plan is not None and document.plan.status in _ENDED


def _result(ws: Workspace, session_id: str, taken: TurnTaken, begun_by: str) -> TurnResult:
    """Return the result for the user; `begun_by` is the id of the message that the run began with."""
    if any(call.has_effect for call in taken.trace.calls) and not taken.trace.discarded_alone:
        return taken.result
    messages = ws.ports.sessions.messages(session_id)
    places = {message.id: place for place, message in enumerate(messages)}
    begin = places.get(begun_by, len(messages))
    said = [message.typed for message in messages[begin:] if message.is_said_by_user]
    undone = left_undone(taken.result, taken.trace, said)
    if undone is None:
        return taken.result
    for run in islice(own_runs(ws), _LOOKED_BACK):  # one that broke off, and that this one goes on with
        if run.session_id == session_id and any(step.files for step in run.steps):
            after = ws.ports.journal.read(run.id)[0].data.get("after", "")
            return taken.result if places.get(after, -1) >= begin else undone
    return undone


def _status(taken: TurnTaken, result: TurnResult) -> tuple[ExecutionStatus, str]:
    if result.kind == "finished":
        return "success", ""
    if taken.result.kind == "finished":
        return "nothing_done", result.reason
    statuses: dict[EndKind, ExecutionStatus] = {"refused": "failed", "cancelled": "aborted"}
    return statuses.get(result.kind, "paused"), result.reason


def _record(record: StepRecord, taken: TurnTaken, result: TurnResult, status: ExecutionStatus) -> StepRecord:
    return record.model_copy(
        update={
            "status": StepStatus.DONE if status == "success" else StepStatus.FAILED,
            "ended_by": "refusal" if result.kind == "refused" else "",
            "output": taken.result.text,
            "tool_results": sum(call.has_succeeded for call in taken.trace.calls),
            "evidence": evidence_of(taken.trace),
            "uncovered": not_covered(taken.trace),
            "usage": taken.usage,
        }
    )
