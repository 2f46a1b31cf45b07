"""Changes of files by a step, from the records of its runs: its attempts in a run together, even after a rollback."""

from dataclasses import dataclass
from itertools import chain

from planact.base.errors import NotFound
from planact.base.filetext import decode_text
from planact.model.runs.execution import Execution, FileChange
from planact.workflows.history.journal_queries import load_record, runs_of
from planact.workflows.plans.show_changes import MAX_COMPARED_BYTES, fit_differences, unified
from planact.workflows.workspace import Workspace

_LARGEST_SHOWN = 2_000_000
"""Bytes of a text that is shown."""


def kept_text(ws: Workspace, path: str, sha256: str) -> str:
    """Return the text of `path` whose bytes had that SHA-256 (hex); empty without one. If it can't be shown, return the
    reason.
    """
    place = ws.ports.files.resolve(path)
    if not ws.may_show(place):
        return f"What is in {path} is not shown.\n"
    data = ws.ports.journal.kept(sha256) if sha256 else b""
    if data is None:
        return f"What {path} said then is not known.\n"
    file = decode_text(data) if len(data) <= _LARGEST_SHOWN else None
    return file.text if file else f"{path} is no text, or too large to be shown.\n"


@dataclass(frozen=True, slots=True)
class StepChanges:
    """`execution` is the run; `files` are in the order in which they were touched first."""

    execution: Execution
    step: int
    action: str
    files: tuple[FileChange, ...]


def step_changes(ws: Workspace, step: int, *, execution_id: str = "", plan_path: str = "") -> StepChanges:
    """Of a run by its id, else of the newest run of the plan in which the step changed a file. `step` 0 is the work of
    a run without a plan.

    Raises:
        NotFound: EXECUTION_NOT_FOUND; STEP_NOT_FOUND, when the step changed no file.
    """
    one = load_record(ws, execution_id)
    runs = chain([one] if one else [], runs_of(ws, plan_path) if plan_path else [])
    if execution_id and not one:
        raise NotFound("EXECUTION_NOT_FOUND", f"there is no execution {execution_id}", "List the executions.")
    for run in runs:
        records = [record for record in run.steps if record.step_number == step]
        if files := _together([file for record in records for file in record.files]):
            return StepChanges(run, step, records[-1].action, files)
    told = f"step {step} has changed no file" if step else "that work has changed no file"
    raise NotFound("STEP_NOT_FOUND", told, "Choose a step that has.")


def difference_of(ws: Workspace, changes: StepChanges) -> str:
    """A unified diff per file; cut where it gets too long."""
    return fit_differences((_difference(ws, file) for file in changes.files), len(changes.files))


def _difference(ws: Workspace, file: FileChange) -> str:
    old, new = (kept_text(ws, file.path, sha256) for sha256 in (file.before, file.after))
    if not file.is_covered or max(len(old), len(new)) > MAX_COMPARED_BYTES:
        return f"{file.path}: changed; what it said before is not known, or too large to compare here\n"
    return unified(old, new, file.path if file.before else "/dev/null", file.path if file.after else "/dev/null")


def _together(changes: list[FileChange]) -> tuple[FileChange, ...]:
    """Merge the changes of each path: the bytes before the first and after the last; a path that ends as it began is
    left out.
    """
    found: dict[str, FileChange] = {}
    for change in changes:
        first = found.get(change.path, change)
        is_covered = first.is_covered and change.is_covered
        found[change.path] = change.model_copy(update={"before": first.before, "is_covered": is_covered})
    return tuple(file for file in found.values() if file.before != file.after or not file.is_covered)
