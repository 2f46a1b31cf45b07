"""From a plan and the user's feedback to its next revision."""

from collections.abc import Sequence

from planact.base.errors import Conflict, InvalidInput
from planact.base.text import counted
from planact.model.question import MOMENTARY, Question
from planact.model.rights.permission import Mode
from planact.plan.question_blocks import without_questions
from planact.plan.remarks import Remark, quoted
from planact.plan.syntax.code_span import path_in_text
from planact.workflows.history.earlier_answers import add_earlier_answers
from planact.workflows.hooks import ask_user
from planact.workflows.plans.library import PlanDocument, check_plan_idle, read_document
from planact.workflows.runs.handle_failure import withdraw_failures
from planact.workflows.sessions.manage import change_session
from planact.workflows.turns.take_turn import TurnTaken, plan_on_message
from planact.workflows.workspace import Workspace


async def revise_plan(
    ws: Workspace, session_id: str, path: str, feedback: str, remarks: Sequence[Remark] = ()
) -> TurnTaken:
    """Let the planner work the feedback and the document's comments in. The user asked for it, so an approval falls.
    It reads `remarks`, of others, as data: they aren't the user's words.

    Raises:
        InvalidInput: INVALID_ARGUMENTS, when there is neither feedback nor a comment nor a remark.
        Conflict: MODE_CONFLICT in Act, BUSY while the plan is executed.
    """
    document = read_document(ws, path)
    document.complete()
    if ws.ports.sessions.get(session_id).mode is not Mode.PLAN:
        raise Conflict("MODE_CONFLICT", "a plan is revised in Plan", "Switch to Plan first.")
    check_plan_idle(ws, document.path)
    comments = [
        f"On step {comment.step}: {comment.text}" if comment.step else comment.text
        for comment in document.tree.comments
    ]
    wishes = [*([feedback.strip()] if feedback.strip() else []), *comments]
    if remarks:
        authors = ", ".join(dict.fromkeys(remark.author for remark in remarks))
        wishes.append(f"Consider {counted(len(remarks), 'comment')} from the pull request, by {authors}.")
    if not wishes:
        hint = "Write a line that begins with > into the plan, or say what to change."
        raise InvalidInput("INVALID_ARGUMENTS", "there is no feedback to work in", hint)
    ws.check_idle(session_id)
    ws.ports.approvals.withdraw(document.path)
    withdraw_failures(ws, document.path, "the plan is being revised")
    change_session(ws, session_id, plan_file=document.path)
    told = "\n".join(f"- {wish}" for wish in wishes)
    said = f"\n\n{quoted(remarks)}" if remarks else ""
    plan = without_questions(document.tree)
    text = f"Revise the plan {document.path}:\n{told}{said}\n\nThe plan as it is now:\n\n{plan}"
    add_earlier_answers(ws, session_id)
    ws.add_message(session_id, "user", text, typed=f"Revise the plan:\n{told}")
    return await ws.work(session_id, plan_on_message(ws, session_id, document))


async def ask_feedback(ws: Workspace, session_id: str, document: PlanDocument) -> str:
    """Ask what to change; empty when the user doesn't say."""
    question = Question(
        name="feedback", question="What should change in the plan?", context=path_in_text(document.path)
    )
    ended = await ask_user(ws, session_id, (question,), "confirm", f"{MOMENTARY}feedback {ws.ports.ids.uuid7()}")
    return str(ended.answers["feedback"]) if ended.status == "answered" else ""
