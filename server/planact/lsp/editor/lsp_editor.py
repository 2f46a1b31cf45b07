"""The Editor port over LSP: changes open files through the client and others on disk, and shows questions and notices.

The client changes the text of open files, and renames an open, saved file, so that its window follows; all other
changes are made on disk. An open file with unsaved text is never renamed, deleted or created over. Where the client
takes no edits, open files that are saved are changed on disk too, and it shows that like any change from outside.
"""

import asyncio
import hashlib
import logging
import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from lsprotocol import types
from pydantic import BaseModel
from pygls.exceptions import JsonRpcException

from planact.app.compose import ApplyToDisk
from planact.base.errors import EditFailure, InvalidInput
from planact.base.filetext import FileText
from planact.base.paths import Place, path_below
from planact.base.span import apply_edits
from planact.lsp.documents.convert import uri_of
from planact.lsp.documents.deltas import Deltas
from planact.lsp.documents.open_documents import Document, read_if_regular, shows, with_real_paths
from planact.lsp.editor.client_servers import ClientLanguageServers
from planact.lsp.editor.name_requests import NameRequests
from planact.lsp.editor.notices import log_line_of, message_of
from planact.lsp.editor.open_edits import OpenEdit, OpenEdits
from planact.lsp.editor.questions import ask_with_buttons, show_how_to_answer
from planact.lsp.protocol import messages, results
from planact.lsp.server import PlanactServer
from planact.model.file import EditorProblem, FileCheck
from planact.model.navigation import CodeAction, CodePlace, NamedPlace, PlaceKind, WorkspaceEdit
from planact.model.notice import Notice, QuestionNotice
from planact.model.question import Dismissed, ProposedEdit, QuestionSet, Shown
from planact.model.runs.change import (
    Change,
    CreateFile,
    DeleteFile,
    MakeDirectory,
    RenameFile,
    ReplaceText,
    RestoreFile,
)
from planact.model.runs.execution import FileChange

log = logging.getLogger(__name__)

ANSWER_LIMIT = 30.0
"""Seconds a client has to answer an edit or a request to save."""

SETTLE_LIMIT = 3.0
"""Seconds the changed text may come after the answer: Neovim sends it with a delay."""


@dataclass(frozen=True, slots=True)
class _Work:
    """The changes of one call, by who makes them."""

    edits: tuple[OpenEdit, ...]
    renames: tuple[RenameFile, ...]
    disk: tuple[Change, ...]


class LspEditor:
    """One workspace folder in a client.

    Args:
        server: the client to talk to.
        root: the workspace folder.
        apply_to_disk: makes changes of files that are not open, all or none, checking each `before`.
        answer_limit: seconds, see `ANSWER_LIMIT`.
        settle_limit: seconds, see `SETTLE_LIMIT`.
    """

    def __init__(
        self,
        server: PlanactServer,
        root: Path,
        apply_to_disk: ApplyToDisk,
        redact: Callable[[str], str],
        answer_limit: float = ANSWER_LIMIT,
        settle_limit: float = SETTLE_LIMIT,
    ) -> None:
        self._server = server
        self._root = root
        self._apply_to_disk = apply_to_disk
        self._redact = redact
        self._answer_limit = answer_limit
        self._open_edits = OpenEdits(server, answer_limit, settle_limit)
        self._deltas = Deltas(self._send, lambda wait, call: asyncio.get_running_loop().call_later(wait, call))
        self._client_servers = ClientLanguageServers(server, root, answer_limit)
        self._turn = asyncio.Lock()
        self._names = NameRequests(server, root, answer_limit)

    def buffer(self, place: Place) -> FileText | None:
        """Return the open text of a file; `sha256` is of the bytes on disk at this moment, empty = no file."""
        return self._server.documents.buffer(place)

    def check_readable(self, place: Place) -> None:
        """Raise InvalidInput FILE_UNREADABLE where the client sent a change of the file that couldn't be read."""
        document = self._server.documents.at(place)
        if document is not None and self._server.documents.is_unclear(document):
            raise InvalidInput("FILE_UNREADABLE", _unclear(place), _OPEN_AGAIN)

    def unsaved(self, place: Place) -> Mapping[str, str]:
        """Return the open, unsaved texts below `place`, by path."""
        documents = self._server.documents
        return {path: each.text for path, each in self._open(documents.below(place)) if documents.is_dirty(each)}

    def saved_since(self, mark: int) -> tuple[int, Mapping[str, str]]:
        now, documents = self._server.documents.saved_since(mark)
        return now, {path: document.text for path, document in self._open(documents)}

    def open_files(self) -> Sequence[str]:
        return [path for path, _ in self._open(self._server.documents.all())]

    def _open(self, documents: Iterable[Document]) -> Iterator[tuple[str, Document]]:
        """Yield the workspace's files among documents, by path."""
        root = os.path.realpath(self._root)
        for document, real in with_real_paths(documents):
            if path := path_below(root, real):
                yield path, document

    async def apply(self, changes: Sequence[Change], label: str) -> tuple[FileChange, ...]:
        """Make all changes or none: first the open files, verified by their new text, then the disk.

        The hashes of open files are of the text as it would be saved. Each file may be named once, but for one that
        isn't open and is moved right after its change.

        Raises:
            EditFailure: EDIT_CONFLICT, EDIT_REFUSED, EDITOR_NO_ANSWER, FILE_EXISTS; if a change couldn't be undone, the
                message names its files.
        """
        async with self._turn:
            work = self._sort(changes)
            await self._open_edits.make(work.edits, label)
            renamed: list[RenameFile] = []
            try:
                moved = [change for rename in work.renames for change in await self._rename(rename, label, renamed)]
                written = await self._write(work.disk) if work.disk else ()
            except Exception as error:
                await self._revert(work.edits, renamed, error)
                raise
        return (*map(_file_change, work.edits), *moved, *written)

    async def save(self, places: Sequence[Place]) -> tuple[Place, ...]:
        """Ask the client to save unsaved files; return those that differ from the disk afterwards, even if it said they
        don't.
        """
        unsaved = self._unsaved(places)
        if unsaved and self._server.client.planact.save:
            asked = messages.Save(uris=tuple(document.uri for _, document in unsaved))
            try:
                await asyncio.wait_for(self._server.protocol.request(messages.SAVE, asked), self._answer_limit)
            except (JsonRpcException, TimeoutError) as error:
                log.warning("the client did not save %s: %s", ", ".join(asked.uris), error)
            unsaved = self._unsaved(places)
        return tuple(place for place, _ in unsaved)

    def has_diagnostics(self) -> bool:
        return self._server.client.planact.diagnostics

    async def diagnostics(self, place: Place) -> Sequence[EditorProblem] | None:
        """Ask the client for the diagnostics that it shows in this folder; None where it doesn't answer."""
        return await self._client_servers.diagnostics(place)

    async def check_files(self, paths: Sequence[str], seconds: float) -> Sequence[FileCheck]:
        """Ask the client for what its language servers say of these files."""
        return await self._client_servers.check_files(paths, dict(self._open(self._server.documents.all())), seconds)

    async def find_places(self, kind: PlaceKind, at: NamedPlace) -> Sequence[CodePlace]:
        return await self._names.find_places(kind, at)

    async def propose_rename(self, at: NamedPlace, new_name: str) -> WorkspaceEdit | None:
        return await self._names.propose_rename(at, new_name)

    async def propose_actions(self, path: str, line: int) -> Sequence[CodeAction]:
        return await self._names.propose_actions(path, line)

    async def show(self, question: QuestionSet, problem: str) -> Shown:
        """Show a question as a form, in clients that have forms and answer later by command; else as buttons, or in the
        plan.
        """
        if not self._server.client.planact.questions:
            folder = self.folder_label()
            shown = await ask_with_buttons(self._server.protocol, question, problem, folder, self.difference)
            if shown is None:
                path = await self.write_in_plan(question)
                show_how_to_answer(self._server.protocol, question, problem, path, folder)
            return shown or Dismissed()
        self._server.protocol.notify(messages.QUESTION_PENDING, results.QuestionPending.of(question, self._root))
        if problem:
            self._server.window_show_message(types.ShowMessageParams(types.MessageType.Warning, problem))
        return Dismissed()

    def folder_label(self) -> str:
        """Return the folder's name where several folders are open, else an empty string."""
        return ""

    async def write_in_plan(self, question: QuestionSet) -> str:  # noqa: ARG002 - for subclasses with plans
        """Write the question into its plan; return the plan's path, or an empty string where there is none."""
        return ""

    def difference(self, edit: ProposedEdit) -> str:  # noqa: ARG002 - for subclasses with texts
        """Return the diff of a proposed edit, for people; empty where its texts aren't known."""
        return ""

    async def remove_question(self, ended: QuestionSet) -> None:
        """Implement `ports.Editor`; buttons and forms close by themselves."""

    def notify(self, notice: Notice) -> None:
        """Send a notice to clients that follow, and a line to the log of all. Never raises: notices are for display
        only.
        """
        try:
            self._deltas.add(notice)
        except Exception:
            log.exception("a notice could not be shown")

    def _send(self, notice: Notice) -> None:
        extras = self._server.client.planact
        if line := log_line_of(notice):
            line = self._redact(line)  # editors keep their logs
            self._server.window_log_message(types.LogMessageParams(types.MessageType.Info, line))
        follows = extras.messages or (extras.questions and isinstance(notice, QuestionNotice))
        if follows and (message := self.message(notice)) is not None:
            self._server.protocol.notify(*message)

    def message(self, notice: Notice) -> tuple[str, BaseModel] | None:
        """Return method and payload of a notice; None for one without a message."""
        return message_of(notice, self._root)

    # --- changes

    def _sort(self, changes: Sequence[Change]) -> _Work:
        """Check every change of an open file, and choose the client or the disk for each."""
        edits: list[OpenEdit] = []
        renames: list[RenameFile] = []
        disk: list[Change] = []
        named: set[Path] = set()
        edited_on_disk: Path | None = None
        for change in changes:
            for place in (change.place, change.target) if isinstance(change, RenameFile) else (change.place,):
                is_edited_on_disk = place is change.place and edited_on_disk == Path(place.real)
                if Path(place.real) in named and not (isinstance(change, RenameFile) and is_edited_on_disk):
                    raise EditFailure("EDIT_REFUSED", f"{place.shown} is named twice", "Make one change of each file.")
                named.add(Path(place.real))
            document = self._document_at(change.place)
            match change:
                case ReplaceText() if document is not None and not self._is_made_on_disk(document):
                    edits.append(_open_edit(change, document))
                case ReplaceText() if document is None and change.before.version is not None:
                    raise _conflict(change.place, "was closed in the editor since it was read")
                case RenameFile() if self._is_renamed_by_client(change, document):
                    renames.append(change)
                case CreateFile() if document is not None:
                    raise EditFailure("FILE_EXISTS", f"{change.place.shown} is open in the editor, unsaved", _SAVE_IT)
                case DeleteFile() | MakeDirectory() if document and self._server.documents.is_dirty(document):
                    raise EditFailure("EDIT_REFUSED", f"{change.place.shown} has unsaved text in the editor", _SAVE_IT)
                case RestoreFile(is_link=False) if document is not None and not shows(document, change.data):
                    raise EditFailure("EDIT_REFUSED", f"{change.place.shown} is open with another text", _SAVE_IT)
                case _:
                    disk.append(change)
                    edited_on_disk = Path(change.place.real) if isinstance(change, ReplaceText) else None
        return _Work(tuple(edits), tuple(renames), tuple(disk))

    def _document_at(self, place: Place) -> Document | None:
        """Return the document that a change is about. Raises EditFailure where its text isn't known."""
        document = self._server.documents.at(place)
        if document is not None and self._server.documents.is_unclear(document):
            raise EditFailure("EDIT_REFUSED", _unclear(place), _OPEN_AGAIN)
        return document

    def _is_made_on_disk(self, document: Document) -> bool:
        """Return true where an edit of an open document is made on disk."""
        return not self._server.client.apply_edit and self._server.documents.is_written(document)

    async def _write(self, changes: tuple[Change, ...]) -> tuple[FileChange, ...]:
        written = await asyncio.to_thread(self._apply_to_disk, changes)
        for change in changes:
            if isinstance(change, ReplaceText) and (document := self._server.documents.at(change.place)) is not None:
                self._server.documents.mark_overtaken(document)
        return written

    def _is_renamed_by_client(self, rename: RenameFile, document: Document | None) -> bool:
        """Return true where the client must rename the file, because it shows it. Raises EditFailure where neither side
        can do so safely.
        """
        shown = rename.place.shown
        if self._server.documents.at(rename.target) is not None:
            raise EditFailure("FILE_EXISTS", f"{rename.target.shown} is open in the editor", _SAVE_IT)
        if document is None:
            if self._server.documents.below(rename.place):
                raise EditFailure("EDIT_REFUSED", f"files in {shown} are open in the editor", _SAVE_IT)
            return False
        if self._server.documents.is_dirty(document):
            raise EditFailure("EDIT_REFUSED", f"{shown} has unsaved text in the editor", _SAVE_IT)
        if rename.place.is_link:  # its window would show the target under a name that is gone
            raise EditFailure("EDIT_REFUSED", f"{shown} is a link, and open in the editor", _SAVE_IT)
        client = self._server.client
        if not (client.apply_edit and client.document_changes and "rename" in client.resource_operations):
            raise EditFailure("EDIT_REFUSED", f"{shown} is open, and this editor lets no server rename files", _SAVE_IT)
        return True

    async def _rename(self, rename: RenameFile, label: str, renamed: list[RenameFile]) -> tuple[FileChange, ...]:
        """Have the client rename a file, and check on disk that it did."""
        source, target = Path(rename.place.real), Path(rename.target.real)
        if _is_there(target):
            raise EditFailure("FILE_EXISTS", f"{rename.target.shown} exists already", "Choose another name.")
        digest = hashlib.sha256(read_if_regular(source) or b"").hexdigest()
        document = self._server.documents.at(rename.place)
        operation = types.RenameFile(
            document.uri if document else uri_of(source),
            uri_of(target),
            options=types.RenameFileOptions(overwrite=False),
        )
        params = types.ApplyWorkspaceEditParams(types.WorkspaceEdit(document_changes=[operation]), label)
        reason = "it gave no reason"
        try:
            asking = self._server.protocol.request(types.WORKSPACE_APPLY_EDIT, params)
            reason = (await asyncio.wait_for(asking, self._answer_limit)).failure_reason or reason
        except TimeoutError:
            if _is_there(source):
                raise EditFailure(
                    "EDITOR_NO_ANSWER",
                    f"the editor did not rename {rename.place.shown} within {self._answer_limit:g} s",
                    "It may still do so: look before trying again.",
                ) from None
        except JsonRpcException as error:
            reason = error.message
        if _is_there(source) or not _is_there(target):
            raise EditFailure("EDIT_REFUSED", f"the editor did not rename {rename.place.shown}: {reason}", _SAVE_IT)
        renamed.append(rename)
        return (
            FileChange(path=rename.place.shown, before=digest),
            FileChange(path=rename.target.shown, after=digest),
        )

    async def _revert(self, edits: Sequence[OpenEdit], renamed: Sequence[RenameFile], error: Exception) -> None:
        """Undo the changes made before `error`; raise with their files where one can't be undone."""
        staying = []
        for rename in renamed:
            try:
                await self._rename(RenameFile(rename.target, rename.place), "Undo", [])
            except EditFailure:
                staying.append(rename.target.shown)
        staying += [edit.place.shown for edit in await self._open_edits.revert(edits)]
        if staying:
            code = error.code if isinstance(error, EditFailure) else "EDIT_CONFLICT"
            message = f"{error}; before that, {', '.join(staying)} was changed in the editor, and stays so"
            raise EditFailure(code, message, "Look at these files before trying again.") from error

    def _unsaved(self, places: Sequence[Place]) -> list[tuple[Place, Document]]:
        documents = self._server.documents
        found = ((place, documents.at(place)) for place in places)
        return [(place, document) for place, document in found if document is not None and documents.is_dirty(document)]


_SAVE_IT = "Save and close it in the editor, then try again."
_OPEN_AGAIN = "Close it in the editor and open it again."


def _unclear(place: Place) -> str:
    return f"{place.shown} is open in the editor, which sent a change of it that can't be read"


def _open_edit(change: ReplaceText, document: Document) -> OpenEdit:
    before = change.before
    if document.text != before.text or before.version not in (None, document.version):
        raise _conflict(change.place, "was changed in the editor since it was read")
    return OpenEdit(change.place, document, change.edits, apply_edits(document.text, change.edits))


def _conflict(place: Place, why: str) -> EditFailure:
    return EditFailure("EDIT_CONFLICT", f"{place.shown} {why}", "Read it again, and make the edit anew.")


def _file_change(edit: OpenEdit) -> FileChange:
    return FileChange(
        path=edit.place.shown, before=_digest(edit, edit.document.text), after=_digest(edit, edit.expected)
    )


def _is_there(path: Path) -> bool:
    return path.exists()


def _digest(edit: OpenEdit, text: str) -> str:
    data = read_if_regular(Path(edit.place.real)) or b""
    bom = b"\xef\xbb\xbf" if data.startswith(b"\xef\xbb\xbf") else b""
    return hashlib.sha256(bom + text.encode("utf-8", "surrogatepass")).hexdigest()
