"""Offer a plan or Act after a turn in Plan that made none of the changes that it was asked for, and do what the user
chooses. The offer counts once, in the process that makes it.
"""

from typing import Literal

from planact.agent.loop import TurnResult
from planact.base.errors import Conflict
from planact.base.text import one_line
from planact.model.question import MOMENTARY, Option, Question
from planact.model.rights.permission import Mode
from planact.workflows.chat.send_message import plan_in_hand, plan_with_unread, work_in_act
from planact.workflows.hooks import ask_user
from planact.workflows.plans.library import is_approved
from planact.workflows.runs.make_plan import result_of_planning
from planact.workflows.runs.plan_and_act import execute_if_accepted
from planact.workflows.runs.queued_messages import said_by_user
from planact.workflows.sessions.switch_mode import switch_mode
from planact.workflows.turns.take_turn import take_planning_turn
from planact.workflows.workspace import Workspace

WayOn = Literal["plan", "act", "leave"]

_SHOWN = 200
"""Characters of the user's message in the question."""

_MODES: dict[WayOn, Mode] = {"plan": Mode.PLAN, "act": Mode.ACT}
_TOLD: dict[WayOn, str] = {
    "plan": "The user wants a plan for what they asked for. Write it.",
    "act": "The user switched to Act. Do what they asked for.",
}


def needs_way_on(ws: Workspace, session_id: str, result: TurnResult) -> bool:
    """Return whether a message's turn ended in Plan with a refused change, or without the change or plan asked for."""
    is_undone = result.kind in ("refused", "nothing_done")
    return is_undone and ws.ports.sessions.get(session_id).mode is Mode.PLAN


async def ask_way_on(ws: Workspace, session_id: str) -> WayOn:
    """Ask how the user's last message is to go on. A message that they write instead takes the offer back.

    Raises:
        Conflict: NOT_CONFIRMED, when the conversation went on before the answer; HOOK_FAILED.
    """
    about = said_by_user(ws, session_id)[-1]
    question = Question(
        name="way_on",
        question="Nothing was changed, since this session is in Plan. How shall it go on?",
        context=one_line(about.typed, _SHOWN),
        options=(
            Option(label="Make a plan", value="plan", variant="primary"),
            Option(label="Switch to Act", value="act", description="and do it now, without a plan"),
            Option(label="Leave it", value="leave"),
        ),
    )
    subject = f"{MOMENTARY}way_on {ws.ports.ids.uuid7()}"
    ended = await ask_user(ws, session_id, (question,), "confirm", subject)
    chosen: WayOn = ended.answers["way_on"] if ended.status == "answered" else "leave"  # type: ignore[assignment]
    if chosen != "leave" and (ws.is_working(session_id) or said_by_user(ws, session_id)[-1].id != about.id):
        hint = "Say what you want now."
        raise Conflict("NOT_CONFIRMED", "the conversation has gone on since this was offered", hint)
    return chosen


async def take_way_on(ws: Workspace, session_id: str, way: WayOn) -> TurnResult:
    """Make the plan, or switch to Act as the user's own switch does and work on the message there.

    Raises:
        What `switch_mode`, `take_planning_turn`, `plan_with_unread`, `execute_if_accepted` and `work_in_act` raise.
    """
    await switch_mode(ws, session_id, _MODES[way], confirm_stop=None)
    ws.add_message(session_id, "system", _TOLD[way], for_model=True)
    document = await plan_in_hand(ws, session_id)
    if way == "act":
        return await work_in_act(ws, session_id, said_by_user(ws, session_id)[-1].typed, document)
    target = document if document and not is_approved(ws, document) else None
    taken = await ws.work(session_id, take_planning_turn(ws, session_id, target))
    taken = await plan_with_unread(ws, session_id, taken, target)
    return await execute_if_accepted(ws, session_id, taken) if taken.written else result_of_planning(taken)
