"""Commands on plans: make, revise, approve, show, list, pin, export and delete them."""

import asyncio
from bisect import bisect_right
from collections.abc import Iterator
from typing import Self

from pydantic import Field, model_validator

from planact.base.frozen_model import FrozenModel
from planact.base.text import one_line
from planact.lsp.documents.convert import TextIndex
from planact.lsp.host.plan_state import plan_made, plan_since
from planact.lsp.host.workspace_host import host_of
from planact.lsp.protocol.arguments import ApprovePlan, OneFolder, OnePlan, OneSession
from planact.lsp.protocol.results import PlanMade
from planact.lsp.server import PlanactServer
from planact.lsp.show.document import show_document, show_reason_if_no_plan, show_waiting_revision
from planact.model.notice import PlanNotice
from planact.model.plan import Plan, PlanOrigin, PlanStatus, PlanSummary
from planact.plan.syntax.tree import PlanTree
from planact.workflows.chat.send_message import ask_about
from planact.workflows.history.metrics import spent_on
from planact.workflows.plans.approve import approve_plan
from planact.workflows.plans.archive import Format, delete_plan, export_plan
from planact.workflows.plans.library import is_approved, list_plans, origin_of, summarize
from planact.workflows.runs.make_plan import make_plan, make_plan_in, result_of_planning
from planact.workflows.runs.plan_and_act import execute_if_accepted
from planact.workflows.runs.revise_plan import ask_feedback, revise_plan
from planact.workflows.workspace import Stopped, Workspace

_MOST_REMARKS = 20
_LONGEST_REMARK = 200


class GeneratePlan(OneSession):
    """Make a plan from the document at `uri` that holds a request (replaced in place), or from `request` into a new
    document.

    `about` is a place in the folder such as `src/app.py:10-20`; then the server asks for the request if there is none,
    and opens the plan.
    """

    uri: str = ""
    request: str = ""
    about: str = ""

    @model_validator(mode="after")
    def _has_one(self) -> Self:
        if bool(self.uri) == bool(self.request.strip() or self.about):
            raise ValueError("give the uri of a document with the request, or the request")
        return self


class RevisePlan(OnePlan):
    """Work in `feedback` and the comments in the document; the server asks when there is neither."""

    feedback: str = ""


class ShowPlan(OnePlan):
    """With the number of a `step`, the plan is opened there too, in clients that open documents on request.
    `with_usage` = add up the tokens and costs so far.
    """

    step: int | None = Field(default=None, ge=1)
    with_usage: bool = False


class PinPlan(OnePlan):
    """`is_pinned` = keep the plan at any age."""

    is_pinned: bool = True


class ExportPlan(OnePlan):
    """As Markdown, as JSON, or as a diagram in Mermaid."""

    format: Format = "markdown"


class PlanApproved(PlanMade):
    """`plan_hash` is what was approved."""

    plan_hash: str


class PlanRemark(FrozenModel):
    """A comment to the planner: its first `line`, from 0, its `step`, 0 = it is on the plan, and its text."""

    line: int
    step: int
    text: str


class PlanShown(FrozenModel):
    """A plan as data, the hash of the content that the user now sees, and the number of comments that wait for a
    revision, of which `remarks` has the first 20.

    `status` is the plan's own as far as the user ever approved it. `usage` describes in words the usage of its planning
    and its runs so far; empty = none, or not asked for.
    """

    plan: Plan
    uri: str
    path: str
    plan_hash: str
    status: PlanStatus
    is_approved: bool
    origin: PlanOrigin
    comments: int
    usage: str = ""
    remarks: tuple[PlanRemark, ...] = ()


class PlanListed(PlanSummary):
    """A row of the list, with the address of its document; `is_pinned` = it is kept at any age."""

    uri: str
    is_pinned: bool = False


class Plans(FrozenModel):
    """The newest first."""

    plans: tuple[PlanListed, ...]


class PlanDeleted(FrozenModel):
    """The deleted plan."""

    plan_id: str
    path: str


class PlanPinned(FrozenModel):
    """`is_pinned` = the plan is kept at any age."""

    path: str
    is_pinned: bool


class PlanExported(FrozenModel):
    """`path` is the plan's own; `text` ends with a line end."""

    path: str
    text: str


async def handle_generate_plan(ls: PlanactServer, arguments: GeneratePlan) -> PlanMade:
    """Make a plan from a request, in a document or in words."""
    ws, path = (
        host_of(ls).workspaces.locate_cached(arguments.uri)
        if arguments.uri
        else (host_of(ls).workspaces.get(arguments.folder), "")
    )
    session = host_of(ls).sessions.for_planning(ws, arguments.session_id, path)
    request = arguments.request
    if arguments.about:
        question = f"What should change in `{arguments.about}`?"
        request = await ask_about(ws, session.id, arguments.about, request, question)
        if not request:
            return plan_made(host_of(ls).workspaces, ws, session.id, None)
    try:
        async with host_of(ls).display.progress(ws, session.id, "Planact: planning"):
            making = make_plan_in(ws, session.id, path) if path else make_plan(ws, session.id, request)
            taken = await making
            await execute_if_accepted(ws, session.id, taken)
    except Stopped:
        return plan_made(host_of(ls).workspaces, ws, session.id, plan_since(ws, session, path))
    show_reason_if_no_plan(ls, taken)
    await show_waiting_revision(ls, ws, path, taken)
    made = plan_made(host_of(ls).workspaces, ws, session.id, taken.written)
    if taken.written is None:
        made = made.model_copy(update={"reason": taken.offer or result_of_planning(taken).reason})
    if arguments.about and made.uri:
        await show_document(ls, made.uri)
    return made


async def handle_revise_plan(ls: PlanactServer, arguments: RevisePlan) -> PlanMade:
    """Revise a plan by the user's feedback."""
    ws, document = await host_of(ls).workspaces.plan(arguments)
    session = host_of(ls).sessions.for_planning(ws, arguments.session_id, document.path)
    feedback = arguments.feedback
    if not feedback.strip() and not document.tree.comments:
        feedback = await ask_feedback(ws, session.id, document)
        if not feedback.strip():
            return plan_made(host_of(ls).workspaces, ws, session.id, document)
    try:
        async with host_of(ls).display.progress(ws, session.id, "Planact: revising"):
            taken = await revise_plan(ws, session.id, document.path, feedback)
            await execute_if_accepted(ws, session.id, taken)
    except Stopped:
        return plan_made(host_of(ls).workspaces, ws, session.id, document)
    show_reason_if_no_plan(ls, taken)
    await show_waiting_revision(ls, ws, document.path, taken)
    return plan_made(host_of(ls).workspaces, ws, session.id, taken.written or document)


async def handle_approve_plan(ls: PlanactServer, arguments: ApprovePlan) -> PlanApproved:
    """Record the user's approval of exactly this text; starts no run."""
    ws, document, session = await host_of(ls).plan_to_execute(arguments)
    approved = await approve_plan(ws, session.id, document, arguments.approve_hash)
    host_of(ls).display.refresh()
    made = plan_made(host_of(ls).workspaces, ws, session.id, approved)
    return PlanApproved(**made.model_dump(), plan_hash=approved.hash)


async def handle_show_plan(ls: PlanactServer, arguments: ShowPlan) -> PlanShown:
    """Return a plan as data, and open it where a step is named."""
    ws, document = await host_of(ls).workspaces.plan(arguments)
    plan = document.complete()
    shown = PlanShown(
        plan=plan,
        uri=host_of(ls).workspaces.uri(ws, document.path),
        path=document.path,
        plan_hash=document.hash,
        status=summarize(ws, document).status,
        is_approved=is_approved(ws, document),
        origin=origin_of(ws, document),
        comments=len(document.tree.comments),
        usage=_usage(ws, plan.id) if arguments.with_usage else "",
        remarks=tuple(_remarks(document.tree)),
    )
    step = document.tree.step(arguments.step) if arguments.step else None
    if step:
        index = TextIndex(document.file.text, ls.documents.encoding, document.tree.line_spans)
        await show_document(ls, shown.uri, index.range(step.action_span))
    return shown


def _remarks(tree: PlanTree) -> Iterator[PlanRemark]:
    for comment in sorted(tree.comments, key=lambda each: each.span)[:_MOST_REMARKS]:
        line = bisect_right(tree.line_spans, comment.span.start, key=lambda span: span.start) - 1
        yield PlanRemark(line=line, step=comment.step or 0, text=one_line(comment.text, _LONGEST_REMARK))


def _usage(ws: Workspace, plan_id: str) -> str:
    spent = spent_on(ws, plan_id)
    return spent.in_words() if spent.requests else ""


async def handle_list_plans(ls: PlanactServer, arguments: OneFolder) -> Plans:
    """List the plans of a folder, the newest first."""
    ws = host_of(ls).workspaces.get(arguments.folder)
    listed = await asyncio.to_thread(list_plans, ws)
    pinned = ws.ports.revisions.pinned()
    rows = (
        PlanListed(**row.model_dump(), uri=host_of(ls).workspaces.uri(ws, row.path), is_pinned=row.path in pinned)
        for row in listed
    )
    return Plans(plans=tuple(rows))


async def handle_delete_plan(ls: PlanactServer, arguments: OnePlan) -> PlanDeleted:
    """Delete a plan, after the user confirmed it."""
    ws, document, session = await host_of(ls).plan_to_execute(arguments)
    await delete_plan(ws, session.id, document)
    return PlanDeleted(plan_id=document.plan.id if document.plan else "", path=document.path)


async def handle_pin_plan(ls: PlanactServer, arguments: PinPlan) -> PlanPinned:
    """Keep a plan at any age, or no longer."""
    ws, document = await host_of(ls).workspaces.plan(arguments)
    ws.ports.revisions.pin(document.path, is_pinned=arguments.is_pinned)
    ws.ports.editor.notify(PlanNotice("", document.plan.id if document.plan else "", document.path))
    return PlanPinned(path=document.path, is_pinned=arguments.is_pinned)


async def handle_export_plan(ls: PlanactServer, arguments: ExportPlan) -> PlanExported:
    """Return a plan as Markdown, JSON or a diagram."""
    ws, document = await host_of(ls).workspaces.plan(arguments)
    return PlanExported(path=document.path, text=f"{export_plan(ws, document, arguments.format)}\n")
