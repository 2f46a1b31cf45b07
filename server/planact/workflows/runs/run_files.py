"""The files that a run has changed so far, read from the journal as it grows."""

from collections.abc import Hashable

from planact.model.runs.execution import FileChange, Rollback
from planact.model.runs.journal import JournalEntry
from planact.tools.edit.touches import file_at
from planact.workflows.workspace import Workspace


class RunFiles:
    """Of one run; each call first reads what the journal has got since the last one."""

    def __init__(self, ws: Workspace, execution_id: str, plan_file: str) -> None:
        self._ws = ws
        self._execution_id = execution_id
        self._touched = {*ws.ports.journal.paths_changed(plan_file)}
        self._left_at: dict[Hashable, str] = {}
        self._last = 0
        self._left: dict[str, str] = {}

    def touched(self) -> frozenset[str]:
        """Return the files that the run and earlier ones of its plan changed."""
        self._read()
        return frozenset(self._touched)

    def left(self) -> dict[str, str]:
        """Return the SHA-256 by path of what the run left, as `journal_queries.files_left` does."""
        self._read()
        return self._left

    def left_of(self, path: str) -> str | None:
        """Return the SHA-256 of what the run left of a file, also under another of its names; None where it left it
        alone.
        """
        self._read()
        return self._left_at.get(file_at(self._ws.ports, path), self._left.get(path))

    def _read(self) -> None:
        kinds = ("file_changed", "rollback_finished")
        for entry in self._ws.ports.journal.read(self._execution_id, kinds, after=self._last):
            self._last = entry.sequence
            for change in _changes(entry):
                if entry.kind == "file_changed":
                    self._touched.add(change.path)
                if entry.kind == "rollback_finished" or change.is_covered:
                    self._left[change.path] = change.after
                    self._left_at[file_at(self._ws.ports, change.path)] = change.after


def _changes(entry: JournalEntry) -> tuple[FileChange, ...]:
    if entry.kind == "rollback_finished":
        return Rollback.model_validate(entry.data).files
    return (FileChange.model_validate(entry.data),)
