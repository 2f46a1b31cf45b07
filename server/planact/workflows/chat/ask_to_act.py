"""Offer Act for a small, clear fix that a session begins with, where the setting `startMode` is `auto`.

Only the user's answer switches the mode. Where the user can't be asked, the message is planned like any other.
"""

from typing import Literal

from planact.base.errors import PlanactError
from planact.model.chat.message import Message
from planact.model.question import MOMENTARY, Option, Question
from planact.model.rights.permission import Mode
from planact.policy.intent.small_fix import small_fix_file
from planact.tools.turn import EndTurn
from planact.workflows.hooks import ask_user
from planact.workflows.questions.service import WROTE_INSTEAD
from planact.workflows.sessions.switch_mode import enter_mode
from planact.workflows.workspace import Stopped, Workspace


async def ask_to_act(ws: Workspace, session_id: str, said: Message) -> Literal["", "replaced"]:
    """Ask whether to do the fix in Act, and switch upon a yes; "replaced" = a later message took the place of this one.

    Raises:
        Stopped: the user stopped it.
    """
    if not _is_offered(ws, session_id, said):
        return ""
    question = Question(
        name="act",
        question="This looks like a small fix. Do it now in Act, without a plan?",
        context="Nothing is approved by this: in Act, changes are asked about as the setting `approval` says.",
        options=(
            Option(label="Plan first", value=False, variant="primary"),
            Option(label="Do it in Act", value=True),
        ),
    )
    subject = f"{MOMENTARY}act {said.id}"
    try:
        ended = await ask_user(ws, session_id, (question,), "confirm", subject)
    except EndTurn:
        reason = "the message is planned, since the user could not be asked"
        ws.questions.cancel_where(lambda asked: asked.subject == subject, reason)
        return ""
    if ended.status == "cancelled":
        if ended.reason == WROTE_INSTEAD:
            return "replaced"
        raise Stopped
    is_yes = ended.status == "answered" and ended.answers["act"] is True
    if is_yes and ws.ports.sessions.get(session_id).mode is Mode.PLAN:
        enter_mode(ws, session_id, Mode.ACT, "start mode")
    return ""


def _is_offered(ws: Workspace, session_id: str, said: Message) -> bool:
    if ws.settings.start_mode != "auto" or ws.ports.sessions.get(session_id).mode is not Mode.PLAN:
        return False
    if any(each.is_said_by_user and each.id != said.id for each in ws.ports.sessions.messages(session_id)):
        return False
    path = small_fix_file(said.typed)
    if not path:
        return False
    try:
        place = ws.ports.files.resolve(path)
    except PlanactError:
        return False
    return place.relative is not None and place.exists and not place.is_directory
