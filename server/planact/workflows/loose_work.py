"""Work in Act without a plan: an execution with one implicit step, so that it has the same record."""

from planact.agent.loop import TurnResult
from planact.model.execution import Execution, ExecutionStatus, StepRecord
from planact.model.notice import ExecutionProgress
from planact.model.plan import StepStatus
from planact.plan.approval import approved_text
from planact.tools.background import Background
from planact.tools.finding import look_beside, not_covered
from planact.tools.finish import finish
from planact.workflows.half_rolled_back import tell_half_rolled_back
from planact.workflows.journaled import changed_files, record_of
from planact.workflows.library import PlanDocument, is_approved
from planact.workflows.put_in_order import put_in_order
from planact.workflows.run_end import end_by
from planact.workflows.run_hooks import hooks_after_run, why_hooks_pause
from planact.workflows.run_step import evidence_of
from planact.workflows.sessions import title_from
from planact.workflows.sole_run import sole_run
from planact.workflows.take_turn import Scope, TurnTaken, take_turn
from planact.workflows.usage import usage_of_run
from planact.workflows.workspace import Workspace


async def do_loose_work(ws: Workspace, session_id: str, task: str, document: PlanDocument | None) -> TurnResult:
    """Let the actor work on what the user said last. Nothing is approved beforehand, also where a plan is in hand.

    Raises:
        Conflict: BUSY.
        Stopped: the user stopped it; the record says so.
    """
    await put_in_order(ws)
    tell_half_rolled_back(ws, session_id)
    execution = Execution(id=ws.ports.ids.uuid7(), session_id=session_id, goal=title_from(task), started_at=ws.now())
    with sole_run(ws, execution.goal):
        try:
            return await ws.work(session_id, _work(ws, execution, task, document))
        finally:
            if ended := record_of(ws, execution.id):
                await hooks_after_run(ws, ended)


async def _work(ws: Workspace, execution: Execution, task: str, document: PlanDocument | None) -> TurnResult:
    session_id = execution.session_id
    ws.ports.journal.append(session_id, execution.id, "run_started", {"task": task, "after": ws.last_said(session_id)})
    ws.ports.records.put_execution(execution)
    pinned = approved_text(document.file.text) if document and is_approved(ws, document) else ""
    started = ws.ports.clock.seconds()
    record = StepRecord(step_number=0, action=execution.goal, status=StepStatus.FAILED)
    background = Background()
    try:
        if pauses := await why_hooks_pause(ws, execution, "Execution"):
            status, reason = "paused", pauses
            return TurnResult("stopped", "", pauses)
        scope = Scope(execution_id=execution.id, approved_plan=pinned, background=background)
        taken = await take_turn(ws, session_id, scope)
        await finish(look_beside(ws.ports, background, taken.trace))
        status, reason = _status(taken.result)
        record = _record(record, taken, status)
        return taken.result
    except BaseException as error:
        status, reason = end_by(error)
        raise
    finally:
        await finish(background.end())
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
        ws.ports.editor.tell(ExecutionProgress(ended, status.replace("_", " ")))


def _status(result: TurnResult) -> tuple[ExecutionStatus, str]:
    if result.kind == "finished":
        return "success", ""
    return ("failed" if result.kind == "refused" else "paused"), result.reason


def _record(record: StepRecord, taken: TurnTaken, status: ExecutionStatus) -> StepRecord:
    return record.model_copy(
        update={
            "status": StepStatus.DONE if status == "success" else StepStatus.FAILED,
            "output": taken.result.text,
            "tool_results": sum(call.has_succeeded for call in taken.trace.calls),
            "evidence": evidence_of(taken.trace),
            "uncovered": not_covered(taken.trace),
            "usage": taken.usage,
        }
    )
