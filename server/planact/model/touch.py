"""What became of a path, as undo needs to know it: the state before and the state after."""

from typing import Literal

from pydantic import BaseModel, ConfigDict


class _Data(BaseModel):
    model_config = ConfigDict(frozen=True, defer_build=True)


class FileState(_Data):
    """What is at a path. A file has the SHA-256 (hex) of its bytes, and its permission bits where they are known;
    `other` is a link, a device, or what is too large.
    """

    kind: Literal["nothing", "file", "directory", "other"]
    sha256: str = ""
    mode: int | None = None


NOTHING = FileState(kind="nothing")
DIRECTORY = FileState(kind="directory")
OTHER = FileState(kind="other")


class Touch(_Data):
    """A path, relative to the workspace folder, that something is about to change or was found to have changed.

    `before` None = nobody knows what was there, so that it can't be had back.
    """

    path: str
    before: FileState | None
    after: FileState

    @property
    def is_covered(self) -> bool:
        """Whether what was there can be had back, and it can be told whether it is still as it was left."""
        return self.before is not None and "other" not in (self.before.kind, self.after.kind)

    def is_made(self, now: FileState) -> bool:
        """Whether the change is seen in what is there `now`; one that changes nothing never is."""
        content = (self.after.kind, self.after.sha256)
        is_change = self.before is None or (self.before.kind, self.before.sha256) != content
        return is_change and (now.kind, now.sha256) == content
