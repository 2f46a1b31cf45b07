"""Remove texts kept for undo that no row of the state database names any more.

Rows that name texts are never removed, so undo and shown differences keep their texts. An unnamed text is first marked:
it is removed when a week later it still isn't named, nor was kept again.
"""

import re
from collections.abc import Callable, Iterator, Sequence, Set

from planact.adapters.store.recovery.storage_usage import is_at_work
from planact.adapters.store.state.database import Database
from planact.base.sources import Clock

WEEK = 7 * 24 * 3600
"""Seconds between two looks, and from the doubt about a text to its end."""

_NAMING = (
    *(("journal", "data"), ("messages", "data"), ("questions", "data"), ("events", "data"), ("sessions", "data")),
    *(("revisions", "text"), ("approvals", "text")),
)
"""All columns that may name a text by its SHA-256 in hex: a touch in the journal, a file that a plan rests on."""

_DIGEST = re.compile(r"[0-9a-f]{64}")
_ROWS, _TEXTS, _PAGES = 200, 20, 500
"""What is done at a time, between looks at whether something waits."""


def keep_house(database: Database, clock: Clock, is_quiet: Callable[[], bool]) -> int:
    """Remove unnamed texts once a week, a few at a time, and return how many. Ends early once this process is no longer
    quiet (`is_quiet`), or another one works there.

    Each change is a transaction, so a kill leaves the database as it was before or after one.

    Raises:
        StorageFailure: as `Database.rows`.
    """
    now = int(clock.now().timestamp())
    if not _is_due(database, now) or not is_quiet() or is_at_work(database.path.parent):
        return 0
    unnamed = _unnamed(database, is_quiet)
    if unnamed is None or is_at_work(database.path.parent):
        return 0
    doubted = {name for (name,) in database.rows("SELECT sha256 FROM doubtful WHERE since <= ?", (now - WEEK,))}
    old, gone = sorted(unnamed & doubted), 0
    for begin in range(0, len(old), _TEXTS):
        if not is_quiet():
            return gone
        gone += _remove(database, old[begin : begin + _TEXTS], now)
    _doubt(database, unnamed, now)
    _give_back(database, is_quiet)
    return gone


def _is_due(database: Database, now: int) -> bool:
    if not database.path.exists():
        return False
    looked = [time for (time,) in database.rows("SELECT looked FROM housekeeping")]
    return not any(now - WEEK < time <= now for time in looked)


def _unnamed(database: Database, is_quiet: Callable[[], bool]) -> Set[str] | None:
    """Return the SHA-256 of all texts that no row names; None when other work began meanwhile."""
    unnamed = {name for (name,) in database.rows("SELECT sha256 FROM images")}
    for table, column in _NAMING if unnamed else ():
        for texts in _texts(database, table, column):
            if not is_quiet():
                return None
            for text in texts:
                unnamed.difference_update(_DIGEST.findall(text))
    return unnamed


def _texts(database: Database, table: str, column: str) -> Iterator[Sequence[str]]:
    last = 0
    sql = f"SELECT rowid, {column} FROM {table} WHERE rowid > ? ORDER BY rowid LIMIT {_ROWS}"  # noqa: S608 - ours
    while rows := database.rows(sql, (last,)):
        last = rows[-1][0]
        yield [text for _, text in rows]


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
