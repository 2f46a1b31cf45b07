"""The state that planact keeps of workspace folders outside of them: opening, checking, cleaning up and deleting it."""

import logging
import os
from collections.abc import Callable, Sequence
from pathlib import Path

from planact.adapters.store.recovery import storage_usage
from planact.adapters.store.recovery.housekeeping import keep_house
from planact.adapters.store.state.database import Database, state_folder
from planact.adapters.store.state.records import WorkspaceRecords
from planact.adapters.store.state.typed import TypedTexts
from planact.app.secrets import Secrets
from planact.base.errors import StorageFailure
from planact.base.sources import Clock
from planact.model.settings import HistorySettings

log = logging.getLogger(__name__)

# All that planact keeps outside of workspaces: where it is, how much there is, and deleting it.
state_home, state_of_all, remove_state = storage_usage.home, storage_usage.list_storage, storage_usage.remove


def report_problem(text: str) -> None:
    """Log a problem with planact's own files."""
    log.warning("%s", text)


class FolderStates:
    """The states of all folders of one process.

    Args:
        clock: the time for records.
        secrets: the secrets that are left out of records.
        idle_check: returns, for a folder, a function that says if no work runs there; it may raise StorageFailure.

    Attributes:
        on_damage: called, in any thread, with the failure when a damaged database was set aside.
    """

    def __init__(self, clock: Clock, secrets: Secrets, idle_check: Callable[[Path], Callable[[], bool]]) -> None:
        self._clock = clock
        self._secrets = secrets
        self._idle_check = idle_check
        self._open: list[Database] = []
        self.on_damage: Callable[[StorageFailure], object] = lambda _: None

    def folder(self, root: Path) -> Path:
        """Return planact's own folder for a workspace folder, outside of it; it may not exist yet."""
        return state_folder(root)

    def database(self, root: Path) -> Database:
        """Return a connection to the state database of a folder; the caller closes it."""
        return Database(
            *(state_folder(root), self._clock, self._secrets.redact_data),
            workspace=root,
            on_damage=lambda failure: self.on_damage(failure),
        )

    def keep_open(self, database: Database) -> None:
        """Keep a database open until `settle`."""
        self._open.append(database)

    def records(self, root: Path) -> WorkspaceRecords:
        """Return the records inside a folder."""
        return WorkspaceRecords(root, self._clock, self._secrets.redact, report_problem)

    def typed(self, root: Path) -> TypedTexts:
        """Return the texts that the user typed in conversations in a folder."""
        return TypedTexts(state_folder(root) / "typed.jsonl", self._secrets.redact)

    def check(self, root: Path, *, is_whole: bool = True) -> tuple[Sequence[Path], int]:
        """Check the state database of a folder as `Database.check` does. Return the damaged ones that were set aside
        before, and the bytes of the database if a part of it was left out.

        Raises:
            StorageFailure: the database can't be read; STORAGE_DAMAGED once, when it is set aside.
        """
        database = self.database(root)
        left_out = database.check(is_whole=is_whole)
        database.close()
        return database.set_aside(), left_out

    def clean_up(self, root: Path, history: HistorySettings) -> Sequence[str]:
        """Remove stored texts of a folder that no undo or comparison can ask for any more, and those beyond the limits
        of `history`, while no work runs there (`adapters.store.recovery.housekeeping`). For a thread; never raises.
        Returns what it did, for people.
        """
        root = Path(os.path.realpath(root))
        database = self.database(root)
        try:
            return [*keep_house(database, self._clock, self._idle_check(root), history).lines()]
        except StorageFailure as failure:
            report_problem(failure.message)
            return ()
        finally:
            database.close()

    def checkpoint(self) -> None:
        """Bring the state of all folders into its final form on disk; what still works there may go on."""
        for database in self._open:
            database.checkpoint_and_close()
