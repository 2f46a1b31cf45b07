"""planact's storage outside of workspaces, folder by folder: its size, and its removal.

Sizes come from the files that exist, not from those that this version makes, so that files of other versions count.
"""

import contextlib
import json
import shutil
import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from planact.adapters.store.disk.atomic import read_regular
from planact.adapters.store.disk.lock import FileLock, unwritable
from planact.adapters.store.state.database import DAMAGED, WORKSPACE, state_folder
from planact.base.errors import Conflict
from planact.model.runs.storage_usage import StorageUsage

_KINDS = {
    "messages": "conversations",
    "sessions": "conversations",
    "journal": "journal",
    "images": "texts for undo",
    "events": "events",
    "questions": "questions",
    "revisions": "versions of plans",
    "approvals": "versions of plans",
    "outputs": "outputs of commands",
}
_DATABASE = ("state.db", "state.db-wal", "state.db-shm")
_NAMES = "symbols.db"
_LOCK = "run.lock"
_LARGEST = 10_000_000


def home() -> Path:
    """Return the folder that holds those of all workspaces."""
    return state_folder(Path.cwd()).parent


def list_storage() -> Sequence[StorageUsage]:
    """Return the storage of each workspace, the largest first."""
    folders = [path for path in home().iterdir() if path.is_dir() and not path.is_symlink()] if home().is_dir() else []
    return sorted(map(_usage_of, folders), key=lambda holding: (-holding.bytes, str(holding.folder)))


def remove(held: Sequence[StorageUsage]) -> None:
    """Delete the storage with the files derived from it in the workspaces; delete no file while a run or a session
    works there.

    Raises:
        Conflict: BUSY, naming the work.
        StorageFailure: STORAGE_UNWRITABLE.
    """
    folders = [holding.folder for holding in held]
    with _no_new_work(folders):
        for path in [path for holding in held for path in derived(holding.workspace)]:
            _delete(path)
        # The lock files go last: a process that came in between would hold a lock that no other process sees.
        for path in [path for folder in folders for path in folder.iterdir()]:
            if path.name != "sessions" and not path.name.startswith(_LOCK):
                _delete(path)
        for folder in folders:
            _delete(folder)


def derived(workspace: str) -> Iterator[Path]:
    """Yield files below `.planact/` of a workspace that planact makes of its state: transcripts, records, JSON
    forms.
    """
    folder = Path(workspace, ".planact")
    if not workspace or folder.resolve() != folder:
        return
    for name in ("sessions", "executions", "plans"):
        within = folder / name
        for path in sorted(within.iterdir()) if within.is_dir() and not within.is_symlink() else ():
            is_derived = path.suffix == ".json" and _is_form(path) if name == "plans" else _is_record(path)
            if is_derived and path.is_file() and not path.is_symlink():
                yield path


def _is_record(path: Path) -> bool:
    return path.suffix in (".chat", ".json") or DAMAGED in path.name


def _is_form(path: Path) -> bool:
    """Return True for a plan as JSON or the index of plans: people may keep other files there."""
    try:
        data = json.loads(read_regular(path, _LARGEST))
    except (OSError, ValueError, RecursionError):
        return False
    return isinstance(data, dict) and (data.get("type") == "plan" or data.keys() == {"plans"})


def is_at_work(folder: Path) -> bool:
    """Return True if a run or a session of any process works with the state in `folder`. Raises StorageFailure."""
    return any(FileLock(path, str).holder() for path in _locks(folder))


def _locks(folder: Path) -> Sequence[Path]:
    return (folder / _LOCK, *sorted((folder / "sessions").glob("*.lock")))


@contextlib.contextmanager
def _no_new_work(folders: Sequence[Path]) -> Iterator[None]:
    """Keep runs and sessions from beginning there meanwhile."""
    with contextlib.ExitStack() as stack:
        busy = []
        for folder in folders:
            for path in _locks(folder):
                lock = FileLock(path, str)
                stack.callback(lock.release)
                if holder := lock.acquire("deleting planact's state"):
                    busy.append(f"{_workspace(folder) or folder.name}: {holder}")
        if busy:
            message = f"planact works in {'; '.join(busy)}"
            raise Conflict("BUSY", message, "Wait for it, or stop it; nothing was deleted")
        yield


def _delete(path: Path) -> None:
    try:
        shutil.rmtree(path) if path.is_dir() and not path.is_symlink() else path.unlink(missing_ok=True)
    except OSError as error:
        raise unwritable(path, error.strerror or str(error)) from error


def _usage_of(folder: Path) -> StorageUsage:
    sizes = {path.name: path.lstat().st_size for path in folder.rglob("*") if not path.is_dir()}
    kinds = dict(_rows(folder / "state.db"))
    database = sum(sizes.get(name, 0) for name in _DATABASE)
    damaged = sum(size for name, size in sizes.items() if DAMAGED in name)
    kinds["indexes and free space"] = max(0, database - sum(kinds.values()))
    kinds["damaged, set aside"] = damaged
    kinds["index of names in code"] = names = sum(size for name, size in sizes.items() if name.startswith(_NAMES))
    kinds["other files"] = sum(sizes.values()) - database - damaged - names
    return StorageUsage(
        folder, _workspace(folder), sum(kinds.values()), {kind: size for kind, size in kinds.items() if size}
    )


def _rows(path: Path) -> Mapping[str, int]:
    """Return the bytes of the tables' content, by kind; empty for a database that can't be read."""
    found: dict[str, int] = {}
    with (
        contextlib.suppress(sqlite3.Error),
        contextlib.closing(sqlite3.connect(f"{path.as_uri()}?mode=ro", uri=True, timeout=1.0)) as connection,
    ):
        for table, kind in _KINDS.items():
            column = "text" if table in ("revisions", "approvals") else "data"
            asked = f"SELECT coalesce(sum(length(CAST({column} AS BLOB))), 0) FROM {table}"  # noqa: S608 - ours
            ((size,),) = connection.execute(asked)
            found[kind] = found.get(kind, 0) + size
    return found


def _workspace(folder: Path) -> str:
    try:
        return (folder / WORKSPACE).read_text("utf-8", "surrogateescape").strip("\n")
    except OSError:
        return ""
