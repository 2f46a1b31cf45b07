"""What the journal knows of what steps did to files, for undoing them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from planact.model.execution import Rollback
from planact.model.plan import Step, StepStatus
from planact.model.touch import Touch
from planact.workflows.undo import Deed, Part
from planact.workflows.workspace import Workspace

DEEDS = ("files_changing", "files_found")
"""The kinds of entries that say what was done to files."""

_KINDS = ("step_started", "step_finished", *DEEDS, "files_unchanged", "rollback_finished", "entries_lost")
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
    deeds: list[Deed] = field(default_factory=list)
    rollbacks: list[Rollback] = field(default_factory=list)

    @property
    def rolled_back(self) -> frozenset[int]:
        """The numbers of the steps that were taken back."""
        return frozenset(step for rollback in self.rollbacks for step in rollback.steps)

    @property
    def done(self) -> frozenset[int]:
        """The numbers of the steps that are done, and weren't taken back."""
        return frozenset(step for step, end in self.ends.items() if end is StepStatus.DONE) - self.rolled_back

    def standing(self) -> Sequence[Deed]:
        """What was done and not taken back."""
        return [deed for deed in self.deeds if deed.part.step not in self.rolled_back]


def undo_log(ws: Workspace, execution_id: str) -> UndoLog:
    """What the journal says of a run; nothing, if it knows no such run."""
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
                paths = entry.data["paths"]
                log.deeds = [deed for deed in log.deeds if deed.sequence != changing or deed.touch.path not in paths]
            case "entries_lost":
                number = 0  # another step may have begun
            case "rollback_finished":
                log.rollbacks.append(Rollback.model_validate(entry.data))
            case _:
                log.steps.setdefault(number, None)
                part = Part(execution_id, number)
                changing = entry.sequence
                touches = map(Touch.model_validate, entry.data.get("touches", ()))
                log.deeds += [Deed(part, entry.sequence, touch) for touch in touches]
    return log


def cut_short(ws: Workspace) -> Sequence[str]:
    """The ids of the runs whose last rollback has begun and not ended: it was killed, unless one goes on now."""
    begun, *ended = (ws.ports.journal.runs_with(kind) for kind in _ROLLBACK)
    doubtful = [run for run, count in begun.items() if count > sum(each.get(run, 0) for each in ended)]
    return [run for run in doubtful if ws.ports.journal.read(run, _ROLLBACK)[-1].kind == "rollback_started"]


def unknown_changes(ws: Workspace, execution_id: str) -> Mapping[Part, Sequence[str]]:
    """By what steps may have changed more than anybody knows: by commands that ran when planact was killed, and by what
    was lost with a damaged journal.
    """
    begun: dict[str, tuple[Part, str]] = {}
    part = Part(execution_id, 0)
    found: dict[Part, list[str]] = {}
    for entry in ws.ports.journal.read(execution_id, ("step_started", "call_started", "call_finished", "entries_lost")):
        match entry.kind:
            case "step_started":
                part = Part(execution_id, Step.model_validate(entry.data["step"]).step_number)
            case "entries_lost":
                found.setdefault(part, []).append("by what is missing in the journal, which was damaged")
                part = Part(execution_id, 0)
            case "call_started" if entry.data["tool"] == "execute_command":
                begun[entry.data["call_id"]] = (part, str(entry.data["arguments"]))
            case _:
                begun.pop(entry.data["call_id"], None)
    for at, arguments in begun.values():
        found.setdefault(at, []).append(f"by the command that was interrupted: {arguments}")
    return found
