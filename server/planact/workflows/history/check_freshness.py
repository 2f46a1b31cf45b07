"""Compare the files that a plan rests on with their state when the plan was made."""

from collections.abc import Iterable, Mapping, Sequence

from planact.base.filetext import fingerprint
from planact.model.plan import ContextFile, Plan
from planact.plan.lint_context import ChangedFile
from planact.plan.syntax.lower import context_files, front_matter_text
from planact.plan.syntax.tree import PlanTree
from planact.tools.read_access import fingerprint_of
from planact.workflows.history.journal_queries import files_left
from planact.workflows.workspace import Workspace

MAX_COMPARED_FILES = 1_000
"""So many files of one plan are looked at."""


def left_by_runs(ws: Workspace, plan_id: str) -> Mapping[str, str]:
    """Return the SHA-256 by path of what the plan's runs left."""
    left: dict[str, str] = {}
    for run_id in reversed(ws.ports.journal.run_ids(plan_id=plan_id)) if plan_id else ():
        left |= files_left(ws, run_id)
    return left


def changed_since_plan(
    ws: Workspace, plan_id: str, files: Sequence[ContextFile], left: Mapping[str, str] | None = None
) -> tuple[ChangedFile, ...]:
    """Return the `files` that aren't as the plan says, in their order; an empty fingerprint means that there was
    no file. What the plan's own runs made of them doesn't count; `left` is what `left_by_runs` returns, if it is known.
    Texts that the editor hasn't saved count, as the agent would see them. May be called from any thread.
    """
    if not files:
        return ()
    left = left_by_runs(ws, plan_id) if left is None else left
    unsaved = _unsaved(ws, {file.path for file in files})
    found: list[ChangedFile] = []
    for file in files[:MAX_COMPARED_FILES]:
        now = unsaved.get(file.path) or fingerprint_of(ws.ports.files, file.path, ws.settings.limits.file_bytes)
        if now not in (file.sha256, left.get(file.path, file.sha256)):
            found.append(ChangedFile(file.path, file.sha256, now))
    return tuple(found)


def stale_files(ws: Workspace, plan: Plan, left: Mapping[str, str] | None = None) -> tuple[ChangedFile, ...]:
    """Return the files of the plan's context that have changed since, that are gone, or that are there now; `left` as
    in `changed_since_plan`.
    """
    return changed_since_plan(ws, plan.id, plan.context, left)


def changed_in(ws: Workspace, tree: PlanTree) -> tuple[ChangedFile, ...]:
    """Return the changed files of a document that may be no complete plan."""
    return changed_since_plan(ws, front_matter_text(tree, "id"), context_files(tree))


def also_changed_in(ws: Workspace, tree: PlanTree) -> tuple[ChangedFile, ...]:
    """Return the changed files among those of `also_read_in`."""
    return changed_since_plan(ws, front_matter_text(tree, "id"), also_read_in(ws, tree))


def also_read_in(ws: Workspace, tree: PlanTree) -> tuple[ContextFile, ...]:
    """Return the files that planning read besides those that the plan rests on, by the record of its newest revision.
    From any thread.
    """
    plan_id = front_matter_text(tree, "id")
    made = ws.ports.events.planning(plan_id) if plan_id else None
    rests_on = {file.path for file in context_files(tree)}
    read = map(ContextFile.model_validate, made.data.get("also_read", ()) if made else ())
    return tuple(file for file in read if file.path not in rests_on)


def digests(ws: Workspace, paths: Iterable[str]) -> Mapping[str, str]:
    """The SHA-256 (hex) of each file as the agent would see it now; empty where there is none."""
    wanted = tuple(dict.fromkeys(paths))[:MAX_COMPARED_FILES]
    unsaved = _unsaved(ws, set(wanted))
    limit = ws.settings.limits.file_bytes
    return {path: unsaved.get(path) or fingerprint_of(ws.ports.files, path, limit) for path in wanted}


def _unsaved(ws: Workspace, paths: set[str]) -> Mapping[str, str]:
    """Fingerprints of those that the editor shows otherwise than the disk has them."""
    editor, files = ws.ports.editor, ws.ports.files
    found: dict[str, str] = {}
    for path in editor.unsaved(files.resolve(".")).keys() & paths:
        buffer = editor.buffer(files.resolve(path))
        if buffer is not None:
            found[path] = fingerprint(buffer)
    return found
