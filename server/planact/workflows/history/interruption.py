"""Report the work of a step whose run was killed or stopped, before the step runs again; ask where it can't be looked
up.

Changes of files can be looked up afterwards; what commands and the tools of MCP servers did can't, and would be done
twice.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from planact.model.notice import ToolNotice
from planact.model.plan import Step, StepStatus
from planact.model.question import Option, Question
from planact.model.runs.execution import Execution, FileChange, Repair
from planact.model.runs.journal import JournalEntry
from planact.tools.trace import Trace
from planact.workflows.history.journal_queries import rebuild_execution, split_at_pauses
from planact.workflows.history.undo_log import interrupted_rollback_ids
from planact.workflows.hooks import ask_user
from planact.workflows.workspace import Workspace

_AGAIN = "again"
_LOST = "work that the journal, which was damaged, doesn't tell of"


@dataclass(frozen=True, slots=True)
class Interruption:
    """A step that was begun and has no result.

    Attributes:
        done, begun: its calls that came to an end, and those that didn't, in words.
        undone: those that changed some of their files when they were killed, and that were undone.
        unsure: those of both whose effect can't be looked up, by the number of their entry in the journal.
        files: those that it changed and didn't put back, by path.
        evidence: those that it changed in tries that weren't killed.
        attempt: the number of the last try in its run.
        repairs: those of failed checks that were begun.
    """

    step: Step
    done: tuple[str, ...]
    begun: tuple[str, ...]
    unsure: Mapping[int, str]
    files: tuple[FileChange, ...]
    undone: tuple[str, ...] = ()
    evidence: tuple[FileChange, ...] = ()
    attempt: int = 1
    repairs: tuple[Repair, ...] = ()

    @property
    def summary(self) -> str:
        """For people and models."""
        parts = [f"Step {self.step.step_number} was interrupted"]
        parts += [f"Done by then: {'; '.join(self.done)}"] if self.done else []
        parts += [f"Begun, and perhaps not done: {'; '.join(self.begun)}"] if self.begun else []
        parts += [f"Killed half-way, and undone: {'; '.join(self.undone)}"] if self.undone else []
        parts += [f"Changed: {', '.join(change.path for change in self.files)}"] if self.files else []
        parts += [f"In repair {each.number}: `{each.check.command}` {each.check.ending}" for each in self.repairs[-1:]]
        return ". ".join(parts)


def interrupted_step(entries: Sequence[JournalEntry]) -> Interruption | None:
    """The last step of a run, by its entries in order since it began or went on, when it has no result."""
    starts = [number for number, entry in enumerate(entries) if entry.kind == "step_started"]
    if not starts:
        return None
    calls: dict[str, JournalEntry] = {}
    done: list[str] = []
    broken_off: list[str] = []
    undone: list[str] = []
    unsure: dict[int, str] = {}
    trace = Trace()
    is_killed = False
    for entry in entries[starts[-1] :]:
        match entry.kind:
            case "call_started":
                calls[str(entry.data["call_id"])] = entry
                unsure |= {entry.sequence: f"`{_words(entry)}`"} if entry.data.get("is_unsure") else {}
            case "call_finished":
                call = calls.pop(str(entry.data["call_id"]), None)
                done += [_words(call)] if call and entry.data["outcome"] == "done" else []
                broken_off += _of_broken_off(call, entry)
                # What a command on trial did is known, and judged.
                unsure.pop(call.sequence if call and call.data.get("is_tried") else -1, None)
            case "file_changed":
                trace.note(FileChange.model_validate(entry.data))
            case "files_unchanged" if "of" in entry.data:  # recovery has undone the call
                call = calls.pop(str(entry.data["call_id"]), None)
                undone += [_words(call)] if call else []
            case "entries_lost":
                unsure[entry.sequence] = _LOST
            case "step_finished" if entry.data["status"] != StepStatus.PENDING.value:
                return None
            case "step_finished":
                is_killed = entry.data.get("ended_by") == "kill"
    _remove_found_later(unsure, entries[starts[-1] :])
    _remove_ended(unsure, entries[starts[-1] :])
    start = entries[starts[-1]].data
    step = Step.model_validate(start["step"])
    begun = (*broken_off, *map(_words, calls.values()), *(_LOST for words in unsure.values() if words == _LOST))
    files = trace.left()
    evidence = () if is_killed else files
    attempt, repairs = start.get("attempt", 1), _repairs(entries[starts[-1] :])
    return Interruption(step, tuple(done), begun, unsure, files, tuple(undone), evidence, attempt, repairs)


def _of_broken_off(call: JournalEntry | None, end: JournalEntry) -> Sequence[str]:
    """Return the words of a call that was stopped, where nothing tells how far it came."""
    was_stopped = end.data["outcome"] == "interrupted"
    return [_words(call)] if call and was_stopped and call.data.get("is_unsure") else []


def _remove_found_later(unsure: dict[int, str], entries: Iterable[JournalEntry]) -> None:
    """Take out the calls that were killed on trial, and whose changes were found since."""
    calls: dict[str, int] = {}
    for entry in entries:
        call_id = str(entry.data.get("call_id"))
        if entry.kind == "call_started":
            calls[call_id] = entry.sequence
        elif "is_found_later" in entry.data:
            unsure.pop(calls.get(call_id, -1), None)


def _remove_ended(unsure: dict[int, str], entries: Iterable[JournalEntry]) -> None:
    """Take out the calls that ended before an orderly pause, as for a question: the model has their results."""
    calls: dict[str, int] = {}
    ended: list[int] = []
    for entry in entries:
        call_id = str(entry.data.get("call_id"))
        if entry.kind == "call_started":
            calls[call_id] = entry.sequence
        elif entry.kind == "call_finished" and entry.data["outcome"] != "interrupted":
            ended.append(calls.get(call_id, -1))
        elif entry.kind == "step_finished" and entry.data.get("ended_by") != "kill":
            for sequence in ended:
                unsure.pop(sequence, None)


def _repairs(entries: Iterable[JournalEntry]) -> tuple[Repair, ...]:
    return tuple(Repair.model_validate(entry.data["repair"]) for entry in entries if entry.kind == "repair_started")


def interruption_of(ws: Workspace, path: str, step: Step, execution_id: str = "") -> Interruption | None:
    """Return the work that a step of the plan at `path` did since its last result, in runs that broke off in it; None
    when it did none. Of the run `execution_id`, only the parts before its last pause count.
    """
    found = list(_broken_off(ws, path, step, execution_id))[::-1]
    whole = Interruption(
        step,
        tuple(words for each in found for words in each.done),
        tuple(words for each in found for words in each.begun),
        {number: words for each in found for number, words in each.unsure.items()},
        merged_changes(change for each in found for change in each.files),
        tuple(words for each in found for words in each.undone),
        merged_changes(change for each in found for change in each.evidence),
        repairs=tuple(repair for each in found for repair in each.repairs),
    )
    return whole if whole.done or whole.begun or whole.undone or whole.unsure or whole.files else None


def merged_changes(changes: Iterable[FileChange]) -> tuple[FileChange, ...]:
    """Return each file once: its first state before and its last one after."""
    trace = Trace()
    for change in changes:
        trace.note(change)
    return tuple(trace.changed.values())


async def may_run_again(ws: Workspace, session_id: str, path: str, step: Step) -> str:
    """Ask before an interrupted step of the plan at `path` runs again, if an action would happen twice or might. Return
    the reason why the run must pause, or an empty string.

    Raises:
        EndTurn: the user can't be asked now.
    """
    interruption = interruption_of(ws, path, step)
    if interruption is not None and interruption.unsure:
        happened = f"was interrupted after it began {', '.join(dict.fromkeys(interruption.unsure.values()))}"
        told, which = interruption.summary, str(sorted(interruption.unsure))
    elif step.status is StepStatus.RUNNING and not _is_known(ws, path, step):
        # What a killed run marked was put in order by the journal, before this.
        happened = "is marked as running, but there is no record of that run"
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


def report_interruption(ws: Workspace, session_id: str, interruption: Interruption) -> None:
    """Tell the user and the model."""
    told = f"{interruption.summary}. Check the files before you repeat an action."
    ws.add_message(session_id, "system", told, for_model=True, step=interruption.step.step_number)
    ws.ports.editor.notify(ToolNotice(session_id, "recovery", told))


def _broken_off(ws: Workspace, path: str, step: Step, execution_id: str) -> Iterator[Interruption]:
    """The newest first."""
    starts = [entry for entry in ws.ports.journal.step_starts(path, step.step_number) if _is_start(entry, step)]
    for run_id in dict.fromkeys(entry.execution_id for entry in starts):
        is_at_work = run_id == execution_id
        if is_at_work and not _began_before_pause(ws, run_id, [each for each in starts if each.execution_id == run_id]):
            continue  # without reading the run, which may be long
        parts = split_at_pauses(ws.ports.journal.read(run_id))
        for part in reversed(parts[:-1] if is_at_work else parts):
            if not any(_is_start(entry, step) for entry in part):
                continue
            found = interrupted_step(part)
            if found is None or not _is_same(step, found.step):
                return
            yield found


def _is_known(ws: Workspace, path: str, step: Step) -> bool:
    return any(_is_start(entry, step) for entry in ws.ports.journal.step_starts(path, step.step_number))


def _began_before_pause(ws: Workspace, execution_id: str, starts: Sequence[JournalEntry]) -> bool:
    resumed = ws.ports.journal.read(execution_id, ("run_resumed",))
    return bool(resumed) and starts[0].sequence < resumed[-1].sequence


def _is_start(entry: JournalEntry, step: Step) -> bool:
    return entry.kind == "step_started" and _is_same(step, Step.model_validate(entry.data["step"]))


def _is_same(step: Step, other: Step) -> bool:
    return (step.step_number, step.action) == (other.step_number, other.action)


def _words(call: JournalEntry) -> str:
    shown = str(call.data.get("shown", "")).partition("\n")[0][:120]
    return f"{call.data['tool']} {shown}".rstrip()


def find_interrupted_rollbacks(ws: Workspace) -> Sequence[Execution]:
    """Return the runs whose rollback stopped halfway; none while a process changes the folder."""
    if ws.ports.lock.holder():
        return ()
    return [
        rebuild_execution(ws, begun)
        for run in interrupted_rollback_ids(ws)
        for begun in ws.ports.journal.read(run, ("run_started",))
    ]


def remove_unfinished_files(ws: Workspace) -> Sequence[str]:
    """Remove the files that killed runs and rollbacks were writing, and return them; none while a run holds the lock.
    Searches the folder only after such a kill. May be called from any thread.

    Raises:
        StorageFailure: the journal can't be read.
    """
    is_killed = ws.ports.journal.open_runs() or interrupted_rollback_ids(ws)
    return ws.ports.files.remove_abandoned() if is_killed and not ws.ports.lock.holder() else ()


def rollback_warning(run: Execution) -> str:
    """Describe an interrupted rollback for people."""
    return f"the rollback of “{run.goal}” was killed: some of its files may be put back, and others not"


def rollback_next_step(run: Execution) -> str:
    """Say how to finish an interrupted rollback."""
    return f"Go on with the rollback: planact rollback {run.id}"


def warn_of_interrupted_rollbacks(ws: Workspace, session_id: str) -> None:
    """Tell of them where other work begins."""
    for run in find_interrupted_rollbacks(ws):
        ws.ports.editor.notify(
            ToolNotice(session_id, "recovery", f"{rollback_warning(run)}. {rollback_next_step(run)}")
        )
