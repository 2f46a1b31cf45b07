"""The settings of a folder, from all their sources."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from planact.adapters.store.config import (
    editor_layer,
    read_environment,
    read_repository,
    read_user,
    repository_config_path,
    user_config_path,
)
from planact.adapters.store.state.approvals import SqliteApprovals, unless_unreadable
from planact.app.state import FolderStates
from planact.model.layer import Layer, SettingProblem
from planact.policy.merge_settings import MergedSettings, merge


class SettingSources:
    """The sources that one process merges settings from.

    Attributes:
        editor: the editor's settings; new ones count from the next use of a workspace that is idle.
        is_restricted: the user's editor says that they don't trust the folders.
    """

    def __init__(
        self, environment: Mapping[str, str], home: Path, flags: Mapping[str, Any], states: FolderStates
    ) -> None:
        self._environment = environment
        self._home = home
        self._flags = Layer("flags", "the command line", flags)
        self._states = states
        self.editor: Mapping[str, Any] = {}
        self.is_restricted = False

    def of(self, root: Path) -> MergedSettings:
        """Merge the settings of all sources for a folder. The trust in the repository's own is checked before and after
        reading them, so that a change in between isn't trusted.
        """
        records, database = self._states.records(root), self._states.database(root)
        trusted = unless_unreadable(SqliteApprovals(database).trusted, "")
        before = records.fingerprint()
        is_trusted = bool(before) and before == trusted and not self.is_restricted
        repository = read_repository(root, is_trusted=is_trusted)
        if records.fingerprint() != before:
            repository = read_repository(root, is_trusted=False)
        database.close()
        user = read_user(self._environment, self._home)
        return merge((self._flags, read_environment(self._environment), editor_layer(self.editor), repository, user))

    def problems(self, root: Path) -> Sequence[SettingProblem]:
        """Return the problems in the settings of a folder."""
        return self.of(root).problems

    def user_folder(self) -> Path:
        """Return the folder of the user's own settings; it may not exist."""
        return user_config_path(self._environment, self._home).parent

    def files(self, root: Path) -> tuple[Path, Path]:
        """Return the paths of the user's and the folder's own settings; they may not exist."""
        return user_config_path(self._environment, self._home), repository_config_path(root)
