"""Ask what to do about a step that failed: try it again, leave it out, make the plan anew, or stop.

The question outlives the run that asked it: the next run takes it up, or its answer, before it tries the step again.
"""

from typing import Literal

from planact.base.errors import Conflict
from planact.base.text import counted, visible
from planact.model.plan import StepStatus
from planact.model.question import Option, Question, QuestionSet
from planact.model.runs.execution import StepRecord
from planact.plan.syntax.code_span import fenced
from planact.plan.syntax.edits import set_mark
from planact.tools.turn import EndTurn
from planact.workflows.history.journal_queries import step_of
from planact.workflows.hooks import ask_user
from planact.workflows.plans.library import PlanDocument, check_plan_idle, edit_document, is_executed
from planact.workflows.questions.service import WROTE_INSTEAD
from planact.workflows.runs.checks.check_results import failed_check, printed, repair_text, tail
from planact.workflows.workspace import Workspace

FailureChoice = Literal["retry", "skip", "replan", "stop"]

_NAME = "failed"
_OPTIONS = (
    Option(label="Retry", value="retry", description="run the step again", variant="primary"),
    Option(label="Skip", value="skip", description="go on without it"),
    Option(label="Re-plan", value="replan", description="revise the plan by what failed"),
    Option(label="Stop", value="stop", description="end the run"),
)


async def ask_about_failure(
    ws: Workspace, session_id: str, path: str, run_id: str, failed: StepRecord
) -> FailureChoice:
    """Ask, and wait for the answer. A message written instead means to try the step again with it.

    Raises:
        EndTurn: `waiting`, when the user can't be asked now; `stopped`, when the question was cancelled.
    """
    failing = [check for check in failed.checks if not check.passed]
    what = f": {len(failing)} of {counted(len(failed.checks), 'check')} failed" if failing else " failed"
    asked = Question(
        name=_NAME,
        question=visible(f"Step {failed.step_number} failed: {failed.error}. What now?"),
        title=f"Step {failed.step_number}{what}",
        reason=visible(f"{failed.error[:1].upper()}{failed.error[1:]}."),
        context=_context(failed),
        severity="major",
        options=_OPTIONS,
        default="stop",
    )
    return _choice(await ask_user(ws, session_id, (asked,), "confirm", _subject(path, run_id, failed)))


async def resume_failure_question(
    ws: Workspace, session_id: str, path: str, run_id: str, failed: StepRecord, *, may_ask: bool
) -> FailureChoice | None:
    """Return the user's answer to the question that an earlier run left open; None where it left none, and where the
    user may not be asked.

    Raises:
        EndTurn: as `ask_about_failure`.
    """
    asked = ws.ports.questions.claim(session_id, "confirm", _subject(path, run_id, failed))
    if asked is None or (asked.status == "open" and not may_ask):
        return None
    return _choice(asked) if asked.status != "open" else await ask_about_failure(ws, session_id, path, run_id, failed)


def answer_for(ws: Workspace, path: str, step_number: int, choice: FailureChoice) -> bool:
    """Answer the open question about a failed step with a choice made elsewhere; False where there is none.

    Raises:
        Conflict: QUESTION_NOT_OPEN, when it has just ended.
    """
    asked = next((asked for asked in ws.questions.open() if _is_about(asked, path, step_number)), None)
    if asked is not None:
        ws.questions.answer(asked.id, {_NAME: choice})
    return asked is not None


def withdraw_failures(ws: Workspace, path: str, reason: str, step_number: int = 0) -> None:
    """Cancel what is still asked about a failed step of a plan, 0 = about all."""
    ws.questions.cancel_where(lambda asked: _is_about(asked, path, step_number), reason)


def failure_text(failed: StepRecord) -> str:
    """Describe the failure for the model."""
    check = failed_check(failed.checks)
    return f"{failed.error}.{printed(check) if check else ''}"


def _context(failed: StepRecord) -> str:
    """Return, for the user, the failed check's output and the repairs that were tried."""
    check = failed_check(failed.checks)
    printed = fenced(visible(tail(check.output))) if check and check.output.strip() else ""
    tried = "\n".join(f"- {visible(repair_text(repair))}" for repair in failed.repairs)
    return "\n\n".join(filter(None, (printed, tried))) or visible(failed.action)


def _choice(ended: QuestionSet) -> FailureChoice:
    match ended.answers.get(_NAME) if ended.status == "answered" else ended.status:
        case "retry":
            return "retry"
        case "skip":
            return "skip"
        case "replan":
            return "replan"
        case "cancelled" if ended.reason == WROTE_INSTEAD:
            return "retry"
        case "cancelled":
            raise EndTurn("stopped", ended.reason)
        case _:
            return "stop"


def _subject(path: str, run_id: str, failed: StepRecord) -> str:
    return f"failed {path} {run_id} {failed.step_number} {failed.attempt}"


def _is_about(asked: QuestionSet, path: str, step_number: int) -> bool:
    kind, _, rest = asked.subject.partition(" ")
    words = rest.removeprefix(f"{path} ").split(" ")
    is_about_plan = asked.purpose == "confirm" and kind == "failed" and rest.startswith(f"{path} ") and len(words) == 3
    return is_about_plan and step_number in (0, int(words[1]))


async def skip_step(ws: Workspace, session_id: str, document: PlanDocument, number: int) -> PlanDocument:
    """Mark a step as skipped; a run that asks about it because it failed goes on without it.

    Raises:
        NotFound: STEP_NOT_FOUND.
        Conflict: BUSY while the plan is executed; MODE_CONFLICT when the step is done.
    """
    step = step_of(document, number)
    if is_executed(ws, document.path) and answer_for(ws, document.path, number, "skip"):
        return document
    check_plan_idle(ws, document.path)
    if step.status is StepStatus.DONE:
        raise Conflict("MODE_CONFLICT", f"step {number} is done", "A step that is done can't be skipped.")
    withdraw_failures(ws, document.path, "the step is skipped", number)
    edits = set_mark(document.tree, number, StepStatus.SKIPPED)
    return await edit_document(ws, session_id, document, edits, f"Skip step {number}")
