"""Language servers' knowledge of a file's names: of the editor's servers, else of planact's own."""

import asyncio
import re
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import replace

from planact.base.errors import EditFailure
from planact.base.paths import Place
from planact.model.file import FileList, SearchPage, SkipReason
from planact.model.navigation import (
    CodeAction,
    CodePlace,
    FileEdits,
    NamedPlace,
    PlaceKind,
    ServerAnswer,
    WorkspaceEdit,
)
from planact.model.rights.credentials import SEARCH_SKIPS, holds_credentials
from planact.ports import Ports
from planact.tools.edit.workspace_edit import check_size

EDITOR = "the editor's language server"

_MOST_SHOWN = 100
"""Most files that a server is shown because they have a name in their text."""

_MOST_ROUNDS = 4
"""Times that a server is asked for an edit: it is shown the texts of its files first."""

ShownEdit = tuple[WorkspaceEdit, Mapping[str, str]]
"""A proposal, whose files have paths of the workspace where they lie there, and the texts that it is about."""


class CodeAccess:
    """A file at `place`, whose text is `text`. `text_at` returns the text of a file that the agent may be shown, by its
    path; None for another. `is_all_shown` is false once more files have a name than a server was shown.
    """

    def __init__(self, ports: Ports, place: Place, text: str, text_at: Callable[[str], str | None]) -> None:
        self._ports = ports
        self.path = place.shown
        self.text = text
        self.is_all_shown = True
        self._text_at = text_at

    async def find_places(self, kind: PlaceKind, at: NamedPlace) -> ServerAnswer[Sequence[CodePlace]] | None:
        """Return where a name is used or defined; None where no language server is for the file."""
        if found := await self._ports.editor.find_places(kind, at):
            return ServerAnswer(EDITOR, found)
        texts = await self._texts(at.name if kind == "references" else "")
        return await self._ports.language_servers.find_places(kind, at, texts)

    async def propose_rename(self, at: NamedPlace, new_name: str) -> ServerAnswer[ShownEdit] | None:
        """Return the edits that rename a name, and the texts that they are about. Raises EditFailure."""
        if (told := await self._ports.editor.propose_rename(at, new_name)) is not None:
            return await asyncio.to_thread(self._shown_by_editor, told)
        servers = self._ports.language_servers
        texts = await self._texts(at.name)
        return await self._agreed(lambda texts: servers.propose_rename(at, new_name, texts), texts)

    async def propose_actions(self, line: int) -> ServerAnswer[Sequence[CodeAction]] | None:
        """Return the quick fixes of a line, and how the file's imports could be organised."""
        if found := await self._ports.editor.propose_actions(self.path, line):
            return ServerAnswer(EDITOR, found)
        texts = await self._texts("")
        return await self._ports.language_servers.propose_actions(self.path, line, texts)

    async def propose_action(self, line: int, chosen: ServerAnswer[CodeAction]) -> ServerAnswer[ShownEdit] | None:
        """Return the edits of one of the quick fixes, and the texts that they are about. Raises EditFailure."""
        assert chosen.found is not None
        title = chosen.found.title
        if chosen.server == EDITOR:
            return await asyncio.to_thread(self._shown_by_editor, chosen.found.edit)

        async def ask(texts: Mapping[str, str]) -> ServerAnswer[WorkspaceEdit] | None:
            answer = await self._ports.language_servers.propose_actions(self.path, line, texts)
            if answer is None:
                return None
            if answer.found is None:
                return ServerAnswer(answer.server, None, answer.trouble)
            edits = [each.edit for each in answer.found if each.title == title]
            return ServerAnswer(answer.server, edits[0] if len(edits) == 1 else WorkspaceEdit(problem="it is gone"))

        return await self._agreed(ask, await self._texts(""))

    def covered(self) -> FileList:
        """Return the workspace's files that a search covers. Blocks."""
        return self._ports.files.names(self._ports.files.resolve("."), "", skip=SEARCH_SKIPS)

    def skip_reason(self, place: Place) -> SkipReason:
        """Return why a search leaves out a file of the workspace."""
        if self._ports.files.is_hidden(place):
            return "hidden"
        return "credentials" if place.relative is not None and holds_credentials(place.relative) else "ignored"

    def resolve(self, path: str) -> Place:
        return self._ports.files.resolve(path)

    def text_at(self, path: str) -> str | None:
        """Return the text of a file that may be shown. Blocks."""
        return self._text_at(path)

    async def _agreed(
        self,
        ask: Callable[[Mapping[str, str]], Awaitable[ServerAnswer[WorkspaceEdit] | None]],
        texts: Mapping[str, str],
    ) -> ServerAnswer[ShownEdit] | None:
        """Ask until the edit is about texts that the server was shown: what it has read by itself may be outdated."""
        for _ in range(_MOST_ROUNDS):
            answer = await ask(texts)
            if answer is None:
                return None
            if answer.found is None:
                return ServerAnswer(answer.server, None, answer.trouble)
            edit = await asyncio.to_thread(self._placed, answer.found)
            more = await asyncio.to_thread(self._texts_of, [file.path for file in edit.files if file.path not in texts])
            if not more:
                return ServerAnswer(answer.server, (edit, texts))
            texts = {**texts, **more}
        raise EditFailure("EDIT_CONFLICT", "the language server names other files each time", "Make the call again.")

    def _shown_by_editor(self, told: WorkspaceEdit) -> ServerAnswer[ShownEdit]:
        edit = self._placed(told)
        return ServerAnswer(EDITOR, (edit, self._texts_of([file.path for file in edit.files])))

    def _placed(self, edit: WorkspaceEdit) -> WorkspaceEdit:
        """Return a proposal with each of its files once, and by its path in the workspace, links followed."""
        check_size(edit)
        merged: dict[str, FileEdits] = {}
        for file in edit.files:
            place = self.resolve(file.path)
            path = place.shown if place.relative is not None else file.path
            if place.relative is not None and self._ports.files.is_hidden(place):
                raise EditFailure("EDIT_REFUSED", "the edit is also about files that the user hides", "Ask the user.")
            earlier = merged.get(path)
            merged[path] = FileEdits(path, (*(earlier.edits if earlier else ()), *file.edits))
        return replace(edit, files=tuple(merged.values()))

    async def _texts(self, name: str) -> Mapping[str, str]:
        """Return the file's text, those that are unsaved in the editor, and those of files in whose text `name` stands:
        a server that has just started, or that the project doesn't tell which files it has, knows open files alone.
        """
        unsaved = await asyncio.to_thread(lambda: self._ports.editor.unsaved(self.resolve(".")))
        paths = [*unsaved, *(await self._files_with(name, unsaved) if name else ())]
        return {**await asyncio.to_thread(self._texts_of, paths), self.path: self.text}

    async def _files_with(self, name: str, unsaved: Mapping[str, str]) -> Sequence[str]:
        ends = self._ports.language_servers.suffixes(self.path)
        if not ends:
            return ()
        word, glob = rf"(?<!\w){re.escape(name)}(?!\w)", f"*{{{','.join(ends)}}}"
        page = SearchPage(_MOST_SHOWN, per_file=1)
        found = await self._ports.files.search(
            word, self.resolve("."), glob, page, is_literal=False, skip=SEARCH_SKIPS, unsaved=unsaved
        )
        self.is_all_shown = not found.is_cut
        return [hit.path for hit in found.hits]

    def _texts_of(self, paths: Sequence[str]) -> dict[str, str]:
        return {path: text for path in paths if (text := self._text_at(path)) is not None}
