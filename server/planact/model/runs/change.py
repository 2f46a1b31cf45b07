"""Changes to files, as the editor is asked to make them.

Each carries the text that its author saw, so that no other text is overwritten.
"""

from dataclasses import dataclass

from planact.base.filetext import FileText
from planact.base.paths import Place
from planact.base.span import TextEdit


@dataclass(frozen=True, slots=True)
class ReplaceText:
    """Change a text file that was seen as `before`. Its content is kept for undo, unless the journal knows anyway what
    the edits say: the marks of a plan.
    """

    place: Place
    before: FileText
    edits: tuple[TextEdit, ...]
    is_kept: bool = True


@dataclass(frozen=True, slots=True)
class CreateFile:
    """Make a file that isn't there."""

    place: Place
    text: str


@dataclass(frozen=True, slots=True)
class RenameFile:
    """Move a file; never over another."""

    place: Place
    target: Place


@dataclass(frozen=True, slots=True)
class DeleteFile:
    """Remove a file or a link that was seen as `before` (its SHA-256 on disk), or an empty directory (empty). `text` is
    what goes, for people, where it is known.
    """

    place: Place
    before: str
    text: str = ""


@dataclass(frozen=True, slots=True)
class MakeDirectory:
    """Make a directory and its parents, or give an existing one these permission bits, once all else is done in it. A
    file or a link with the SHA-256 `before` that is in its place goes.
    """

    place: Place
    mode: int | None = None
    before: str = ""


@dataclass(frozen=True, slots=True)
class RestoreFile:
    """Put back the bytes of a file, or a link to the path `data`. `before` is the SHA-256 that it has on disk now,
    empty = it isn't there; without a `mode` it keeps the permission bits that it has. An empty directory is in its
    place, and goes, where it is `over_directory`. With `is_apart` the file's other names (hard links) stay as they are.
    """

    place: Place
    data: bytes
    before: str
    mode: int | None = None
    is_link: bool = False
    over_directory: bool = False
    is_apart: bool = False


Change = ReplaceText | CreateFile | RenameFile | DeleteFile | MakeDirectory | RestoreFile
