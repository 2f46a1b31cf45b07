"""The rolling history of plans: finished ones that nobody touched leave, the oldest first, into an archive.

What a person wrote or edited, pinned, or can still resume stays, however many plans there are.
"""

from pathlib import PurePosixPath

from planact.base.errors import Conflict, EditFailure
from planact.model.change import RenameFile
from planact.model.plan import PlanStatus, PlanSummary
from planact.plan.approval import hash_of
from planact.plan.parser import parse
from planact.workflows.library import (
    ARCHIVE,
    PlanDocument,
    check_at_rest,
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
        document = read_document(ws, summary.path)
        if _may_leave(ws, summary, document) and await _move(ws, document):
            left.append(summary.path)
    return tuple(left)


def _may_leave(ws: Workspace, summary: PlanSummary, document: PlanDocument) -> bool:
    is_open = ws.ports.editor.buffer(document.place) is not None
    if summary.status is not PlanStatus.DONE or is_open or summary.path in ws.ports.revisions.pinned():
        return False
    try:
        check_at_rest(ws, summary.path)
    except Conflict:
        return False
    return _is_as_planned(ws, document)


def _is_as_planned(ws: Workspace, document: PlanDocument) -> bool:
    """Whether what approval covers is to the letter what the planner wrote."""
    written = (each.text for each in ws.ports.revisions.list(document.path) if each.author == "planner")
    return any(hash_of(parse(text)) == document.hash for text in written)


async def _move(ws: Workspace, document: PlanDocument) -> bool:
    """False where something is in the way: then it stays."""
    try:
        target = own_place(ws, f"{ARCHIVE}/{PurePosixPath(document.path).name}")
        await ws.ports.editor.apply((RenameFile(document.place, target),), "Archive the plan")
    except EditFailure:
        return False
    ws.ports.approvals.withdraw(document.path)
    forget_derived(ws, document.path)
    return True
