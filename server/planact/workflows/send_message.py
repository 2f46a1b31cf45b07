"""What the user says in a session: a turn in Plan, or work in Act that is recorded like a plan of one step."""

from planact.agent.loop import TurnResult
from planact.base.errors import InvalidInput
from planact.model.permission import Mode
from planact.workflows.library import PlanDocument, is_approved, read_document
from planact.workflows.loose_work import do_loose_work
from planact.workflows.make_plan import go_on_if_accepted, name_session
from planact.workflows.take_turn import Scope, take_turn
from planact.workflows.workspace import Stopped, Workspace

OFFER = "To have it changed, ask for a plan and execute it, or switch to Act."


async def send_message(ws: Workspace, session_id: str, text: str) -> TurnResult | None:
    """Say something; None when work is running, which reads it at its next safe point.

    An open question of the session is cancelled by it: the user chose to write instead, and the model is told so.

    Raises:
        InvalidInput: INVALID_ARGUMENTS for an empty text.
        Conflict: BUSY, when another run changes the folder.
        ModelFailure: the model can't be reached.
    """
    if not text.strip():
        raise InvalidInput("INVALID_ARGUMENTS", "the message is empty", "Write something.")
    session = ws.ports.sessions.get(session_id)
    name_session(ws, session_id, text)
    is_running = session_id in ws.running
    ws.say(session_id, "user", text)
    ws.desk.cancel_all(session_id, "The user did not answer but wrote a message, which follows.")
    if is_running:
        return None
    document = _plan_in_hand(ws, session.plan_file)
    try:
        if session.mode is Mode.ACT:
            return await do_loose_work(ws, session_id, text, document)
        target = document if document and not is_approved(ws, document) else None
        taken = await ws.work(session_id, take_turn(ws, session_id, Scope(target=target)))
    except Stopped:
        return TurnResult("stopped", "", "you stopped it")
    if taken.result.kind == "refused":
        return TurnResult("refused", taken.result.text, f"{taken.result.reason} {OFFER}")
    return await go_on_if_accepted(ws, session_id, taken)


def _plan_in_hand(ws: Workspace, path: str) -> PlanDocument | None:
    if not path:
        return None
    try:
        document = read_document(ws, path)
    except InvalidInput:
        return None
    return document if document.plan is not None else None
