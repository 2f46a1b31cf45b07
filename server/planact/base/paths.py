"""Paths as data. Resolving one needs a disk, so `ports.Files.resolve` does that."""

import os
from dataclasses import dataclass
from pathlib import PurePath, PurePosixPath


@dataclass(frozen=True, slots=True)
class Place:
    """A path as the caller wrote it, and its target once links and `..` are followed.

    Attributes:
        asked: the path as given.
        real: absolute, with every symbolic link and `..` resolved, also where the file itself doesn't exist.
        relative: `real` relative to the workspace folder, with forward slashes; None when it lies outside.
        exists: `real` exists.
        is_directory: `real` is a directory.
        is_link: `real` is itself a symbolic link, which is what the caller means, not its target.
        is_shared: `real` is a file with further names (hard links), under which a change would show too.
    """

    asked: str
    real: PurePath
    relative: PurePosixPath | None
    exists: bool = False
    is_directory: bool = False
    is_shared: bool = False
    is_link: bool = False

    @property
    def shown(self) -> str:
        """The path for people and models: relative inside the workspace, absolute outside."""
        return str(self.relative) if self.relative is not None else str(self.real)


def path_below(folder: str, path: str) -> str | None:
    """Return a real path relative to a real folder, with `/` and empty for the folder itself; None for one outside.
    `Path.relative_to` takes ten times as long.
    """
    if os.path.normcase(path) == os.path.normcase(folder):
        return ""
    above = os.path.join(folder, "")  # noqa: PTH118 (speed)
    is_below = os.path.normcase(path).startswith(os.path.normcase(above))
    return path[len(above) :].replace(os.sep, "/") if is_below else None
