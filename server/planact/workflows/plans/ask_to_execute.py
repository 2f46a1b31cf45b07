"""The one question before a plan is executed, however the user came to it.

It names the plan, and its yes is bound to the text that was there when it was asked.
"""

from planact.base.text import counted, visible
from planact.model.question import EXECUTES, Option, Question, QuestionSet
from planact.workflows.hooks import ask_user
from planact.workflows.plans.confirmation import confirmation
from planact.workflows.plans.library import PlanDocument
from planact.workflows.sessions.context import begin_afresh, context_used
from planact.workflows.sessions.roles import load_roles
from planact.workflows.workspace import Workspace

_FRESH = "fresh"


async def ask_to_execute(
    ws: Workspace, session_id: str, document: PlanDocument, *, written: str = "", no: str = "Cancel"
) -> QuestionSet:
    """Ask whether to execute exactly this text of a plan, and list the actions that a yes allows.

    Args:
        ws: the workspace.
        session_id: the session that would execute it.
        document: the plan. Changes since the user's last approval are shown.
        written: its text as the agent wrote it, where the user may have seen only this one; later changes are shown.
        no: the label of the other choice.

    Where the session's conversation would go on in the run, a yes can also begin with a fresh context.

    Raises:
        EndTurn: `waiting`, when the user can't be asked now.
    """
    plan = document.complete()
    told = await confirmation(ws, document, written)
    steps = counted(len(plan.steps), "step")
    is_carried = ws.settings.act.context == "carry"
    percent = await load_roles([ws], lambda: context_used(ws, session_id)) if is_carried else 0
    fresh = Option(label=f"Execute with a fresh context ({percent} % used)", value=_FRESH)
    question = Question(
        name="execute",
        question=f"{told.lead}{_unread(document)}Execute the plan “{visible(plan.goal)}” ({steps})?",
        context=told.context,
        severity="major",
        options=(
            Option(label="Execute Plan", value=True, variant="primary"),
            Option(label=no, value=False),
            *((fresh,) if percent else ()),
        ),
    )
    ended = await ask_user(ws, session_id, (question,), "confirm", f"{_subject(document.path)}{document.hash}")
    if ended.answers.get("execute") == _FRESH:
        begin_afresh(ws, session_id, document.path)
    return ended


def is_yes(ended: QuestionSet) -> bool:
    """The user answered yes."""
    return ended.status == "answered" and ended.answers["execute"] in (True, _FRESH)


def withdraw_execute_questions(ws: Workspace, path: str) -> None:
    """Cancel what was asked about executing the plan before: the user has said yes to it another way."""
    ws.questions.cancel_where(
        lambda asked: asked.purpose == "confirm" and asked.subject.startswith(_subject(path)),
        "the plan is being executed",
    )


def _subject(path: str) -> str:
    return f"{EXECUTES}{path} "


def _unread(document: PlanDocument) -> str:
    """Warn of comments to the planner that it hasn't read yet."""
    match len(document.tree.comments):
        case 0:
            return ""
        case 1:
            return "It has a comment that was not worked in. "
        case count:
            return f"It has {count} comments that were not worked in. "
