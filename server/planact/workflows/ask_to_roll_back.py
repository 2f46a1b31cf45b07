"""The one question before anything is rolled back. Its yes is bound to what there was to put back when it was asked."""

import contextlib
from collections.abc import Callable, Sequence

from planact.base.errors import Conflict
from planact.model.execution import Execution
from planact.model.question import Option, Question, QuestionSet
from planact.workflows.hooks import ask_user
from planact.workflows.workspace import Workspace

_KIND = "roll_back"


async def ask_to_roll_back(
    ws: Workspace, session_id: str, which: str, digest: str, words: str, lines: Sequence[str]
) -> None:
    """Ask, and return if the user says yes. What was asked about the same before, with another digest, ends.

    Args:
        ws: the workspace.
        session_id: who is asked.
        which: the run or the path of the plan, and the number of the step or 0.
        digest: the same only for what would be done in the same way.
        words: the question.
        lines: what would be done to each file.

    Raises:
        Conflict: NOT_CONFIRMED.
        EndTurn: `waiting`, when nobody can be asked now.
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


def withdraw_questions(ws: Workspace, runs: Sequence[Execution]) -> None:
    """Cancel what is still asked about rolling back these runs: something of them was rolled back another way."""
    _withdraw(ws, lambda asked: any(_which(asked) == run.plan_file or run.id.endswith(_which(asked)) for run in runs))


def _withdraw(ws: Workspace, is_past: Callable[[QuestionSet], bool]) -> None:
    for asked in ws.desk.open():
        if asked.purpose == "confirm" and asked.subject.startswith(f"{_KIND} ") and is_past(asked):
            with contextlib.suppress(Conflict):  # somebody has just ended it
                ws.desk.cancel(asked.id, "what there is to roll back is not the same any more")


def _about(asked: QuestionSet) -> str:
    """The subject without its digest."""
    return asked.subject.rpartition(" ")[0]


def _which(asked: QuestionSet) -> str:
    """The run or the plan: the subject without the number of the step, too."""
    return _about(asked).removeprefix(f"{_KIND} ").rpartition(" ")[0]
