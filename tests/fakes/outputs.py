"""Kept outputs, in memory."""

from planact.adapters.observe.redact import Redactor
from planact.ports import Sessions


class MemoryOutputs:
    def __init__(self, sessions: Sessions) -> None:
        self._sessions = sessions
        self._kept: list[tuple[str, str]] = []

    def keep(self, session_id: str, text: str) -> tuple[str, str]:
        kept = str(Redactor({}).data(text))
        if session_id not in [session.id for session in self._sessions.list()]:
            return "", kept
        self._kept.append((session_id, kept))
        return f"o{len(self._kept)}", kept

    def read(self, session_id: str, output_id: str) -> str | None:
        is_there = session_id in [session.id for session in self._sessions.list()]
        found = {f"o{number}": text for number, (owner, text) in enumerate(self._kept, 1) if owner == session_id}
        return found.get(output_id) if is_there else None
