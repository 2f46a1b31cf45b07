"""Read runs back from the journal, which is right where records, marks or messages are missing.

Records lie in the workspace, where any process may write; the journal doesn't.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any

from planact.base.errors import Conflict, NotFound
from planact.model.chat.message import Usage
from planact.model.plan import Step, StepStatus
from planact.model.runs.execution import Adaptation, CheckResult, Execution, FileChange, Rollback, StepRecord
from planact.model.runs.journal import Event, JournalEntry
from planact.plan.approval import hash_of
from planact.plan.syntax.lower import lower
from planact.plan.syntax.parser import parse
from planact.tools.trace import Trace
from planact.workflows.plans.library import PlanDocument
from planact.workflows.sessions.manage import title_from
from planact.workflows.workspace import Workspace

_MOST_UNFINISHED = 50
_OF_RECORDS = ("run_resumed", "plan_amended", "checked_before", "step_finished", "run_finished", "rollback_finished")

GOES_ON = {"status": "running", "reason": "", "finished_at": ""}
"""What a record says, once its run goes on after a pause."""


def usage_of(request: Event) -> Usage:
    """Return the cost of one request as a part of a sum. Older versions didn't record its purpose."""
    return Usage.model_validate(request.data).of(str(request.data.get("model", "")), request.data.get("purpose"))


def usage_of_run(ws: Workspace, execution_id: str, steps: Iterable[StepRecord]) -> Usage:
    """Sum the cost of a run's requests; the records of `steps` fill in for lost events."""
    told = Usage()
    for request in ws.ports.events.requests(execution_id):
        told = told.plus(usage_of(request))
    recorded = usage_of_steps(steps)
    return told if told.requests > recorded.requests else recorded


def usage_of_steps(steps: Iterable[StepRecord]) -> Usage:
    """Sum the cost of the attempts with a record."""
    usage = Usage()
    for step in steps:
        usage = usage.plus(step.usage)
    return usage


def newest_first(ws: Workspace) -> Iterator[Execution]:
    """The records of all runs in the order of the journal, since a clock may have been set back. Those that it doesn't
    know, as they came with the repository, are the last. Each is read when it is asked for: there may be thousands.
    """
    yield from own_runs(ws)
    yield from _foreign(ws, ws.ports.journal.run_ids())


def own_runs(ws: Workspace) -> Iterator[Execution]:
    """The records of the runs that the journal knows, in its order."""
    return _records(ws, ws.ports.journal.run_ids())


def runs_of(ws: Workspace, path: str, plan_id: str = "") -> Iterator[Execution]:
    """The records of the runs of the plan document at `path`, or of the plan with an id, in the order of
    `newest_first`. Each is read when it is asked for: a plan may have been run a hundred times.
    """
    journal = ws.ports.journal
    yield from _records(ws, journal.run_ids(path, plan_id))
    for run in _foreign(ws, journal.run_ids()):
        if run.plan_file == path != "" or run.plan_id == plan_id != "":
            yield run


def _records(ws: Workspace, run_ids: Iterable[str]) -> Iterator[Execution]:
    return (run for run_id in run_ids if (run := ws.ports.records.execution(run_id)))


def _foreign(ws: Workspace, known: Sequence[str]) -> Iterator[Execution]:
    """Yield the runs that the journal doesn't know, the newest first."""
    unknown = set(ws.ports.records.execution_ids()).difference(known)
    return _records(ws, sorted(unknown, reverse=True))


def load_record(ws: Workspace, execution_id: str) -> Execution | None:
    """The record as it lies in the workspace, if it can be read."""
    return ws.ports.records.execution(execution_id)


def unfinished_runs(ws: Workspace, path: str) -> Sequence[str]:
    """Return the ids of the last runs of the plan at `path` that weren't done or rolled back, the newest first."""
    found: list[str] = []
    for begun in ws.ports.journal.runs(path, limit=_MOST_UNFINISHED):
        run = load_record(ws, begun.execution_id)
        if run is not None and (run.status == "success" or run.rollbacks):
            break
        found.append(begun.execution_id)
    return found


def changed_files(ws: Workspace, execution_id: str) -> tuple[FileChange, ...]:
    """Each file that the run left changed once: its first state before and its last one after."""
    trace = Trace()
    for entry in ws.ports.journal.read(execution_id, ("file_changed",)):
        trace.note(FileChange.model_validate(entry.data))
    return trace.left()


def files_left(ws: Workspace, execution_id: str) -> Mapping[str, str]:
    """The SHA-256 by path of what the run left: its own changes, what commands did and editors that saved, and what was
    taken back.
    """
    left: dict[str, str] = {}
    for entry in ws.ports.journal.read(execution_id, ("file_changed", "rollback_finished")):
        if entry.kind == "rollback_finished":
            left |= {file.path: file.after for file in Rollback.model_validate(entry.data).files}
        else:
            change = FileChange.model_validate(entry.data)
            left |= {change.path: change.after} if change.is_covered else {}
    return left


def repairs_made(ws: Workspace, execution_id: str, step_number: int) -> int:
    """Count the repairs of a step since its last result in the run, which may have paused or been killed meanwhile."""
    made = 0
    for entry in ws.ports.journal.of_step(execution_id, step_number):
        if entry.kind == "repair_started":
            made += 1
        elif entry.kind == "step_finished" and entry.data["status"] != StepStatus.PENDING.value:
            made = 0
    return made


def rebuild_execution(ws: Workspace, begun: JournalEntry) -> Execution:
    """The record of a run as the journal has it, from its first entry on; `running` when it has no end."""
    data = begun.data
    tree = parse(str(data.get("plan", "")))
    plan = lower(tree)
    execution = Execution(
        id=begun.execution_id,
        session_id=begun.session_id,
        plan_id=plan.id if plan else "",
        plan_file=str(data.get("path", "")),
        plan_hash=str(data.get("hash", "")) or (hash_of(tree) if plan else ""),
        goal=plan.goal if plan else title_from(str(data.get("task", ""))),
        only_steps=_only_steps(data),
        started_at=_seconds(begun),
    )
    steps: list[StepRecord] = []
    rollbacks: list[Rollback] = []
    since: JournalEntry | None = begun
    duration = 0.0
    for entry in ws.ports.journal.read(begun.execution_id, _OF_RECORDS):
        match entry.kind:
            case "run_resumed":
                since = entry
                execution = execution.model_copy(update={**GOES_ON, "session_id": entry.session_id})
            case "plan_amended":
                execution = execution.model_copy(update={"plan_hash": entry.data["hash"]})
            case "checked_before":
                execution = execution.model_copy(update={"checks_before": checks_before_of(entry)})
            case "step_finished":
                steps.append(StepRecord.model_validate(entry.data))
            case "rollback_finished":
                rollbacks.append(Rollback.model_validate(entry.data))
            case _:
                ended = {"status": entry.data["status"], "reason": entry.data["reason"], "finished_at": _seconds(entry)}
                if since is not None:  # a paused run may be stopped later, which takes no more time
                    until = datetime.fromisoformat(entry.data.get("until", entry.time))
                    duration += max(0.0, (until - _time(since)).total_seconds())  # the clock may have been set back
                    since = None
                execution = execution.model_copy(update={**ended, "duration": duration})
    usage = usage_of_run(ws, execution.id, steps)
    adaptations = adaptations_of(steps)
    told = {"steps": tuple(steps), "adaptations": adaptations, "usage": usage, "rollbacks": tuple(rollbacks)}
    return execution.model_copy(update=told)


def checks_before_of(entry: JournalEntry) -> tuple[CheckResult, ...]:
    """Return the checks that failed before a run's first step, by its entry `checked_before`."""
    return tuple(map(CheckResult.model_validate, entry.data["failed"]))


def adaptations_of(steps: Iterable[StepRecord]) -> tuple[Adaptation, ...]:
    """Return the adaptations in the records, each once: a step that is tried again may tell of one again."""
    return tuple(dict.fromkeys(adaptation for step in steps for adaptation in step.adaptations))


def split_at_pauses(entries: Iterable[JournalEntry]) -> Sequence[Sequence[JournalEntry]]:
    """Return the entries of a run in parts, in order: each is what one process did until the run paused or was killed.
    `entries` must have those of the kind `run_resumed`.
    """
    parts: list[list[JournalEntry]] = [[]]
    for entry in entries:
        if entry.kind == "run_resumed":
            parts.append([])
        else:
            parts[-1].append(entry)
    return parts


def _only_steps(data: Mapping[str, Any]) -> tuple[int, ...]:
    one = data.get("only_step")  # as it was written down when a run had one step or all
    return (int(one),) if one else tuple(map(int, data.get("only_steps", ())))


def _seconds(entry: JournalEntry) -> str:
    return _time(entry).isoformat(timespec="seconds")


def _time(entry: JournalEntry) -> datetime:
    return datetime.fromisoformat(entry.time)


def last_failure(ws: Workspace, path: str, step: Step) -> tuple[str, StepRecord] | None:
    """The run of a plan in which the step was tried last, and what came of it, if it failed there. The order is that of
    the journal, which no change of the clock touches.
    """
    starts = ws.ports.journal.step_starts(path, step.step_number)
    for run_id in dict.fromkeys(entry.execution_id for entry in starts):
        ends = (each for each in ws.ports.journal.of_step(run_id, step.step_number) if each.kind == "step_finished")
        tried = [each for each in map(_record_of, ends) if _is_of(each, step) and each.status is not StepStatus.PENDING]
        if tried:
            return (run_id, tried[-1]) if tried[-1].status is StepStatus.FAILED else None
    return None


def _record_of(entry: JournalEntry) -> StepRecord:
    return StepRecord.model_validate(entry.data)


def _is_of(record: StepRecord, step: Step) -> bool:
    return (record.step_number, record.action) == (step.step_number, step.action)


def step_of(document: PlanDocument, number: int) -> Step:
    """Return the step with that number. Raises NotFound STEP_NOT_FOUND."""
    for step in document.complete().steps:
        if step.step_number == number:
            return step
    raise NotFound("STEP_NOT_FOUND", f"the plan has no step {number}", "Look at its numbers.")


def failed_step(document: PlanDocument, number: int) -> Step:
    """The step with that number.

    Raises:
        NotFound: STEP_NOT_FOUND.
        Conflict: MODE_CONFLICT, when it has not failed.
    """
    step = step_of(document, number)
    if step.status is not StepStatus.FAILED:
        raise Conflict("MODE_CONFLICT", f"step {number} has not failed", "Run it with planact.executeStep.")
    return step


def last_attempt(ws: Workspace, document: PlanDocument, number: int) -> StepRecord:
    """Return the record of the step's last attempt.

    Raises:
        What `failed_step` raises; NotFound: EXECUTION_NOT_FOUND, when the mark is all that is known.
    """
    found = last_failure(ws, document.path, failed_step(document, number))
    if found is None:
        message = f"there is no record of how step {number} failed"
        raise NotFound("EXECUTION_NOT_FOUND", message, "Retry the step to see.")
    return found[1]
