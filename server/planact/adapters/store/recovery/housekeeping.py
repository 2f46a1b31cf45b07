"""Remove texts kept for undo that no row of the state database names any more, and those that are too old or too many.

Rows that name texts are never removed. An unnamed text is first marked: it is removed when a week later it still isn't
named, nor was kept again. Of those that the journal alone names, the oldest go by the user's settings; undo then says
of a file that its earlier content isn't stored.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from datetime import UTC, datetime

from planact.adapters.store.recovery.storage_usage import is_at_work
from planact.adapters.store.state.database import Database
from planact.base.sources import Clock
from planact.base.text import counted
from planact.model.settings import HistorySettings

DAY = 24 * 3600
WEEK = 7 * DAY
"""Seconds between two looks, and from the doubt about a text to its end."""

_NAMING = (
    *(("journal", "data"), ("messages", "data"), ("questions", "data"), ("events", "data"), ("sessions", "data")),
    *(("revisions", "text"), ("approvals", "text")),
)
"""All columns that may name a text by its SHA-256 in hex: a touch in the journal, a file that a plan rests on."""

_DIGEST = re.compile(r"[0-9a-f]{64}")
_ROWS, _TEXTS, _PAGES = 200, 20, 500
"""What is done at a time, between looks at whether something waits."""


@dataclass(frozen=True, slots=True)
class Removed:
    """Numbers of texts: `unnamed` ones, and `old` ones by the user's settings."""

    unnamed: int = 0
    old: int = 0

    def lines(self) -> Iterator[str]:
        """Tell people."""
        if self.unnamed:
            yield f"took out {counted(self.unnamed, 'text')} kept for undo that nothing has named for a week"
        if self.old:
            limits = "by history.undoDays and history.undoMegabytes"
            yield f"dropped {counted(self.old, 'text')} kept for undo, the oldest, {limits}"


def keep_house(
    database: Database, clock: Clock, is_quiet: Callable[[], bool], history: HistorySettings | None = None
) -> Removed:
    """Remove such texts once a week, a few at a time. Ends early once this process is no longer quiet (`is_quiet`), or
    another one works there.

    Each change is a transaction, so a kill leaves the database as it was before or after one.

    Raises:
        StorageFailure: as `Database.rows`.
    """
    now = int(clock.now().timestamp())
    if not _is_due(database, now) or not is_quiet() or is_at_work(database.path.parent):
        return Removed()
    found = _names(database, is_quiet)
    if found is None or is_at_work(database.path.parent):
        return Removed()
    unnamed, changed = found
    doubted = {name for (name,) in database.rows("SELECT sha256 FROM doubtful WHERE since <= ?", (now - WEEK,))}
    old, gone = sorted(unnamed & doubted), 0
    for begin in range(0, len(old), _TEXTS):
        if not is_quiet():
            return Removed(gone)
        gone += _remove(database, old[begin : begin + _TEXTS], now)
    dropped = _drop(database, _outdated(database, changed, now, history or HistorySettings()), is_quiet)
    _doubt(database, unnamed, now)
    _give_back(database, is_quiet)
    return Removed(gone, dropped)


def _is_due(database: Database, now: int) -> bool:
    if not database.path.exists():
        return False
    looked = [time for (time,) in database.rows("SELECT looked FROM housekeeping")]
    return not any(now - WEEK < time <= now for time in looked)


def _names(database: Database, is_quiet: Callable[[], bool]) -> tuple[Set[str], Mapping[str, str]] | None:
    """Return the SHA-256 of all texts that no row names, and the time of the last change by the SHA-256 of those that
    only changes name; None when other work began meanwhile.
    """
    unnamed = {name for (name,) in database.rows("SELECT sha256 FROM images")}
    changed = dict.fromkeys(unnamed, "")
    for table, column in _NAMING if unnamed else ():
        for texts in _texts(database, table, column):
            if not is_quiet():
                return None
            for text, time in texts:
                named = changed.keys() & _DIGEST.findall(text)
                unnamed -= named
                if table == "journal":
                    changed |= dict.fromkeys(named, time)
                elif table != "events":
                    for name in named:
                        del changed[name]
    return unnamed, {name: time for name, time in changed.items() if time}


def _texts(database: Database, table: str, column: str) -> Iterator[Sequence[tuple[str, str]]]:
    last, time = 0, "time" if table == "journal" else "''"
    sql = f"SELECT rowid, {column}, {time} FROM {table} WHERE rowid > ? ORDER BY rowid LIMIT {_ROWS}"  # noqa: S608
    while rows := database.rows(sql, (last,)):
        last = rows[-1][0]
        yield [(text, when) for _, text, when in rows]


def _outdated(database: Database, changed: Mapping[str, str], now: int, history: HistorySettings) -> Sequence[str]:
    """Return the texts that are to be dropped, the oldest first."""
    sizes: dict[str, int] = dict(database.rows("SELECT sha256, length(data) FROM images"))
    over = sum(sizes.values()) - history.undo_megabytes * 1_000_000
    found = []
    for name, time in sorted(changed.items(), key=lambda item: item[1]):
        if not (time < _ago(now, history.undo_days * DAY) or (over > 0 and time < _ago(now, DAY))):
            break
        over -= sizes.get(name, 0)
        found.append(name)
    return found


def _ago(now: int, seconds: int) -> str:
    """Return a time as the journal writes it."""
    return datetime.fromtimestamp(now - seconds, UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def _drop(database: Database, names: Sequence[str], is_quiet: Callable[[], bool]) -> int:
    """Remove these texts, while no work is there that might keep one of them again, and return how many."""
    for begin in range(0, len(names), _TEXTS):
        with database.transaction() as connection:
            if not is_quiet() or is_at_work(database.path.parent):
                return begin
            gone = [(name,) for name in names[begin : begin + _TEXTS]]
            connection.executemany("DELETE FROM images WHERE sha256 = ?", gone)
    return len(names)


def _remove(database: Database, names: Sequence[str], now: int) -> int:
    """Remove those texts that were not kept again since."""
    places = ", ".join("?" * len(names))
    doubted = f"SELECT sha256 FROM doubtful WHERE sha256 IN ({places}) AND since <= ?"  # noqa: S608 - ours
    with database.transaction() as connection:
        parameters = (*names, now - WEEK)
        found = connection.execute(f"DELETE FROM images WHERE sha256 IN ({doubted})", parameters)  # noqa: S608 - ours
        connection.execute(f"DELETE FROM doubtful WHERE sha256 IN ({doubted})", parameters)  # noqa: S608 - ours
        return found.rowcount


def _doubt(database: Database, unnamed: Set[str], now: int) -> None:
    with database.transaction() as connection:
        named = [name for name in connection.execute("SELECT sha256 FROM doubtful") if name[0] not in unnamed]
        connection.executemany("DELETE FROM doubtful WHERE sha256 = ?", named)
        connection.executemany(
            "INSERT OR IGNORE INTO doubtful (sha256, since) SELECT sha256, ? FROM images WHERE sha256 = ?",
            ((now, name) for name in sorted(unnamed)),
        )
        connection.execute("INSERT OR REPLACE INTO housekeeping (id, looked) VALUES (1, ?)", (now,))


def _give_back(database: Database, is_quiet: Callable[[], bool]) -> None:
    """Give free pages back to the disk, where the database was created with that option."""
    free, before = _free_pages(database), -1
    while free not in (0, before) and is_quiet():
        database.rows(f"PRAGMA incremental_vacuum({_PAGES})")
        free, before = _free_pages(database), free


def _free_pages(database: Database) -> int:
    return sum(count for (count,) in database.rows("PRAGMA freelist_count"))
