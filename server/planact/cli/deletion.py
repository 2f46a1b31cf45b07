"""Deletes planact's state of all workspaces: says what goes and what stays, asks, and only then does it."""

from collections.abc import Sequence

from planact.app import remove_state, state_home, state_of_all
from planact.cli.call import Call, Exit, Result
from planact.cli.engine import Engine
from planact.cli.estate_report import STAYS, holdings_data, holdings_text
from planact.cli.prompt import ask, somebody_is_there
from planact.model.estate import Holding
from planact.model.question import Answered, Option, Question, QuestionSet
from planact.workflows.review_edits import edit_difference

_GOES = (
    "conversations, the journal with all that could be undone, approvals, trust, rules, questions, events",
    "and in each workspace the transcripts, the records of runs and the JSON forms below .planact/",
)


def delete_state(call: Call, *, is_confirmed: bool) -> Result:
    """Failed where it was not deleted.

    Raises:
        Conflict: BUSY.
        StorageFailure: STORAGE_UNWRITABLE.
    """
    held = state_of_all()
    data = {**holdings_data(held, str(state_home())), "stays": list(STAYS)}
    if not held:
        return Result(Exit.FAILED, {**data, "deleted": False}, "There is nothing to delete: planact keeps nothing.")
    told = _told(held)
    if not is_confirmed and not _says_yes(call, told):
        step = "Nothing was deleted. To delete it: planact state delete --yes"
        return Result(Exit.FAILED, {**data, "deleted": False}, told, step, is_seen=somebody_is_there())
    remove_state(held)
    return Result(Exit.DONE, {**data, "deleted": True}, f"{told}\n\nDeleted. Servers that run in editors begin anew.")


def _told(held: Sequence[Holding]) -> str:
    goes, stays = ("\n".join(f"  - {line}" for line in lines) for lines in (_GOES, STAYS))
    return f"{holdings_text(held, str(state_home()))}\n\nWhat goes:\n{goes}\nWhat stays:\n{stays}"


def _says_yes(call: Call, told: str) -> bool:
    if not somebody_is_there():
        return False
    engine = Engine(call, warms_up=False)
    engine.screen.line(told)
    options = (Option(label="Keep it", value=False), Option(label="Delete it", value=True, variant="danger"))
    question = Question(question="Delete all of it? It can't be brought back.", options=options)
    asked = QuestionSet(id="state", session_id="", questions=(question,), created_at="", purpose="confirm")
    answer = engine.do(ask(engine.screen, asked, "", lambda edit: edit_difference(engine.ws, edit)))
    return isinstance(answer, Answered) and answer.answers[question.name] is True
