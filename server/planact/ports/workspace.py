"""Seams to one workspace folder and the front end the user sits at: its disk, and the editor over it."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Protocol

from planact.base.filetext import FileText
from planact.base.paths import Place
from planact.model.change import Change
from planact.model.execution import FileChange
from planact.model.file import FileInfo, Page, Problem, SearchResult
from planact.model.notice import Notice
from planact.model.question import QuestionSet, Shown
from planact.model.symbol import SoughtSymbol, SymbolResult


class Files(Protocol):
    """The disk below one workspace folder. Judges nothing: who may do what was decided before."""

    root: Path

    def resolve(self, path: str) -> Place:
        """Where `path` really leads; never raises, also for nonsense such as NUL bytes (`relative` is then None)."""
        ...

    def exists(self, path: str) -> bool:
        """Whether there is something at `path`, and no more than that: for what names many files, since `resolve` takes
        twenty times as long. Never raises.
        """
        ...

    def is_hidden(self, place: Place) -> bool:
        """Whether the user's ignore patterns (`ignore` setting, `.planactignore`) hide it from the agent altogether."""
        ...

    def info(self, place: Place) -> FileInfo:
        """What is there. Raises InvalidInput FILE_NOT_FOUND or FILE_UNREADABLE."""
        ...

    def read(self, place: Place, limit: int) -> bytes:
        """The bytes of a regular file. Raises InvalidInput FILE_NOT_FOUND, FILE_UNREADABLE, FILE_TOO_LARGE."""
        ...

    def digest(self, place: Place, limit: int) -> str:
        """SHA-256 (hex) of what `read` gives, and raises the same; quick for a file that stays as it was. May be called
        from any thread.
        """
        ...

    def list(self, place: Place) -> Sequence[str]:
        """Names in a directory, sorted; directories end with a slash. Hidden ones are left out."""
        ...

    async def search(
        self,
        pattern: str,
        place: Place,
        glob: str,
        page: Page,
        *,
        is_literal: bool,
        skip: Sequence[str],
        unsaved: Mapping[str, str],
    ) -> SearchResult:
        """Lines of text files at or below `place` matching a regular expression; honours ignore files, leaves out
        what the gitignore patterns in `skip` match, and takes the texts in `unsaved`, by relative path, instead.
        Raises InvalidInput INVALID_ARGUMENTS for a bad pattern.
        """
        ...

    def find(self, suffix: str, limit: int, below: str = "") -> Sequence[str]:
        """Relative paths of files ending in `suffix` anywhere in the workspace, or below a folder of it, but in ignored
        folders.
        """
        ...

    def write(self, place: Place, data: bytes, expected: str | None, mode: int | None = None) -> None:
        """Replace a file's bytes atomically, keeping links, owner and, unless `mode` is given, mode. `expected` is the
        SHA-256 it must have now, None = it must not exist yet. Raises EditFailure EDIT_CONFLICT, FILE_EXISTS,
        EDIT_REFUSED.
        """
        ...

    def rename(self, place: Place, target: Place) -> None:
        """Move without overwriting. Raises EditFailure."""
        ...

    def delete(self, place: Place, expected: str | None) -> None:
        """Remove a file with that SHA-256, or an empty directory (`expected` None). Raises EditFailure."""
        ...

    def make_directory(self, place: Place) -> None:
        """Make a directory and its parents. Raises EditFailure."""
        ...

    def abandoned(self, folder: str = "") -> Sequence[str]:
        """Relative paths of new files that killed processes left unfinished, at or below a folder."""
        ...

    def remove_abandoned(self, folder: str = "") -> Sequence[str]:
        """Remove them; those that are gone."""
        ...


class Symbols(Protocol):
    """Names in the source files below one workspace folder, by an index that nobody has to look after."""

    async def find(
        self, sought: SoughtSymbol, place: Place, *, skip: Sequence[str], unsaved: Mapping[str, str]
    ) -> SymbolResult:
        """The places of a name in files at or below `place`; looks at the files and texts that `Files.search` looks at,
        where their language is known. Raises InvalidInput FILE_NOT_FOUND, PATH_OUTSIDE_WORKSPACE.
        """
        ...


class Editor(Protocol):
    """The front end the user sits at: an editor over LSP, or a terminal."""

    def buffer(self, place: Place) -> FileText | None:
        """The text as it is open in the editor, saved or not; None when it isn't open."""
        ...

    def unsaved(self, place: Place) -> Mapping[str, str]:
        """The texts of open files at or below `place` that differ from the disk, by path relative to the workspace.
        May be called from any thread.
        """
        ...

    async def diagnostics(self, place: Place) -> Sequence[Problem] | None:
        """What language servers and linters say in the editor of files at or below `place`; None if it doesn't tell."""
        ...

    async def apply(self, changes: Sequence[Change], label: str) -> tuple[FileChange, ...]:
        """Make all changes or none, and verify each. Open files change through the editor, others on disk.

        Raises:
            EditFailure: EDIT_CONFLICT when a file isn't what `before` says, EDIT_REFUSED, EDITOR_NO_ANSWER.
        """
        ...

    async def save(self, places: Sequence[Place]) -> tuple[Place, ...]:
        """Have open files written to disk before a command needs them there; returns those that still aren't."""
        ...

    async def show(self, question: QuestionSet, problem: str) -> Shown:
        """Show a question by the best means there is; `problem` says what was wrong with the answer before.
        Cancelling takes it back from the screen.
        """
        ...

    async def take_back(self, ended: QuestionSet) -> None:
        """The question has ended: take away what of it was put where it would stay. Never raises."""
        ...

    def tell(self, notice: Notice) -> None:
        """Show something now, or not; never raises."""
        ...
