"""The state database of one workspace: SQLite, opened on first use, shared by several processes.

Reading makes nothing: where there is no database yet, there are no rows. What goes into a JSON column is redacted.
"""

import contextlib
import hashlib
import json
import os
import re
import sqlite3
import threading
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, TypeVar

import platformdirs
from pydantic import BaseModel, ValidationError

from planact.adapters.store.lock import busy, exclusive, open_private, unwritable
from planact.base.clock import Clock
from planact.base.errors import StorageFailure

# One entry per version of the schema, each a list of statements. Entries are added, never changed.
MIGRATIONS: tuple[tuple[str, ...], ...] = (
    (
        "CREATE TABLE sessions (id TEXT PRIMARY KEY, used INTEGER NOT NULL, data TEXT NOT NULL)",
        "CREATE TABLE messages (sequence INTEGER PRIMARY KEY, session_id TEXT NOT NULL, data TEXT NOT NULL)",
        "CREATE INDEX messages_session ON messages (session_id)",
        "CREATE TABLE journal (sequence INTEGER PRIMARY KEY AUTOINCREMENT, session_id TEXT NOT NULL,"
        " execution_id TEXT NOT NULL, kind TEXT NOT NULL, time TEXT NOT NULL, data TEXT NOT NULL)",
        "CREATE INDEX journal_execution ON journal (execution_id)",
        "CREATE TABLE images (sha256 TEXT PRIMARY KEY, data BLOB NOT NULL)",
        "CREATE TABLE questions (sequence INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, session_id TEXT NOT NULL,"
        " purpose TEXT NOT NULL, subject TEXT NOT NULL, status TEXT NOT NULL, is_used INTEGER NOT NULL DEFAULT 0,"
        " data TEXT NOT NULL)",
        "CREATE INDEX questions_status ON questions (status)",
        "CREATE INDEX questions_subject ON questions (session_id, purpose, subject)",
        "CREATE TABLE approvals (path TEXT PRIMARY KEY, plan_id TEXT NOT NULL, hash TEXT NOT NULL,"
        " text TEXT NOT NULL, time TEXT NOT NULL)",
        "CREATE TABLE trust (id INTEGER PRIMARY KEY CHECK (id = 1), fingerprint TEXT NOT NULL)",
        "CREATE TABLE events (sequence INTEGER PRIMARY KEY, session_id TEXT NOT NULL, kind TEXT NOT NULL,"
        " time TEXT NOT NULL, data TEXT NOT NULL)",
        "CREATE INDEX events_session ON events (session_id)",
    ),
    (
        "CREATE INDEX events_kind ON events (kind)",
        "CREATE INDEX journal_kind ON journal (kind)",
    ),
    (
        "CREATE TABLE revisions (path TEXT NOT NULL, number INTEGER NOT NULL, plan_id TEXT NOT NULL,"
        " text TEXT NOT NULL, author TEXT NOT NULL, time TEXT NOT NULL, PRIMARY KEY (path, number))",
        "CREATE TABLE pins (path TEXT PRIMARY KEY)",
    ),
    (
        "CREATE TABLE rules (sequence INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, allows TEXT NOT NULL UNIQUE,"
        " data TEXT NOT NULL)",
    ),
    (
        # Runs that were written down before they named their plan: its id stands in the front matter of its text.
        "UPDATE journal SET data = json_set(data, '$.plan_id', (WITH plan(rest) AS (SELECT substr("
        "json_extract(data, '$.plan'), instr(json_extract(data, '$.plan'), char(10) || 'id:') + 4))"
        " SELECT trim(substr(rest, 1, instr(rest, char(10)) - 1), ' ''\"' || char(9) || char(13)) FROM plan))"
        " WHERE kind = 'run_started' AND json_valid(data) AND instr(json_extract(data, '$.plan'), char(10) || 'id:')",
        "DROP INDEX journal_execution",
        "CREATE INDEX journal_execution ON journal (execution_id, kind)",
        "CREATE INDEX journal_begun ON journal (sequence, execution_id) WHERE kind = 'run_started'",
        "CREATE INDEX journal_path ON journal (json_extract(data, '$.path'))"
        " WHERE kind = 'run_started' AND json_valid(data)",
        "CREATE INDEX journal_plan ON journal (json_extract(data, '$.plan_id'))"
        " WHERE kind = 'run_started' AND json_valid(data)",
        "CREATE INDEX sessions_used ON sessions (used)",
    ),
    (
        "CREATE TABLE doubtful (sha256 TEXT PRIMARY KEY, since INTEGER NOT NULL)",
        "CREATE TABLE housekeeping (id INTEGER PRIMARY KEY CHECK (id = 1), looked INTEGER NOT NULL)",
    ),
    (
        "CREATE INDEX events_requests ON events (json_extract(data, '$.data.execution_id'))"
        " WHERE kind = 'model_called' AND json_valid(data)",
    ),
)

_BUSY_SECONDS = 10.0
_NOWHERE = (0, 0)
_DAMAGED = {sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB}
_BUSY = {sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED}
WORKSPACE = "workspace"
"""The file beside a database that says whose it is: the name of the folder can't be read back."""

DAMAGED = ".damaged-"
"""Between the name of a file that was set aside and the time."""

_MADE = b"made"
"""What stands in the lock file once there has been a database: an empty one was emptied then."""

Data = TypeVar("Data", bound=BaseModel)


def state_folder(workspace: Path) -> Path:
    """Where the state of `workspace` lives: a folder below the user's state directory, named so that people find it."""
    real = os.path.normcase(os.path.realpath(workspace))
    slug = re.sub(r"[^A-Za-z0-9]+", "-", Path(real).name).strip("-")[:40].lower() or "workspace"
    key = hashlib.sha256(os.fsencode(real)).hexdigest()[:16]
    return platformdirs.user_state_path("planact", appauthor=False) / f"{slug}-{key}"


def json_text(value: Any) -> str:
    """`value` as JSON; half a character, as models send them, can neither be stored nor sent and is replaced."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    return text.encode("utf-8", "replace").decode()


def decode(kind: type[Data], text: str, what: str) -> Data:
    """The stored JSON `text` as an object; `what` names it in the message.

    Raises:
        StorageFailure: STORAGE_DAMAGED.
    """
    try:
        return kind.model_validate_json(text)
    except ValidationError as error:
        raise StorageFailure(
            "STORAGE_DAMAGED",
            f"{what} can't be read back from planact's state: {error.errors()[0]['msg']}",
            "Go on in a new session; nothing was deleted",
        ) from error


def decode_all(kind: type[Data], rows: Sequence[tuple[str]]) -> tuple[Data, ...]:
    """All rows that can be read, so that one that can't doesn't hide the others."""
    found = []
    for (text,) in rows:
        with contextlib.suppress(StorageFailure):
            found.append(decode(kind, text, "a row"))
    return tuple(found)


class Database:
    """One connection per process, made when first needed, and again when the file was exchanged meanwhile. `patience`
    is how many seconds it waits for another process that writes; `workspace` is whose it is.
    """

    def __init__(
        self,
        folder: Path,
        clock: Clock,
        redact: Callable[[Any], Any],
        patience: float = _BUSY_SECONDS,
        workspace: Path | None = None,
    ) -> None:
        self.path = folder / "state.db"
        self.redact = redact
        self._clock = clock
        self._patience = patience
        self._workspace = workspace
        self._connection: sqlite3.Connection | None = None
        self._identity = _NOWHERE
        self._openings = 0
        self._mutex = threading.RLock()

    def json(self, value: Any) -> str:
        """`value` as the text of a JSON column, without secrets."""
        return json_text(self.redact(value))

    def rows(self, sql: str, parameters: Sequence[Any] = ()) -> list[Any]:
        """What a SELECT finds; nothing where no database was made yet.

        Raises:
            StorageFailure: STORAGE_UNWRITABLE; STORAGE_DAMAGED once, after which a new database is begun.
        """
        with self._mutex, self._failures():
            if _identity(self.path) == _NOWHERE:
                return []
            return self._connected().execute(sql, parameters).fetchall()

    @contextlib.contextmanager
    def transaction(self, *, is_synced: bool = True) -> Iterator[sqlite3.Connection]:
        """A connection whose changes are on disk when the block ends, and undone when it raises.

        Without `is_synced` nothing waits for the disk: a kill leaves them, but a power cut may take them, up to the
        next transaction that is synced, which takes all before it along.

        Raises:
            StorageFailure: STORAGE_UNWRITABLE; STORAGE_DAMAGED once, after which a new database is begun.
        """
        with self._mutex, self._failures():
            connection = self._connected()
            connection.execute(f"PRAGMA synchronous = {'FULL' if is_synced else 'NORMAL'}")
            connection.execute("BEGIN IMMEDIATE")
            try:
                yield connection
                connection.execute("COMMIT")
            except BaseException:
                with contextlib.suppress(sqlite3.Error):
                    connection.execute("ROLLBACK")
                raise

    def write(self, sql: str, parameters: Sequence[Any] = (), *, is_synced: bool = True) -> int:
        """One statement in a transaction of its own; the number of rows it changed. As `transaction`."""
        with self.transaction(is_synced=is_synced) as connection:
            return connection.execute(sql, parameters).rowcount

    def view(self) -> tuple[int, ...]:
        """Differs from what it was when others than this object may have written, or the file was exchanged.

        Raises:
            StorageFailure: as `rows`.
        """
        with self._mutex:
            found = self.rows("PRAGMA data_version")
            return (self._openings, *(version for (version,) in found))

    def check(self) -> None:
        """Look through all of it. Raises StorageFailure as `rows` does, also for damage that nothing has met yet."""
        with self._mutex:
            found = self.rows("PRAGMA quick_check(1)")
            if found not in ([], [("ok",)]):
                with exclusive(self.path.with_name("open.lock"), self._patience) as lock:
                    raise self._set_aside(str(found[0][0]), lock)

    def close(self) -> None:
        """Let go of the file; the next use opens it again."""
        with self._mutex:
            if self._connection is not None:
                self._connection.close()
            self._connection = None

    def settle(self) -> None:
        """At the end: bring the log into the file, as far as no other process uses it, and let go. Waits for nobody."""
        with self._mutex:
            if self._connection is not None and self._identity == _identity(self.path):
                with contextlib.suppress(sqlite3.Error):
                    self._connection.execute("PRAGMA busy_timeout = 0")
                    self._connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
            self.close()

    def _connected(self) -> sqlite3.Connection:
        if self._connection is not None and self._identity == _identity(self.path):
            return self._connection
        self.close()
        with exclusive(self.path.with_name("open.lock"), self._patience) as lock:
            if cause := _is_maimed(self.path, lock):
                raise self._set_aside(cause, lock)
            # Made here, so that SQLite doesn't make it readable for others; its side files take after it. One that is
            # there is never opened apart from SQLite: closing it would drop the locks of this process's connections,
            # and another process would take the log away from under them.
            if not self.path.exists():
                os.close(open_private(self.path))
            if os.name == "posix":
                self.path.parent.chmod(0o700)
            connection = sqlite3.connect(
                self.path, timeout=self._patience, isolation_level=None, check_same_thread=False
            )
            connection.text_factory = _text
            try:
                self._prepare(connection)
            except BaseException:
                connection.close()
                raise
            os.lseek(lock, 0, os.SEEK_SET)
            os.write(lock, _MADE)
            self._say_whose()
        self._connection, self._identity = connection, _identity(self.path)
        self._openings += 1
        return connection

    def _say_whose(self) -> None:
        path = self.path.with_name(WORKSPACE)
        if self._workspace is not None and not path.exists():
            with contextlib.suppress(OSError), open(open_private(path), "wb") as file:  # noqa: PTH123 - a handle
                file.write(os.fsencode(os.path.realpath(self._workspace)) + b"\n")

    def _prepare(self, connection: sqlite3.Connection) -> None:
        if not self.path.stat().st_size:  # afterwards it would change nothing, and write
            connection.execute("PRAGMA auto_vacuum = INCREMENTAL")
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA secure_delete = ON")  # else a session that was deleted could be salvaged
        (version,) = connection.execute("PRAGMA user_version").fetchone()
        if version > len(MIGRATIONS):
            raise unwritable(self.path, f"a newer planact made it (schema {version}, this one knows {len(MIGRATIONS)})")
        for number, statements in enumerate(MIGRATIONS[version:], version + 1):
            connection.execute("BEGIN IMMEDIATE")
            for statement in statements:
                connection.execute(statement)
            connection.execute(f"PRAGMA user_version = {number}")
            connection.execute("COMMIT")

    @contextlib.contextmanager
    def _failures(self) -> Iterator[None]:
        try:
            yield
        except sqlite3.Error as error:
            code = getattr(error, "sqlite_errorcode", 0) & 0xFF
            if code in _DAMAGED:
                with exclusive(self.path.with_name("open.lock"), self._patience) as lock:
                    raise self._set_aside(str(error), lock) from error
            if code in _BUSY:
                raise busy(self.path) from error
            raise unwritable(self.path, str(error)) from error
        except OSError as error:
            raise unwritable(self.path, error.strerror or str(error)) from error

    def _set_aside(self, cause: str, lock: int) -> StorageFailure:
        self.close()
        kept = free_name(self.path.with_name(f"{self.path.name}{DAMAGED}{self._clock.now():%Y%m%dT%H%M%S%f}"))
        # Another process may have been first; then the file is a new one, and sound.
        if _is_maimed(self.path, lock) or not _is_sound(self.path):
            for suffix in ("", "-wal", "-shm"):
                with contextlib.suppress(FileNotFoundError):
                    self.path.with_name(self.path.name + suffix).rename(f"{kept}{suffix}")
            os.ftruncate(lock, 0)
        return StorageFailure(
            "STORAGE_DAMAGED",
            f"planact's state database was damaged ({cause}) and is kept as {kept}",
            "`planact doctor --repair` brings back what can be read of it. Approvals, rules and trust have to be given"
            " again",
        )


def _text(data: bytes) -> str:
    """Also what a damaged disk has made of a text: SQLite, which doesn't look there, would refuse all of the rows."""
    return data.decode("utf-8", "replace")


def _identity(path: Path) -> tuple[int, int]:
    try:
        status = path.stat()
    except FileNotFoundError:
        return _NOWHERE
    return (status.st_dev, status.st_ino)


def _is_maimed(path: Path, lock: int) -> str:
    """What was taken away from a database, though what is left of it can be opened; empty = nothing that can be seen.

    Its two side files come and go together, the log last. A log that is cut off loses what was written last unseen.
    """
    try:
        size = path.stat().st_size
    except FileNotFoundError:
        return ""
    if not size and os.fstat(lock).st_size:
        return "it is empty"
    log, shared = (path.with_name(f"{path.name}{suffix}") for suffix in ("-wal", "-shm"))
    return "its log is gone" if shared.exists() and not log.exists() and shared.exists() else ""


def free_name(path: Path) -> Path:
    """`path`, or one like it where nothing is yet: a clock may tell the same time twice."""
    names = (path, *(path.with_name(f"{path.name}-{number}") for number in range(2, 1_000)))
    return next(name for name in names if not os.path.lexists(name))


def _is_sound(path: Path) -> bool:
    connection = sqlite3.connect(path, timeout=_BUSY_SECONDS)
    try:
        return bool(connection.execute("PRAGMA quick_check(1)").fetchone() == ("ok",))
    except sqlite3.DatabaseError:
        return False
    finally:
        connection.close()
