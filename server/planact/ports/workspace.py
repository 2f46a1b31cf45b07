"""Seams to one workspace folder and the front end the user sits at: its disk, and the editor over it."""

from collections.abc import Callable, Collection, Mapping, Sequence
from pathlib import Path, PurePath
from typing import Protocol

from planact.base.filetext import FileText
from planact.base.paths import Place
from planact.model.file import (
    EditCheck,
    EditedText,
    EditorProblem,
    FileCheck,
    FileInfo,
    FileList,
    PdfText,
    SearchPage,
    SearchResult,
)
from planact.model.navigation import CodeAction, CodePlace, NamedPlace, PlaceKind, ServerAnswer, WorkspaceEdit
from planact.model.notice import Notice
from planact.model.question import QuestionSet, Shown
from planact.model.runs.change import Change
from planact.model.runs.execution import FileChange
from planact.model.symbol import Definition, SymbolQuery, SymbolResult


class ReadableFolders(Protocol):
    """Folders outside the workspace that may be read without a question."""

    def now(self) -> Sequence[PurePath]:
        """Return their absolute paths: from the user's settings and rules, and the places of dependencies."""

    def around(self, path: str, never: Collection[str]) -> str:
        """Return the folder that a rule for reading the absolute `path` would name: the repository around it, else the
        folder that it is or lies in. Empty where that would hold the home, the workspace or an entry named in `never`,
        or be one of the system's first level.
        """


class IsPublic(Protocol):
    """Tells if the system lets every user read an absolute path, a folder with all below it if `is_opened`, else only
    its names.
    """

    def __call__(self, path: str, *, is_opened: bool) -> bool: ...


class Files(Protocol):
    """The disk below one workspace folder, and reading in the folders that are readable besides. Judges no access: the
    gate decided before.
    """

    root: Path

    def resolve(self, path: str) -> Place:
        """Return the real place of `path`; never raises, also for nonsense such as NUL bytes (`relative` is then
        None).
        """

    def resolve_entry(self, path: str) -> Place:
        """Return the place of `path` as `resolve` does, but of a link at its end itself (`Place.is_link`)."""

    def exists(self, path: str) -> bool:
        """Return whether `path` exists; for lists of many files, since `resolve` takes twenty times as long. Never
        raises.
        """

    def is_hidden(self, place: Place) -> bool:
        """Return whether the user's ignore patterns (`ignore` setting, `.planactignore`) hide a place from the
        agent.
        """

    def is_public(self, place: Place, *, is_opened: bool) -> bool:
        """Return whether `IsPublic` says so of a place outside the workspace; False for a place in it."""

    def info(self, place: Place) -> FileInfo:
        """Return the facts about a path. Raises InvalidInput FILE_NOT_FOUND or FILE_UNREADABLE."""

    def read(self, place: Place, limit: int) -> bytes:
        """Return the bytes of a regular file. Raises InvalidInput FILE_NOT_FOUND, FILE_UNREADABLE, FILE_TOO_LARGE."""

    def link_target(self, place: Place) -> bytes:
        """Return the path that a link holds. Raises as `info`."""

    def digest(self, place: Place, limit: int) -> str:
        """Return the SHA-256 (hex) of a file's bytes, and raise as `read`; quick for an unchanged file. From any
        thread.
        """

    def identity(self, place: Place) -> str:
        """Return a text that differs when a file was changed, replaced or given other rights, unless that was within
        a tick of the disk's clock; empty for what is no file. Never raises.
        """

    def stamp(self, path: str) -> Sequence[int]:
        """Return a value that stays as long as nobody changes the file at a path; empty where that can't be told: there
        is none, or it was just written.
        """

    def list(self, place: Place) -> Sequence[str]:
        """Return the names in a folder, sorted; folders end with a slash. Hidden ones are left out."""

    async def search(
        self,
        pattern: str,
        place: Place,
        glob: str,
        page: SearchPage,
        *,
        is_literal: bool,
        skip: Sequence[str],
        unsaved: Mapping[str, str],
    ) -> SearchResult:
        """Return the lines of text files at or below `place` that match a regular expression; honours ignore files,
        leaves out files that match the gitignore patterns in `skip`, and searches the texts in `unsaved`, by relative
        path, instead of those on disk. Raises InvalidInput INVALID_ARGUMENTS for a bad pattern.
        """

    def names(
        self,
        place: Place,
        glob: str,
        *,
        skip: Sequence[str],
        fitting: Callable[[Sequence[str]], Sequence[str]] = lambda paths: paths,
    ) -> FileList:
        """Return the files at or below `place` that `search` looks at and whose path fits `glob`, empty = all, and
        which `fitting` returns; that is asked for many paths at once. Raises InvalidInput FILE_NOT_FOUND,
        PATH_OUTSIDE_WORKSPACE.
        """

    def find(self, suffix: str, limit: int, below: str = "", *, with_ignored: bool = False) -> Sequence[str]:
        """Return the relative paths of files ending in `suffix` in the workspace or below one of its folders, without
        what its ignore files leave out unless `with_ignored`.
        """

    def branch(self) -> str:
        """Return the checked out branch of the repository around the workspace, or the beginning of the commit's id;
        empty where there is none.
        """

    def write(
        self, place: Place, data: bytes, expected: str | None, mode: int | None = None, *, is_apart: bool = False
    ) -> None:
        """Replace a file's bytes atomically, keeping links (hard ones unless it `is_apart` from them), owner and mode,
        unless `mode` is given. `expected` is the SHA-256 it must have now, None = it must not exist yet, nor need the
        directories above it. Raises EditFailure EDIT_CONFLICT, FILE_EXISTS, EDIT_REFUSED.
        """

    def rename(self, place: Place, target: Place) -> None:
        """Move without overwriting; missing directories are made. Raises EditFailure."""

    def delete(self, place: Place, expected: str | None) -> None:
        """Remove a file or a link with that SHA-256, or an empty directory (`expected` None). Raises EditFailure."""

    def remove_special(self, place: Place) -> bool:
        """Remove a pipe, a socket that no process has any more, or a device of no number (a whiteout); return whether
        that was one. Never raises.
        """

    def remove_identical(self, files: Mapping[Place, str]) -> None:
        """Remove the files that have these identities still, also several names of one file. Never raises."""

    def make_link(self, place: Place, target: bytes) -> None:
        """Make a link, which holds the path `target`, where nothing is. Raises EditFailure."""

    def make_directory(self, place: Place, mode: int | None = None) -> None:
        """Make a directory and its parents, and give it these permission bits. Raises EditFailure."""

    def abandoned(self, folder: str = "") -> Sequence[str]:
        """Return the relative paths of new files that killed processes left unfinished, at or below a folder."""

    def remove_abandoned(self, folder: str = "") -> Sequence[str]:
        """Remove these files; return those that are gone."""


class PdfFiles(Protocol):
    """The text of PDF files."""

    async def pdf_text(self, data: bytes, name: str, first: int, last: int | None) -> PdfText:
        """Return the texts of a PDF file's pages from `first`, counted from 1, to `last`, as many as fit. It is read in
        a jail, or not at all. Raises InvalidInput FILE_UNREADABLE, about the file `name`.
        """


class Symbols(Protocol):
    """Names in the source files below one workspace folder, by an index that keeps itself up to date."""

    async def find(
        self, sought: SymbolQuery, place: Place, *, skip: Sequence[str], unsaved: Mapping[str, str]
    ) -> SymbolResult:
        """Return the places of a name in files at or below `place`, in the files and unsaved texts that `Files.search`
        covers, where their language is known. Raises InvalidInput FILE_NOT_FOUND, PATH_OUTSIDE_WORKSPACE.
        """

    async def definitions(self, path: str, text: str) -> Sequence[Definition] | None:
        """Return the definitions in the text of a file, in order; None where its language isn't known, or it takes too
        long or too much.
        """

    async def close(self) -> None:
        """End the work that goes on after an answer."""


class LanguageServers(Protocol):
    """Language servers for one workspace folder. What they say of files comes from the editor's where it gives that
    away, else from planact's own, of which each starts with the first file that it is for; the rest is planact's own.
    """

    def names(self) -> Sequence[str]:
        """Return the names of planact's own that are there, running or not."""

    def suffixes(self, like: str = "") -> Sequence[str]:
        """Return the ends of names of the files that one of planact's own is for, or the one that `like` has."""

    async def prepare_edits(self, session_id: str, paths: Sequence[str]) -> None:
        """Learn the problems of files that are about to be edited, as far as they can't be learnt afterwards."""

    def check_edits(self, session_id: str, edits: Sequence[EditedText]) -> None:
        """Have the servers look at edited files, beside the work."""

    def files_changed(self, changes: Sequence[FileChange]) -> None:
        """Tell the servers that run of changes on disk."""

    async def news(self, session_id: str) -> Sequence[EditCheck]:
        """Return the checks of the session's edits that are known now and weren't returned before. Waits a moment for
        edits that weren't returned at all yet, where their servers have answered before; those that aren't checked by
        then are returned as not known, once, and again when they are.
        """

    async def compare(self, session_id: str, edits: Sequence[EditedText], seconds: float) -> Sequence[EditCheck]:
        """Return how the errors of files, as `edits` has them now, differ from those of their texts before, which may
        be many edits ago; files that no server is for are left out. Waits at most so long. `news` tells none of it.
        """

    async def check(self, texts: Mapping[str, str]) -> Sequence[FileCheck]:
        """Return the problems of those files with these texts that a server is for."""

    async def find_places(
        self, kind: PlaceKind, at: NamedPlace, texts: Mapping[str, str]
    ) -> ServerAnswer[Sequence[CodePlace]] | None:
        """Return where a name is used, with its definition, or where it is defined; None where no server is for its
        file. `texts` has at least that file; all others count as they are on disk.
        """

    async def propose_rename(
        self, at: NamedPlace, new_name: str, texts: Mapping[str, str]
    ) -> ServerAnswer[WorkspaceEdit] | None:
        """Return the edits that would rename a name, unchecked, and otherwise as `find_places`."""

    async def propose_actions(
        self, path: str, line: int, texts: Mapping[str, str]
    ) -> ServerAnswer[Sequence[CodeAction]] | None:
        """Return quick fixes as `Editor.propose_actions`, and otherwise as `find_places`."""


class Editor(Protocol):
    """The front end the user sits at: an editor over LSP, or a terminal."""

    def buffer(self, place: Place) -> FileText | None:
        """Return the text that is open in the editor, saved or not; None when the file isn't open."""

    def check_readable(self, place: Place) -> None:
        """Raise InvalidInput FILE_UNREADABLE where `buffer` isn't what the editor shows. To be asked before the text
        is shown to the model, approved or carried out; `apply` refuses such files by itself.
        """

    def unsaved(self, place: Place) -> Mapping[str, str]:
        """Return the texts of open files at or below `place` that differ from the disk, by path relative to the
        workspace. From any thread.
        """

    def saved_since(self, mark: int) -> tuple[int, Mapping[str, str]]:
        """Return a mark for the next call, and by path the texts of open files as they were saved since the call that
        returned `mark` (0 = ever). From any thread.
        """

    def has_diagnostics(self) -> bool:
        """Return whether the editor has language servers of its own and gives their diagnostics away."""

    async def check_files(self, paths: Sequence[str], seconds: float) -> Sequence[FileCheck]:
        """Return the problems that the editor's language servers find in files' present texts, and wait up to `seconds`
        for them. Files that no server checks are left out.
        """

    def open_files(self) -> Sequence[str]:
        """Return the relative paths of the workspace's files that are open."""

    async def diagnostics(self, place: Place) -> Sequence[EditorProblem] | None:
        """Return the diagnostics that the editor shows for files at or below `place`; None if it gives none away."""

    async def find_places(self, kind: PlaceKind, at: NamedPlace) -> Sequence[CodePlace]:
        """Return where a name is used, with its definition, or where it is defined, by the editor's language servers;
        none where the editor knows of none.
        """

    async def propose_rename(self, at: NamedPlace, new_name: str) -> WorkspaceEdit | None:
        """Return the edits by which the editor's language servers would rename a name; None where the editor knows of
        no such server.
        """

    async def propose_actions(self, path: str, line: int) -> Sequence[CodeAction]:
        """Return the quick fixes of a line, from 1, and those that organise the file's imports, by the editor's
        language servers: only edits of texts; none where the editor knows of none.
        """

    async def apply(self, changes: Sequence[Change], label: str) -> tuple[FileChange, ...]:
        """Make all changes or none, and verify each. Open files change through the editor, others on disk.

        Raises:
            EditFailure: EDIT_CONFLICT when a file isn't what `before` says, EDIT_REFUSED, EDITOR_NO_ANSWER.
        """

    async def save(self, places: Sequence[Place]) -> tuple[Place, ...]:
        """Have open files written to disk before a command needs them there; return those that still aren't."""

    async def show(self, question: QuestionSet, problem: str) -> Shown:
        """Show a question by the best means of the client; `problem` says why the answer before was not accepted.
        Cancelling removes it from the screen.
        """

    async def remove_question(self, ended: QuestionSet) -> None:
        """Remove an ended question from the places where it would stay. Never raises."""

    def notify(self, notice: Notice) -> None:
        """Show a notice, or drop it; never raises."""


Told = Callable[[Collection[Path]], None]
"""Called from any thread with files that may have changed."""


class Watcher(Protocol):
    """Watches single files, and where possible the folders that they are in; no subfolders."""

    def watch(self, files: Collection[Path]) -> Mapping[Path, str]:
        """Watch these files from now on and no others, also missing ones; return those that can't be watched, and why.
        May take a moment, and be called from any thread, one call at a time.
        """

    def close(self) -> None:
        """Stop watching."""
