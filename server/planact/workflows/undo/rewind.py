"""Rewind to before a message of the user: the conversation, and the files that runs changed since.

No message is erased: the transcript gets one that names the first message that the agent no longer sees.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from planact.base.errors import Conflict, NotFound
from planact.model.chat.message import Message
from planact.model.rights.permission import Mode
from planact.model.runs.journal import JournalEntry
from planact.workflows.runs.queued_messages import said_by_user
from planact.workflows.sessions.manage import title_from
from planact.workflows.sessions.switch_mode import enter_mode
from planact.workflows.undo.roll_back import RollbackTarget, roll_back, rollback_text
from planact.workflows.workspace import Workspace


@dataclass(frozen=True, slots=True)
class RewindResult:
    """The text of the rewound message, to be edited; the files that were put back, and those that couldn't be."""

    text: str
    files: tuple[str, ...]
    stayed: tuple[str, ...]


async def rewind(ws: Workspace, session_id: str, message_id: str) -> RewindResult:
    """Go back to before that message. The user is asked about each run whose changes are to be taken back; with a no,
    or where files have moved on, the conversation stays as it is.

    Raises:
        NotFound: MESSAGE_NOT_FOUND.
        Conflict: BUSY, and what `roll_back` raises.
    """
    ws.check_idle(session_id)
    target = _target(ws, session_id, message_id)
    runs = _runs_since(ws, session_id, target)
    files: list[str] = []
    stayed: list[str] = []
    still_seen: list[str] = []
    for run in runs:
        try:
            done = await roll_back(ws, session_id, RollbackTarget(execution_id=run.execution_id))
        except Conflict as conflict:
            if conflict.code != "NOTHING_TO_ROLL_BACK":
                raise
        else:
            files += [file.path for file in done.files]
            stayed += done.stayed
            if not _is_since(run, target, _places(ws, session_id)):  # the agent still sees how it began
                still_seen.append(rollback_text(done))
    ws.questions.cancel_all(session_id, "the user went back to before it was asked")
    if any("plan" in run.data for run in runs):  # which began in Plan
        enter_mode(ws, session_id, Mode.PLAN, "rewind")
    ws.forget_texts(session_id)
    told = f"You went back to before “{title_from(target.typed)}”. The agent no longer sees the messages after it."
    ws.add_message(session_id, "system", told, rewinds_to=target.id)
    for text in still_seen:
        ws.add_message(session_id, "system", text, for_model=True)
    return RewindResult(target.typed, tuple(dict.fromkeys(files)), tuple(dict.fromkeys(stayed)))


def _runs_since(ws: Workspace, session_id: str, target: Message) -> Sequence[JournalEntry]:
    """The first entries of the session's runs that began or went on since that message, the newest first, by their
    place in the transcript: a clock may have been set back. A run that went on since is rolled back whole.
    """
    places = _places(ws, session_id)

    def is_since(run: JournalEntry) -> bool:
        starts = ws.ports.journal.read(run.execution_id, ("run_started", "run_resumed"))
        return any(start.session_id == session_id and _is_since(start, target, places) for start in starts)

    return [run for run in ws.ports.journal.runs() if is_since(run)]


def _places(ws: Workspace, session_id: str) -> Mapping[str, int]:
    return {message.id: place for place, message in enumerate(ws.ports.sessions.messages(session_id))}


def _is_since(start: JournalEntry, target: Message, places: Mapping[str, int]) -> bool:
    if "after" not in start.data:  # before that was written down
        return start.execution_id > target.id
    return places.get(str(start.data["after"]), -1) >= places[target.id]


def _target(ws: Workspace, session_id: str, message_id: str) -> Message:
    for message in said_by_user(ws, session_id):
        if message.id == message_id:
            return message
    hint = "Choose one of those that /rewind lists."
    raise NotFound("MESSAGE_NOT_FOUND", "this conversation has no message of yours with that id", hint)
