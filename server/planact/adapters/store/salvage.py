"""Brings back what can be read of state databases that were set aside as damaged: by SQLite, else page by page.

What decides on rights stays out: nobody knows whether a damaged database still says what the user said.
"""

import contextlib
import hashlib
import json
import shutil
import sqlite3
import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeAlias

from planact.adapters.store.database import DAMAGED, MIGRATIONS, Database, free_name
from planact.adapters.store.pages import Form, rows_in
from planact.model.session import Session

_NO_RIGHTS = ("sessions", "messages", "journal", "images", "questions", "events", "revisions", "pins")
_RECOVERED = "Recovered conversation"
_SALVAGED = ".salvaged-"
_SIDES = ("-wal", "-shm")
_TABLES = "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'"
_TYPES: Mapping[str, type] = {"TEXT": str, "INTEGER": int, "BLOB": bytes}

Row: TypeAlias = dict[str, Any]


def damaged_files(database: Database) -> Sequence[Path]:
    """The databases that were set aside and not salvaged, the oldest first."""
    found = database.path.parent.glob(f"{database.path.name}{DAMAGED}*")
    return sorted(path for path in found if not path.name.endswith(_SIDES))


def salvage(database: Database, damaged: Path) -> Sequence[str]:
    """Put the rows that can be read before those that are there now. The damaged file is kept as it is, under a name
    that says so. Returns what was brought back and what wasn't, in a line each.

    Raises:
        StorageFailure: STORAGE_UNWRITABLE.
    """
    found = _read(damaged)
    for question in found["questions"]:  # an answer that lets something happen gives a right: it is asked for again
        question["is_used"] |= question["purpose"] != "agent" and question["status"] != "open"
    found["sessions"] = [*found["sessions"], *_nameless(found["sessions"], found["messages"])]
    found["journal"], lost = _with_gaps_told(found["journal"])
    counts = {table: _merge(database, table, rows) for table, rows in found.items() if rows}
    kept = free_name(damaged.with_name(damaged.name.replace(DAMAGED, _SALVAGED)))
    for suffix in ("", *_SIDES):
        with contextlib.suppress(FileNotFoundError):
            Path(f"{damaged}{suffix}").rename(f"{kept}{suffix}")
    return tuple(_told(damaged.name, kept, counts, lost))


def _told(name: str, kept: Path, counts: Mapping[str, int], lost: int) -> Iterator[str]:
    if counts:
        yield f"brought back from {name}: {', '.join(f'{count} {table}' for table, count in counts.items())}"
    else:
        yield f"nothing could be read of {name}; plans and records of runs are in the workspace as before"
    if lost:
        yield f"{lost} entries of the journal are lost: what was done then can't be rolled back"
    yield f"left out approvals, rules and trust, which have to be given again; the damaged file is kept as {kept}"


def _read(damaged: Path) -> dict[str, Sequence[Row]]:
    """All that SQLite can read; of tables that it can't read to their end, what lies in pages that are whole."""
    found = {table: dict[int, Row]() for table in _NO_RIGHTS}
    with tempfile.TemporaryDirectory(dir=damaged.parent) as folder:
        copy = Path(folder, "state.db")
        for suffix in ("", *_SIDES[:1]):
            with contextlib.suppress(FileNotFoundError):
                shutil.copyfile(f"{damaged}{suffix}", f"{copy}{suffix}")
        connection = sqlite3.connect(copy)
        try:
            broken = {table for table in found if not _take(connection, table, found[table])}
        finally:
            connection.close()
    if broken:
        known = forms()
        for table, rowid, values in rows_in(damaged, Path(f"{damaged}{_SIDES[0]}"), known):
            if table in broken:
                columns = known[table].columns
                row = dict(zip(columns, values, strict=True))
                found[table].setdefault(rowid, row | ({"sequence": rowid} if "sequence" in columns else {}))
    return {table: [row for _, row in sorted(rows.items()) if _is_whole(table, row)] for table, rows in found.items()}


def _take(connection: sqlite3.Connection, table: str, rows: dict[int, Row]) -> bool:
    """Add what SQLite can read of a table; whether that is all of it."""
    try:
        cursor = connection.execute(f"SELECT rowid AS place, * FROM {table} ORDER BY rowid")  # noqa: S608
        names = [column[0] for column in cursor.description]
        for values in cursor:
            row = dict(zip(names, values, strict=True))
            rows[row.pop("place")] = row
    except (sqlite3.Error, UnicodeError):  # SQLite's words quote what is damaged
        return False
    return True


def forms() -> Mapping[str, Form]:
    """What rows look like, of all tables: none of those that give rights may be taken for another's."""
    connection = sqlite3.connect(":memory:")
    try:
        for statement in (statement for version in MIGRATIONS for statement in version):
            connection.execute(statement)
        tables = [name for (name,) in connection.execute(_TABLES)]
        return {table: _form(connection.execute(f"PRAGMA table_info({table})")) for table in tables}
    finally:
        connection.close()


def _form(columns: Iterable[tuple[int, str, str, int, object, int]]) -> Form:
    """A number that is the primary key stands in the row's place and not in the row."""
    named = [(name, kind, bool(is_key)) for _, name, kind, _, _, is_key in columns]
    is_alias = sum(is_key for *_, is_key in named) == 1
    types = [type(None) if kind == "INTEGER" and is_key and is_alias else _TYPES[kind] for _, kind, is_key in named]
    return Form(tuple(name for name, *_ in named), tuple(types))


def _with_gaps_told(entries: Sequence[Row]) -> tuple[Sequence[Row], int]:
    """The journal with an entry where some are missing, for each run that was at work, and one after its last for each
    run without an end, so that nobody takes the rest for all of it; how many are missing.
    """
    told: list[Row] = []
    at_work: dict[str, Row] = {}
    lost = last = 0
    for entry in entries:
        gap = entry["sequence"] - last - 1
        told += _losses(list(at_work.values())[:gap], last)
        lost, last = lost + gap, entry["sequence"]
        told.append(entry)
        if entry["kind"] == "run_started":
            at_work[entry["execution_id"]] = entry
        elif entry["kind"] == "run_finished":
            at_work.pop(entry["execution_id"], None)
    return [*told, *_losses(list(at_work.values()), last)], lost


def _nameless(sessions: Sequence[Row], messages: Sequence[Row]) -> Iterator[Row]:
    """Sessions of which only messages are left: in Plan, called recovered, listed last."""
    known = {row["id"] for row in sessions}
    for session_id in dict.fromkeys(row["session_id"] for row in messages if row["session_id"] not in known):
        yield {"id": session_id, "used": 0, "data": Session(id=session_id, title=_RECOVERED).model_dump_json()}


def _losses(runs: Sequence[Row], last: int) -> Sequence[Row]:
    return [
        {**run, "sequence": number, "kind": "entries_lost", "data": "{}"} for number, run in enumerate(runs, last + 1)
    ]


def _is_whole(table: str, row: Mapping[str, Any]) -> bool:
    try:
        if table == "images":
            return bool(hashlib.sha256(row["data"]).hexdigest() == row["sha256"])
        return "data" not in row or isinstance(json.loads(row["data"]), dict)
    except (TypeError, ValueError):
        return False


def _merge(database: Database, table: str, rows: Sequence[Row]) -> int:
    with database.transaction() as connection:
        columns = [column[1] for column in connection.execute(f"PRAGMA table_info({table})")]
        is_numbered = "sequence" in columns
        now: Sequence[tuple[Any, ...]] = ()
        if is_numbered:  # what is there now comes after: it is taken out, and put back with the numbers that follow
            now = connection.execute(f"SELECT * FROM {table} ORDER BY sequence").fetchall()  # noqa: S608
            connection.execute(f"DELETE FROM {table}")  # noqa: S608
        before = _count(connection, table)
        for row in rows:
            _insert(connection, table, {name: row[name] for name in columns if name in row})
        count = _count(connection, table) - before
        last = max((row["sequence"] for row in rows), default=0) if is_numbered else 0
        known = set(map(_key, rows)) if is_numbered else set()
        # One that was brought back before, by a repair that was killed then, is not brought back twice.
        new = [row for values in now if _key(row := dict(zip(columns, values, strict=True))) not in known]
        for number, row in enumerate(new, last + 1):
            _insert(connection, table, row | {"sequence": number})
    return count


def _key(row: Row) -> tuple[tuple[str, Any], ...]:
    """What makes a row the same one under another number."""
    return tuple(sorted((name, value) for name, value in row.items() if name != "sequence"))


def _count(connection: sqlite3.Connection, table: str) -> int:
    return int(connection.execute(f"SELECT count(*) FROM {table}").fetchone()[0])  # noqa: S608


def _insert(connection: sqlite3.Connection, table: str, row: Mapping[str, Any]) -> None:
    columns, places = ", ".join(row), ", ".join("?" * len(row))
    connection.execute(f"INSERT OR IGNORE INTO {table} ({columns}) VALUES ({places})", list(row.values()))  # noqa: S608
