"""planact's own files below `<workspace>/.planact/`, made on first use, for people and version control.

The folder may have come with a hostile repository: links in it are never followed, and unreadable files are set aside
and reported.
"""

import contextlib
import hashlib
import os
import stat
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path, PurePosixPath

from pydantic import BaseModel, ValidationError

from planact.adapters.store.disk import atomic
from planact.adapters.store.disk.digests import SETTLED_AFTER
from planact.adapters.store.state.database import DAMAGED, free_name
from planact.base.errors import StorageFailure
from planact.base.frozen_model import FrozenModel
from planact.base.sources import Clock
from planact.model.runs.execution import Execution, ExecutionStatus

PLANACT_FOLDER = ".planact"
_IGNORED = "sessions/\n"
_INDEX = "executions/index.json"
_READ_LIMIT = 20_000_000

INDEXED = 200
"""So many runs, the newest, are in the index: else each run would have to write down all before it again."""

# Content as such, and what the server writes itself: neither says what planact may do.
_WITHOUT_RIGHTS = {"archive", "plans", "templates", "sessions", "executions", ".gitignore"}
_HASH_LIMIT = 1_000_000


class _Row(FrozenModel):
    """One run: `timestamp` is its start, `file_path` its record in the workspace folder."""

    id: str
    plan_id: str
    goal: str
    status: ExecutionStatus
    timestamp: str
    finished_at: str
    file_path: str


class _Index(BaseModel):
    """The newest runs; `last_accessed` is when planact last changed one of them."""

    executions: tuple[_Row, ...] = ()
    last_accessed: str = ""


class WorkspaceRecords:
    """`ports.Records`; `redact` takes secrets out of a text, `report` gets one line about each file that was set
    aside.
    """

    def __init__(
        self, workspace: Path, clock: Clock, redact: Callable[[str], str], report: Callable[[str], None]
    ) -> None:
        self._folder = Path(os.path.realpath(workspace)) / PLANACT_FOLDER
        self._clock = clock
        self._redact = redact
        self._report = report
        self._parsed: dict[str, tuple[tuple[int, int, int], Execution]] = {}
        self._due: dict[str, int] = {}
        self._unwritten: dict[str, Execution] = {}
        self._listed: tuple[tuple[int, ...], tuple[str, ...]] = ((), ())

    def write(self, relative: str, text: str, *, is_synced: bool = True) -> None:
        """Write atomically below `.planact/`. Raises StorageFailure STORAGE_UNWRITABLE."""
        path = self._path(relative)
        with _failures(path):
            self._make_folder(path.parent)
            # Version control and other tools read it, as any file of the workspace.
            atomic.put(path, self._redact(text).encode("utf-8", "replace"), None, is_synced=is_synced)

    def append(self, relative: str, text: str) -> bool:
        """Append to a file; return False when it is missing. Raises StorageFailure STORAGE_UNWRITABLE."""
        path = self._path(relative)
        with _failures(path):
            if path.is_symlink() or not path.is_file():
                return False
            with path.open("ab") as file:
                file.write(self._redact(text).encode("utf-8", "replace"))
        return True

    def read(self, relative: str) -> str | None:
        """Return the text, or None when it is missing. Raises StorageFailure STORAGE_UNWRITABLE for a link,
        STORAGE_DAMAGED for a file that isn't a text of a sensible size.
        """
        path = self._path(relative)
        if path.is_symlink():
            raise _refused(path, "it is a link")
        with _failures(path):
            if not path.exists():
                return None
            status = path.stat()
            # What gives rights is read only if all of it is in the fingerprint.
            is_content = PurePosixPath(relative).parts[0] in _WITHOUT_RIGHTS
            limit = _READ_LIMIT if is_content else _HASH_LIMIT
            if not stat.S_ISREG(status.st_mode) or status.st_size > limit:
                raise _damaged(path, "it isn't a file of a sensible size")
            try:
                return path.read_bytes().decode("utf-8")
            except UnicodeDecodeError as error:
                raise _damaged(path, "it isn't UTF-8") from error

    def delete(self, relative: str) -> None:
        """Remove the file if it exists."""
        path = self._path(relative)
        with _failures(path):
            path.unlink(missing_ok=True)

    def list(self, relative: str) -> Sequence[str]:
        """Return the names in a folder below `.planact/`, sorted; none when the folder is missing."""
        path = self._path(f"{relative}/x").parent
        with _failures(path):
            return sorted(os.listdir(path)) if path.is_dir() else ()  # noqa: PTH208 (speed)

    def put_execution(self, execution: Execution, *, is_passing: bool = False) -> None:
        """Write `executions/<id>.json` and its index. With `is_passing`, a long run's is written once for each fiftieth
        of its steps, and this process knows the others; the disk isn't waited for, since the journal has it all.
        """
        if is_passing and len(execution.steps) < self._due.get(execution.id, 0):
            self._unwritten[execution.id] = execution
            return
        self._due[execution.id] = len(execution.steps) + len(execution.steps) // 50 + 1
        self._unwritten.pop(execution.id, None)
        if not is_passing:
            del self._due[execution.id]
        text = execution.model_dump_json(indent=2) + "\n"
        self.write(f"executions/{_checked_id(execution.id)}.json", text, is_synced=not is_passing)
        kept = {row.id: row for row in self._index()}
        row = _row(execution)
        if kept.get(execution.id) != row:
            self._write_index(self._rows(kept | {execution.id: row}).values())

    def is_index_current(self) -> bool:
        """Return True if the index has just the newest readable records, with their present content."""
        try:
            text = self.read(_INDEX)
            kept = _Index.model_validate_json(text).executions if text else ()
        except (StorageFailure, ValidationError):
            return False
        return {row.id: row for row in kept} == self._rows({})

    def keep_index(self) -> None:
        """Write the index anew; an unreadable one is set aside."""
        self._index()
        self._write_index(self._rows({}).values())

    def execution(self, execution_id: str) -> Execution | None:
        """Return the record with that id, or None where it is missing or unreadable; an unreadable one is set aside and
        reported.
        """
        return self._execution(execution_id, may_miss=True) if _is_name(execution_id) else None

    def execution_ids(self) -> Sequence[str]:
        """Return the ids of all records, readable or not, the greatest first: they rise with time."""
        folder = self._path(_INDEX).parent
        with _failures(folder):
            if not folder.is_dir():
                return ()
            status = folder.stat()
        stamp = (status.st_ino, status.st_mtime_ns)
        if stamp != self._listed[0]:
            names = (name.removesuffix(".json") for name in self.list("executions") if name.endswith(".json"))
            is_settled = status.st_mtime < time.time() - SETTLED_AFTER
            self._listed = (stamp if is_settled else (), tuple(sorted(filter(_is_name, names), reverse=True)))
        return self._listed[1]

    def executions(self) -> Sequence[Execution]:
        """Return all readable records, the newest first; unreadable files are set aside and reported. An unchanged file
        is not read again, since editors ask with every key that is pressed.
        """
        found = (self._execution(name) for name in self.execution_ids())
        return sorted(
            (execution for execution in found if execution is not None),
            key=lambda execution: (execution.started_at, execution.id),
            reverse=True,
        )

    def fingerprint(self) -> str:
        """Return a SHA-256 over all of `.planact/` that widens rights when trusted (its config), empty when there is
        none.
        """
        children = sorted(self._folder.iterdir()) if os.path.isdir(self._folder) else []
        lines = [line for child in children if child.name not in _WITHOUT_RIGHTS for line in _hashed(child, child.name)]
        return hashlib.sha256("\n".join(lines).encode("utf-8", "surrogateescape")).hexdigest() if lines else ""

    def _write_index(self, rows: Iterable[_Row]) -> None:
        newest_first = sorted(rows, key=lambda row: (row.timestamp, row.id), reverse=True)
        index = _Index(executions=tuple(newest_first), last_accessed=self._clock.now().isoformat(timespec="seconds"))
        self.write(_INDEX, index.model_dump_json(indent=2) + "\n")

    def _index(self) -> tuple[_Row, ...]:
        try:
            text = self.read(_INDEX)
            return _Index.model_validate_json(text).executions if text else ()
        except (StorageFailure, ValidationError) as error:  # it is about to be written anew
            cause = error.message if isinstance(error, StorageFailure) else error.errors()[0]["msg"]
            self._set_aside(self._path(_INDEX), cause)
            return ()

    def _rows(self, known: Mapping[str, _Row]) -> Mapping[str, _Row]:
        """Return the rows of the index, by id: those in `known`, and the others by their records."""
        rows: dict[str, _Row] = {}
        for execution_id in self.execution_ids()[:INDEXED]:
            row = known.get(execution_id)
            if row is None and (found := self._execution(execution_id)):
                row = _row(found)
            if row is not None:
                rows[execution_id] = row
        return rows

    def _execution(self, execution_id: str, *, may_miss: bool = False) -> Execution | None:
        relative = f"executions/{execution_id}.json"
        if unwritten := self._unwritten.get(execution_id):
            return Execution.model_validate_json(self._redact(unwritten.model_dump_json()))
        try:
            path = self._path(relative)
            state = _state(path)
            if may_miss and state is None and not os.path.lexists(path):
                return None
            known = self._parsed.get(execution_id)
            if known and known[0] == state:
                return known[1]
            text = self.read(relative)
            execution = Execution.model_validate_json(text or "")
        except ValidationError as error:
            self._set_aside(self._path(relative), error.errors()[0]["msg"])
        except StorageFailure as failure:
            self._set_aside(self._path(relative), failure.message)
        else:
            if execution.id == execution_id:
                if state:
                    self._parsed[execution_id] = (state, execution)
                return execution
            self._set_aside(self._path(relative), f"it says that it is {execution.id!r}")
        return None

    def _set_aside(self, path: Path, cause: str) -> None:
        kept = free_name(path.with_name(f"{path.name}{DAMAGED}{self._clock.now():%Y%m%dT%H%M%S%f}"))
        try:
            path.rename(kept)
        except OSError as error:
            self._report(f"{path} can't be read ({cause}) and couldn't be set aside: {error.strerror}")
        else:
            self._report(f"{path} can't be read ({cause}); it is kept as {kept.name}")

    def _path(self, relative: str) -> Path:
        parts = PurePosixPath(relative).parts
        path = self._folder.joinpath(*parts)
        if not parts or ".." in parts or PurePosixPath(relative).is_absolute() or "\\" in relative or "\0" in relative:
            raise _refused(path, "it lies outside the folder")
        if os.path.normcase(os.path.realpath(path.parent)) != os.path.normcase(path.parent):
            raise _refused(path, "a folder on the way is a link")
        return path

    def _make_folder(self, folder: Path) -> None:
        made = [folder, *folder.parents]
        for each in reversed(made[: made.index(self._folder) + 1]):  # a workspace that is gone isn't made again
            each.mkdir(exist_ok=True)
        ignore = self._folder / ".gitignore"
        if not os.path.lexists(ignore):
            # Beside it, it would stand for a moment among what widens rights, and the folder would be trusted no more.
            atomic.put(ignore, _IGNORED.encode(), None, made_in=folder)


def _state(path: Path) -> tuple[int, int, int] | None:
    """Return a value that differs when a regular file was written anew; None for other entries."""
    try:
        status = path.lstat()
    except OSError:
        return None
    return (status.st_ino, status.st_size, status.st_mtime_ns) if stat.S_ISREG(status.st_mode) else None


def _row(execution: Execution) -> _Row:
    return _Row(
        id=execution.id,
        plan_id=execution.plan_id,
        goal=execution.goal,
        status=execution.status,
        timestamp=execution.started_at,
        finished_at=execution.finished_at,
        file_path=f"{PLANACT_FOLDER}/executions/{execution.id}.json",
    )


def _is_name(execution_id: str) -> bool:
    return execution_id not in ("", "index") and not set(execution_id) & set("/\\\0")


def _checked_id(execution_id: str) -> str:
    if not _is_name(execution_id):
        raise _refused(Path(PLANACT_FOLDER) / "executions", f"{execution_id!r} can't be the name of a file")
    return execution_id


def _hashed(path: Path, name: str) -> Iterator[str]:
    """Yield lines that change whenever any entry at or below `path` does. Links count by their target and its content,
    and a name can't pass for the end of its line.
    """
    try:
        if path.is_symlink():
            yield f"link {name!r} {str(path.readlink())!r}"
        status = path.stat()
        if stat.S_ISDIR(status.st_mode) and not path.is_symlink():
            for child in sorted(path.iterdir()):
                yield from _hashed(child, f"{name}/{child.name}")
        elif stat.S_ISREG(status.st_mode) and status.st_size <= _HASH_LIMIT:
            yield f"file {name!r} {hashlib.sha256(path.read_bytes()).hexdigest()}"
        else:  # no settings are read from such entries, so their `stat` will do
            yield f"other {name!r} {status.st_mode} {status.st_size} {status.st_mtime_ns} {status.st_ino}"
    except OSError as error:
        yield f"unreadable {name!r} {error.errno}"


@contextlib.contextmanager
def _failures(path: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise StorageFailure(
            "STORAGE_UNWRITABLE",
            f"planact can't use {path}: {error.strerror or error}",
            "Free space or correct the permissions",
        ) from error


def _refused(path: Path, cause: str) -> StorageFailure:
    return StorageFailure(
        "STORAGE_UNWRITABLE",
        f"planact doesn't use {path}: {cause}",
        f"Links could lead anywhere: replace it by a plain folder or file, or remove {PLANACT_FOLDER}",
    )


def _damaged(path: Path, cause: str) -> StorageFailure:
    return StorageFailure("STORAGE_DAMAGED", f"planact can't read {path}: {cause}", "Restore it or move it away")
