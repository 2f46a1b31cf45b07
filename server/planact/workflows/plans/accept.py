"""The question by which the agent offers its plan, and the user's yes to it, at once or after a restart."""

import asyncio

from planact.base.errors import InvalidInput
from planact.base.text import counted, visible
from planact.model.question import Option, Question, QuestionSet
from planact.workflows.hooks import ask_user
from planact.workflows.plans.approve import approve_text
from planact.workflows.plans.confirmation import ConfirmationText, confirmation, implied_as_listed
from planact.workflows.plans.library import PlanDocument, is_approved, read_document
from planact.workflows.workspace import Workspace

ACCEPT, KEEP_PLANNING, REVIEW = "accept", "keep_planning", "review"

_NAME = "approve"


async def ask_to_accept(ws: Workspace, session_id: str, document: PlanDocument) -> tuple[QuestionSet, ConfirmationText]:
    """Ask the user whether to carry out exactly this text of a plan. Return the end of the question, and what it told.

    Raises:
        EndTurn: `waiting`, when the user can't be asked now.
    """
    plan = document.complete()
    told = await confirmation(ws, document)
    question = Question(
        name=_NAME,
        question=f"{told.lead}The plan “{visible(plan.goal)}” is ready ({counted(len(plan.steps), 'step')}). "
        "Carry it out?",
        context=told.context,
        severity="major",
        options=(
            Option(label="Accept & Build", value=ACCEPT, variant="primary"),
            Option(label="Keep Planning", value=KEEP_PLANNING),
            Option(label="Stop and let me review", value=REVIEW),
        ),
    )
    subject = f"{document.path} {document.hash}"
    return await ask_user(ws, session_id, (question,), "exit_plan_mode", subject), told


def choice_about_plan(ended: QuestionSet) -> str:
    """Return the choice of the user's; empty where they made none, or were asked something else."""
    is_answered = ended.purpose == "exit_plan_mode" and ended.status == "answered"
    return str(ended.answers.get(_NAME, "")) if is_answered else ""


def accepts_plan(ended: QuestionSet) -> bool:
    """The user accepted the plan that the agent offered."""
    return choice_about_plan(ended) == ACCEPT


def plan_asked_about(asked: QuestionSet) -> tuple[str, str]:
    """Return path and approval hash of the plan that the agent offered."""
    return asked.subject.rpartition(" ")[0], asked.plan_hash


async def approve_accepted(ws: Workspace, ended: QuestionSet) -> None:
    """Approve the text that the user accepted in a question that no turn waits for any more. Another text is left as it
    is, and files that only its steps' text names count if they are still those that the question listed.

    Raises:
        Conflict: HOOK_FAILED.
    """
    path, plan_hash = plan_asked_about(ended)
    try:
        document = read_document(ws, path)
        document.complete()
    except InvalidInput:
        return
    if document.hash != plan_hash:
        return
    if not is_approved(ws, document):
        context = ended.questions[0].context
        shown = await asyncio.to_thread(implied_as_listed, ws, document, context)
        await approve_text(ws, ended.session_id, document, shown)
    ws.ports.questions.use(ended.id)
