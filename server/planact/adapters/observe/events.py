"""Events in the state database. Recording never gets in the way, and what can't be kept is not lost silently: it is
reported when it begins and counted when it ends.
"""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import Any, Protocol

from pydantic import ValidationError

from planact.base.errors import StorageFailure
from planact.model.event import Event, EventKind


class Rows(Protocol):
    """What events need of the state database, whose JSON columns hold no secrets."""

    def json(self, value: Any) -> str:
        """`value` as the text of a JSON column."""
        ...

    def rows(self, sql: str, parameters: Sequence[Any] = ()) -> list[Any]:
        """What a SELECT finds."""
        ...

    def write(self, sql: str, parameters: Sequence[Any] = (), *, is_synced: bool = True) -> int:
        """One statement in a transaction of its own, which waits for the disk if `is_synced`."""
        ...


class SqliteEvents:
    """`ports.Events`; `report` gets a line when events begin to get lost, and one when they are kept again. `show` gets
    each as JSON without secrets, also one that is lost.
    """

    def __init__(
        self, database: Rows, report: Callable[[str], None], show: Callable[[str], None] = lambda _: None
    ) -> None:
        self._database = database
        self._report = report
        self._show = show
        self._lost = 0

    def record(self, event: Event) -> None:
        """Keep it; never raises."""
        try:
            text = self._database.json(event.model_dump(mode="json"))
            self._show(text)
            self._database.write(
                "INSERT INTO events (session_id, kind, time, data) VALUES (?, ?, ?, ?)",
                (event.session_id, event.kind, event.time, text),
                is_synced=False,
            )
        except (StorageFailure, TypeError, ValueError) as error:
            self._lost += 1
            if self._lost == 1:
                self._report(f"the event {event.kind} was not recorded: {error}")
            return
        if self._lost:
            self._report(f"events are recorded again; {self._lost} were not")
            self._lost = 0

    def list(self, session_id: str = "", kinds: Collection[EventKind] = ()) -> Sequence[Event]:
        """Those that can be read, of one session and of some kinds or of all, in order."""
        return self.after(0, -1, session_id, kinds)[0]

    def requests(self, execution_id: str) -> Sequence[Event]:
        """See `ports.Events`."""
        rows = self._database.rows(
            "SELECT data FROM events WHERE kind = 'model_called' AND json_valid(data)"
            " AND json_extract(data, '$.data.execution_id') = ? ORDER BY sequence",
            (execution_id,),
        )
        return _decoded(rows)

    def count(self, kind: EventKind, *names: str) -> Mapping[tuple[str, ...], int]:
        """See `ports.Events`. The rows are counted where they are, since a year has many."""
        values = ", ".join(f"coalesce(json_extract(data, '$.data.{name}'), '')" for name in names)
        rows = self._database.rows(
            f"SELECT {values}, count(*) AS number FROM events WHERE kind = ? AND json_valid(data)"  # noqa: S608 - ours
            f" GROUP BY {values} ORDER BY number DESC, min(sequence)",
            (kind,),
        )
        return {tuple(map(str, found)): number for *found, number in rows}

    def after(
        self, mark: int, limit: int, session_id: str = "", kinds: Collection[EventKind] = ()
    ) -> tuple[Sequence[Event], int]:
        """The next `limit` that were kept after `mark`, which begins as 0, in order, and the mark to go on from.

        A mark beyond the last event is of a database that was set aside; those of the new one come from its beginning.
        """
        conditions = ["sequence > CASE WHEN ? > (SELECT max(sequence) FROM events) THEN 0 ELSE ? END"]
        values: list[Any] = [mark, mark]
        if session_id:
            conditions.append("session_id = ?")
            values.append(session_id)
        if kinds:
            conditions.append(f"kind IN ({', '.join('?' * len(kinds))})")
            values += kinds
        found = self._database.rows(
            f"SELECT data, sequence FROM events WHERE {' AND '.join(conditions)} ORDER BY sequence LIMIT ?",  # noqa: S608
            (*values, limit),
        )
        return _decoded(found), found[-1][1] if found else mark


def _decoded(rows: Iterable[Sequence[Any]]) -> Sequence[Event]:
    """The first column of each row as an event, without those that another version wrote and this one can't read."""
    events = []
    for text, *_ in rows:
        try:
            events.append(Event.model_validate_json(text))
        except ValidationError:
            continue
    return tuple(events)
