"""Read the changes of steps from the journal, for undo."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from planact.base.text import one_line
from planact.model.plan import Step, StepStatus
from planact.model.runs.execution import Rollback
from planact.model.runs.journal import JournalEntry
from planact.model.runs.touch import Touch
from planact.plan.syntax.code_span import wrap
from planact.workflows.history.undo_changes import FileTouch, StepRef
from planact.workflows.workspace import Workspace

DEEDS = ("files_changing", "files_found")
"""The kinds of entries that say what was done to files."""

_KINDS = (
    *("step_started", "step_finished", *DEEDS, "file_changed", "files_unchanged"),
    *("rollback_finished", "entries_lost"),
)
_LONGEST_COMMAND = 120
_ROLLBACK = ("rollback_started", "rollback_failed", "rollback_finished")


@dataclass(slots=True)
class UndoLog:
    """Of one run.

    Attributes:
        steps: those that were begun, by number; work without a plan is step 0.
        ends: how their last attempts ended, by number.
        deeds: all that was done to files, in order.
        rollbacks: what of it was taken back.
    """

    steps: dict[int, Step | None] = field(default_factory=dict)
    ends: dict[int, StepStatus] = field(default_factory=dict)
    deeds: list[FileTouch] = field(default_factory=list)
    rollbacks: list[Rollback] = field(default_factory=list)

    @property
    def rolled_back(self) -> frozenset[int]:
        """The numbers of the steps that were taken back."""
        return frozenset(step for rollback in self.rollbacks for step in rollback.steps)

    @property
    def done(self) -> frozenset[int]:
        """The numbers of the steps that are done, and weren't taken back."""
        return frozenset(step for step, end in self.ends.items() if end is StepStatus.DONE) - self.rolled_back

    def active(self) -> Sequence[FileTouch]:
        """The changes that weren't rolled back."""
        return [deed for deed in self.deeds if deed.part.step not in self.rolled_back]

    @property
    def leaves_changes(self) -> bool:
        """A file that can be put back is otherwise than before all active changes."""
        covered = [deed.touch for deed in self.active() if deed.touch.is_covered]
        before = {touch.path: touch.before for touch in reversed(covered)}
        after = {touch.path: touch.after for touch in covered}
        return before != after


def undo_log(ws: Workspace, execution_id: str) -> UndoLog:
    """Return the journal's entries of a run; an empty log if the journal doesn't know the run."""
    log = UndoLog()
    number = changing = 0
    for entry in ws.ports.journal.read(execution_id, _KINDS):
        match entry.kind:
            case "step_started":
                step = Step.model_validate(entry.data["step"])
                number = step.step_number
                log.steps[number] = step
            case "step_finished":
                log.ends[entry.data["step_number"]] = StepStatus(entry.data["status"])
            case "files_unchanged":
                paths, of = entry.data["paths"], entry.data.get("of", changing)
                log.deeds = [deed for deed in log.deeds if deed.sequence != of or deed.touch.path not in paths]
            case "file_changed":
                _record(log.deeds, entry.data["path"])
            case "entries_lost":
                number = 0  # another step may have begun
            case "rollback_finished":
                log.rollbacks.append(Rollback.model_validate(entry.data))
            case _:
                log.steps.setdefault(number, None)
                part = StepRef(execution_id, number)
                changing = entry.sequence
                touches = map(Touch.model_validate, entry.data.get("touches", ()))
                log.deeds += [FileTouch(part, entry.sequence, touch) for touch in touches]
    return log


def _record(deeds: list[FileTouch], path: str) -> None:
    """Mark the last deed of a path as made."""
    for index in reversed(range(len(deeds))):
        if deeds[index].touch.path == path:
            deeds[index] = replace(deeds[index], is_recorded=True)
            return


def interrupted_rollback_ids(ws: Workspace) -> Sequence[str]:
    """The ids of the runs whose last rollback has begun and not ended: it was killed, unless one goes on now."""
    begun, *ended = (ws.ports.journal.runs_with(kind) for kind in _ROLLBACK)
    doubtful = [run for run, count in begun.items() if count > sum(each.get(run, 0) for each in ended)]
    return [run for run in doubtful if ws.ports.journal.read(run, _ROLLBACK)[-1].kind == "rollback_started"]


def unknown_changes(ws: Workspace, execution_id: str) -> Mapping[StepRef, Sequence[str]]:
    """Return the possible changes that weren't recorded, by step: commands that ran when planact was killed, and
    entries lost with a damaged journal.
    """
    begun: dict[str, tuple[StepRef, str]] = {}
    part = StepRef(execution_id, 0)
    found: dict[StepRef, list[str]] = {}
    for entry in ws.ports.journal.read(execution_id, ("step_started", "call_started", "call_finished", "entries_lost")):
        match entry.kind:
            case "step_started":
                part = StepRef(execution_id, Step.model_validate(entry.data["step"]).step_number)
            case "entries_lost":
                found.setdefault(part, []).append("by what is missing in the journal, which was damaged")
                part = StepRef(execution_id, 0)
            case "call_started" if entry.data["tool"] == "execute_command":
                begun[entry.data["call_id"]] = (part, _command_of(entry))
            case _:
                begun.pop(entry.data["call_id"], None)
    for at, command in begun.values():
        found.setdefault(at, []).append(f"by the command that was interrupted: {command}")
    return found


def _command_of(call: JournalEntry) -> str:
    """Return the command of a call that the journal says has begun, on one line."""
    arguments = str(call.data["arguments"])
    try:
        command = json.loads(arguments)["command"]
    except (ValueError, KeyError, TypeError):
        command = arguments
    return wrap(one_line(str(command), _LONGEST_COMMAND))
