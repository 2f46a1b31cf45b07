"""Questions to the editor's language servers about names and quick fixes, in clients that pass them on."""

import asyncio
import logging
import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TypeVar

from pydantic import BaseModel, ValidationError
from pygls.exceptions import JsonRpcException

from planact.base.positions import Position
from planact.base.text import one_line
from planact.lsp.documents.convert import path_of, uri_of
from planact.lsp.documents.open_documents import NOT_OPEN
from planact.lsp.protocol import messages
from planact.lsp.server import PlanactServer
from planact.model.navigation import CodeAction, CodePlace, FileEdits, NamedPlace, PlaceKind, RangeEdit, WorkspaceEdit

log = logging.getLogger(__name__)

T = TypeVar("T", bound=BaseModel)

_LONGEST_TITLE = 300

_METHODS: dict[PlaceKind, str] = {"references": messages.REFERENCES, "definition": messages.DEFINITIONS}


class NameRequests:
    """The client's answers for one workspace folder; a client has `seconds` for each."""

    def __init__(self, server: PlanactServer, root: Path, seconds: float) -> None:
        self._server = server
        self._root = Path(os.path.realpath(root))
        self._seconds = seconds

    async def find_places(self, kind: PlaceKind, at: NamedPlace) -> Sequence[CodePlace]:
        """Implement `ports.Editor`."""
        extras = self._server.client.planact
        if not (extras.references if kind == "references" else extras.symbols):
            return ()
        asked = messages.Referenced(uri=self._uri(at.path), line=at.line - 1, name=at.name, occurrence=at.occurrence)
        told = await self._ask(_METHODS[kind], asked, messages.References)
        found = ((self._path(each.uri), each.line + 1) for each in told.references) if told else ()
        return tuple(dict.fromkeys(CodePlace(path, line) for path, line in found if path))

    async def propose_rename(self, at: NamedPlace, new_name: str) -> WorkspaceEdit | None:
        """Implement `ports.Editor`."""
        if not self._server.client.planact.symbols:
            return None
        asked = messages.RenameWanted(
            uri=self._uri(at.path), line=at.line - 1, name=at.name, occurrence=at.occurrence, new_name=new_name
        )
        told = await self._ask(messages.RENAME_EDITS, asked, messages.ProposedEdits)
        return self._edit_of(told) if told and (told.documents or told.problem) else None

    async def propose_actions(self, path: str, line: int) -> Sequence[CodeAction]:
        """Implement `ports.Editor`."""
        if not self._server.client.planact.symbols:
            return ()
        asked = messages.ActionsWanted(uri=self._uri(path), line=line - 1)
        told = await self._ask(messages.CODE_ACTIONS, asked, messages.ProposedActions)
        return (
            [CodeAction(one_line(each.title, _LONGEST_TITLE), self._edit_of(each.edits)) for each in told.actions]
            if told
            else ()
        )

    async def _ask(self, method: str, asked: BaseModel, answer: type[T]) -> T | None:
        try:
            async with asyncio.timeout(self._seconds):
                return answer.model_validate(await self._server.protocol.request(method, asked))
        except (JsonRpcException, TimeoutError, ValidationError) as error:
            log.warning("the client did not answer %s: %s", method, error)
            return None

    def _edit_of(self, told: messages.ProposedEdits) -> WorkspaceEdit:
        if told.problem:
            return WorkspaceEdit(problem=told.problem)
        files = tuple(self._files_of(told))
        if len(files) < len(told.documents):
            return WorkspaceEdit(problem="it is about a document that isn't a file, or has changed meanwhile")
        return WorkspaceEdit(files, told.encoding)

    def _files_of(self, told: messages.ProposedEdits) -> Iterator[FileEdits]:
        """Yield the edits of files whose text in the client is the one that it told."""
        versions = {document.uri: document.version for document in self._server.documents.all()}
        for document in told.documents:
            path = self._path(document.uri)
            if path and document.version == versions.get(document.uri, NOT_OPEN):
                yield FileEdits(path, tuple(map(_range_edit_of, document.edits)))

    def _uri(self, path: str) -> str:
        return uri_of(self._root / path)

    def _path(self, uri: str) -> str:
        """Return a path relative to the workspace, or an absolute one elsewhere; empty for what is no file."""
        path = path_of(uri)
        if path is None:
            return ""
        real = Path(os.path.realpath(path))
        return real.relative_to(self._root).as_posix() if real.is_relative_to(self._root) else str(real)


def _range_edit_of(edit: messages.EditedRange) -> RangeEdit:
    start, end = Position(edit.start_line, edit.start_character), Position(edit.end_line, edit.end_character)
    return RangeEdit(start, end, edit.new_text)
