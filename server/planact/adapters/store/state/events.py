"""Events in the state database. A failure to record stops no work; planact reports when events begin to get lost, and
counts them when recording works again.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any

from planact.adapters.store.state.database import Database, decode_all
from planact.base.errors import StorageFailure
from planact.model.runs.journal import Event, EventKind


class SqliteEvents:
    """`ports.Events`. `report` gets a line when events begin to get lost, and one when recording works again. `show`
    gets each event as JSON without secrets, also a lost one.
    """

    def __init__(
        self, database: Database, report: Callable[[str], None], show: Callable[[str], None] = lambda _: None
    ) -> None:
        self._database = database
        self._report = report
        self._show = show
        self._lost = 0

    def record(self, event: Event) -> None:
        """Record the event; never raises."""
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
        """Return the readable events of one session and of the given kinds, or of all, in order."""
        return self.after(0, -1, session_id, kinds)[0]

    def requests(self, execution_id: str) -> Sequence[Event]:
        rows = self._database.rows(
            "SELECT data FROM events WHERE kind = 'model_called' AND json_valid(data)"
            " AND json_extract(data, '$.data.execution_id') = ? ORDER BY sequence",
            (execution_id,),
        )
        return decode_all(Event, rows)

    def planning(self, plan_id: str) -> Event | None:
        rows = self._database.rows(
            "SELECT data FROM events WHERE kind = 'plan_created' AND json_valid(data)"
            " AND json_extract(data, '$.data.plan_id') = ? ORDER BY sequence DESC LIMIT 1",
            (plan_id,),
        )
        return next(iter(decode_all(Event, rows)), None)

    def count(self, kind: EventKind, *names: str) -> Mapping[tuple[str, ...], int]:
        """Count events in the database, since a year has many."""
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
        """Return the next `limit` events recorded after `mark`, in order, and the mark to go on from. The first mark is
        0.

        A mark beyond the last event belongs to a database that was set aside; then events of the new one come from its
        beginning.
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
        events = decode_all(Event, [(text,) for text, _ in found])
        return events, found[-1][1] if found else mark
