"""Tell a context that begins anew what the user was asked and answered in the same work before."""

from collections.abc import Collection, Sequence

from planact.agent.earlier_answers import answers_text
from planact.model.question import QuestionSet
from planact.tools.calls.judged_call import REJECT, STOP
from planact.workflows.workspace import Workspace


def add_earlier_answers(ws: Workspace, session_id: str, run_ids: Collection[str] = ()) -> None:
    """Tell the model of the answers in these runs, and of all that it hasn't been told of, in a message of the
    session's.
    """
    untold = {asked.id: asked for asked in ws.ports.questions.untold(session_id)}
    earlier = [asked for asked in ws.ports.questions.of_runs(session_id, run_ids) if _says_something(asked)]
    if text := answers_text([*(asked for asked in earlier if asked.id not in untold), *untold.values()]):
        ws.add_message(session_id, "system", text, for_model=True, is_hidden=True)
    ws.ports.questions.mark_told(list(untold))


def answers_for_delegate(ws: Workspace, session_id: str, execution_id: str) -> str:
    """Return the text about the answers in the work that a delegate is asked to help with; empty where there are none.
    One that broke off had asked them, perhaps, and the next doesn't know its transcript.
    """
    ended: dict[str, QuestionSet] = {}
    if execution_id:
        of_run = ws.ports.questions.of_runs(session_id, [execution_id])
        ended |= {asked.id: asked for asked in of_run if asked.purpose == "agent"}
    ended |= {asked.id: asked for asked in _agents(ws, session_id)}
    return answers_text(sorted(ended.values(), key=lambda asked: asked.id))


def _agents(ws: Workspace, session_id: str) -> Sequence[QuestionSet]:
    return ws.ports.questions.asked(session_id, purpose="agent")


def _says_something(asked: QuestionSet) -> bool:
    """Return whether an answer says more than that a call may run, which its result has shown."""
    is_no = bool({REJECT, STOP} & {str(value) for value in asked.answers.values()})
    return asked.purpose == "agent" or bool(asked.comment or asked.rejected) or (asked.purpose == "approval" and is_no)
