"""Brings back what can be read of state databases that were set aside as damaged.

What decides on rights stays out: nobody knows whether a damaged database still says what the user said.
"""

import contextlib
import hashlib
import json
import shutil
import sqlite3
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from planact.adapters.store.database import DAMAGED, Database, free_name

_NO_RIGHTS = ("sessions", "messages", "journal", "images", "questions", "events", "revisions", "pins")
_SALVAGED = ".salvaged-"
_SIDES = ("-wal", "-shm")


def damaged_files(database: Database) -> Sequence[Path]:
    """The databases that were set aside and not salvaged, the oldest first."""
    found = database.path.parent.glob(f"{database.path.name}{DAMAGED}*")
    return sorted(path for path in found if not path.name.endswith(_SIDES))


def salvage(database: Database, damaged: Path) -> Mapping[str, int]:
    """Put the rows that can be read before those that are there now; how many, by table. The damaged file is kept as it
    is, under a name that says so.

    Raises:
        StorageFailure: STORAGE_UNWRITABLE.
    """
    with tempfile.TemporaryDirectory(dir=damaged.parent) as folder:
        copy = Path(folder, "state.db")
        for suffix in ("", *_SIDES[:1]):
            with contextlib.suppress(FileNotFoundError):
                shutil.copyfile(f"{damaged}{suffix}", f"{copy}{suffix}")
        connection = sqlite3.connect(copy)
        try:
            found = {table: list(_readable(connection, table)) for table in _NO_RIGHTS}
        finally:
            connection.close()
    counts = {table: _merge(database, table, rows) for table, rows in found.items() if rows}
    kept = free_name(damaged.with_name(damaged.name.replace(DAMAGED, _SALVAGED)))
    for suffix in ("", *_SIDES):
        with contextlib.suppress(FileNotFoundError):
            Path(f"{damaged}{suffix}").rename(f"{kept}{suffix}")
    return counts


def _readable(connection: sqlite3.Connection, table: str) -> Iterator[dict[str, Any]]:
    """From the first row to where it breaks off, then from the last one back to there."""
    seen: set[Any] = set()
    rows: list[dict[str, Any]] = []
    for order in ("ASC", "DESC"):
        part = []
        with contextlib.suppress(sqlite3.Error):
            cursor = connection.execute(f"SELECT rowid AS place, * FROM {table} ORDER BY rowid {order}")  # noqa: S608
            names = [column[0] for column in cursor.description]
            for values in cursor:
                row = dict(zip(names, values, strict=True))
                if row["place"] in seen:
                    break
                seen.add(row.pop("place"))
                if _is_whole(table, row):
                    part.append(row)
        rows += part if order == "ASC" else part[::-1]
    yield from rows


def _is_whole(table: str, row: Mapping[str, Any]) -> bool:
    try:
        if table == "images":
            return bool(hashlib.sha256(row["data"]).hexdigest() == row["sha256"])
        return "data" not in row or isinstance(json.loads(row["data"]), dict)
    except (TypeError, ValueError):
        return False


def _merge(database: Database, table: str, rows: Sequence[Mapping[str, Any]]) -> int:
    with database.transaction() as connection:
        columns = [column[1] for column in connection.execute(f"PRAGMA table_info({table})")]
        is_numbered = "sequence" in columns
        if is_numbered:  # what is there now comes after: it is taken out, and put back with new numbers
            now = connection.execute(f"SELECT * FROM {table} ORDER BY sequence").fetchall()  # noqa: S608
            connection.execute(f"DELETE FROM {table}")  # noqa: S608
        before = _count(connection, table)
        for row in rows:
            known = [name for name in columns if name in row]
            _insert(connection, table, known, [row[name] for name in known])
        count = _count(connection, table) - before
        if is_numbered:
            for values in now:
                kept = dict(zip(columns, values, strict=True))
                del kept["sequence"]
                _insert(connection, table, list(kept), list(kept.values()))
    return count


def _count(connection: sqlite3.Connection, table: str) -> int:
    return int(connection.execute(f"SELECT count(*) FROM {table}").fetchone()[0])  # noqa: S608


def _insert(connection: sqlite3.Connection, table: str, columns: Sequence[str], values: Sequence[Any]) -> None:
    places = ", ".join("?" * len(columns))
    connection.execute(f"INSERT OR IGNORE INTO {table} ({', '.join(columns)}) VALUES ({places})", values)  # noqa: S608
