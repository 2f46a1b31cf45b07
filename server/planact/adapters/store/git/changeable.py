"""Part what a command on trial may change from what must not change, since it couldn't be put back."""

import os
import stat
from collections import Counter
from collections.abc import Collection, Mapping
from itertools import chain
from pathlib import PurePosixPath

from planact.adapters.store.git.file_states import Budget
from planact.adapters.store.git.outputs import is_output
from planact.adapters.store.git.tree import MOST_UNTRACKED, TrackedFiles, Tree
from planact.model.rights.credentials import is_credential_name
from planact.model.rights.files_beside import database_of

MOST_UNCHANGEABLE = 200
"""Paths that are held back from one command, since each costs the jail a mount; with more, it isn't tried."""

_MOST_IN_FOLDER = 20
"""Such paths in a folder without tracked files; with more, it is held back as a whole where all are too many."""


class NotCovered(Exception):
    """A folder can't be covered: too much is in it, or git doesn't tell what it ignores."""


def part_changeable(
    tree: Tree, tracked: TrackedFiles, named: Collection[str], largest: int
) -> tuple[Mapping[str, os.stat_result], set[str]]:
    """Part what may change from what may not."""
    held = {
        path
        for path, is_folder in tree.ignored.items()
        if (is_folder or path not in named)  # what is in a folder isn't kept
        and (_holds_credentials(path) or not is_output(path, is_folder=is_folder, sources=tracked.sources))
    }
    held |= tree.closed
    held |= tracked.large & tree.clean.keys()
    # A program that has the database open would go on with files that were put back behind its back.
    held |= {path for path in tree.files if database_of(path) in held}
    budget = Budget(files=MOST_UNTRACKED)
    changeable: dict[str, os.stat_result] = {}
    for path, status in sorted(tree.files.items(), key=lambda item: (item[1].st_size, item[0])):
        is_kept = stat.S_ISREG(status.st_mode) and status.st_size <= largest and not _holds_credentials(path)
        if path in held:
            continue
        if stat.S_ISLNK(status.st_mode) or (is_kept and budget.takes(status.st_size)):
            changeable[path] = status
        else:
            held.add(path)
    return changeable, held | _shared_with_others(tree, held)


def _holds_credentials(path: str) -> bool:
    return is_credential_name(path.rpartition("/")[2])


def _shared_with_others(tree: Tree, held: Collection[str]) -> set[str]:
    """Return the files with a further name (a hard link) that is held, or that the walk didn't see: what is written to
    them shows there too.
    """
    names: dict[tuple[int, int], list[str]] = {}
    counts: dict[tuple[int, int], int] = {}
    for path, status in chain(tree.files.items(), tree.shared.items()):
        if status.st_nlink > 1:
            identity = (status.st_dev, status.st_ino)
            names.setdefault(identity, []).append(path)
            counts[identity] = status.st_nlink
    return {
        path
        for identity, paths in names.items()
        if len(paths) < counts[identity] or not {*paths}.isdisjoint(held)
        for path in paths
    }


def of_others(root: str, files: Mapping[str, os.stat_result]) -> set[str]:
    """Return the files that another user alone may write, and this one only replace: whose they were couldn't be put
    back. Nothing binds root. `root` ends with a separator.
    """
    if not hasattr(os, "geteuid") or os.geteuid() == 0:
        return set()
    theirs = [path for path, status in files.items() if status.st_uid != os.geteuid() and stat.S_ISREG(status.st_mode)]
    theirs = [path for path in theirs if not os.access(root + path, os.W_OK)]
    return {path for path in theirs if os.access(root + path.rpartition("/")[0], os.W_OK)}


def gather_held(held: Collection[str], tracked: TrackedFiles) -> frozenset[str]:
    """Return entries to hold back, without those below others; where they are too many, whole folders in place of many
    in one. Raises NotCovered where these are too many still.
    """
    found = _outermost(held)
    while len(found) > MOST_UNCHANGEABLE:
        counts = Counter(path.rpartition("/")[0] for path in found)
        crowded = {folder for folder, count in counts.items() if count > _MOST_IN_FOLDER} - tracked.folders - {""}
        if not crowded:
            raise NotCovered
        found = _outermost(found | crowded)
    return found


def _outermost(paths: Collection[str]) -> frozenset[str]:
    every = frozenset(paths)
    return frozenset(path for path in every if not any(str(above) in every for above in PurePosixPath(path).parents))
