"""Commands on runs of plans and their steps."""

from functools import partial
from typing import Annotated, Self

from pydantic import Field, model_validator

from planact.base.frozen_model import FrozenModel
from planact.lsp.host.plan_state import plan_made, plan_since
from planact.lsp.host.workspace_host import Host, host_of
from planact.lsp.protocol.arguments import ApprovePlan, Arguments, OneFolder, OnePlan, OneSession, PlanNamed
from planact.lsp.protocol.results import PlanMade
from planact.lsp.server import PlanactServer
from planact.lsp.show.document import show_text
from planact.model.runs.execution import Execution, StepRecord
from planact.workflows.history.journal_queries import last_attempt
from planact.workflows.history.report import find_execution, list_executions, report, step_report
from planact.workflows.runs.execute import Confirmation, execute_plan, retry_step
from planact.workflows.runs.handle_failure import skip_step
from planact.workflows.runs.plan_and_act import plan_and_act
from planact.workflows.runs.resume import resume_execution, run_to_resume, session_to_resume
from planact.workflows.runs.save_files import save_files, unsaved_files
from planact.workflows.workspace import Stopped, Workspace


class ExecutePlan(ApprovePlan):
    """Approve and run all steps that are left, or those with the numbers in `steps`. Without `approve_hash` the server
    asks, unless this very content is approved already.
    """

    steps: tuple[Annotated[int, Field(ge=1)], ...] = ()


class ExecuteStep(ApprovePlan):
    """Run one step; `step` is its number. `approve_hash` counts as for the whole plan."""

    step: int = Field(ge=1)


class RetryStep(ExecuteStep):
    """Run a failed step again; `step` is its number."""


class SkipStep(OnePlan):
    """`step` is its number."""

    step: int = Field(ge=1)


class ResumeExecution(PlanNamed):
    """A run by its `execution_id`, or the newest of a plan; without either the newest in the folder that stopped before
    its end.
    """

    execution_id: str = ""

    @model_validator(mode="after")
    def _names_one_at_most(self) -> Self:
        if sum(map(bool, (self.uri, self.plan_id, self.execution_id))) > 1:
            raise ValueError("name one of uri, plan_id and execution_id")
        return self


class PlanAndAct(OneSession):
    """A request that is planned, then executed if the plan is safe or the user agrees. `is_scrutinized` = a reviewer
    criticises the plan, and it is revised once, before that.
    """

    request: str = Field(min_length=1)
    is_scrutinized: bool = False


class ListExecutions(OneFolder):
    """`plan_id` leaves out runs of other plans; above `limit`, the oldest are left out."""

    plan_id: str = ""
    limit: int = Field(default=100, ge=1)


class ShowExecution(Arguments):
    """An execution by its id, or the end of it."""

    execution_id: str


class SaveFiles(OneFolder):
    """The files that a run changed, by its `execution_id` or the end of it; without, those of the folder's newest."""

    execution_id: str = ""


class ShowFailure(OnePlan):
    """`step` is the number of a step that failed."""

    step: int = Field(ge=1)


class PlanAndActResult(PlanMade):
    """`execution` is missing when the user didn't agree."""

    execution: Execution | None = None


class Executions(FrozenModel):
    """Runs, the newest first; `left_out` is the number of older ones."""

    executions: tuple[Execution, ...]
    left_out: int = 0


class ExecutionShown(Execution):
    """The record of a run, and all of it as Markdown. `unsaved` has the files that it changed and the editor hasn't
    saved by now.
    """

    report: str
    unsaved: tuple[str, ...] = ()


class FilesSaved(FrozenModel):
    """The files of a run that were saved, and those that still aren't."""

    saved: tuple[str, ...]
    unsaved: tuple[str, ...]


async def handle_execute_plan(ls: PlanactServer, arguments: ExecutePlan) -> Execution:
    """Execute a plan, or some of its steps, after the user's approval."""
    return await _execute(ls, arguments, arguments.steps, "Planact: executing")


async def handle_execute_step(ls: PlanactServer, arguments: ExecuteStep) -> Execution:
    """Execute one step of a plan, after the user's approval."""
    return await _execute(ls, arguments, (arguments.step,), f"Planact: step {arguments.step}")


async def _execute(ls: PlanactServer, arguments: ApprovePlan, steps: tuple[int, ...], title: str) -> Execution:
    ws, document, session = await host_of(ls).plan_to_execute(arguments)
    confirmation, seen_hash = Confirmation.UNLESS_APPROVED, arguments.approve_hash
    async with host_of(ls).display.progress(ws, session.id, title):
        return await execute_plan(ws, session.id, document.path, confirmation, only_steps=steps, seen_hash=seen_hash)


async def handle_skip_step(ls: PlanactServer, arguments: SkipStep) -> PlanMade:
    """Mark a step as skipped."""
    ws, document, session = await host_of(ls).plan_to_execute(arguments)
    skipped = await skip_step(ws, session.id, document, arguments.step)
    return plan_made(host_of(ls).workspaces, ws, session.id, skipped)


async def handle_retry_step(ls: PlanactServer, arguments: RetryStep) -> Execution:
    """Execute a failed step again."""
    ws, document, session = await host_of(ls).plan_to_execute(arguments)
    async with host_of(ls).display.progress(ws, session.id, f"Planact: step {arguments.step} again"):
        return await retry_step(ws, session.id, document.path, arguments.step, seen_hash=arguments.approve_hash)


async def handle_resume_execution(ls: PlanactServer, arguments: ResumeExecution) -> Execution:
    """Resume a run that paused, failed or was killed."""
    host = host_of(ls)
    ws, run = await _run(host, arguments)
    session_id = arguments.session_id or session_to_resume(ws, run)
    session = host.sessions.for_executing(ws, session_id, run.plan_file)
    async with host.display.progress(ws, session.id, "Planact: executing"):
        return await resume_execution(ws, session.id, run)


async def _run(host: Host, arguments: ResumeExecution) -> tuple[Workspace, Execution]:
    if arguments.uri or arguments.plan_id:
        ws, document = await host.workspaces.plan(arguments)
        return ws, run_to_resume(ws, path=document.path)
    if not arguments.execution_id:
        ws = host.workspaces.get(arguments.folder)
        return ws, run_to_resume(ws)
    named = partial(run_to_resume, execution_id=arguments.execution_id)
    return host.workspaces.find_in(arguments.folder, named)


async def handle_plan_and_act(ls: PlanactServer, arguments: PlanAndAct) -> PlanAndActResult:
    """Make a plan, show it, and execute it if it is safe or the user agrees."""
    ws = host_of(ls).workspaces.get(arguments.folder)
    session = host_of(ls).sessions.for_planning(ws, arguments.session_id)
    try:
        async with host_of(ls).display.progress(ws, session.id, "Planact: plan and act"):
            is_scrutinized = arguments.is_scrutinized
            ended = await plan_and_act(ws, session.id, arguments.request, is_scrutinized=is_scrutinized)
    except Stopped:
        made = plan_made(host_of(ls).workspaces, ws, session.id, plan_since(ws, session))
        return PlanAndActResult(**made.model_dump())
    made = plan_made(host_of(ls).workspaces, ws, session.id, ended.document)
    return PlanAndActResult(**made.model_dump(), execution=ended.execution)


async def handle_list_executions(ls: PlanactServer, arguments: ListExecutions) -> Executions:
    """List the runs in a folder, the newest first."""
    ws = host_of(ls).workspaces.get(arguments.folder)
    found, left_out = list_executions(ws, arguments.limit, plan_id=arguments.plan_id)
    return Executions(executions=found, left_out=left_out)


async def handle_show_execution(ls: PlanactServer, arguments: ShowExecution) -> ExecutionShown:
    """Return the record of one run."""
    ws, run = _find(ls, arguments.execution_id)
    unsaved = tuple(place.shown for place in unsaved_files(ws, run))
    return ExecutionShown(**dict(run), report=report(run), unsaved=unsaved)


async def handle_save_files(ls: PlanactServer, arguments: SaveFiles) -> FilesSaved:
    """Have the editor save the files that a run changed."""
    ws, run = _find(ls, arguments.execution_id, arguments.folder)
    saved, unsaved = await save_files(ws, run)
    return FilesSaved(saved=tuple(place.shown for place in saved), unsaved=tuple(place.shown for place in unsaved))


def _find(ls: PlanactServer, execution_id: str, folder: str = "") -> tuple[Workspace, Execution]:
    return host_of(ls).workspaces.find_in(folder, partial(find_execution, execution_id=execution_id))


async def handle_show_failure(ls: PlanactServer, arguments: ShowFailure) -> StepRecord:
    """Show the failure of a step: its checks with their output, and the actions before them."""
    ws, document = await host_of(ls).workspaces.plan(arguments)
    record = last_attempt(ws, document, arguments.step)
    await show_text(ls, "failure.md", step_report(record))
    return record
