"""Questions inside the plan they are about, for clients without a question dialog.

The block only shows the question, which is stored in the user's state; an answer counts when it arrives there.
"""

import logging

from planact.base.errors import Conflict, EditFailure, NotFound, PlanactError
from planact.model.plan import StepStatus
from planact.model.question import Answered, QuestionSet
from planact.model.rights.permission import Mode
from planact.plan.question_blocks import answers_in, question_id, remove_blocks, write_blocks
from planact.plan.rules.conflict_markers import has_conflict
from planact.tools.shielded import run_shielded
from planact.workflows.plans.library import PlanDocument, edit_document, read_document
from planact.workflows.workspace import Workspace

log = logging.getLogger(__name__)

_TRIES = 3
"""Attempts, when the user is typing in the document."""


async def write_question(ws: Workspace, asked: QuestionSet) -> str:
    """Write an open question into the plan of its session; the plan's path, or empty where it can't stand in one."""
    document = _document(ws, asked)
    if document is None or has_conflict(document.tree):
        return ""
    edits = write_blocks(document.tree, asked, _running_step(ws, asked, document), ws.ports.redact)
    if edits is None:
        return ""
    try:
        # An edit that was sent can't be called back: it has to be there when the question is taken out again.
        await run_shielded(edit_document(ws, asked.session_id, document, edits, "Ask in the plan"))
    except EditFailure as failure:
        log.info("the question %s is not in the plan: %s", asked.id, failure)
        return ""
    return document.path


async def remove_question(ws: Workspace, ended: QuestionSet) -> None:
    """Remove a resolved question from its plan. Where that fails, the block stays and takes no answers."""
    for _ in range(_TRIES):
        document = _document(ws, ended)
        edits = remove_blocks(document.tree, ended.id) if document else ()
        if document is None or not edits:
            return
        try:
            await edit_document(ws, ended.session_id, document, edits, "The question has ended")
        except EditFailure as failure:
            log.info("the question %s stays in the plan: %s", ended.id, failure)
            if failure.code != "EDIT_CONFLICT":
                return


async def remove_resolved_questions(ws: Workspace, path: str) -> None:
    """Remove blocks of questions that were resolved while the plan couldn't be written."""
    document = read_document(ws, path)
    for asked_id in dict.fromkeys(map(question_id, document.tree.questions)):
        try:
            asked = ws.ports.questions.get(asked_id)
        except NotFound:
            continue  # it is another session's question, and its plan
        if asked.status != "open":
            await remove_question(ws, asked)


def read_answers(ws: Workspace, asked: QuestionSet, path: str) -> Answered | None:
    """Return the user's ticks and words in the plan at `path`; None where the question isn't there.

    Raises:
        Conflict: QUESTION_NOT_OPEN, for a question that is about another plan.
        InvalidInput: ANSWER_INVALID.
    """
    document = read_document(ws, path)
    if asked.id not in map(question_id, document.tree.questions):
        return None
    home = ws.ports.sessions.get(asked.session_id).plan_file
    if document.path != home:
        told = f"the question {asked.id} is about {home or 'no plan'}, not about {document.path}"
        raise Conflict("QUESTION_NOT_OPEN", told, "Answer it there, or list the open questions.")
    return answers_in(document.tree, asked, ws.ports.redact)


def _document(ws: Workspace, asked: QuestionSet) -> PlanDocument | None:
    try:
        path = ws.ports.sessions.get(asked.session_id).plan_file
        return read_document(ws, path) if path else None
    except PlanactError:
        return None


def _running_step(ws: Workspace, asked: QuestionSet, document: PlanDocument) -> int | None:
    if asked.purpose == "confirm" or ws.ports.sessions.get(asked.session_id).mode is not Mode.ACT:
        return None
    running = (step.step_number for step in document.tree.steps if step.status is StepStatus.RUNNING)
    return next(running, None)
