"""What a call proposes to do to files, for the user to look at, and what is left of it when they reject some."""

from collections.abc import Collection, Sequence, Set

from planact.model.change import Change, RenameFile
from planact.model.question import ProposedEdit
from planact.ports import Ports
from planact.tools.touches import touches_of


def proposed(ports: Ports, changes: Sequence[Change], limit: int) -> tuple[ProposedEdit, ...]:
    """Each file with what it says now and would say; both are kept. `limit` is in bytes.

    Raises:
        EditFailure, InvalidInput: the changes can't be made.
    """
    files = [
        ProposedEdit(path=touch.path, before=touch.before.sha256, after=touch.after.sha256)
        for touch in touches_of(ports, changes, limit)
        if touch.before is not None and "file" in (touch.before.kind, touch.after.kind)
    ]
    return tuple(file for file in files if file.before != file.after)


def tied(changes: Sequence[Change], rejected: Collection[str]) -> frozenset[str]:
    """These paths, and those that stay as they are with them, since one change touches both."""
    found = frozenset(rejected)
    while more := {path for change in changes if found & _paths(change) for path in _paths(change)} - found:
        found |= more
    return found


def without(changes: Sequence[Change], rejected: Collection[str]) -> Sequence[Change]:
    """The changes that have nothing to do with these paths."""
    found = tied(changes, rejected)
    return [change for change in changes if not found & _paths(change)]


def _paths(change: Change) -> Set[str]:
    return {change.place.shown, *([change.target.shown] if isinstance(change, RenameFile) else [])}
