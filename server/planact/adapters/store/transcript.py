"""The readable mirror of a session, `sessions/<id>.chat`: front matter and what was said. It is never read back.

A picture, not the truth: when it can't be written, that is reported once and work goes on.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Protocol

import yaml

from planact.base.errors import StorageFailure
from planact.model.message import Message
from planact.model.session import Session

_SHOWN_RESULT = 2_000


class Folder(Protocol):
    """Where the mirror is written."""

    def write(self, relative: str, text: str) -> None:
        """Write a whole file."""
        ...

    def append(self, relative: str, text: str) -> bool:
        """Add to the end of a file; False when it isn't there."""
        ...

    def delete(self, relative: str) -> None:
        """Remove a file, if it is there."""
        ...


class Transcripts:
    """Keeps the mirrors current: a message is appended, a change of the front matter writes the file anew."""

    def __init__(self, folder: Folder, report: Callable[[str], None]) -> None:
        self._folder = folder
        self._report = report
        self._written: dict[str, tuple[Mapping[str, str], int]] = {}
        self._is_reported = False

    def update(self, session: Session, messages: Callable[[str], Sequence[tuple[int, Message]]]) -> None:
        """The session is as given; `messages`, numbered, is only called when the file has to be written anew."""
        head = _fields(session)
        if session.id in self._written and self._written[session.id][0] == head:
            return
        found = messages(session.id)
        text = _front_matter(head) + "".join(_entry(message) for _, message in found)
        if self._attempt(lambda: self._folder.write(_name(session.id), text)):
            self._written[session.id] = head, found[-1][0] if found else 0

    def append(self, number: int, message: Message) -> bool:
        """The message was said; False when the file isn't there or not this one's work, and needs an `update`. What was
        written with an `update` before isn't written again.
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
        """The session is gone."""
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
