"""Go back to before something that the user wrote: the conversation, and the files that runs changed since.

Nothing is erased: the transcript gets a message that says from where on the agent knows it no more.
"""

from dataclasses import dataclass

from planact.base.errors import Conflict, NotFound
from planact.model.message import Message
from planact.model.permission import Mode
from planact.workflows.queued import said_by_user
from planact.workflows.roll_back import Wanted, roll_back
from planact.workflows.sessions import title_from
from planact.workflows.switch_mode import enter_mode
from planact.workflows.workspace import Workspace


@dataclass(frozen=True, slots=True)
class Rewound:
    """What the user had written, to be written anew; which files were put back, and what couldn't be."""

    text: str
    files: tuple[str, ...]
    stayed: tuple[str, ...]


async def rewind(ws: Workspace, session_id: str, message_id: str) -> Rewound:
    """Go back to before that message. The user is asked about each run whose changes are to be taken back; with a no,
    or where files have moved on, the conversation stays as it is.

    Raises:
        NotFound: MESSAGE_NOT_FOUND.
        Conflict: BUSY, and what `roll_back` raises.
    """
    ws.check_idle(session_id)
    target = _target(ws, session_id, message_id)
    runs = [run for run in ws.ports.records.executions() if run.session_id == session_id and run.id > target.id]
    files: list[str] = []
    stayed: list[str] = []
    for run in sorted(runs, key=lambda each: each.id, reverse=True):
        try:
            done = await roll_back(ws, session_id, Wanted(execution_id=run.id))
        except Conflict as conflict:
            if conflict.code != "NOTHING_TO_ROLL_BACK":
                raise
        else:
            files += [file.path for file in done.files]
            stayed += done.stayed
    ws.desk.cancel_all(session_id, "the user went back to before it was asked")
    if any(run.plan_id for run in runs):  # which began in Plan
        enter_mode(ws, session_id, Mode.PLAN, "rewind")
    ws.forget_texts(session_id)
    told = f"You went back to before “{title_from(target.typed)}”. The agent knows nothing of what came after it."
    ws.say(session_id, "system", told, rewinds_to=target.id)
    return Rewound(target.typed, tuple(dict.fromkeys(files)), tuple(dict.fromkeys(stayed)))


def _target(ws: Workspace, session_id: str, message_id: str) -> Message:
    for message in said_by_user(ws, session_id):
        if message.id == message_id:
            return message
    hint = "Choose one of those that /rewind lists."
    raise NotFound("MESSAGE_NOT_FOUND", "you wrote no such message in this conversation", hint)
