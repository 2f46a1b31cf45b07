"""One line of the durable log."""

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class JournalEntry:
    """One line of the truth. `kind` is such as `call_started`; `data` is JSON."""

    sequence: int
    session_id: str
    execution_id: str
    kind: str
    time: str
    data: dict[str, Any]
