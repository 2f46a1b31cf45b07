"""The one question before a plan is executed, however the user came to it.

It names the plan, and its yes is bound to the text that was there when it was asked.
"""

import contextlib

from planact.base.errors import Conflict
from planact.base.text import counted
from planact.model.question import Option, Question, QuestionSet
from planact.plan.code_span import fenced
from planact.tools.approval import visible
from planact.workflows.approve_plan import changes_since
from planact.workflows.hooks import ask_user
from planact.workflows.library import PlanDocument, is_approved
from planact.workflows.workspace import Workspace


async def ask_to_execute(
    ws: Workspace, session_id: str, document: PlanDocument, *, written: str = "", no: str = "Cancel"
) -> QuestionSet:
    """Ask whether to execute just this text of a plan.

    Args:
        ws: the workspace.
        session_id: who would execute it.
        document: the plan. What changed in it since the user approved it is shown.
        written: its text as the agent wrote it, where the user may know only that; what changed since is shown.
        no: what the other choice is called.

    Raises:
        EndTurn: `waiting`, when nobody can be asked now.
    """
    plan = document.complete()
    lead, changed = _changes(ws, document, written)
    steps = counted(len(plan.steps), "step")
    question = Question(
        name="execute",
        question=f"{lead}{_unread(document)}Execute the plan “{visible(plan.goal)}” ({steps})?",
        context=fenced(changed.rstrip(), "diff") if changed else document.path,
        severity="major",
        options=(
            Option(label="Execute Plan", value=True, variant="primary"),
            Option(label=no, value=False),
        ),
    )
    return await ask_user(ws, session_id, (question,), "confirm", f"{_subject(document.path)}{document.hash}")


def is_yes(ended: QuestionSet) -> bool:
    """Whether the user answered, and with yes."""
    return ended.status == "answered" and ended.answers["execute"] is True


def withdraw_questions(ws: Workspace, path: str) -> None:
    """Cancel what was asked about executing the plan before: the user has said yes to it another way."""
    for asked in ws.desk.open():
        if asked.purpose == "confirm" and asked.subject.startswith(_subject(path)):
            with contextlib.suppress(Conflict):  # somebody has just ended it
                ws.desk.cancel(asked.id, "the plan is being executed")


def _subject(path: str) -> str:
    return f"execute {path} "


def _unread(document: PlanDocument) -> str:
    """That something in it is for the planner, who has not read it yet."""
    match len(document.tree.comments):
        case 0:
            return ""
        case 1:
            return "It has a comment that was not worked in. "
        case count:
            return f"It has {count} comments that were not worked in. "


def _changes(ws: Workspace, document: PlanDocument, written: str) -> tuple[str, str]:
    """Since when the plan has changed, in words, and the difference; both empty when it has not."""
    approval = ws.ports.approvals.find(document.path)
    if approval is not None and not is_approved(ws, document):
        return "The plan changed since you approved it. ", changes_since(approval.text, document)
    changed = changes_since(written, document, "written") if written else ""
    return "The plan changed since it was written. " if changed else "", changed
