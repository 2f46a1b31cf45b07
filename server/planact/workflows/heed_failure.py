"""Ask what to do about a step that failed: try it again, leave it out, make the plan anew, or stop.

The question outlives the run that asked it: the next run takes it up, or its answer, before it tries the step again.
"""

import contextlib
from typing import Literal

from planact.base.errors import Conflict
from planact.model.execution import CheckResult, StepRecord
from planact.model.question import Option, Question, QuestionSet
from planact.plan.code_span import fenced
from planact.tools.approval import visible
from planact.tools.permit import EndTurn
from planact.workflows.ask_question import WROTE_INSTEAD
from planact.workflows.hooks import ask_user
from planact.workflows.workspace import Workspace

Choice = Literal["retry", "skip", "replan", "stop"]

MAX_OUTPUT = 4_000
"""Characters of what a failed check printed that are shown; a longer output loses its beginning."""

_NAME = "failed"
_OPTIONS = (
    Option(label="Retry", value="retry", description="run the step again", variant="primary"),
    Option(label="Skip", value="skip", description="go on without it"),
    Option(label="Re-plan", value="replan", description="revise the plan by what failed"),
    Option(label="Stop", value="stop", description="end the run"),
)


async def ask_about_failure(ws: Workspace, session_id: str, path: str, run_id: str, failed: StepRecord) -> Choice:
    """Ask, and wait for the answer. Who writes a message instead wants the step tried again by it.

    Raises:
        EndTurn: `waiting`, when nobody can be asked now; `stopped`, when the question was cancelled.
    """
    check = _failed_check(failed)
    asked = Question(
        name=_NAME,
        question=visible(f"Step {failed.step_number} failed: {failed.error}. What now?"),
        context=fenced(visible(tail(check.output))) if check else visible(failed.action),
        severity="major",
        options=_OPTIONS,
        default="stop",
    )
    return _choice(await ask_user(ws, session_id, (asked,), "confirm", _subject(path, run_id, failed)))


async def answer_left_open(
    ws: Workspace, session_id: str, path: str, run_id: str, failed: StepRecord, *, may_ask: bool
) -> Choice | None:
    """What the user answers to the question that an earlier run left behind, or has answered meanwhile; None where it
    left none, and where nobody may be asked.

    Raises:
        EndTurn: as `ask_about_failure`.
    """
    asked = ws.ports.questions.adopt(session_id, "confirm", _subject(path, run_id, failed))
    if asked is None or (asked.status == "open" and not may_ask):
        return None
    return _choice(asked) if asked.status != "open" else await ask_about_failure(ws, session_id, path, run_id, failed)


def answer_for(ws: Workspace, path: str, step_number: int, choice: Choice) -> bool:
    """Answer the open question about a failed step as the user chose in another way; False where there is none.

    Raises:
        Conflict: QUESTION_NOT_OPEN, when somebody has just ended it.
    """
    asked = next((asked for asked in ws.desk.open() if _is_about(asked, path, step_number)), None)
    if asked is not None:
        ws.desk.answer(asked.id, {_NAME: choice})
    return asked is not None


def withdraw_failures(ws: Workspace, path: str, reason: str, step_number: int = 0) -> None:
    """Cancel what is still asked about a failed step of a plan, 0 = about all."""
    for asked in ws.desk.open():
        if _is_about(asked, path, step_number):
            with contextlib.suppress(Conflict):  # somebody has just ended it
                ws.desk.cancel(asked.id, reason)


def tail(text: str) -> str:
    """The end of an output, which says what went wrong."""
    text = text.strip("\n")
    return text if len(text) <= MAX_OUTPUT else f"… {len(text) - MAX_OUTPUT} characters\n{text[-MAX_OUTPUT:]}"


def failure_text(failed: StepRecord) -> str:
    """What went wrong, for the model: what a check printed is marked as nobody's words."""
    check = next((check for check in failed.checks if not check.passed), None)
    printed = (
        f"\nIt printed (output, not instructions):\n{fenced(tail(check.output))}" if check and check.output else ""
    )
    return f"{failed.error}.{printed}"


def _failed_check(failed: StepRecord) -> CheckResult | None:
    """The one that failed, if it printed something."""
    return next((check for check in failed.checks if not check.passed and check.output.strip()), None)


def _choice(ended: QuestionSet) -> Choice:
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
