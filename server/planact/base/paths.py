"""Where a path really leads, as data. Looking it up needs a disk, so `ports.Files.resolve` does that."""

from dataclasses import dataclass
from pathlib import PurePath, PurePosixPath


@dataclass(frozen=True, slots=True)
class Place:
    """A path as somebody wrote it, and where it leads once links and `..` are followed.

    Attributes:
        asked: the path as given.
        real: absolute, with every symbolic link and `..` resolved, also where the file itself doesn't exist.
        relative: `real` relative to the workspace folder, with forward slashes; None when it lies outside.
        exists: whether there is something at `real`.
        is_directory: whether that is a directory.
        is_shared: whether it is a file with further names (hard links), under which a change would show too.
    """

    asked: str
    real: PurePath
    relative: PurePosixPath | None
    exists: bool = False
    is_directory: bool = False
    is_shared: bool = False

    @property
    def shown(self) -> str:
        """How people and models see it: relative inside the workspace, absolute outside."""
        return str(self.relative) if self.relative is not None else str(self.real)
