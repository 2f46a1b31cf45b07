"""The readable mirror of a session, `sessions/<id>.chat`: front matter and messages. planact never reads it back.

A failure to write is reported once, and work goes on: the database has the truth.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Protocol

import yaml

from planact.base.errors import StorageFailure
from planact.model.chat.message import Message
from planact.model.chat.session import Session

_SHOWN_RESULT = 2_000


class Folder(Protocol):
    """The folder of the mirror."""

    def write(self, relative: str, text: str) -> None:
        """Write a whole file."""
        ...

    def append(self, relative: str, text: str) -> bool:
        """Append to a file; return False when it is missing."""
        ...

    def delete(self, relative: str) -> None:
        """Remove a file, if it exists."""
        ...


class Transcripts:
    """The mirrors: a message is appended, a change of the front matter writes the file anew."""

    def __init__(self, folder: Folder, report: Callable[[str], None]) -> None:
        self._folder = folder
        self._report = report
        self._written: dict[str, tuple[Mapping[str, str], int]] = {}
        self._is_reported = False

    def update(self, session: Session, messages: Callable[[str], Sequence[tuple[int, Message]]]) -> None:
        """Mirror the session; `messages`, numbered, is only called when the file has to be written anew."""
        head = _fields(session)
        if session.id in self._written and self._written[session.id][0] == head:
            return
        found = messages(session.id)
        text = _front_matter(head) + "".join(_entry(message) for _, message in found)
        if self._attempt(lambda: self._folder.write(_name(session.id), text)):
            self._written[session.id] = head, found[-1][0] if found else 0

    def append(self, number: int, message: Message) -> bool:
        """Append the message; return False when the file is missing or another process's, and needs an `update`.
        Messages that an `update` wrote before aren't written again.
        """
        if message.session_id not in self._written:
            return False
        head, last = self._written[message.session_id]
        if number <= last:
            return True
        self._written[message.session_id] = head, number
        is_there = self._attempt(lambda: self._folder.append(_name(message.session_id), _entry(message)))
        if not is_there:
            del self._written[message.session_id]
        return is_there

    def delete(self, session_id: str) -> None:
        """Remove the mirror of a deleted session."""
        self._written.pop(session_id, None)
        self._attempt(lambda: self._folder.delete(_name(session_id)))

    def _attempt(self, action: Callable[[], bool | None]) -> bool:
        try:
            return action() is not False
        except StorageFailure as failure:
            if not self._is_reported:
                self._report(f"transcripts are not written: {failure}")
            self._is_reported = True
            return False


def _name(session_id: str) -> str:
    return f"sessions/{session_id}.chat"


def _fields(session: Session) -> Mapping[str, str]:
    return {
        "id": session.id,
        "title": session.title,
        "mode": session.mode.value,
        "role": session.role,
        "plan_file": session.plan_file,
        "model": session.model,
        "created": session.created_at,
    }


def _front_matter(fields: Mapping[str, str]) -> str:
    return f"---\n{yaml.safe_dump(fields, sort_keys=False, allow_unicode=True)}---\n"


def _entry(message: Message) -> str:
    title = " · ".join(part for part in (message.role, message.message_type, message.created_at) if part)
    content = message.content
    if message.message_type == "tool_result" and len(content) > _SHOWN_RESULT:
        content = f"{content[:_SHOWN_RESULT]}\n… {len(content) - _SHOWN_RESULT} more characters"
    calls = [f"{call.name}({call.arguments})" for call in message.tool_calls]
    images = [f"[{image.media_type}]" for image in message.images]
    return "\n".join(["", f"## {title}", "", *([content] if content else []), *images, *calls, ""])
