"""Calls that were killed between two of their files, found in the journal and by the present state of the files.

A call over several files is all or nothing: one that changed only some of its files is undone before other work begins.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from planact.base.span import Span
from planact.base.text import first_few
from planact.model.plan import Step
from planact.model.runs.journal import JournalEntry
from planact.model.runs.touch import LARGEST_UNDONE, FileState, Touch
from planact.plan.syntax.lower import front_matter_text
from planact.plan.syntax.tree import PlanProblem, PlanTree
from planact.tools.edit.touches import state_now
from planact.workflows.history.journal_queries import split_at_pauses
from planact.workflows.history.undo_changes import FileTouch, StepRef, UndoPlan, plan_undo
from planact.workflows.workspace import Workspace

_KINDS = (
    "run_resumed",
    "step_started",
    "call_started",
    "call_finished",
    "files_changing",
    "file_changed",
    "files_unchanged",
)
_NAMED = 10


@dataclass(frozen=True, slots=True)
class HalfCall:
    """A killed call that changed some of its files, and not the others.

    Attributes:
        begun: the first entry of its run.
        changing: the entry of its change.
        step: the number of its step; 0 = work without a plan.
        paths: all that it was to change, with the folders that it needed.
        changed: files that are as it was to make them.
        others: files that aren't.
        undo: how to undo it; `moved_on` and `stayed` name what stays as it is.
    """

    begun: JournalEntry
    changing: JournalEntry
    step: int
    paths: tuple[str, ...]
    changed: tuple[str, ...]
    others: tuple[str, ...]
    undo: UndoPlan

    @property
    def undone(self) -> Sequence[str]:
        """Paths that are as they were before the call, once `undo` is done."""
        staying = {*(file.path for file in self.undo.moved_on), *self.undo.stayed}
        return [path for path in self.paths if path not in staying]

    @property
    def warning(self) -> str:
        """The state of its files, for people."""
        changed = first_few(self.changed, _NAMED) or "only folders"
        return f"a call that was killed half-way: it changed {changed}, and not {first_few(self.others, _NAMED)}"


HALF_CALL_NEXT_STEP = "The next run undoes it first, and so does: planact rollback"
HALF_CALL_CODE = "HALF_CALL"
"""The code of the problem that a plan has then; it is no fault of its text, so the linter has no number for it."""


def find_half_calls(ws: Workspace) -> Sequence[HalfCall]:
    """Return the half calls of all killed runs; none while a run holds the lock. May be called from any thread."""
    begun_runs = ws.ports.journal.open_runs()
    if not begun_runs or ws.ports.lock.holder():
        return ()
    return [call for begun in begun_runs for call in half_calls_of(ws, begun)]


def half_call_problems(ws: Workspace, tree: PlanTree) -> Sequence[PlanProblem]:
    """Return the half calls of a plan's runs as problems of its steps. May be called from any thread."""
    plan_id = front_matter_text(tree, "id")
    calls = [call for call in find_half_calls(ws) if call.begun.data.get("plan_id") == plan_id != ""]
    places = {step.step_number: step.action_span for step in tree.steps}
    start = tree.goal_span or Span(tree.body_start, tree.body_start)
    return [
        PlanProblem(places.get(call.step, start), HALF_CALL_CODE, "warning", call.warning, f"{HALF_CALL_NEXT_STEP}.")
        for call in calls
    ]


def run_killed_in_change(ws: Workspace) -> str:
    """Return the id of the newest killed run that was changing files; empty where there is none."""
    begun_runs = () if ws.ports.lock.holder() else ws.ports.journal.open_runs()
    ids = [begun.execution_id for begun in begun_runs]
    return next((each for each in reversed(ids) if any(_unfinished(ws.ports.journal.read(each, _KINDS)))), "")


def half_calls_of(ws: Workspace, begun: JournalEntry) -> Iterator[HalfCall]:
    """Yield the half calls of one killed run."""
    for step, changing in _unfinished(ws.ports.journal.read(begun.execution_id, _KINDS)):
        touches = tuple(map(Touch.model_validate, changing.data.get("touches", ())))
        now = {touch.path: state_now(ws.ports, touch.path, LARGEST_UNDONE) for touch in touches}
        made = [touch for touch in touches if touch.is_made(now[touch.path])]
        others = tuple(touch.path for touch in touches if touch.is_change and touch not in made)
        if made and others:
            undo = _undo(ws, begun.execution_id, step, changing.sequence, touches, now)
            paths, changed = (tuple(touch.path for touch in some) for some in (touches, _files(made)))
            yield HalfCall(begun, changing, step, paths, changed, others, undo)


def _files(touches: Sequence[Touch]) -> Sequence[Touch]:
    return [touch for touch in touches if touch.after.kind != "directory"]


def _unfinished(entries: Sequence[JournalEntry]) -> Iterator[tuple[int, JournalEntry]]:
    """Yield the changes of calls without an end, with their steps: begun since the run began or went on, and with no
    word of how they ended.
    """
    step = 0
    changing: dict[str, tuple[int, JournalEntry]] = {}
    for entry in split_at_pauses(entries)[-1]:
        match entry.kind:
            case "step_started":
                step = Step.model_validate(entry.data["step"]).step_number
            case "files_changing":
                changing[str(entry.data["call_id"])] = (step, entry)
            case _:  # a call that has only started has changed nothing yet
                changing.pop(str(entry.data["call_id"]), None)
    yield from changing.values()


def _undo(
    ws: Workspace, run_id: str, step: int, sequence: int, touches: Sequence[Touch], now: Mapping[str, FileState]
) -> UndoPlan:
    part = StepRef(run_id, step)
    undo = plan_undo([FileTouch(part, sequence, touch) for touch in touches], {part}, now.__getitem__, str)
    kept = [each for each in undo.restores if not each.has_content or _is_kept(ws, each.then.sha256)]
    undo.stayed += [each.path for each in undo.restores if each not in kept]
    undo.restores = kept
    return undo


def _is_kept(ws: Workspace, sha256: str) -> bool:
    return ws.ports.journal.kept(sha256) is not None
