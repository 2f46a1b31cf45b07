"""Commands on changes: of plans, of the files a plan rests on, and of files by steps, with the way back."""

from typing import Literal, Self

from pydantic import Field, model_validator

from planact.base.errors import NotFound
from planact.base.frozen_model import FrozenModel
from planact.lsp.host.plan_state import plan_made
from planact.lsp.host.workspace_host import Host, host_of
from planact.lsp.protocol.arguments import OnePlan, PlanNamed
from planact.lsp.protocol.results import FileCompared, PlanMade
from planact.lsp.server import PlanactServer
from planact.lsp.show.document import show_text, uri_of_revision
from planact.model.plan_records import Author
from planact.model.runs.execution import FileChange
from planact.workflows.history.check_freshness import stale_files
from planact.workflows.history.journal_queries import load_record
from planact.workflows.history.step_changes import StepChanges, difference_of, step_changes
from planact.workflows.plans.revisions import compare_revisions, restore_revision
from planact.workflows.plans.show_changes import show_changes
from planact.workflows.undo.roll_back import FilesMovedOn, RollbackTarget, became, roll_back
from planact.workflows.workspace import Workspace


class _RunNamed(PlanNamed):
    execution_id: str = ""

    @model_validator(mode="after")
    def _names_one(self) -> Self:
        if sum(map(bool, (self.uri, self.plan_id, self.execution_id))) != 1:
            raise ValueError("name one of uri, plan_id and execution_id")
        return self


class DiffPlan(OnePlan):
    """Compare revision `number` with revision `other`; 0 = the document as it is. Without both: the last revision with
    another text, with the document.
    """

    number: int = Field(default=0, ge=0)
    other: int = Field(default=0, ge=0)


class DiffStep(_RunNamed):
    """A step by its number, in a run by its `execution_id`, or in the newest run of a plan in which the step changed
    files. `step` 0 is the work of a run without a plan.
    """

    step: int = Field(ge=0)


class RestoreRevision(OnePlan):
    """`number` as `planact.diffPlan` lists it."""

    number: int = Field(ge=1)


class RollBack(_RunNamed):
    """One run by its `execution_id`, or all runs of a plan; with the number of a `step`, only that step of them."""

    step: int | None = Field(default=None, ge=0)


class RevisionListed(FrozenModel):
    """An earlier text of the document, and its author."""

    number: int
    author: Author
    time: str


class PlanDifference(FrozenModel):
    """Two texts of a plan, a unified diff between them, and all revisions, the oldest first.

    `before_uri` and `after_uri` are documents with these texts, to be opened side by side: the plan's own, or a
    read-only one for a revision.
    """

    path: str
    uri: str
    before_uri: str
    after_uri: str
    before: str
    after: str
    diff: str
    revisions: tuple[RevisionListed, ...]


class StepDifference(FrozenModel):
    """File changes of a run's step; `diff` has all of them in one text, for people."""

    execution_id: str
    step: int
    action: str
    files: tuple[FileCompared, ...]
    diff: str


class FileChanged(FrozenModel):
    """A file that a plan rests on, and its change since planning."""

    path: str
    what: Literal["changed", "deleted", "created"]


class PlanChanges(FrozenModel):
    """Changes since planning; `diff` compares each file with its earlier text, as far as that is known, for people."""

    path: str
    uri: str
    files: tuple[FileChanged, ...]
    diff: str


class FileRolledBack(FrozenModel):
    """A file that is again as it was before the steps, and the change that restored it."""

    path: str
    what: Literal["restored", "deleted", "brought back"]


class RollbackResult(FrozenModel):
    """The runs and steps that were rolled back; `steps` is empty for work without a plan. `stayed` names, for people,
    changes of the steps that couldn't be put back.
    """

    session_id: str
    execution_ids: tuple[str, ...]
    steps: tuple[int, ...]
    files: tuple[FileRolledBack, ...]
    stayed: tuple[str, ...]


async def handle_diff_plan(ls: PlanactServer, arguments: DiffPlan) -> PlanDifference:
    """Compare two texts of a plan."""
    ws, document = await host_of(ls).workspaces.plan(arguments)
    found = compare_revisions(ws, document, arguments.number, arguments.other)
    kept = ws.ports.revisions.list(document.path)
    uri = host_of(ls).workspaces.uri(ws, document.path)
    return PlanDifference(
        path=document.path,
        uri=uri,
        before_uri=uri_of_revision(ls, uri, found.number, found.before) if found.number else uri,
        after_uri=uri_of_revision(ls, uri, found.other, found.after) if found.other else uri,
        before=found.before,
        after=found.after,
        diff=found.diff,
        revisions=tuple(RevisionListed(number=r.number, author=r.author, time=r.time) for r in kept),
    )


async def handle_diff_step(ls: PlanactServer, arguments: DiffStep) -> StepDifference:
    """Show the file changes of a step; clients that can't compare documents get one text."""
    ws, found = await _found(ls, arguments)
    diff = difference_of(ws, found)
    compares = ls.client.virtual_documents and ls.client.planact.messages
    if not compares:
        name = f"step-{found.step}.diff" if found.step else "changes.diff"
        await show_text(ls, name, diff)
    return StepDifference(
        execution_id=found.execution.id,
        step=found.step,
        action=found.action,
        files=tuple(_compared(file, is_shown=compares) for file in found.files),
        diff=diff,
    )


async def _found(ls: PlanactServer, arguments: DiffStep) -> tuple[Workspace, StepChanges]:
    host = host_of(ls)
    if not arguments.execution_id:
        ws, document = await host.workspaces.plan(arguments)
        return ws, step_changes(ws, arguments.step, plan_path=document.path)
    for ws in host.workspaces.all(arguments.folder):
        if load_record(ws, arguments.execution_id):
            return ws, step_changes(ws, arguments.step, execution_id=arguments.execution_id)
    message = f"there is no execution {arguments.execution_id}"
    raise NotFound("EXECUTION_NOT_FOUND", message, "List the executions to see them.")


def _compared(file: FileChange, *, is_shown: bool) -> FileCompared:
    if is_shown and file.is_covered:
        return FileCompared.of(file.path, file.before, file.after)
    what = FileCompared.of(file.path, file.before, file.after).what if file.is_covered else "changed"
    return FileCompared(path=file.path, what=what, before_uri="", after_uri="")


async def handle_restore_revision(ls: PlanactServer, arguments: RestoreRevision) -> PlanMade:
    """Write an earlier text of a plan into its document."""
    ws, document = await host_of(ls).workspaces.plan(arguments)
    session = host_of(ls).sessions.for_questions(ws, arguments.session_id, document.path)
    restored = await restore_revision(ws, session.id, document, arguments.number)
    host_of(ls).display.refresh()
    return plan_made(host_of(ls).workspaces, ws, session.id, restored)


async def handle_show_changes(ls: PlanactServer, arguments: OnePlan) -> PlanChanges:
    """Show the changes since planning of the files that a plan rests on."""
    ws, document = await host_of(ls).workspaces.plan(arguments)
    changed = stale_files(ws, document.complete())
    diff = show_changes(ws, changed)
    await show_text(ls, "changes.diff", diff or "Nothing that the plan rests on has changed.\n")
    return PlanChanges(
        path=document.path,
        uri=host_of(ls).workspaces.uri(ws, document.path),
        files=tuple(FileChanged(path=file.path, what=file.what) for file in changed),
        diff=diff,
    )


async def handle_roll_back(ls: PlanactServer, arguments: RollBack) -> RollbackResult:
    """Undo file changes of steps, after the user confirmed."""
    ws, session_id, wanted = await _wanted(host_of(ls), arguments)
    try:
        done = await roll_back(ws, session_id, wanted)
    except FilesMovedOn as moved_on:
        await show_text(ls, "changes.diff", f"{moved_on.message}\n\n{moved_on.diff}")
        raise
    finally:
        host_of(ls).display.refresh()
    return RollbackResult(
        session_id=session_id,
        execution_ids=tuple(run.id for run in done.executions),
        steps=done.steps,
        files=tuple(FileRolledBack(path=file.path, what=became(file)) for file in done.files),
        stayed=done.stayed,
    )


async def _wanted(host: Host, arguments: RollBack) -> tuple[Workspace, str, RollbackTarget]:
    """Return the workspace, the session that asks and reports, and the rollback to do."""
    if not arguments.execution_id:
        ws, document, session = await host.plan_to_execute(arguments)
        return ws, session.id, RollbackTarget(plan_path=document.path, step=arguments.step)
    for ws in host.workspaces.all(arguments.folder):
        for run in ws.ports.journal.runs():
            if run.execution_id == arguments.execution_id:
                session = host.sessions.named_or_current(ws, arguments.session_id or run.session_id)
                return ws, session.id, RollbackTarget(run.execution_id, step=arguments.step)
    message = f"there is no execution {arguments.execution_id}"
    raise NotFound("EXECUTION_NOT_FOUND", message, "List the executions to see them.")
