"""Read the tree of a folder by names alone, to tell beforehand whether a command on trial can be covered."""

import os
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import contextmanager, suppress

from planact.adapters.store.git.folder_entries import seen_entry
from planact.adapters.store.git.tree import TrackedFiles, Tree, Walk


def read_rough_tree(
    root: str, tracked: TrackedFiles, ignored_among: Callable[[Sequence[str]], Collection[str]]
) -> Tree:
    """Return the tree of `read_tree` without tracked files, which are taken for clean and not looked at. Raises
    as `read_tree`.
    """
    walk = _RoughWalk(root, tracked, ignored_among, None)
    walk.enter([("", "")])
    return walk.finish()


class _RoughWalk(Walk):
    @contextmanager
    def listed(self, folder: str) -> Iterator[list["os.DirEntry[str]"]]:
        path = os.path.join(self.root, folder, "")  # noqa: PTH118 (a string, for speed)
        files, base = self.tracked.index.files, path[len(self.root) :]
        found: list[os.DirEntry[str]] = []
        for name in [name for name in os.listdir(path) if base + name not in files]:  # noqa: PTH208 (speed)
            with suppress(OSError):  # it is gone meanwhile
                found.append(seen_entry(path, name))
        yield found
