"""The state of a path before and after a change, for undo."""

from typing import Literal

from planact.base.frozen_model import FrozenModel

LARGEST_UNDONE = 64_000_000
"""Bytes of a file that undo removes or puts back."""


class FileState(FrozenModel):
    """The state of a path. A file has the SHA-256 (hex) of its bytes, and its permission bits where they are known, a
    folder these alone, a link the SHA-256 of the path in it; `other` is a device, or a file too large to store.
    """

    kind: Literal["nothing", "file", "link", "directory", "other"]
    sha256: str = ""
    mode: int | None = None


NOTHING = FileState(kind="nothing")
DIRECTORY = FileState(kind="directory")
OTHER = FileState(kind="other")


class Touch(FrozenModel):
    """A path, relative to the workspace folder, that is about to change or was found changed.

    `before` None = its state isn't known, so that the change can't be undone. `is_hard_link` = the path became a
    further name of another file, so that what is written there shows under that name, too. `left` tells which file
    (`Files.identity`) was left where its content can't be told; empty = that isn't certain.
    """

    path: str
    before: FileState | None
    after: FileState
    is_hard_link: bool = False
    left: str = ""

    @property
    def is_covered(self) -> bool:
        """The state before can be restored, and a later change can be told from the one left behind."""
        return self.before is not None and "other" not in (self.before.kind, self.after.kind)

    def is_made(self, now: FileState) -> bool:
        """The change is visible in the state `now`; a change without effect never is."""
        return self.is_change and (now.kind, now.sha256) == (self.after.kind, self.after.sha256)

    @property
    def is_change(self) -> bool:
        """More than permission bits differ afterwards."""
        after = (self.after.kind, self.after.sha256)
        return self.before is None or (self.before.kind, self.before.sha256) != after
