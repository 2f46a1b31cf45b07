"""Roll back the file changes of steps: all that were asked for, or none, and never another program's changes.

A rollback is journaled like other work; no entry is erased. With all that a plan did gone, its session plans again.
"""

import hashlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Literal

from planact.base.errors import Conflict, EditFailure, NotFound
from planact.base.text import first_few, named, visible
from planact.model.runs.execution import Execution, FileChange, Rollback
from planact.model.runs.touch import LARGEST_UNDONE
from planact.plan.lint_context import ChangedFile
from planact.tools.edit.touches import file_at, state_now
from planact.tools.shielded import run_shielded
from planact.workflows.history.half_calls import HalfCall, find_half_calls, run_killed_in_change
from planact.workflows.history.journal_queries import load_record, rebuild_execution
from planact.workflows.history.restore_files import restore_files
from planact.workflows.history.undo_changes import Restore, StepRef, UndoPlan, plan_undo
from planact.workflows.history.undo_log import DEEDS, UndoLog, undo_log, unknown_changes
from planact.workflows.plans.library import ROLLING_BACK
from planact.workflows.plans.show_changes import show_changes
from planact.workflows.runs.plan_marks import mark_rollbacks, runs_to_mark, unmarked_rollbacks
from planact.workflows.runs.recover_runs import recover_runs, sole_run
from planact.workflows.undo.ask_to_roll_back import ask_to_roll_back, withdraw_rollback_questions
from planact.workflows.undo.plan_again import plan_again
from planact.workflows.workspace import Workspace

_TOLD = 30
"""So many files are named where the user is asked."""


@dataclass(frozen=True, slots=True)
class RollbackTarget:
    """The subject of a rollback: one run, or all runs of the plan at `plan_path`, else the newest run that changed a
    file; the step with that number, or all.
    """

    execution_id: str = ""
    plan_path: str = ""
    step: int | None = None


@dataclass(frozen=True, slots=True)
class RolledBackRuns:
    """The records of the runs after a rollback, the entry of this rollback in each, and what earlier runs that were
    broken off have left changed of the same steps, for people.
    """

    executions: tuple[Execution, ...]
    rollbacks: tuple[Rollback, ...]
    of_earlier: tuple[str, ...] = ()

    @property
    def steps(self) -> tuple[int, ...]:
        """The numbers of the steps of plans."""
        return tuple(sorted({step for rollback in self.rollbacks for step in rollback.steps if step}))

    @property
    def files(self) -> tuple[FileChange, ...]:
        """The files that were put back."""
        return tuple(file for rollback in self.rollbacks for file in rollback.files)

    @property
    def stayed(self) -> tuple[str, ...]:
        """Files that couldn't be put back."""
        return tuple(dict.fromkeys(each for rollback in self.rollbacks for each in rollback.stayed))


class FilesMovedOn(Conflict):
    """Files aren't as the steps left them, so no file was put back; `diff` shows the changes since."""

    def __init__(self, message: str, hint: str, diff: str) -> None:
        super().__init__("FILE_MOVED_ON", message, hint)
        self.diff = diff


@dataclass(frozen=True, slots=True)
class _Plan:
    """The changes to make, the newest run first. `stayed` names files that can't be put back, for people."""

    executions: tuple[Execution, ...]
    parts: frozenset[StepRef]
    undo: UndoPlan
    stayed: tuple[str, ...]
    logs: Mapping[str, UndoLog]
    of_earlier: tuple[str, ...] = ()

    @property
    def digest(self) -> str:
        """Equal for equal plans of a rollback."""
        said = repr((sorted(map(repr, self.parts)), self.undo, self.stayed))
        return hashlib.sha256(said.encode()).hexdigest()


async def roll_back(
    ws: Workspace, session_id: str, wanted: RollbackTarget, *, is_confirmed: bool = False
) -> RolledBackRuns:
    """Put back the files that the steps changed, created, deleted and renamed, after the user's yes.

    Raises:
        NotFound: EXECUTION_NOT_FOUND; STEP_NOT_FOUND, when no run has that step.
        FilesMovedOn: files have changed since, or a later step that stands has changed them.
        Conflict: BUSY while a run goes on; NOTHING_TO_ROLL_BACK; NOT_CONFIRMED.
        EditFailure: a file can't be put back; then none is. What `recover_runs` raises.
    """
    _check_free(ws, session_id)
    healed = await _draw_what_is_missing(ws, session_id, wanted)
    half_calls, killed = find_half_calls(ws), run_killed_in_change(ws)
    await recover_runs(ws)
    if killed and not (wanted.execution_id or wanted.plan_path):
        wanted = replace(wanted, execution_id=killed)  # once its last call is undone, no earlier run is meant
    healed = healed or _undone_calls(ws, half_calls, wanted)
    try:
        plan = _plan(ws, wanted)
    except Conflict as conflict:
        if conflict.code == "NOTHING_TO_ROLL_BACK" and healed is not None:
            return healed  # it had been done and only its picture was missing, or recovery has done it
        raise
    if not is_confirmed:
        await _confirm(ws, session_id, wanted, plan)
    with sole_run(ws, _holder(plan)):
        now = _plan(ws, wanted)
        if not is_confirmed and now.digest != plan.digest:
            hint = "Look at them, then roll back again."
            raise Conflict("NOT_CONFIRMED", "files changed while you were asked", hint)
        return await run_shielded(_carry_out(ws, session_id, now))


def _check_free(ws: Workspace, session_id: str) -> None:
    """Raise BUSY before a question is asked; the lock itself is taken later."""
    ws.check_idle(session_id)
    if holder := ws.ports.lock.holder():
        raise Conflict("BUSY", f"a run changes this folder: {holder}", "Wait for it, or stop it.")


def _holder(plan: _Plan) -> str:
    """Return the name of the lock's holder, from which other processes see that the plan is at work."""
    path = next((run.plan_file for run in plan.executions if run.plan_file), "")
    return f"{path}: {ROLLING_BACK}" if path else ROLLING_BACK


def _undone_calls(ws: Workspace, calls: Sequence[HalfCall], wanted: RollbackTarget) -> RolledBackRuns | None:
    """Return the undoing of killed calls, in the runs that are wanted, as a result."""
    executions: list[Execution] = []
    rollbacks: list[Rollback] = []
    for call in calls:
        run = load_record(ws, call.begun.execution_id)
        if run and run.id.endswith(wanted.execution_id) and wanted.plan_path in ("", run.plan_file):
            files = tuple(FileChange(path=r.path, before=r.now.sha256, after=r.then.sha256) for r in call.undo.restores)
            stayed = tuple(path for path in call.paths if path not in call.undone)
            executions.append(run)
            rollbacks.append(Rollback(id=ws.ports.ids.uuid7(), at=ws.now(), steps=(), files=files, stayed=stayed))
    return RolledBackRuns(tuple(executions), tuple(rollbacks)) if executions else None


# --- the plan of a rollback


def _plan(ws: Workspace, wanted: RollbackTarget) -> _Plan:
    executions = _wanted_runs(ws, wanted)
    logs = {run.id: undo_log(ws, run.id) for run in executions}
    parts = frozenset(
        StepRef(run.id, step)
        for run in executions
        for step in logs[run.id].steps.keys() - logs[run.id].rolled_back
        if wanted.step in (None, step)
    )
    if wanted.step is not None and not any(wanted.step in logs[run.id].steps for run in executions):
        raise NotFound("STEP_NOT_FOUND", f"no run has begun step {wanted.step}", "Look at its numbers.")
    standing = [deed for log in (*logs.values(), *_later(ws, logs)) for deed in log.active()]
    undo = plan_undo(
        standing, parts, lambda path: state_now(ws.ports, path, LARGEST_UNDONE), partial(file_at, ws.ports)
    )
    undo.leave_what_is_lost(lambda sha256: ws.ports.journal.kept(sha256) is not None)
    if undo.moved_on:
        raise _moved_on(ws, undo)
    if not any(deed.part in parts and deed.touch.is_covered for deed in standing):
        raise _nothing(undo)
    executions = [run for run in executions if any(part.execution_id == run.id for part in parts)]
    stayed = (*undo.stayed, *_unknown(ws, executions, parts))
    return _Plan(tuple(executions), parts, undo, stayed, logs, tuple(_of_earlier(ws, executions, parts, undo)))


def _of_earlier(
    ws: Workspace, executions: Sequence[Execution], parts: frozenset[StepRef], undo: UndoPlan
) -> Iterator[str]:
    """Yield the changes of earlier runs that stand, in files that the records of these steps name as changed: a step
    that was broken off and carried out anew has those of both.
    """
    restored = {path for each in undo.restores for path in (each.path, *each.also)}
    steps = [(run, record) for run in executions for record in run.steps]
    claimed = {
        file.path
        for run, record in steps
        if StepRef(run.id, record.step_number) in parts
        for file in record.files
        if file.before != file.after
    } - restored
    own, plans = {run.id for run in executions}, {run.plan_file for run in executions if run.plan_file}
    for run_id in (each for plan in sorted(plans) if claimed for each in ws.ports.journal.run_ids(plan)):
        left = claimed & {deed.touch.path for deed in undo_log(ws, run_id).active()} if run_id not in own else set()
        if left:
            yield f"{first_few([*map(named, sorted(left))], _TOLD)}, which the run {run_id} before it changed"


def _later(ws: Workspace, logs: Mapping[str, UndoLog]) -> Iterator[UndoLog]:
    """Yield the changes of other runs after the first one in `logs`; earlier ones don't matter for the undo."""
    first = min((deed.sequence for log in logs.values() for deed in log.deeds), default=None)
    for run_id in () if first is None else ws.ports.journal.runs_since(first, DEEDS):
        if run_id not in logs:
            yield undo_log(ws, run_id)


def _wanted_runs(ws: Workspace, wanted: RollbackTarget) -> Sequence[Execution]:
    if wanted.execution_id:
        run_ids = ws.ports.journal.run_ids()
        exact = [run_id for run_id in run_ids if run_id == wanted.execution_id]
        found = _runs(ws, exact or [run_id for run_id in run_ids if run_id.endswith(wanted.execution_id)])
        if len(found) != 1:
            what = "there is no" if not found else "there is more than one"
            raise NotFound("EXECUTION_NOT_FOUND", f"{what} execution {wanted.execution_id}", "List the executions.")
        return found
    if wanted.plan_path:
        return _runs(ws, ws.ports.journal.run_ids(wanted.plan_path))
    for run_id in ws.ports.journal.run_ids():
        if undo_log(ws, run_id).leaves_changes and (found := _runs(ws, [run_id])):
            return found
    raise _nothing(UndoPlan())


def _runs(ws: Workspace, run_ids: Iterable[str]) -> Sequence[Execution]:
    """Return the runs whose beginning the journal still has."""
    return [
        rebuild_execution(ws, begun) for run_id in run_ids for begun in ws.ports.journal.read(run_id, ("run_started",))
    ]


def _unknown(ws: Workspace, executions: Sequence[Execution], parts: frozenset[StepRef]) -> Sequence[str]:
    found = [each for run in executions for each in unknown_changes(ws, run.id).items()]
    causes = [cause for part, told in found if part in parts for cause in told]
    steps = [(run.id, record) for run in executions for record in run.steps]
    unseen = [
        each for run_id, record in steps if StepRef(run_id, record.step_number) in parts for each in record.uncovered
    ]
    return [*(f"whatever was changed {visible(cause)}" for cause in causes), *dict.fromkeys(unseen)]


def _nothing(undo: UndoPlan) -> Conflict:
    stays = f"; the earlier content isn't stored of {', '.join(undo.stayed[:_TOLD])}" if undo.stayed else ""
    message = f"there is nothing to roll back{stays}"
    return Conflict("NOTHING_TO_ROLL_BACK", message, "Look at the executions and their files.")


def _moved_on(ws: Workspace, undo: UndoPlan) -> FilesMovedOn:
    told: list[str] = []
    for each in undo.moved_on:
        if each.by is None:
            is_mode = each.left.sha256 == each.now.sha256
            told.append(f"{named(each.path)} has {'other permissions' if is_mode else 'changed since'}")
        else:
            step = f"step {each.by.step}" if each.by.step else "later work"
            goals = [f" of “{visible(run.goal)}”" for run in _runs(ws, [each.by.execution_id])]
            told.append(f"{named(each.path)} was changed by {step}{''.join(goals)}")
    message = f"nothing was rolled back: {first_few(told, _TOLD)}"
    hint = "Roll back the later steps too, or put these files back to what the step left and try again."
    changed = [ChangedFile(each.path, each.left.sha256, each.now.sha256) for each in undo.moved_on]
    return FilesMovedOn(message, hint, show_changes(ws, changed, "after the step"))


# --- the user's yes


async def _confirm(ws: Workspace, session_id: str, wanted: RollbackTarget, plan: _Plan) -> None:
    steps = sorted(part.step for part in plan.parts if part.step)
    runs = "the run" if len(plan.executions) == 1 else "its runs"
    what = f"step {wanted.step}" if wanted.step else f"all that {runs} did"
    goal = visible(plan.executions[0].goal)
    question = f"Roll back {what} of “{goal}”?" if steps else f"Roll back “{goal}”?"
    which = wanted.execution_id or wanted.plan_path or plan.executions[0].id
    await ask_to_roll_back(ws, session_id, f"{which} {wanted.step or 0}", plan.digest, question, _lines(plan))


def _lines(plan: _Plan) -> Sequence[str]:
    lines = [f"{_verb(each)} {named(path)}" for each in plan.undo.restores for path in (each.path, *each.also)]
    lines += [f"makes the folder {named(path)} again" for path in plan.undo.folders_removed]
    lines += [f"removes the folder {named(path)} if it is empty" for path in plan.undo.folders_made]
    lines += [f"restores the permissions of the folder {named(path)}" for path in plan.undo.folder_modes]
    lines = lines[:_TOLD] + ([f"and {len(lines) - _TOLD} more"] if len(lines) > _TOLD else [])
    stays = [f"leaves as it is, since what was there before isn't known: {named(each)}" for each in plan.stayed]
    stays += [f"leaves as it is {each}" for each in plan.of_earlier]
    return [*lines, *stays[:_TOLD]] or ["changes no file: all is as it was before"]


def _verb(restore: Restore) -> str:
    match restore.now.kind, restore.then.kind:
        case _, "nothing":
            return "deletes"
        case "nothing", _:
            return "brings back"
        case _:
            return "restores"


# --- doing it


async def _carry_out(ws: Workspace, session_id: str, plan: _Plan) -> RolledBackRuns:
    """The journal, the files, the journal, the records, the marks."""
    rollback_id = ws.ports.ids.uuid7()
    rollbacks = {run.id: _rollback(ws, rollback_id, plan, run) for run in plan.executions}
    for run in plan.executions:
        data = rollbacks[run.id].model_dump(mode="json")
        ws.ports.journal.append(run.session_id, run.id, "rollback_started", data)
    try:
        await restore_files(ws, plan.undo, "Roll back")
    except EditFailure as failure:
        for run in plan.executions:
            data = {"id": rollback_id, "reason": failure.message}
            ws.ports.journal.append(run.session_id, run.id, "rollback_failed", data)
        raise
    for run in plan.executions:  # the newest first: what stands when this is cut short is still one after the other
        data = rollbacks[run.id].model_dump(mode="json")
        ws.ports.journal.append(run.session_id, run.id, "rollback_finished", data)
    executions = [await mark_rollbacks(ws, load_record(ws, run.id) or run) for run in plan.executions]
    withdraw_rollback_questions(ws, executions)
    plan_again(ws, session_id, executions)
    done = RolledBackRuns(tuple(executions), tuple(rollbacks.values()), plan.of_earlier)
    ws.add_message(session_id, "system", rollback_text(done), for_model=True)
    return done


def _rollback(ws: Workspace, rollback_id: str, plan: _Plan, run: Execution) -> Rollback:
    paths = {deed.touch.path for deed in plan.logs[run.id].active() if deed.part in plan.parts}
    return Rollback(
        id=rollback_id,
        at=ws.now(),
        steps=tuple(sorted(part.step for part in plan.parts if part.execution_id == run.id)),
        files=tuple(
            FileChange(path=path, before=each.now.sha256, after=each.then.sha256)
            for each in plan.undo.restores
            for path in (each.path, *each.also)
            if path in paths
        ),
        stayed=plan.stayed,
    )


def rollback_text(done: RolledBackRuns) -> str:
    """Report on the rollback, for people and models."""
    lines = []
    for run, rollback in zip(done.executions, done.rollbacks, strict=True):
        steps = [str(step) for step in rollback.steps if step]
        of = f"step{'s' if len(steps) > 1 else ''} {', '.join(steps)} of " if steps else ""
        lines.append(f"Rolled back by the user: {of}“{run.goal}”")
    lines += [f"- {became(file)} {named(file.path)}" for file in done.files]
    lines += [f"- left as it is: {each}" for each in done.stayed]
    lines += [f"Not rolled back: {left}" for left in (*map(_left, done.executions), *done.of_earlier) if left]
    return "\n".join(lines)


def _left(run: Execution) -> str:
    """Return the changes of a run that stand and can still be put back."""
    steps = ", ".join(map(str, sorted(run.to_roll_back)))
    return f"step {steps} of “{run.goal}”" if steps else ""


def became(file: FileChange) -> Literal["restored", "deleted", "brought back"]:
    """Return the kind of change that restored the file."""
    if not file.after:
        return "deleted"
    return "restored" if file.before else "brought back"


# --- the picture


async def _draw_what_is_missing(ws: Workspace, session_id: str, wanted: RollbackTarget) -> RolledBackRuns | None:
    """A rollback that was killed after its last file: draw it now."""
    drawn: list[Execution] = []
    done: list[Rollback] = []
    for run in runs_to_mark(ws):
        if run.id.endswith(wanted.execution_id) and wanted.plan_path in ("", run.plan_file):
            done += unmarked_rollbacks(ws, run)[-1:]
            drawn.append(await mark_rollbacks(ws, run))
    plan_again(ws, session_id, drawn)
    return RolledBackRuns(tuple(drawn), tuple(done)) if drawn else None
