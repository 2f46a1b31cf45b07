"""The result of commands that make or change a plan."""

import contextlib

from planact.base.errors import PlanactError
from planact.lsp.host.workspaces import WorkspaceLookup
from planact.lsp.protocol.results import PlanMade
from planact.model.chat.session import Session
from planact.workflows.plans.library import PlanDocument, read_document
from planact.workflows.workspace import Workspace


def plan_made(workspaces: WorkspaceLookup, ws: Workspace, session_id: str, document: PlanDocument | None) -> PlanMade:
    """Return the result for a plan's document; None = no plan was made."""
    if document is None:
        return PlanMade(session_id=session_id, plan_id="", path="", uri="")
    return PlanMade(
        session_id=session_id,
        plan_id=document.plan.id if document.plan else "",
        path=document.path,
        uri=workspaces.uri(ws, document.path),
    )


def plan_since(ws: Workspace, before: Session, path: str = "") -> PlanDocument | None:
    """Return the plan that stopped work had already written, if any: a new one, or the one in the document at `path`.

    `before` is the session as it was when the work began.
    """
    now = ws.ports.sessions.get(before.id).plan_file
    if now in ("", before.plan_file) and now != path:
        return None
    with contextlib.suppress(PlanactError):
        document = read_document(ws, now)
        return document if document.plan else None
    return None
