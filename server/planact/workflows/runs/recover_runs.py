"""Recover killed runs: records and marks are made to fit the journal.

The holder of the lock knows that a run without an end was killed. The end is journaled last, so that the recovery can
itself be killed and repeated.
"""

import asyncio
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from planact.base.errors import Conflict, EditFailure, InvalidInput
from planact.base.filetext import fingerprint
from planact.base.text import counted
from planact.model.notice import ToolNotice
from planact.model.plan import StepStatus
from planact.model.runs.execution import Execution, FileChange, StepRecord
from planact.model.runs.journal import JournalEntry
from planact.model.runs.touch import Touch
from planact.tools.read_access import fingerprint_of
from planact.workflows.history.half_calls import half_calls_of
from planact.workflows.history.interruption import interrupted_step
from planact.workflows.history.journal_queries import (
    changed_files,
    load_record,
    rebuild_execution,
    split_at_pauses,
)
from planact.workflows.history.restore_files import restore_files
from planact.workflows.history.undo_log import interrupted_rollback_ids
from planact.workflows.outcomes.recover_trial import recover_trial
from planact.workflows.plans.library import edit_document, read_document
from planact.workflows.runs.plan_marks import (
    lacks_only_end,
    mark_rollbacks,
    missing_marks,
    note_marked,
    runs_to_mark,
    unmarked_runs,
    unmarked_steps,
)
from planact.workflows.workspace import Workspace

KILLED = "the process ended before the run did"
LOST = "it did not end by itself, and the journal, which was damaged, has lost it"

_RECOVERING = "putting in order what a killed run left behind"
"""Purpose of the folder's lock during a recovery."""

_MOST_SECONDS = 10.0
"""So long another recovery is waited for."""

_PAUSE = 0.02
"""Seconds between two looks at the lock."""

_OWN_FOLDER = ".planact"
_DRAWINGS = 3
_CHANGES = ("run_resumed", "files_changing", "files_unchanged", "file_changed")


async def recover_runs(ws: Workspace) -> Sequence[str]:
    """Make good what killed processes left, unless a run goes on. Returns what was done, in a line each. Where another
    call or process is at it, wait for that, so that a run which is to begin isn't refused for it.

    Raises:
        StorageFailure: it can't be written.
        EditFailure: a call that was killed half-way can't be undone; its run stays open.
    """
    ws.questions.cancel_orphaned()
    if not needs_recovery(ws) or ws.ports.lock.acquire(_RECOVERING):
        await _until_recovered(ws)
        return ()
    try:
        done: list[str] = []
        for begun in ws.ports.journal.open_runs():
            done += await _close(ws, begun)
        for last in ws.ports.journal.runs(limit=1):
            done += await _picture(ws, rebuild_execution(ws, last))
        for run in unmarked_runs(ws):
            done += await _picture(ws, run)
        for run in runs_to_mark(ws):
            await mark_rollbacks(ws, run)
            done.append(f"showed what was rolled back of “{run.goal}”")
        removed = ws.ports.files.remove_abandoned("" if done or interrupted_rollback_ids(ws) else _OWN_FOLDER)
        return (*done, *(f"removed {path}, which was never finished" for path in removed))
    finally:
        ws.ports.lock.release()


async def _until_recovered(ws: Workspace) -> None:
    for _ in range(round(_MOST_SECONDS / _PAUSE)):  # the lock is a file's, and tells nobody of its end
        if ws.ports.lock.holder() != _RECOVERING:
            return
        await asyncio.sleep(_PAUSE)


async def close_lost_runs(ws: Workspace) -> Sequence[str]:
    """Mark runs that the journal has lost as aborted, in records and plans. Return what was done, in a line each."""
    done: list[str] = []
    for record in unknown_runs(ws):
        told = {"status": "aborted", "reason": LOST, "finished_at": ws.now()}
        done += await _picture(ws, record.model_copy(update=told))
    return done


def unknown_runs(ws: Workspace) -> Sequence[Execution]:
    """Return the records that say "running" of runs that the journal doesn't know; none while a run goes on."""
    if ws.ports.lock.holder():
        return ()
    records = ws.ports.records.executions()
    return [record for record in records if record.status == "running" and not ws.ports.journal.read(record.id)]


def needs_recovery(ws: Workspace) -> bool:
    """A run goes on, or one is left to recover."""
    journal = ws.ports.journal
    last = next((rebuild_execution(ws, begun) for begun in journal.runs(limit=1)), None)
    is_pictured = last is None or (
        essentials(load_record(ws, last.id)) == essentials(last) and not missing_marks(ws, last)
    )
    is_left = journal.open_runs() or interrupted_rollback_ids(ws) or runs_to_mark(ws) or unmarked_runs(ws)
    is_left = is_left or ws.ports.files.abandoned(_OWN_FOLDER)
    return not is_pictured or bool(is_left)


def essentials(execution: Execution | None) -> object:
    """Return the parts of a record that must agree with the journal; the record's writer knows the rest."""
    if execution is None:
        return None
    return execution.status, execution.plan_file, [(step.step_number, step.status) for step in execution.steps]


async def _close(ws: Workspace, begun: JournalEntry) -> Sequence[str]:
    last = ws.ports.journal.read(begun.execution_id)[-1]
    ended = ws.ports.runner.left_behind(end=True)  # they may still change files
    tried = await recover_trial(ws, begun)
    undone = await _undo_half_calls(ws, begun)
    found = (*tried, *undone, *record_made_changes(ws, begun.session_id, begun.execution_id))
    if record := _interrupted(ws, begun):
        ws.ports.journal.append(begun.session_id, begun.execution_id, "step_finished", record.model_dump(mode="json"))
    killed = rebuild_execution(ws, begun)
    is_done = bool(killed.plan_file) and lacks_only_end(begun, killed)
    closed = killed.model_copy(
        update={"status": "success" if is_done else "aborted", "reason": KILLED, "finished_at": ws.now()}
    )
    await _picture(ws, closed)
    data = {"status": closed.status, "reason": KILLED, "until": last.time}
    ws.ports.journal.append(closed.session_id, begun.execution_id, "run_finished", data)
    told = [f"closed the run of “{closed.goal}”: {KILLED}", *found]
    told += [f"ended {counted(ended, 'process')} of its commands, still running"] if ended else []
    ws.add_message(closed.session_id, "system", "\n".join(told), execution_id=begun.execution_id)
    for each in told:  # each on a line of its own, which is cut where it is long
        ws.ports.editor.notify(ToolNotice(closed.session_id, "recovery", each))
    return told


async def _undo_half_calls(ws: Workspace, begun: JournalEntry) -> Sequence[str]:
    """Undo calls that changed only some of their files. Killed in between, the next recovery goes on with it, since the
    journal still has the call and the bytes from before it.
    """
    told: list[str] = []
    for call in [*half_calls_of(ws, begun)]:
        try:
            await restore_files(ws, call.undo, "Undo what was killed half-way")
        except EditFailure as failure:
            message = f"{call.warning}; it can't be undone: {failure.message}"
            raise EditFailure(failure.code, message, failure.hint) from failure
        data = {"call_id": call.changing.data["call_id"], "paths": call.undone, "of": call.changing.sequence}
        ws.ports.journal.append(begun.session_id, begun.execution_id, "files_unchanged", data)
        undone = [path for path in call.changed if path in call.undone] or call.paths[:1]
        told.append(f"undid a call that was killed half-way: {', '.join(undone)}")
        told += [f"{path} stays as it is: its bytes from before are lost" for path in call.undo.stayed]
    return told


def _interrupted(ws: Workspace, begun: JournalEntry) -> StepRecord | None:
    """The record of the step that has no result, as of those that a question or a limit ends."""
    entries = ws.ports.journal.read(begun.execution_id)
    if "task" in begun.data and not any(entry.kind == "step_finished" for entry in entries):
        goal = rebuild_execution(ws, begun).goal
        files = changed_files(ws, begun.execution_id)
        return StepRecord(step_number=0, action=goal, status=StepStatus.FAILED, error=KILLED, files=files)
    interrupted = interrupted_step(split_at_pauses(entries)[-1])
    if interrupted is None:
        return None
    return StepRecord(
        step_number=interrupted.step.step_number,
        action=interrupted.step.action,
        status=StepStatus.PENDING,
        attempt=interrupted.attempt,
        error=interrupted.summary,
        ended_by="kill",
        repairs=interrupted.repairs,
        files=interrupted.files,
    )


def record_made_changes(ws: Workspace, session_id: str, run_id: str) -> Sequence[str]:
    """Journal the changes of a run that were made, though it was killed or the disk was full before it could say so.
    Return what is to be told of them, and of changes that are neither made nor unmade.
    """
    pending: dict[tuple[str, str], Touch] = {}
    for entry in split_at_pauses(ws.ports.journal.read(run_id, _CHANGES))[-1]:
        call_id = str(entry.data["call_id"])
        if entry.kind != "files_changing":
            for path in entry.data.get("paths", (entry.data.get("path"),)):
                pending.pop((call_id, str(path)), None)
        else:
            touches = map(Touch.model_validate, entry.data.get("touches", ()))
            pending |= {(call_id, touch.path): touch for touch in touches if touch.after.kind != "directory"}
    told: list[str] = []
    for (call_id, path), touch in pending.items():
        before, after, now = touch.before.sha256 if touch.before else "", touch.after.sha256, _content_now(ws, path)
        if now == after != before:
            change = FileChange(path=path, before=before, after=now)
            data = {"call_id": call_id, **change.model_dump()}
            ws.ports.journal.append(session_id, run_id, "file_changed", data)
            told.append(f"{path} was changed by the run, just before it ended")
        elif now not in (before, after):
            told.append(f"{path} is neither what it was before the run nor what it was to become: look at it")
    return told


def _content_now(ws: Workspace, path: str) -> str:
    file = ws.ports.editor.buffer(ws.ports.files.resolve(path))
    return fingerprint(file) if file else fingerprint_of(ws.ports.files, path, ws.settings.limits.file_bytes)


async def _picture(ws: Workspace, execution: Execution) -> Sequence[str]:
    """Make the record and the plan document show what the journal says; what had to be done for it."""
    done = []
    if essentials(load_record(ws, execution.id)) != essentials(execution):
        ws.ports.records.put_execution(execution)
        source = "" if execution.reason == LOST else ", from the journal"
        done.append(f"wrote the record of “{execution.goal}” anew{source}")
    for _ in range(_DRAWINGS):
        try:
            if edits := missing_marks(ws, execution):
                document = read_document(ws, execution.plan_file)
                await edit_document(ws, execution.session_id, document, edits, "Mark the plan")
                note_marked(ws, execution, unmarked_steps(ws, execution.id))
                done.append(f"marked in {execution.plan_file} what came of its run")
            break
        except EditFailure:  # the user types in it
            continue
        except InvalidInput:  # it is gone
            break
    return done


@contextmanager
def sole_run(ws: Workspace, holder: str) -> Iterator[None]:
    """Be the one run, until the block ends.

    Args:
        ws: the workspace.
        holder: what others are told who come meanwhile.

    Raises:
        Conflict: BUSY, with the name of the run that has the folder.
    """
    other = ws.ports.lock.acquire(holder)
    if other:
        raise Conflict("BUSY", f"another run changes this folder: {other}", "Wait for it, or stop it.")
    try:
        yield
    finally:
        ws.ports.lock.release()
