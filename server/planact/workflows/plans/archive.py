"""Export, delete and archive plans; finished ones that the user never touched go to the archive, the oldest first.

Plans that the user wrote, edited or pinned, or can still resume, stay, however many there are.
"""

import json
from pathlib import PurePosixPath
from typing import Literal

from planact.base.errors import Conflict, EditFailure, InvalidInput
from planact.model.plan import PlanStatus, PlanSummary
from planact.model.runs.change import DeleteFile, RenameFile
from planact.plan.approval import hash_of
from planact.plan.diagram import diagram
from planact.plan.implied_files import with_implied
from planact.plan.syntax.code_span import fenced, path_in_text
from planact.plan.syntax.lower import plan_json
from planact.plan.syntax.parser import parse
from planact.workflows.hooks import confirm_deletion
from planact.workflows.plans.implied_files import implied_at_question
from planact.workflows.plans.library import (
    ARCHIVE,
    PlanDocument,
    check_plan_idle,
    forget_derived,
    own_place,
    own_plans,
    read_document,
)
from planact.workflows.workspace import Workspace


async def archive_plans(ws: Workspace) -> tuple[str, ...]:
    """Move out what is too much for the setting `history.plans`; returns the paths that left."""
    own = own_plans(ws)
    left: list[str] = []
    for summary in reversed(own[ws.settings.history.plans :]):
        try:
            document = read_document(ws, summary.path)
        except InvalidInput:
            continue  # what can't be read stays
        if _may_leave(ws, summary, document) and await _move(ws, document):
            left.append(summary.path)
    return tuple(left)


def _may_leave(ws: Workspace, summary: PlanSummary, document: PlanDocument) -> bool:
    is_open = ws.ports.editor.buffer(document.place) is not None
    if summary.status is not PlanStatus.DONE or is_open or summary.path in ws.ports.revisions.pinned():
        return False
    try:
        check_plan_idle(ws, summary.path)
    except Conflict:
        return False
    return _is_as_planned(ws, document)


def _is_as_planned(ws: Workspace, document: PlanDocument) -> bool:
    """The part that approval covers is exactly the planner's text."""
    written = (each.text for each in ws.ports.revisions.list(document.path) if each.author == "planner")
    return any(hash_of(parse(text)) == document.hash for text in written)


async def _move(ws: Workspace, document: PlanDocument) -> bool:
    """Move a plan to the archive; False if a file is in the way, and the plan stays."""
    try:
        target = own_place(ws, f"{ARCHIVE}/{PurePosixPath(document.path).name}")
        await ws.ports.editor.apply((RenameFile(document.place, target),), "Archive the plan")
    except EditFailure:
        return False
    ws.ports.approvals.withdraw(document.path)
    forget_derived(ws, document.path)
    return True


async def delete_plan(ws: Workspace, session_id: str, document: PlanDocument, *, is_confirmed: bool = False) -> None:
    """Delete the document.

    Raises:
        Conflict: BUSY, while it is executed; NOT_CONFIRMED, when the user says no.
        EditFailure: when it is open with unsaved text, or was changed meanwhile.
    """
    check_plan_idle(ws, document.path)
    name = f"the plan “{document.plan.goal if document.plan else document.path}”"
    subject = f"delete {document.path} {document.hash}"
    if not is_confirmed and not await confirm_deletion(ws, session_id, name, subject, path_in_text(document.path)):
        raise Conflict(
            "NOT_CONFIRMED", f"{document.path} was not deleted: you didn't confirm it", "Confirm it to have it deleted."
        )
    check_plan_idle(ws, document.path)  # a run may have begun while the user thought
    await ws.ports.editor.apply((DeleteFile(document.place, document.file.sha256),), "Delete the plan")
    ws.ports.approvals.withdraw(document.path)
    ws.ports.approvals.forget_own(document.path)
    forget_derived(ws, document.path)


Format = Literal["markdown", "json", "diagram"]


def render_diagram(ws: Workspace, document: PlanDocument) -> str:
    """Return the plan as a Mermaid flowchart, with the files that only the text of its steps names.

    Raises:
        InvalidInput: PLAN_INVALID.
    """
    return diagram(with_implied(document.complete(), implied_at_question(ws, document)))


def export_plan(ws: Workspace, document: PlanDocument, form: Format) -> str:
    """Return the plan as text, without a line end at its end; a diagram is Mermaid, fenced for Markdown.

    Raises:
        InvalidInput: PLAN_INVALID, when it unmet_need a goal or steps.
    """
    plan = document.complete()
    if form == "json":
        return json.dumps(plan_json(plan), ensure_ascii=False, indent=2)
    if form == "diagram":
        return fenced(render_diagram(ws, document), "mermaid")
    return document.file.text[document.tree.body_start :].strip("\n")
