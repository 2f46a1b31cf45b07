"""The state database of one workspace: SQLite, opened on first use, shared by several processes.

Reading creates no file: where there is no database yet, there are no rows. JSON columns are redacted.
"""

import contextlib
import hashlib
import itertools
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

from planact.adapters.store.disk.lock import busy, exclusive, open_private, unwritable
from planact.base.errors import InvalidInput, StorageFailure
from planact.base.sources import Clock


def read_migrations(text: str) -> tuple[tuple[str, ...], ...]:
    """Return the statements of each version of the schema, each as one line."""
    versions = re.split(r"^-- version [0-9]+$", text, flags=re.MULTILINE)[1:]
    joined = [" ".join(re.sub(r"^--.*$", "", version, flags=re.MULTILINE).split("\n  ")) for version in versions]
    return tuple(
        tuple(statement.strip() for statement in version.split(";\n") if statement.strip()) for version in joined
    )


MIGRATIONS = read_migrations(Path(__file__).with_name("migrations.sql").read_text("utf-8"))

_BUSY_SECONDS = 10.0
_NOWHERE = (0, 0)
_DAMAGED = {sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB}
_SIDE_FILES = ("-wal", "-shm")
_BUSY = {sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED}
WORKSPACE = "workspace"
"""The file beside a database that says whose it is: the name of the folder can't be read back."""

DAMAGED = ".damaged-"
"""Between the name of a file that was set aside and the time."""

_MADE = b"made"
"""What stands in the lock file once there has been a database: an empty one was emptied then."""

Data = TypeVar("Data", bound=BaseModel)


def state_folder(workspace: Path) -> Path:
    """Return the folder of a workspace's state below the user's state directory, with a name that people recognize."""
    real = os.path.normcase(os.path.realpath(workspace))
    slug = re.sub(r"[^A-Za-z0-9]+", "-", Path(real).name).strip("-")[:40].lower() or "workspace"
    key = hashlib.sha256(os.fsencode(real)).hexdigest()[:16]
    return platformdirs.user_state_path("planact", appauthor=False) / f"{slug}-{key}"


def json_text(value: Any) -> str:
    """Return `value` as JSON; lone surrogates, as models send them, can neither be stored nor sent and are replaced."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    return text.encode("utf-8", "replace").decode()


def decode(kind: type[Data], text: str, what: str) -> Data:
    """Return the object of the stored JSON `text`; `what` names it in the message.

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
    """Decode all readable rows, so that an unreadable one doesn't hide the others."""
    found = []
    for (text,) in rows:
        with contextlib.suppress(StorageFailure):
            found.append(decode(kind, text, "a row"))
    return tuple(found)


_CHECKED_WHOLE = 100_000_000
"""Bytes up to which a database is quickly checked whole."""

_SIZE = "SELECT page_count * page_size FROM pragma_page_count, pragma_page_size"
_SMALL_TABLES = "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%' AND name <> 'images'"


class Database:
    """One connection per process, made when first needed, and again when the file was exchanged meanwhile. It waits
    `patience` seconds for another process that writes; `workspace` is the folder whose state it holds. `on_damage` is
    called with the failure when this object set a damaged database aside, in the thread that met it, which may be one
    that no user waits for.
    """

    def __init__(
        self,
        folder: Path,
        clock: Clock,
        redact: Callable[[Any], Any],
        patience: float = _BUSY_SECONDS,
        workspace: Path | None = None,
        on_damage: Callable[[StorageFailure], object] = lambda _: None,
    ) -> None:
        self.path = folder / "state.db"
        self.redact = redact
        self._clock = clock
        self._patience = patience
        self._workspace = workspace
        self._on_damage = on_damage
        self._connection: sqlite3.Connection | None = None
        self._identity = _NOWHERE
        self._openings = 0
        self._mutex = threading.RLock()

    def json(self, value: Any) -> str:
        """Return `value` as the text of a JSON column, without secrets."""
        return json_text(self.redact(value))

    def rows(self, sql: str, parameters: Sequence[Any] = ()) -> list[Any]:
        """Return the rows of a SELECT; none before a database was made.

        Raises:
            StorageFailure: STORAGE_UNWRITABLE; STORAGE_DAMAGED once, after which a new database is begun.
            InvalidInput: INVALID_ARGUMENTS, when a parameter is no text that can be stored.
        """
        with self._mutex, self._failures():
            identity = _identity(self.path)
            if identity == _NOWHERE:
                return []
            return self._connected(identity).execute(sql, parameters).fetchall()

    @contextlib.contextmanager
    def transaction(self, *, is_synced: bool = True) -> Iterator[sqlite3.Connection]:
        """Yield a connection whose changes are on disk when the block ends, and undone when it raises.

        Without `is_synced` the call doesn't wait for the disk: the changes survive a kill, but perhaps not a power cut,
        up to the next transaction that is synced, which takes all before it along.

        Raises:
            StorageFailure: STORAGE_UNWRITABLE; STORAGE_DAMAGED once, after which a new database is begun.
        """
        with self._mutex, self._failures():
            connection = self._connected(_identity(self.path))
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
        """Run one statement in a transaction of its own, as `transaction`; return the number of rows it changed."""
        with self.transaction(is_synced=is_synced) as connection:
            return connection.execute(sql, parameters).rowcount

    def view(self) -> tuple[int, ...]:
        """Return a value that changes when another process or object may have written, or the file was exchanged.

        Raises:
            StorageFailure: as `rows`.
        """
        with self._mutex:
            found = self.rows("PRAGMA data_version")
            return (self._openings, *(version for (version,) in found))

    def check(self, *, is_whole: bool = True) -> int:
        """Check the database. Without `is_whole`, the contents kept for undo are left out of a large one.

        Returns the bytes of the database if they were left out, else 0. Raises StorageFailure as `rows` does, also for
        damage that no read has met yet.
        """
        with self._mutex:
            size = sum(bytes_ for (bytes_,) in self.rows(_SIZE))
            is_partial = not is_whole and size > _CHECKED_WHOLE
            tables = [f"'{name}'" for (name,) in self.rows(_SMALL_TABLES)] if is_partial else ["1"]
            checks = (self.rows(f"PRAGMA quick_check({each})") for each in tables)
            found = next((each for each in checks if each not in ([], [("ok",)])), [])
            if found:
                with exclusive(self.path.with_name("open.lock"), self._patience) as lock:
                    raise self._set_aside(str(found[0][0]), lock)
            return size if is_partial else 0

    def set_aside(self) -> Sequence[Path]:
        """Return the damaged databases that lie beside this one, the oldest first."""
        found = self.path.parent.glob(f"{self.path.name}{DAMAGED}*")
        return sorted(path for path in found if not path.name.endswith(_SIDE_FILES))

    def close(self) -> None:
        """Close the file; the next use opens it again."""
        with self._mutex:
            if self._connection is not None:
                self._connection.close()
            self._connection = None

    def checkpoint_and_close(self) -> None:
        """Write the log into the file at the end, unless another process uses it, and close. Never waits."""
        with self._mutex:
            if self._connection is not None and self._identity == _identity(self.path):
                with contextlib.suppress(sqlite3.Error):
                    self._connection.execute("PRAGMA busy_timeout = 0")
                    self._connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
            self.close()

    def _connected(self, identity: tuple[int, int]) -> sqlite3.Connection:
        """Return the connection, opened anew where the file at the path has another `identity`."""
        if self._connection is not None and self._identity == identity:
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
        connection.execute("PRAGMA secure_delete = ON")  # else a deleted session's text stays in the file
        (version,) = connection.execute("PRAGMA user_version").fetchone()
        if version > len(MIGRATIONS):
            raise unwritable(self.path, f"a newer planact made it (schema {version}, this one knows {len(MIGRATIONS)})")
        if version < len(MIGRATIONS):  # all at once, since each transaction waits for the disk
            connection.execute("BEGIN IMMEDIATE")
            for statement in itertools.chain.from_iterable(MIGRATIONS[version:]):
                connection.execute(statement)
            connection.execute(f"PRAGMA user_version = {len(MIGRATIONS)}")
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
        except UnicodeEncodeError as error:  # of an id or a path; what is kept as JSON has none (`json_text`)
            text = ascii(error.object)
            raise InvalidInput("INVALID_ARGUMENTS", f"{text} holds half a character", "Leave it out.") from error

    def _set_aside(self, cause: str, lock: int) -> StorageFailure:
        self.close()
        # Another process may have been first; then the file is a new one, and sound.
        is_first = _is_maimed(self.path, lock) or not _is_sound(self.path)
        kept = free_name(self.path.with_name(f"{self.path.name}{DAMAGED}{self._clock.now():%Y%m%dT%H%M%S%f}"))
        if is_first:
            for suffix in ("", *_SIDE_FILES):
                with contextlib.suppress(FileNotFoundError):
                    self.path.with_name(self.path.name + suffix).rename(f"{kept}{suffix}")
            os.ftruncate(lock, 0)
        else:
            kept = next(reversed(self.set_aside()), kept)
        failure = StorageFailure(
            "STORAGE_DAMAGED",
            f"planact's state database was damaged ({cause}) and is kept as {kept}",
            "A new database is begun, without what the old one held; plans and records of runs stay in the workspace."
            " Run `planact doctor --repair`",
        )
        if is_first:
            self._on_damage(failure)
        return failure


def _text(data: bytes) -> str:
    """Decode a text, also a damaged one: SQLite, which doesn't check it, would refuse all of the rows."""
    return data.decode("utf-8", "replace")


def _identity(path: Path) -> tuple[int, int]:
    try:
        status = path.stat()
    except FileNotFoundError:
        return _NOWHERE
    return (status.st_dev, status.st_ino)


def _is_maimed(path: Path, lock: int) -> str:
    """Return which part of a database is missing, though the rest can be opened; empty = no part.

    Its two side files come and go together, the log last. A truncated log loses its last writes unseen.
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
    """Return `path`, or a similar one that doesn't exist: a clock may tell the same time twice."""
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
