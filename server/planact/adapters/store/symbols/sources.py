"""The source files that a search for a name may look into: each is looked at only where that is needed."""

import time
from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import islice
from os import stat_result

from planact.adapters.store.disk.walk import ListedFile, ListedFolder
from planact.adapters.store.symbols.kept_outlines import OutlinedFile
from planact.adapters.store.symbols.languages import language_of
from planact.adapters.store.symbols.outline import LARGEST_SOURCE
from planact.adapters.store.symbols.readers import Task

_SETTLED_AFTER_NS = 2_000_000_000


class SourceFiles:
    """The source files of one search, up to `most` of those that were `listed`.

    Attributes:
        languages: by path.
        stamps: of those that were looked at and aren't too large.
        left_out: the number of those that are, and of those that are too many.
    """

    def __init__(self, listed: Iterable[ListedFile | ListedFolder], most: int) -> None:
        self.languages: dict[str, str] = {}
        self.stamps: dict[str, str] = {}
        self.left_out = 0
        self._folders: dict[str, ListedFolder] = {}
        self._files: dict[str, ListedFile] = {}
        for one in listed:
            if isinstance(one, ListedFile):
                self._files[one.path] = one
                self._add("", (one.path,), most)
            else:
                self._folders[one.path] = one
                self._add(f"{one.path}/" if one.path else "", one.entries, most)

    def _add(self, base: str, names: Iterable[str], most: int) -> None:
        found = {base + name: language for name in names if (language := language_of(name)) is not None}
        room = most - len(self.languages)
        self.left_out += max(0, len(found) - room)
        self.languages.update(found if len(found) <= room else islice(found.items(), room))

    def look(self, paths: Iterable[str]) -> list[str]:
        """Look at files before they are read, and return those to read."""
        now = time.time_ns()
        found: list[str] = []
        for path in paths:
            if path not in self.stamps:
                status = self._status(path)
                if status is None or status.st_size > LARGEST_SOURCE:
                    self.left_out += status is not None
                    continue
                self.stamps[path] = _stamp(status, now)
            found.append(path)
        return found

    def _status(self, path: str) -> stat_result | None:
        if path in self._files:
            return self._files[path].status()
        folder, _, name = path.rpartition("/")
        return ListedFile(path, self._folders[folder].entries[name]).status()

    def compare(
        self, known: Mapping[str, OutlinedFile], unsaved: Collection[str]
    ) -> tuple[Sequence[str], Sequence[str], Sequence[str]]:
        """Part those that aren't `unsaved` in the editor by whether the outline that is kept is up to date, isn't, or
        there is none.
        """
        fresh: list[str] = []
        stale: list[str] = []
        for path in self.look(path for path in self.languages if path in known and path not in unsaved):
            stamp = self.stamps[path]
            (fresh if stamp and known[path].stamp == stamp else stale).append(path)
        return fresh, stale, [path for path in self.languages if path not in known and path not in unsaved]

    def to_search(self, paths: Collection[str]) -> list[str | ListedFolder]:
        """Return where these files are to be sought: by folder, where their folders were listed whole."""
        files = self.look(path for path in self._files if path in paths)
        return [*files, *(one for one in self._folders.values() if any(file.path in paths for file in one.files()))]

    def tasks(self, paths: Iterable[str], known: Mapping[str, OutlinedFile]) -> list[Task]:
        return [Task(path, self.languages[path], known[path].sha256 if path in known else "") for path in paths]


def _stamp(status: stat_result, now: int) -> str:
    """Return a value that changes whenever the file does; empty for a file written just now, whose changes can't be
    seen.
    """
    if max(status.st_mtime_ns, status.st_ctime_ns) > now - _SETTLED_AFTER_NS:
        return ""
    return f"{status.st_ino}:{status.st_size}:{status.st_mtime_ns}:{status.st_ctime_ns}"
