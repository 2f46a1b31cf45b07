"""Approve exactly this text of a plan. No run starts."""

import asyncio
import difflib

from planact.base.errors import Conflict
from planact.model.plan import PlanStatus
from planact.model.plan_records import Approval
from planact.plan.approval import approved_text
from planact.plan.implied_files import ImpliedFiles
from planact.plan.syntax.edits import set_status
from planact.workflows.hooks import after_hooks, before_hooks
from planact.workflows.plans.implied_files import find_implied
from planact.workflows.plans.library import PlanDocument, edit_document, keep_own, origin_of, plan_name
from planact.workflows.plans.revisions import keep_revision
from planact.workflows.workspace import Workspace


async def approve_plan(ws: Workspace, session_id: str, document: PlanDocument, seen_hash: str = "") -> PlanDocument:
    """Approve the document as it is now, and show it there.

    Args:
        ws: the workspace.
        session_id: the session in hand.
        document: the plan.
        seen_hash: hash of what the user saw; empty = what is there now, which must be the user's own then.

    Raises:
        InvalidInput: PLAN_INVALID.
        Conflict: PLAN_CHANGED_SINCE_APPROVAL, when it isn't what the user saw; PLAN_FOREIGN.
    """
    document.complete()
    if not seen_hash:
        check_own(ws, document)
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


async def approve_text(
    ws: Workspace, session_id: str, document: PlanDocument, shown: ImpliedFiles | None = None
) -> None:
    """Keep the user's yes in the state database, where no model and no repository can write.

    Args:
        ws: the workspace.
        session_id: the session in hand.
        document: the plan as the user saw it.
        shown: the files that a question listed from the text of steps; what has come since is not approved.

    Raises:
        Conflict: HOOK_FAILED.
    """
    plan = document.complete()
    about = {"plan_id": plan.id, "plan_file": document.path}
    await before_hooks(ws, session_id, "Approve", **about)
    implied = await asyncio.to_thread(find_implied, ws, document)
    if shown is not None:
        implied = {step: paths for step, paths in implied.items() if shown.get(step) == paths}
    approval = Approval(plan.id, document.path, document.hash, document.file.text, ws.now(), implied)
    keep_own(ws, document.path, document.file.text)
    ws.ports.approvals.approve(approval)
    keep_revision(ws, document, "user")
    ws.record(
        "plan_approved",
        session_id,
        {"plan_id": plan.id, "path": document.path, "hash": document.hash, "implied_files": dict(implied)},
    )
    await after_hooks(ws, session_id, "Approve", **about)


def check_own(ws: Workspace, document: PlanDocument) -> None:
    """Raises Conflict PLAN_FOREIGN, unless the plan's text is the user's own: another needs its hash to be approved
    without a question.
    """
    match origin_of(ws, document):
        case "own":
            return
        case "changed":
            why = "has changed since you last made, approved or saved it here"
        case "foreign":
            why = "was neither made nor approved nor saved by you here"
    plan = document.complete()
    shown = f"planact plan show {plan_name(plan.id, document.path)} --json"
    hint = f"Read it, and say yes to just this text: --hash HASH, which is the plan_hash of {shown}"
    raise Conflict("PLAN_FOREIGN", f"{document.path} {why}", hint)


def changes_since(text: str, document: PlanDocument, then: str = "approved") -> str:
    """A unified diff of what approval covers, from the document's `text` then to that of now; empty = the same."""
    before, after = (approved_text(each).splitlines(keepends=True) for each in (text, document.file.text))
    return "".join(difflib.unified_diff(before, after, then, "now", n=1))
