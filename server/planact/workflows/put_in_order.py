"""Put in order what a killed run left behind: the journal says what is so, and records and marks are made to fit.

Whoever gets the lock knows that a run without an end was killed. Its end is written down last, so that being killed
here too changes nothing.
"""

from collections.abc import Iterator, Sequence

from planact.base.errors import EditFailure, InvalidInput
from planact.base.filetext import fingerprint
from planact.base.text import counted
from planact.model.execution import Execution, FileChange, StepRecord
from planact.model.journal import JournalEntry
from planact.model.notice import ToolNotice
from planact.model.plan import StepStatus
from planact.model.touch import DIRECTORY, Touch
from planact.plan.parser import parse
from planact.tools.sight import fingerprint_of
from planact.workflows.draw_rollback import draw_rollbacks, runs_to_draw
from planact.workflows.draw_run import missing_marks
from planact.workflows.interruption import interrupted_step
from planact.workflows.journaled import changed_files, rebuilt, record_of
from planact.workflows.library import edit_document, read_document
from planact.workflows.workspace import Workspace

KILLED = "the process ended before the run did"
LOST = "it did not end by itself, and the journal, which was damaged, has lost it"

_OWN_FOLDER = ".planact"
_DRAWINGS = 3


async def put_in_order(ws: Workspace) -> Sequence[str]:
    """Make good what killed processes left, unless a run goes on. Returns what was done, in a line each.

    Raises:
        StorageFailure: it can't be written.
    """
    ws.desk.settle_killed()
    if not is_amiss(ws) or ws.ports.lock.acquire("putting in order what a killed run left behind"):
        return ()
    try:
        done: list[str] = []
        for begun in ws.ports.journal.open_runs():
            done += await _close(ws, begun)
        for last in ws.ports.journal.runs(limit=1):
            done += await _picture(ws, rebuilt(ws, last))
        for run in runs_to_draw(ws):
            await draw_rollbacks(ws, run)
            done.append(f"showed what was rolled back of “{run.goal}”")
        removed = ws.ports.files.remove_abandoned("" if done else _OWN_FOLDER)
        return (*done, *(f"removed {path}, which was never finished" for path in removed))
    finally:
        ws.ports.lock.release()


async def close_unknown(ws: Workspace) -> Sequence[str]:
    """Records of runs that seem to run, and that a journal which was damaged has lost, say that they ended, and so do
    their plans. Returns what was done, in a line each.
    """
    if ws.ports.lock.holder():
        return ()
    done: list[str] = []
    for record in ws.ports.records.executions():
        if record.status == "running" and not ws.ports.journal.read(record.id):
            told = {"status": "aborted", "reason": LOST, "finished_at": ws.now()}
            done += await _picture(ws, record.model_copy(update=told))
    return done


def is_amiss(ws: Workspace) -> bool:
    """Whether a run goes on, or something is left to put in order."""
    journal = ws.ports.journal
    last = next((rebuilt(ws, begun) for begun in journal.runs(limit=1)), None)
    is_pictured = last is None or (gist(record_of(ws, last.id)) == gist(last) and not missing_marks(ws, last))
    is_left = journal.open_runs() or runs_to_draw(ws) or ws.ports.files.abandoned(_OWN_FOLDER)
    return not is_pictured or bool(is_left)


def gist(execution: Execution | None) -> object:
    """What a record must say in any case: the rest is told, too, by whoever wrote it."""
    if execution is None:
        return None
    return execution.status, execution.plan_file, [(step.step_number, step.status) for step in execution.steps]


async def _close(ws: Workspace, begun: JournalEntry) -> Sequence[str]:
    found = tuple(_settle_files(ws, begun))
    ended = ws.ports.runner.left_behind(end=True)
    if record := _interrupted(ws, begun):
        ws.ports.journal.append(begun.session_id, begun.execution_id, "step_finished", record.model_dump(mode="json"))
    killed = rebuilt(ws, begun)
    is_done = bool(killed.plan_file) and _is_done(begun, killed)
    closed = killed.model_copy(
        update={"status": "success" if is_done else "aborted", "reason": KILLED, "finished_at": ws.now()}
    )
    await _picture(ws, closed)
    data = {"status": closed.status, "reason": KILLED}
    ws.ports.journal.append(begun.session_id, begun.execution_id, "run_finished", data)
    told = [f"closed the run of “{closed.goal}”: {KILLED}", *found]
    told += [f"ended {counted(ended, 'process')} of its commands, still running"] if ended else []
    ws.say(begun.session_id, "system", "\n".join(told), execution_id=begun.execution_id)
    ws.ports.editor.tell(ToolNotice(begun.session_id, "recovery", "; ".join(told)))
    return told


def _interrupted(ws: Workspace, begun: JournalEntry) -> StepRecord | None:
    """The record of the step that has no result, as of those that a question or a limit ends."""
    entries = ws.ports.journal.read(begun.execution_id)
    if "task" in begun.data and not any(entry.kind == "step_finished" for entry in entries):
        goal = rebuilt(ws, begun).goal
        files = changed_files(ws, begun.execution_id)
        return StepRecord(step_number=0, action=goal, status=StepStatus.FAILED, error=KILLED, files=files)
    interrupted = interrupted_step(entries)
    if interrupted is None:
        return None
    return StepRecord(
        step_number=interrupted.step.step_number,
        action=interrupted.step.action,
        status=StepStatus.PENDING,
        error=interrupted.told,
        ended_by="kill",
        files=interrupted.files,
    )


def _settle_files(ws: Workspace, begun: JournalEntry) -> Iterator[str]:
    """For each change that was begun and has no result: whether it was made, which is written down."""
    pending: dict[tuple[str, str], Touch] = {}
    for entry in ws.ports.journal.read(begun.execution_id, ("files_changing", "files_unchanged", "file_changed")):
        call_id = str(entry.data["call_id"])
        if entry.kind != "files_changing":
            for path in entry.data.get("paths", (entry.data.get("path"),)):
                pending.pop((call_id, str(path)), None)
        else:
            touches = map(Touch.model_validate, entry.data.get("touches", ()))
            pending |= {(call_id, touch.path): touch for touch in touches if touch.after != DIRECTORY}
    for (call_id, path), touch in pending.items():
        before, after, now = touch.before.sha256 if touch.before else "", touch.after.sha256, _content_now(ws, path)
        if now == after != before:
            change = FileChange(path=path, before=before, after=now)
            data = {"call_id": call_id, **change.model_dump()}
            ws.ports.journal.append(begun.session_id, begun.execution_id, "file_changed", data)
            yield f"{path} was changed by the run, just before it ended"
        elif now not in (before, after):
            yield f"{path} is neither what it was before the run nor what it was to become: look at it"


def _content_now(ws: Workspace, path: str) -> str:
    file = ws.ports.editor.buffer(ws.ports.files.resolve(path))
    return fingerprint(file) if file else fingerprint_of(ws.ports.files, path, ws.settings.limits.file_bytes)


def _is_done(begun: JournalEntry, killed: Execution) -> bool:
    """Whether the run had done all that its plan still held, and only its end is missing."""
    results = {record.step_number: record.status for record in killed.steps}
    left = [step.step_number for step in parse(str(begun.data["plan"])).steps if step.is_open]
    return bool(left) and all(results.get(number) is StepStatus.DONE for number in left)


async def _picture(ws: Workspace, execution: Execution) -> Sequence[str]:
    """Make the record and the plan document show what the journal says; what had to be done for it."""
    done = []
    if gist(record_of(ws, execution.id)) != gist(execution):
        ws.ports.records.put_execution(execution)
        source = "" if execution.reason == LOST else ", from the journal"
        done.append(f"wrote the record of “{execution.goal}” anew{source}")
    for _ in range(_DRAWINGS):
        try:
            if edits := missing_marks(ws, execution):
                document = read_document(ws, execution.plan_file)
                await edit_document(ws, execution.session_id, document, edits, "Mark the plan")
                done.append(f"marked in {execution.plan_file} what came of its run")
            break
        except EditFailure:  # the user types in it
            continue
        except InvalidInput:  # it is gone
            break
    return done
