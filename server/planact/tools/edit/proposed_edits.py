"""Edits that a call proposes, for the user to review, and the changes that remain when they reject some."""

from collections.abc import Collection, Sequence, Set

from planact.model.question import ProposedEdit
from planact.model.runs.change import Change, RenameFile
from planact.ports import Ports
from planact.tools.edit.touches import touches_of


def proposed_edits(ports: Ports, changes: Sequence[Change], limit: int) -> tuple[ProposedEdit, ...]:
    """Return each file that changes, with the SHA-256 of its content before and after; the journal keeps both contents.

    `limit` = most bytes of a file.

    Raises:
        EditFailure, InvalidInput: the changes can't be made.
    """
    files = [
        ProposedEdit(path=touch.path, before=touch.before.sha256, after=touch.after.sha256)
        for touch in touches_of(ports, changes, limit)
        if touch.before is not None and "file" in (touch.before.kind, touch.after.kind)
    ]
    return tuple(file for file in files if file.before != file.after)


def with_linked(changes: Sequence[Change], rejected: Collection[str]) -> frozenset[str]:
    """Return the rejected paths and those linked to them: a rename touches two paths, and is made whole or not."""
    found = frozenset(rejected)
    while more := {path for change in changes if found & _paths(change) for path in _paths(change)} - found:
        found |= more
    return found


def without_rejected(changes: Sequence[Change], rejected: Collection[str]) -> Sequence[Change]:
    """Return the changes that touch none of the rejected paths, nor a path linked to one."""
    found = with_linked(changes, rejected)
    return [change for change in changes if not found & _paths(change)]


def _paths(change: Change) -> Set[str]:
    return {change.place.shown, *([change.target.shown] if isinstance(change, RenameFile) else [])}
