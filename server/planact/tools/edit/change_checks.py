"""Checks of a change before it is applied: which access it needs, and whether it would write a left-out secret."""

from collections.abc import Sequence
from typing import assert_never

from planact.base.errors import EditFailure
from planact.base.paths import Place
from planact.model.chat.message import REDACTED
from planact.model.rights.permission import PathAction
from planact.model.runs.change import (
    Change,
    CreateFile,
    DeleteFile,
    MakeDirectory,
    RenameFile,
    ReplaceText,
    RestoreFile,
)


def refuse_secret_marks(change: Change) -> None:
    """Refuse a change that writes the mark of a left-out secret into a file, in the secret's place. Raises
    EditFailure.
    """
    match change:
        case ReplaceText():
            is_new = REDACTED not in change.before.text and any(REDACTED in edit.new_text for edit in change.edits)
        case CreateFile():
            is_new = REDACTED in change.text
        case _:
            is_new = False
    if is_new:
        message = f"the new text of {change.place.shown} has {REDACTED}, which stands for a secret that was left out"
        raise EditFailure("EDIT_REFUSED", message, "Read the file again and leave that line alone, or ask the user.")


def needed_access(change: Change) -> Sequence[tuple[Place, tuple[PathAction, ...]]]:
    match change:
        case ReplaceText() | RestoreFile():
            return ((change.place, ("write",)),)
        case CreateFile():
            return ((change.place, ("create",)),)
        case RenameFile():
            return ((change.place, ("write", "delete")), (change.target, ("create",)))
        case DeleteFile():
            return ((change.place, ("delete",)),)
        case MakeDirectory():
            return ((change.place, ("make_directory",)),)
        case _:
            assert_never(change)
