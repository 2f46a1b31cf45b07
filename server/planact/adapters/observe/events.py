"""Events in the state database. Recording never gets in the way: what can't be kept is reported and forgotten."""

from collections.abc import Callable, Sequence
from typing import Any, Protocol

from pydantic import ValidationError

from planact.base.errors import StorageFailure
from planact.model.event import Event


class Rows(Protocol):
    """What events need of the state database, whose JSON columns hold no secrets."""

    def json(self, value: Any) -> str:
        """`value` as the text of a JSON column."""
        ...

    def rows(self, sql: str, parameters: Sequence[Any] = ()) -> list[Any]:
        """What a SELECT finds."""
        ...

    def write(self, sql: str, parameters: Sequence[Any] = ()) -> int:
        """One statement in a transaction of its own."""
        ...


class SqliteEvents:
    """`ports.Events`; `report` gets one line when an event could not be kept."""

    def __init__(self, database: Rows, report: Callable[[str], None]) -> None:
        self._database = database
        self._report = report

    def record(self, event: Event) -> None:
        """Keep it; never raises."""
        try:
            self._database.write(
                "INSERT INTO events (session_id, kind, time, data) VALUES (?, ?, ?, ?)",
                (event.session_id, event.kind, event.time, self._database.json(event.model_dump(mode="json"))),
            )
        except (StorageFailure, TypeError, ValueError) as error:
            self._report(f"the event {event.kind} was not recorded: {error}")

    def list(self, session_id: str = "") -> Sequence[Event]:
        """All that can be read, or those of one session, in order."""
        where, values = (" WHERE session_id = ?", (session_id,)) if session_id else ("", ())
        rows = self._database.rows(f"SELECT data FROM events{where} ORDER BY sequence", values)  # noqa: S608
        return tuple(event for (text,) in rows if (event := _decoded(text)) is not None)


def _decoded(text: str) -> Event | None:
    try:
        return Event.model_validate_json(text)
    except ValidationError:
        return None
