"""Delete a plan, its JSON form and its approval, after the user confirmed it."""

from planact.base.errors import Conflict
from planact.model.change import DeleteFile
from planact.model.question import Option, Question
from planact.workflows.hooks import ask_user
from planact.workflows.library import PlanDocument, check_at_rest, forget_derived
from planact.workflows.workspace import Workspace


async def delete_plan(ws: Workspace, session_id: str, document: PlanDocument, *, is_confirmed: bool = False) -> None:
    """Delete the document.

    Raises:
        Conflict: BUSY, while it is executed; NOT_CONFIRMED, when the user says no.
        EditFailure: when it is open with unsaved text, or was changed meanwhile.
    """
    check_at_rest(ws, document.path)
    if not is_confirmed and not await _confirmed(ws, session_id, document):
        raise Conflict(
            "NOT_CONFIRMED", f"{document.path} was not deleted: you didn't confirm it", "Confirm it to have it deleted."
        )
    check_at_rest(ws, document.path)  # a run may have begun while the user thought
    await ws.ports.editor.apply((DeleteFile(document.place, document.file.sha256),), "Delete the plan")
    ws.ports.approvals.withdraw(document.path)
    forget_derived(ws, document.path)


async def _confirmed(ws: Workspace, session_id: str, document: PlanDocument) -> bool:
    name = document.plan.goal if document.plan else document.path
    question = Question(
        name="delete",
        question=f"Delete the plan “{name}”?",
        context=document.path,
        severity="major",
        options=(Option(label="Delete", value=True, variant="danger"), Option(label="Keep", value=False)),
    )
    ended = await ask_user(ws, session_id, (question,), "confirm", f"delete {document.path} {document.hash}")
    return ended.status == "answered" and ended.answers["delete"] is True
