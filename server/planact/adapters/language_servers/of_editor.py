"""What the editor's own language servers say of the edits of each session.

An editor tells of files as they are now. So it is asked for a file's errors before the first edit, after each one, and
again with each later result: some servers speak of one text more than once.
"""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import PurePath

from planact.adapters.language_servers.compare import KnownProblems, compared
from planact.adapters.language_servers.servers import WAIT_SECONDS
from planact.model.file import EditCheck, EditedText, EditorProblem, FileCheck
from planact.ports import Editor

_MOST_ASKED = 20  # times after an edit

_SETTLED_SECONDS = 5.0
"""So long after an edit an editor has heard its servers: some say nothing of a file that stays without problems."""

_START_SECONDS = 8.0
"""So long it is waited for a language's server once, before it has answered: it may have to start for that."""


@dataclass(slots=True)
class _File:
    """An edited file.

    Attributes:
        known: the problems that were told last, or those before the first edit; None = those aren't known.
        present: those of the text that the file had when it was asked for before an edit; None = not known.
        asks: how often the editor is still asked about it.
        is_told: what became known of the last edit was told.
        is_awaited: the model hears of the last edit for the first time.
        edited: the time of the last edit, by the event loop's clock.
    """

    known: Sequence[EditorProblem] | None = None
    present: Sequence[EditorProblem] | None = None
    asks: int = 0
    is_told: bool = True
    is_awaited: bool = False
    edited: float = 0.0


class EditorLanguageServers:
    """Those of the editor of one workspace folder."""

    def __init__(self, editor: Editor) -> None:
        self._editor = editor
        self._sessions: dict[str, dict[str, _File]] = {}
        self._by_text: dict[str, KnownProblems] = {}
        self._answered: set[str] = set()
        self._waited_for: set[str] = set()

    async def prepare_edits(self, session_id: str, paths: Sequence[str]) -> None:
        """Ask for the problems that files have before an edit; the user may have changed them since the last one."""
        files = self._sessions.setdefault(session_id, {})
        first = [path for path in paths if path not in files]
        told = [path for path in paths if path in files and files[path].is_told]
        checks = [*await self._ask(first, is_waited_for=True), *await self._ask(told, is_waited_for=False)]
        found = {check.path: check.problems for check in checks if check.problems is not None}
        for path in first:
            files[path] = _File(found.get(path))
        for path in told:
            files[path].known = found.get(path, files[path].known)
        for path in paths:
            files[path].present = found.get(path)

    def check_edits(self, session_id: str, edits: Sequence[EditedText]) -> None:
        files = self._sessions.setdefault(session_id, {})
        for edit in edits:
            file = files.setdefault(edit.path, _File(() if edit.before is None else None))
            file.asks, file.is_told, file.is_awaited = _MOST_ASKED, False, True
            file.edited = asyncio.get_running_loop().time()
            if edit.before is not None and file.present is not None:
                self._by_text.setdefault(session_id, KnownProblems()).note(edit.path, edit.before, file.present)
            file.present = None

    async def news(self, session_id: str) -> Sequence[EditCheck]:
        files = {path: file for path, file in self._sessions.get(session_id, {}).items() if file.asks}
        is_first = any(file.is_awaited for file in files.values())
        checks = await self._ask(tuple(files), is_waited_for=is_first)
        told = [told for check in checks if (told := _result(check, files[check.path])) is not None]
        for file in files.values():
            file.asks, file.is_awaited = file.asks - 1, False
        return told

    async def compare(self, session_id: str, edits: Sequence[EditedText], seconds: float) -> Sequence[EditCheck]:
        files = self._sessions.setdefault(session_id, {})
        by_text = self._by_text.setdefault(session_id, KnownProblems())
        texts = {edit.path: edit for edit in edits}
        now = asyncio.get_running_loop().time()
        edited = max(files[path].edited if path in files else now for path in texts)
        found = []
        for check in await self._editor.check_files(
            tuple(texts), min(seconds, max(0.0, edited + _SETTLED_SECONDS - now))
        ):
            found.append(compared(check, by_text.of(check.path, texts[check.path].before)))
            if check.problems is not None and (file := files.get(check.path)) is not None:
                file.known, file.is_told = check.problems, True
        return found

    async def check(self, texts: Mapping[str, str]) -> Sequence[FileCheck]:
        return await self._editor.check_files(tuple(texts), WAIT_SECONDS)

    async def _ask(self, paths: Sequence[str], *, is_waited_for: bool) -> Sequence[FileCheck]:
        """Ask the editor, which waits only for such files as it has told of before, and once for others."""
        if not paths:
            return ()
        suffixes = {PurePath(path).suffix for path in paths}
        seconds = 0.0
        if is_waited_for and suffixes & self._answered:
            seconds = WAIT_SECONDS
        elif is_waited_for and suffixes - self._waited_for:
            seconds = _START_SECONDS
            self._waited_for |= suffixes
        checks = await self._editor.check_files(paths, seconds)
        self._answered |= {PurePath(check.path).suffix for check in checks if check.problems is not None}
        return checks


def _result(check: FileCheck, file: _File) -> EditCheck | None:
    """Return the report on an edited file for the model; None = nothing new."""
    if check.problems is None:
        return EditCheck(check.path, check.server) if file.is_awaited else None
    found = compared(check, file.known)
    is_news = bool(found.new or found.gone or not file.is_told)
    file.known, file.is_told = check.problems, True
    return found if is_news else None
