"""A watcher of single files through their folders, by watchdog, which this module alone imports, and only at its first
use.

A deleted folder takes its watch along: the next call of `watch` sets it up again where the folder is by then.
"""

import logging
import os
from collections.abc import Collection, Mapping
from pathlib import Path
from typing import Any

from planact.ports import Told

log = logging.getLogger(__name__)

MAX_FOLDERS = 64
"""Each takes a thread."""

MANY = 4_000
"""After so many events the system may have dropped some, so that all files count as touched."""

_Identity = tuple[int, int]


class FolderWatcher:
    """`ports.workspace.Watcher`. Its thread starts with the first watched file."""

    def __init__(self, told: Told) -> None:
        self._told = told
        self._observer: Any = None
        self._watches: dict[Path, tuple[_Identity, Any]] = {}
        self._touches: Mapping[str, frozenset[Path]] = {}
        self._files: frozenset[Path] = frozenset()
        self._count = 0
        self._gone: set[Path] = set()

    def watch(self, files: Collection[Path]) -> Mapping[Path, str]:
        self._files = frozenset(files)
        self._touches = _touches(files)
        folders: dict[Path, set[Path]] = {}
        for file in files:
            folders.setdefault(_existing(file.parent), set()).add(file)
        chosen = sorted(folders, key=lambda folder: (-len(folders[folder]), folder))
        left_out = {file: "too many folders" for folder in chosen[MAX_FOLDERS:] for file in folders[folder]}
        wanted = {folder: _identity(folder) for folder in chosen[:MAX_FOLDERS]}
        for folder, (identity, _) in tuple(self._watches.items()):
            if wanted.get(folder) != identity or folder in self._gone:
                self._forget(folder)
        for folder in wanted.keys() - self._watches.keys():
            if problem := self._schedule(folder, wanted[folder]):
                left_out |= dict.fromkeys(folders[folder], problem)
        return left_out

    def close(self) -> None:
        observer, self._observer = self._observer, None
        self._watches.clear()
        if observer is not None:
            observer.stop()

    def dispatch(self, event: Any) -> None:
        """Handle an event of watchdog, in watchdog's thread."""
        self._count += 1
        if self._count >= MANY:
            self._count = 0
            self._told(self._files)
            return
        # That something in a folder changed is told of the folder, too.
        if event.is_directory and event.event_type == "modified":
            return
        if event.is_directory and event.event_type in ("deleted", "moved"):
            self._gone.add(Path(os.fsdecode(event.src_path)))  # its number may be given to the next one
        paths = {os.fsdecode(path) for path in (event.src_path, event.dest_path) if path}
        touched = frozenset[Path]().union(*(self._touches.get(path, ()) for path in paths))
        if touched:
            self._told(touched)

    def _schedule(self, folder: Path, identity: _Identity) -> str:
        """Begin to watch a folder; return the trouble, or empty."""
        from watchdog import events
        from watchdog.observers import Observer

        if self._observer is None:
            self._observer = Observer()
            self._observer.daemon = True
            self._observer.start()
        kinds = [
            *(events.FileCreatedEvent, events.FileModifiedEvent, events.FileDeletedEvent, events.FileMovedEvent),
            *(events.DirCreatedEvent, events.DirDeletedEvent, events.DirMovedEvent),
        ]
        try:
            watch = self._observer.schedule(self, str(folder), recursive=False, event_filter=kinds)
        except OSError as error:  # it is gone again, or the system's limit is reached
            return error.strerror or str(error)
        self._watches[folder] = (identity, watch)
        return ""

    def _forget(self, folder: Path) -> None:
        self._gone.discard(folder)
        _, watch = self._watches.pop(folder)
        try:
            self._observer.unschedule(watch)
        except (KeyError, OSError) as error:
            log.debug("%s was not watched any more: %s", folder, error)


def _touches(files: Collection[Path]) -> Mapping[str, frozenset[Path]]:
    """Return the watched files that an event at a path concerns: that file, or those below a folder that came, went or
    moved.
    """
    found: dict[str, set[Path]] = {}
    for file in files:
        for path in (file, *file.parents):
            found.setdefault(str(path), set()).add(file)
    return {path: frozenset(below) for path, below in found.items()}


def _existing(folder: Path) -> Path:
    return next((path for path in (folder, *folder.parents) if os.path.isdir(path)), folder)


def _identity(folder: Path) -> _Identity:
    try:
        status = folder.stat()
    except OSError:
        return (0, 0)
    return status.st_dev, status.st_ino
