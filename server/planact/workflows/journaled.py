"""What the journal knows of a run, read back: the truth where records, marks or a memory are missing.

Records lie in the workspace, where anybody may write; the journal doesn't.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any

from planact.model.execution import Execution, FileChange, Rollback, StepRecord
from planact.model.journal import JournalEntry
from planact.model.plan import Step, StepStatus
from planact.plan.approval import hash_of
from planact.plan.lower import lower
from planact.plan.parser import parse
from planact.tools.trace import Trace
from planact.workflows.sessions import title_from
from planact.workflows.usage import usage_of_run
from planact.workflows.workspace import Workspace


def newest_first(ws: Workspace) -> Iterator[Execution]:
    """The records of all runs in the order of the journal, since a clock may have been set back. Those that it doesn't
    know, as they came with the repository, are the last. Each is read when it is asked for: there may be thousands.
    """
    known = ws.ports.journal.run_ids()
    yield from _records(ws, known)
    yield from _foreign(ws, known)


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
    """Those that the journal doesn't know, the newest first."""
    unknown = set(ws.ports.records.execution_ids()).difference(known)
    return _records(ws, sorted(unknown, reverse=True))


def record_of(ws: Workspace, execution_id: str) -> Execution | None:
    """The record as it lies in the workspace, if it can be read."""
    return ws.ports.records.execution(execution_id)


def changed_files(ws: Workspace, execution_id: str) -> tuple[FileChange, ...]:
    """Each file that the run changed once: its first state before and its last one after."""
    trace = Trace()
    for entry in ws.ports.journal.read(execution_id, ("file_changed",)):
        trace.note(FileChange.model_validate(entry.data))
    return tuple(trace.changed.values())


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


def ended_steps(ws: Workspace, execution_id: str) -> tuple[StepRecord, ...]:
    """The steps of the run that have a result."""
    entries = ws.ports.journal.read(execution_id, ("step_finished",))
    records = (StepRecord.model_validate(entry.data) for entry in entries)
    return tuple(record for record in records if record.status is not StepStatus.PENDING)


def rebuilt(ws: Workspace, begun: JournalEntry) -> Execution:
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
    for entry in ws.ports.journal.read(begun.execution_id, ("step_finished", "run_finished", "rollback_finished")):
        match entry.kind:
            case "step_finished":
                steps.append(StepRecord.model_validate(entry.data))
            case "rollback_finished":
                rollbacks.append(Rollback.model_validate(entry.data))
            case _:
                ended = {"status": entry.data["status"], "reason": entry.data["reason"], "finished_at": _seconds(entry)}
                duration = max(0.0, (_time(entry) - _time(begun)).total_seconds())  # the clock may have been set back
                execution = execution.model_copy(update={**ended, "duration": duration})
    usage = usage_of_run(ws, execution.id, steps)
    adaptations = tuple(adaptation for step in steps for adaptation in step.adaptations)
    told = {"steps": tuple(steps), "adaptations": adaptations, "usage": usage, "rollbacks": tuple(rollbacks)}
    return execution.model_copy(update=told)


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
    for begun in ws.ports.journal.runs(path):
        tried = [each for each in ended_steps(ws, begun.execution_id) if _is_of(each, step)]
        if tried:
            return (begun.execution_id, tried[-1]) if tried[-1].status is StepStatus.FAILED else None
    return None


def _is_of(record: StepRecord, step: Step) -> bool:
    return (record.step_number, record.action) == (step.step_number, step.action)
