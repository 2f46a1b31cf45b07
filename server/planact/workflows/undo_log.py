"""What the journal knows of what steps did to files, for undoing them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from planact.model.execution import Rollback
from planact.model.plan import Step
from planact.model.touch import Touch
from planact.workflows.undo import Deed, Part
from planact.workflows.workspace import Workspace

_KINDS = ("step_started", "files_changing", "files_unchanged", "files_found", "rollback_finished")


@dataclass(slots=True)
class UndoLog:
    """Of one run.

    Attributes:
        steps: those that were begun, by number; work without a plan is step 0.
        deeds: all that was done to files, in order.
        rollbacks: what of it was taken back.
    """

    steps: dict[int, Step | None] = field(default_factory=dict)
    deeds: list[Deed] = field(default_factory=list)
    rollbacks: list[Rollback] = field(default_factory=list)

    @property
    def rolled_back(self) -> frozenset[int]:
        """The numbers of the steps that were taken back."""
        return frozenset(step for rollback in self.rollbacks for step in rollback.steps)

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
            case "files_unchanged":
                paths = entry.data["paths"]
                log.deeds = [deed for deed in log.deeds if deed.sequence != changing or deed.touch.path not in paths]
            case "rollback_finished":
                log.rollbacks.append(Rollback.model_validate(entry.data))
            case _:
                log.steps.setdefault(number, None)
                part = Part(execution_id, number)
                changing = entry.sequence
                touches = map(Touch.model_validate, entry.data.get("touches", ()))
                log.deeds += [Deed(part, entry.sequence, touch) for touch in touches]
    return log


def interrupted_commands(ws: Workspace, execution_id: str) -> Mapping[Part, Sequence[str]]:
    """The commands of which nobody knows what they changed, since planact was killed while they ran."""
    begun: dict[str, tuple[Part, str]] = {}
    part = Part(execution_id, 0)
    for entry in ws.ports.journal.read(execution_id, ("step_started", "call_started", "call_finished")):
        match entry.kind:
            case "step_started":
                part = Part(execution_id, Step.model_validate(entry.data["step"]).step_number)
            case "call_started" if entry.data["tool"] == "execute_command":
                begun[entry.data["call_id"]] = (part, str(entry.data["arguments"]))
            case _:
                begun.pop(entry.data["call_id"], None)
    found: dict[Part, list[str]] = {}
    for at, arguments in begun.values():
        found.setdefault(at, []).append(arguments)
    return found
