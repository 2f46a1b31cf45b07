"""The source files that a search for a name may look into: each is looked at only where that is needed."""

import time
from collections.abc import Collection, Iterable, Iterator, Mapping
from itertools import islice
from os import stat_result

from planact.adapters.store.disk.walk import ListedFile, ListedFolder
from planact.adapters.store.symbols.kept_outlines import OutlinedFile
from planact.adapters.store.symbols.languages import language_of
from planact.adapters.store.symbols.outline import LARGEST_SOURCE
from planact.adapters.store.symbols.readers import Task

_SETTLED_AFTER_NS = 2_000_000_000


class SourceFiles:
    """The source files of one search, up to `most`, and parted unless they are `unsaved` in the editor by whether the
    outline that is `known` is up to date. They are added by `to_search`.

    Attributes:
        languages: by path.
        stamps: of those that were looked at and aren't too large.
        fresh: those with an outline that is up to date.
        stale: those whose outline isn't.
        new: those without one.
    """

    def __init__(self, known: Mapping[str, OutlinedFile], unsaved: Collection[str], most: int) -> None:
        self.languages: dict[str, str] = {}
        self.stamps: dict[str, str] = {}
        self.fresh: list[str] = []
        self.stale: list[str] = []
        self.new: list[str] = []
        self._known = known
        self._unsaved = unsaved
        self._most = most
        self._large: set[str] = set()
        self._too_many = 0
        self._folders: dict[str, ListedFolder] = {}
        self._files: dict[str, ListedFile] = {}

    @property
    def left_out(self) -> int:
        """The number of files that are too large, as far as they were looked at, and of those that are too many."""
        return self._too_many + len(self._large)

    def to_search(self, listed: Iterable[ListedFile | ListedFolder]) -> Iterator[str | ListedFolder]:
        """Add the source files of what is listed, and yield where those are sought that are stale or new: by folder,
        where their folder was listed whole.
        """
        for one in listed:
            if isinstance(one, ListedFile):
                self._files[one.path] = one
                if self._add("", (one.path,)):
                    yield from self.examine((one.path,))
            else:
                self._folders[one.path] = one
                if self._add(f"{one.path}/" if one.path else "", one.names):
                    yield one

    def _add(self, base: str, names: Iterable[str]) -> bool:
        """Add files, and return whether one of them is stale or new."""
        found = {base + name: language for name in names if (language := language_of(name)) is not None}
        room = self._most - len(self.languages)
        if len(found) > room:
            self._too_many += len(found) - room
            found = dict(islice(found.items(), room))
        self.languages.update(found)
        new = [path for path in found if path not in self._known and path not in self._unsaved]
        self.new += new
        if len(new) == len(found):
            return bool(new)
        stale: list[str] = []
        for path in self.examine(path for path in found if path in self._known and path not in self._unsaved):
            stamp = self.stamps[path]
            (self.fresh if stamp and self._known[path].stamp == stamp else stale).append(path)
        self.stale += stale
        return bool(new or stale)

    def examine(self, paths: Iterable[str]) -> list[str]:
        """Look at files before they are read, and return those to read."""
        now = time.time_ns()
        found: list[str] = []
        for path in paths:
            if path not in self.stamps:
                status = self._status(path)
                if status is not None and status.st_size > LARGEST_SOURCE:
                    self._large.add(path)
                if status is None or path in self._large:
                    continue
                self.stamps[path] = _stamp(status, now)
            found.append(path)
        return found

    def _status(self, path: str) -> stat_result | None:
        if path in self._files:
            return self._files[path].status()
        folder = path.rpartition("/")[0]
        return ListedFile(path, self._folders[folder].root).status()

    def tasks(self, paths: Iterable[str]) -> list[Task]:
        known = self._known
        return [Task(path, self.languages[path], known[path].sha256 if path in known else "") for path in paths]


def _stamp(status: stat_result, now: int) -> str:
    """Return a value that changes whenever the file does; empty for a file written just now, whose changes can't be
    seen.
    """
    if max(status.st_mtime_ns, status.st_ctime_ns) > now - _SETTLED_AFTER_NS:
        return ""
    return f"{status.st_ino}:{status.st_size}:{status.st_mtime_ns}:{status.st_ctime_ns}"
