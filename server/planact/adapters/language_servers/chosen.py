"""The language servers of one workspace folder: the editor's where it tells what they say, else planact's own."""

from collections.abc import Mapping, Sequence

from planact.adapters.language_servers.of_editor import EditorLanguageServers
from planact.adapters.language_servers.servers import OwnLanguageServers
from planact.model.file import EditCheck, EditedText, FileCheck
from planact.model.navigation import CodeAction, CodePlace, NamedPlace, PlaceKind, ServerAnswer, WorkspaceEdit
from planact.model.runs.execution import FileChange
from planact.ports import Editor


class ChosenLanguageServers:
    """`ports.LanguageServers` of a folder that is open in an editor."""

    def __init__(self, editor: Editor, own: OwnLanguageServers) -> None:
        self._editor = editor
        self._of_editor = EditorLanguageServers(editor)
        self._own = own

    def names(self) -> Sequence[str]:
        return self._own.names()

    def suffixes(self, like: str = "") -> Sequence[str]:
        return self._own.suffixes(like)

    async def prepare_edits(self, session_id: str, paths: Sequence[str]) -> None:
        await self._chosen().prepare_edits(session_id, paths)

    def check_edits(self, session_id: str, edits: Sequence[EditedText]) -> None:
        self._chosen().check_edits(session_id, edits)

    def files_changed(self, changes: Sequence[FileChange]) -> None:
        self._own.files_changed(changes)

    async def news(self, session_id: str) -> Sequence[EditCheck]:
        return await self._chosen().news(session_id)

    async def compare(self, session_id: str, edits: Sequence[EditedText], seconds: float) -> Sequence[EditCheck]:
        return await self._chosen().compare(session_id, edits, seconds)

    async def check(self, texts: Mapping[str, str]) -> Sequence[FileCheck]:
        return await self._chosen().check(texts)

    async def find_places(
        self, kind: PlaceKind, at: NamedPlace, texts: Mapping[str, str]
    ) -> ServerAnswer[Sequence[CodePlace]] | None:
        return await self._own.find_places(kind, at, texts)

    async def propose_rename(
        self, at: NamedPlace, new_name: str, texts: Mapping[str, str]
    ) -> ServerAnswer[WorkspaceEdit] | None:
        return await self._own.propose_rename(at, new_name, texts)

    async def propose_actions(
        self, path: str, line: int, texts: Mapping[str, str]
    ) -> ServerAnswer[Sequence[CodeAction]] | None:
        return await self._own.propose_actions(path, line, texts)

    def _chosen(self) -> EditorLanguageServers | OwnLanguageServers:
        return self._of_editor if self._editor.has_diagnostics() else self._own
