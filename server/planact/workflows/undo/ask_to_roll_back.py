"""The one question before a rollback. A yes is bound to the changes that were listed in it."""

from collections.abc import Callable, Sequence

from planact.base.errors import Conflict
from planact.model.question import Option, Question, QuestionSet
from planact.model.runs.execution import Execution
from planact.workflows.hooks import ask_user
from planact.workflows.workspace import Workspace

_KIND = "roll_back"


async def ask_to_roll_back(
    ws: Workspace, session_id: str, which: str, digest: str, words: str, lines: Sequence[str]
) -> None:
    """Ask, and return if the user says yes. An older question about the same rollback, with another digest, is
    cancelled.

    Args:
        ws: the workspace.
        session_id: the session.
        which: the run or the path of the plan, and the number of the step or 0.
        digest: equal only for equal changes.
        words: the question.
        lines: one line for each file.

    Raises:
        Conflict: NOT_CONFIRMED.
        EndTurn: `waiting`, when the user can't be asked now.
    """
    about = f"{_KIND} {which}"
    subject = f"{about} {digest}"
    _withdraw(ws, lambda asked: asked.session_id == session_id and _about(asked) == about and asked.subject != subject)
    question = Question(
        name=_KIND,
        question=words,
        context="\n".join(f"- {line}" for line in lines),
        severity="major",
        options=(Option(label="Roll back", value=True, variant="danger"), Option(label="Keep", value=False)),
    )
    ended = await ask_user(ws, session_id, (question,), "confirm", subject)
    if ended.status != "answered" or ended.answers[_KIND] is not True:
        raise Conflict("NOT_CONFIRMED", "nothing was rolled back: you didn't confirm it", "Roll back when it is right.")


def withdraw_rollback_questions(ws: Workspace, runs: Sequence[Execution]) -> None:
    """Cancel open questions about rolling back these runs, after another rollback changed them."""
    _withdraw(ws, lambda asked: any(_which(asked) == run.plan_file or run.id.endswith(_which(asked)) for run in runs))


def _withdraw(ws: Workspace, is_past: Callable[[QuestionSet], bool]) -> None:
    ws.questions.cancel_where(
        lambda asked: asked.purpose == "confirm" and asked.subject.startswith(f"{_KIND} ") and is_past(asked),
        "the changes to roll back are different now",
    )


def _about(asked: QuestionSet) -> str:
    """The subject without its digest."""
    return asked.subject.rpartition(" ")[0]


def _which(asked: QuestionSet) -> str:
    """The run or the plan: the subject without the number of the step, too."""
    return _about(asked).removeprefix(f"{_KIND} ").rpartition(" ")[0]
