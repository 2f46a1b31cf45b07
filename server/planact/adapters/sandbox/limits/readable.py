"""Folders outside a workspace that may be read without a question, and the folder that a rule for more would name."""

import os
from collections.abc import Callable, Collection, Mapping, Sequence
from functools import cache, lru_cache
from pathlib import Path

from planact.adapters.sandbox.limits.sources import dependency_sources, usable_folders
from planact.base.errors import StorageFailure
from planact.model.rights.rule import AllowedReading, Rule


class FoundReadableFolders:
    """`ports.ReadableFolders` of the workspace folder `root`: those of the user's settings (`named`), the sources of
    dependencies, and those of the user's rules. `environment` and `home` are the user's.
    """

    def __init__(
        self,
        environment: Mapping[str, str],
        home: Path,
        root: Path,
        named: Sequence[str],
        rules: Callable[[], Sequence[Rule]],
    ) -> None:
        self._home, self._root, self._rules = home, root, rules
        self._fixed = cache(lambda: self._usable([root / at_home(path, home) for path in named]))
        self._sources = cache(lambda: dependency_sources(environment, home, root))
        self._allowed = lru_cache(1)(lambda folders: self._usable([Path(folder) for folder in folders]))
        self.home = os.path.realpath(home)

    def now(self) -> tuple[Path, ...]:
        """Return the readable folders. Where the rules can't be read, none counts: callers that need them get the
        reason.
        """
        try:
            folders = tuple(rule.allows.folder for rule in self._rules() if isinstance(rule.allows, AllowedReading))
        except StorageFailure:
            folders = ()
        return tuple(dict.fromkeys((*self._fixed(), *self._sources(), *self._allowed(folders))))

    def sources(self) -> tuple[Path, ...]:
        """Return the folders of dependencies."""
        return self._sources()

    def around(self, path: str, never: Collection[str]) -> str:
        try:
            real = Path(os.path.realpath(path))
        except OSError:  # a link that this user can't read, such as `/proc/1/root`
            return ""
        own = real if os.path.isdir(real) else real.parent
        above = (folder for folder in (own, *own.parents) if os.path.exists(folder / ".git"))
        for folder in (*above, own):
            is_deep = len(folder.parts) > 2 and not any(os.path.exists(folder / name) for name in never)
            if is_deep and self._usable([folder]):
                return str(folder)
        return ""

    def _usable(self, folders: Collection[Path]) -> tuple[Path, ...]:
        return usable_folders(folders, self._home, self._root)


def at_home(path: str, home: Path) -> Path:
    """Return `path` with `~/` at its beginning replaced by the home."""
    return home / path[2:] if path[:2] == "~/" else Path(path)
