"""Outlines in a database beside planact's state.

It holds only outlines: it may be removed at any time, and is begun anew where it is damaged or of another version.
"""

import os
import sqlite3
from collections.abc import Callable, Iterable, Mapping
from contextlib import closing, suppress
from pathlib import Path
from typing import NamedTuple, TypeVar

from planact.adapters.store.disk.lock import open_private
from planact.base.errors import StorageFailure

VERSION = 1
"""Of the table, the outlines in it, and the queries that these are made by."""

_BUSY_SECONDS = 2.0

T = TypeVar("T")


class OutlinedFile(NamedTuple):
    """A file at the time of its outline: its `stat`, and its SHA-256."""

    stamp: str
    sha256: str


class KeptOutlines:
    """The outlines of one workspace folder. Each call opens the database anew: it may be gone, or another process's."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def known(self) -> Mapping[str, OutlinedFile]:
        """Return the known files by path."""
        sql = "SELECT path, stamp, sha256 FROM outlines"
        return self._read(lambda db: {path: OutlinedFile(stamp, sha256) for path, stamp, sha256 in db.execute(sql)}, {})

    def containing(self, text: str) -> Mapping[str, str] | None:
        """Return the outlines that contain `text`, by path; None when they can't be searched."""
        sql = "SELECT path, outline FROM outlines WHERE instr(outline, ?)"
        return self._read(lambda db: dict(db.execute(sql, (text,)).fetchall()), None)

    def keep(
        self, made: Iterable[tuple[str, OutlinedFile, str]], same: Iterable[tuple[str, str]], gone: Iterable[str]
    ) -> None:
        """Store outlines by path and the new stamps of unchanged files, and delete the outlines of files that are
        gone.
        """

        def write(db: sqlite3.Connection) -> None:
            with db:
                db.executemany("INSERT OR REPLACE INTO outlines VALUES (?, ?, ?, ?)", ((p, *k, o) for p, k, o in made))
                db.executemany("UPDATE outlines SET stamp = ? WHERE path = ?", ((stamp, path) for path, stamp in same))
                db.executemany("DELETE FROM outlines WHERE path = ?", ((path,) for path in gone))

        self._do(write, None)

    def _read(self, act: Callable[[sqlite3.Connection], T], otherwise: T) -> T:
        """Read the database if there is one: to make it waits for the disk."""
        return self._do(act, otherwise) if os.path.exists(self._path) else otherwise

    def _do(self, act: Callable[[sqlite3.Connection], T], otherwise: T) -> T:
        """Run an action on the database, ignoring failures: a lost outline is made again when it is needed."""
        for _ in range(2):
            try:
                with closing(self._open()) as db:
                    return act(db)
            except StorageFailure:
                return otherwise
            except sqlite3.OperationalError:  # busy, full or read-only
                return otherwise
            except sqlite3.DatabaseError:
                self._remove()
        return otherwise

    def _open(self) -> sqlite3.Connection:
        os.close(open_private(self._path))
        db = sqlite3.connect(self._path, timeout=_BUSY_SECONDS)
        try:
            db.execute("PRAGMA journal_mode = WAL")
            db.execute("PRAGMA synchronous = NORMAL")
            if not _is_current(db):
                with db:
                    db.execute("BEGIN IMMEDIATE")
                    if not _is_current(db):  # else another connection has made it meanwhile
                        db.execute("DROP TABLE IF EXISTS outlines")
                        db.execute(
                            "CREATE TABLE outlines (path TEXT PRIMARY KEY, stamp TEXT NOT NULL, sha256 TEXT NOT NULL,"
                            " outline TEXT NOT NULL)"
                        )
                        db.execute(f"PRAGMA user_version = {VERSION}")
        except BaseException:
            db.close()
            raise
        return db

    def _remove(self) -> None:
        for ending in ("", "-wal", "-shm"):
            with suppress(OSError):
                Path(f"{self._path}{ending}").unlink()


def _is_current(db: sqlite3.Connection) -> bool:
    return bool(db.execute("PRAGMA user_version").fetchone() == (VERSION,))
