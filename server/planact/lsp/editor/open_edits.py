"""Edits of open documents through the client, believed only when the new text arrives.

What a client answers to `workspace/applyEdit` is not evidence: some say `applied` and skip the edit, some stop midway.
"""

import asyncio
import logging
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from lsprotocol import types
from pygls.exceptions import JsonRpcException

from planact.base.errors import EditFailure, ErrorCode
from planact.base.paths import Place
from planact.base.span import Span, TextEdit
from planact.lsp.documents.open_documents import Document, same_text, workspace_edit
from planact.lsp.server import PlanactServer

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class OpenEdit:
    """Edits of one version of an open document, and its expected text after them."""

    place: Place
    document: Document
    edits: tuple[TextEdit, ...]
    expected: str


@dataclass(frozen=True, slots=True)
class _Answer:
    """The client's response: it made the edit, or the reason why not."""

    is_applied: bool
    reason: str = ""


class OpenEdits:
    """Makes edits of open documents, and takes them back.

    Args:
        server: the client to talk to.
        answer_limit: seconds the client has to answer.
        settle_limit: seconds the new text has to arrive after an answer that says the edit was made.
    """

    def __init__(self, server: PlanactServer, answer_limit: float, settle_limit: float) -> None:
        self._server = server
        self._answer_limit = answer_limit
        self._settle_limit = settle_limit
        self._unanswered: dict[str, tuple[OpenEdit, str]] = {}
        server.documents.listeners.append(self._notice_late_edit)

    async def make(self, edits: Iterable[OpenEdit], label: str) -> None:
        """Make all edits, or undo those that the client made.

        Raises:
            EditFailure: EDIT_REFUSED, EDIT_CONFLICT (the user typed meanwhile), EDITOR_NO_ANSWER. The hint describes
                the state of the documents.
        """
        wanted = [edit for edit in edits if edit.expected != edit.document.text]
        if not wanted:
            return
        if not self._server.client.apply_edit:
            raise EditFailure(
                "EDIT_REFUSED",
                f"{_names(wanted)} is open, and this editor lets no server change open files",
                "Save it as UTF-8 or close it, then try again.",
            )
        for edit in wanted:
            self._unanswered.pop(edit.document.uri, None)
            self._server.documents.note_own_change(edit.document, edit.expected)
        watch = _Watch(wanted)
        self._server.documents.listeners.append(watch)
        try:
            answer = await self._ask(wanted, label)
            if answer is not None and answer.is_applied:
                await watch.wait(self._settle_limit)
        except asyncio.CancelledError:
            self._remember(wanted, watch, label)
            raise
        finally:
            self._server.documents.listeners.remove(watch)
        if not all(map(watch.saw, wanted)):
            await self._fail(wanted, watch, answer, label)

    async def revert(self, edits: Iterable[OpenEdit]) -> tuple[OpenEdit, ...]:
        """Reverse edits whose text is unchanged since; return those that stay, since the user went on from them."""
        staying: list[OpenEdit] = []
        for edit in edits:
            now = self._server.documents.get(edit.document.uri)
            if now is None or not same_text(now.text, edit.expected):
                staying.append(edit)
                continue
            # The client may have turned our line ends into its own: then offsets differ, and the whole text goes back.
            back = (
                inverse(edit) if now.text == edit.expected else (TextEdit(Span(0, len(now.text)), edit.document.text),)
            )
            reverse = OpenEdit(edit.place, now, back, edit.document.text)
            watch = _Watch([reverse])
            self._server.documents.listeners.append(watch)
            try:
                if await self._ask([reverse], "Undo") is not None:
                    await watch.wait(self._settle_limit)
            finally:
                self._server.documents.listeners.remove(watch)
            if not watch.saw(reverse):
                staying.append(edit)
        return tuple(staying)

    async def _ask(self, edits: Sequence[OpenEdit], label: str) -> _Answer | None:
        """Send one request for all edits; return None when no response came in time."""
        changes = [(edit.document, edit.edits) for edit in edits]
        made = workspace_edit(changes, has_versions=self._server.client.document_changes)
        params = types.ApplyWorkspaceEditParams(made, label)
        try:
            asking = self._server.protocol.request(types.WORKSPACE_APPLY_EDIT, params)
            result = await asyncio.wait_for(asking, self._answer_limit)
        except TimeoutError:
            return None
        except JsonRpcException as error:
            return _Answer(is_applied=False, reason=error.message)
        return _Answer(is_applied=result.applied, reason=result.failure_reason or "")

    async def _fail(self, edits: Sequence[OpenEdit], watch: "_Watch", answer: _Answer | None, label: str) -> None:
        """Undo the changes that were made, and raise an error that describes the state."""
        changed = tuple(filter(watch.saw, edits))
        missing = [edit for edit in edits if edit not in changed]
        self._remember(edits, watch, label)  # a client that didn't answer, refused or lied may still make it
        if answer is None:
            state = f"{_names(changed)} was changed. " if changed else ""
            raise EditFailure(
                "EDITOR_NO_ANSWER",
                f"the editor did not answer to the edit of {_names(missing)} within {self._answer_limit:g} s",
                f"{state}It may still make the edit: look at the file before trying again.",
            )
        moved = [edit for edit in missing if self._text(edit) != edit.document.text]
        staying = await self.revert(changed)
        code: ErrorCode = "EDIT_CONFLICT" if moved else "EDIT_REFUSED"
        if moved:
            message = f"{_names(moved)} was changed by another program while it was edited"
        elif answer.is_applied:
            message = f"the editor said that it changed {_names(missing)}, and did not"
        else:
            message = f"the editor refused to change {_names(missing)}: {answer.reason or 'it gave no reason'}"
        if staying:
            state = f"{_names(staying)} was changed and stays so."
        elif moved and answer.is_applied:  # a client that skips a stale edit may report success
            state = "The editor says that it made the edit: check the file."
        elif answer.is_applied:  # Neovim skips a stale edit and sends the typed text later
            state = "No file was changed. The user may be typing there."
        else:
            state = "Nothing was changed."
        raise EditFailure(code, message, f"{state} Read the file again before trying again.")

    def _text(self, edit: OpenEdit) -> str | None:
        now = self._server.documents.get(edit.document.uri)
        return None if now is None else now.text

    def _remember(self, edits: Iterable[OpenEdit], watch: "_Watch", label: str) -> None:
        self._unanswered |= {edit.document.uri: (edit, label) for edit in edits if not watch.saw(edit)}

    def _notice_late_edit(self, document: Document) -> None:
        """Warn the user when the editor makes an edit that was given up."""
        edit, label = self._unanswered.get(document.uri, (None, ""))
        if edit is None or not same_text(document.text, edit.expected):
            return
        del self._unanswered[document.uri]
        message = f"The editor made an edit of {edit.place.shown} that planact had given up: {label}"
        log.warning("%s", message)
        self._server.window_show_message(types.ShowMessageParams(types.MessageType.Warning, message))


class _Watch:
    """Waits until documents have their expected texts, if only for a moment: the user may type on."""

    def __init__(self, edits: Iterable[OpenEdit]) -> None:
        self._missing = {edit.document.uri: edit.expected for edit in edits}
        self._all_seen = asyncio.Event()

    def __call__(self, document: Document) -> None:
        expected = self._missing.get(document.uri)
        if expected is not None and same_text(document.text, expected):
            del self._missing[document.uri]
            if not self._missing:
                self._all_seen.set()

    def saw(self, edit: OpenEdit) -> bool:
        return edit.document.uri not in self._missing

    async def wait(self, limit: float) -> None:
        try:
            await asyncio.wait_for(self._all_seen.wait(), limit)
        except TimeoutError:
            return


def inverse(edit: OpenEdit) -> tuple[TextEdit, ...]:
    """Return edits that turn the expected text back into the document's."""
    back: list[TextEdit] = []
    shift = 0
    for change in sorted(edit.edits, key=lambda change: change.span):
        start = change.span.start + shift
        back.append(TextEdit(Span(start, start + len(change.new_text)), edit.document.text[slice(*change.span)]))
        shift += len(change.new_text) - (change.span.end - change.span.start)
    return tuple(back)


def _names(edits: Iterable[OpenEdit]) -> str:
    return ", ".join(edit.place.shown for edit in edits)
