"""What a step had done when its run was killed or stopped, told before it runs again, and asked about where it can't be
looked up.

Changes of files can be looked up afterwards; what commands and the tools of MCP servers did can't, and would be done
twice.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from planact.model.execution import FileChange
from planact.model.journal import JournalEntry
from planact.model.notice import ToolNotice
from planact.model.plan import Step, StepStatus
from planact.model.question import Option, Question
from planact.tools.trace import Trace
from planact.workflows.hooks import ask_user
from planact.workflows.workspace import Workspace

_AGAIN = "again"
_LOST = "work that the journal, which was damaged, doesn't tell of"


@dataclass(frozen=True, slots=True)
class Interruption:
    """A step that was begun and has no result.

    Attributes:
        done, begun: its calls that came to an end, and those that didn't, in words.
        unsure: those of both whose effect can't be looked up, by the number of their entry in the journal.
        files: what it changed, by path.
    """

    step: Step
    done: tuple[str, ...]
    begun: tuple[str, ...]
    unsure: Mapping[int, str]
    files: tuple[FileChange, ...]

    @property
    def told(self) -> str:
        """For people and models."""
        parts = [f"Step {self.step.step_number} was interrupted"]
        parts += [f"Done by then: {'; '.join(self.done)}"] if self.done else []
        parts += [f"Begun, and perhaps not done: {'; '.join(self.begun)}"] if self.begun else []
        parts += [f"Changed: {', '.join(change.path for change in self.files)}"] if self.files else []
        return ". ".join(parts)


def interrupted_step(entries: Sequence[JournalEntry]) -> Interruption | None:
    """The last step of a run, by its entries in order, when it has no result."""
    starts = [number for number, entry in enumerate(entries) if entry.kind == "step_started"]
    if not starts:
        return None
    calls: dict[str, JournalEntry] = {}
    done: list[str] = []
    unsure: dict[int, str] = {}
    trace = Trace()
    for entry in entries[starts[-1] :]:
        match entry.kind:
            case "call_started":
                calls[str(entry.data["call_id"])] = entry
                unsure |= {entry.sequence: f"`{_words(entry)}`"} if entry.data.get("is_unsure") else {}
            case "call_finished":
                call = calls.pop(str(entry.data["call_id"]), None)
                done += [_words(call)] if call and entry.data["outcome"] == "done" else []
            case "file_changed":
                trace.note(FileChange.model_validate(entry.data))
            case "entries_lost":
                unsure[entry.sequence] = _LOST
            case "step_finished" if entry.data["status"] != StepStatus.PENDING.value:
                return None
    step = Step.model_validate(entries[starts[-1]].data["step"])
    begun = (*map(_words, calls.values()), *(_LOST for words in unsure.values() if words == _LOST))
    return Interruption(step, tuple(done), begun, unsure, tuple(trace.changed.values()))


def interruption_of(ws: Workspace, path: str, step: Step, execution_id: str = "") -> Interruption | None:
    """What a step of the plan at `path` had done in the runs before `execution_id` that broke off in it, since it had
    its last result; None when it had done nothing.
    """
    found = list(_broken_off(ws, path, step, execution_id))[::-1]
    trace = Trace()
    for change in (change for each in found for change in each.files):
        trace.note(change)
    whole = Interruption(
        step,
        tuple(words for each in found for words in each.done),
        tuple(words for each in found for words in each.begun),
        {number: words for each in found for number, words in each.unsure.items()},
        tuple(trace.changed.values()),
    )
    return whole if whole.done or whole.begun else None


async def may_run_again(ws: Workspace, session_id: str, path: str, step: Step) -> str:
    """Before a step of the plan at `path` runs: ask, if it was interrupted and something would be done twice, or if
    nobody knows. Returns why the run must pause, or empty.

    Raises:
        EndTurn: nobody can be asked now.
    """
    interruption = interruption_of(ws, path, step)
    if interruption is not None and interruption.unsure:
        happened = f"was interrupted after it began {', '.join(dict.fromkeys(interruption.unsure.values()))}"
        told, which = interruption.told, str(sorted(interruption.unsure))
    elif step.status is StepStatus.RUNNING and not _is_known(ws, path, step):
        # What a killed run marked was put in order by the journal, before this.
        happened = "is marked as running, and nothing is known of such a run"
        told, which = "What was done then can't be looked up.", f"{step.step_number} of {path}"
    else:
        return ""
    question = Question(
        name="interrupted",
        question=f"Step {step.step_number} {happened}. Run the step again?",
        context=told,
        severity="major",
        options=(
            Option(label="Run it again", value=_AGAIN, variant="primary"),
            Option(label="Stop, and let me look", value="stop"),
        ),
    )
    ended = await ask_user(ws, session_id, (question,), "confirm", f"interrupted {which}")
    if ended.status == "answered" and ended.answers["interrupted"] == _AGAIN:
        return ""
    return f"step {step.step_number} was interrupted, and you want to look first"


def tell_interruption(ws: Workspace, session_id: str, interruption: Interruption) -> None:
    """Tell the user and the model."""
    told = f"{interruption.told}. Look at what is there before anything is done again."
    ws.say(session_id, "system", told, for_model=True, step=interruption.step.step_number)
    ws.ports.editor.tell(ToolNotice(session_id, "recovery", told))


def _broken_off(ws: Workspace, path: str, step: Step, execution_id: str) -> Iterator[Interruption]:
    """The newest first."""
    for begun in ws.ports.journal.runs(path):
        if begun.execution_id == execution_id:
            continue
        if not _has_begun(ws, begun, step):
            continue
        entries = ws.ports.journal.read(begun.execution_id)
        found = interrupted_step(entries)
        if found is None or not _is_same(step, found.step):
            return
        yield found


def _is_known(ws: Workspace, path: str, step: Step) -> bool:
    return any(_has_begun(ws, begun, step) for begun in ws.ports.journal.runs(path))


def _has_begun(ws: Workspace, run: JournalEntry, step: Step) -> bool:
    starts = ws.ports.journal.read(run.execution_id, ("step_started",))
    return any(_is_same(step, Step.model_validate(start.data["step"])) for start in starts)


def _is_same(step: Step, other: Step) -> bool:
    return (step.step_number, step.action) == (other.step_number, other.action)


def _words(call: JournalEntry) -> str:
    shown = str(call.data.get("shown", "")).partition("\n")[0][:120]
    return f"{call.data['tool']} {shown}".rstrip()
