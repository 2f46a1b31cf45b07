"""Approve a plan: the user's yes to exactly this text. It starts nothing."""

import difflib

from planact.base.errors import Conflict
from planact.model.approval import Approval
from planact.model.plan import PlanStatus
from planact.plan.approval import approved_text
from planact.plan.edits import set_status
from planact.workflows.hooks import after_hooks, before_hooks
from planact.workflows.library import PlanDocument, edit_document
from planact.workflows.revisions import keep_revision
from planact.workflows.workspace import Workspace


async def approve_plan(ws: Workspace, session_id: str, document: PlanDocument, seen_hash: str = "") -> PlanDocument:
    """Approve the document as it is now, and show it there.

    Args:
        ws: the workspace.
        session_id: the session in hand.
        document: the plan.
        seen_hash: hash of what the user saw; empty = what is there now.

    Raises:
        InvalidInput: PLAN_INVALID.
        Conflict: PLAN_CHANGED_SINCE_APPROVAL, when it isn't what the user saw.
    """
    document.complete()
    if seen_hash and seen_hash != document.hash:
        raise Conflict(
            "PLAN_CHANGED_SINCE_APPROVAL",
            f"{document.path} has changed since you saw it",
            "Look at it again, then approve it again.",
        )
    await approve_text(ws, session_id, document)
    return await edit_document(
        ws, session_id, document, set_status(document.tree, PlanStatus.APPROVED), "Approve the plan"
    )


async def approve_text(ws: Workspace, session_id: str, document: PlanDocument) -> None:
    """Keep the user's yes in the state database, where no model and no repository can write.

    Raises:
        Conflict: HOOK_FAILED.
    """
    plan = document.complete()
    about = {"plan_id": plan.id, "plan_file": document.path}
    await before_hooks(ws, session_id, "Approve", **about)
    approval = Approval(plan.id, document.path, document.hash, document.file.text, ws.now())
    ws.ports.approvals.approve(approval)
    keep_revision(ws, document, "user")
    ws.record("plan_approved", session_id, {"plan_id": plan.id, "path": document.path, "hash": document.hash})
    await after_hooks(ws, session_id, "Approve", **about)


def changes_since(text: str, document: PlanDocument, then: str = "approved") -> str:
    """A unified diff of what approval covers, from the document's `text` then to that of now; empty = the same."""
    before, after = (approved_text(each).splitlines(keepends=True) for each in (text, document.file.text))
    return "".join(difflib.unified_diff(before, after, then, "now", n=1))
