"""Read access of one call: to the paths that its effects name, and without changing them. Methods that aren't async
block, and may be called from any thread.

A permit reads like this too. Without a permit, a tool can only work out its changes, for the question to the user.
"""

import asyncio
import hashlib
from collections.abc import Callable, Iterable, Mapping, Sequence, Set
from pathlib import PurePosixPath

from planact.base.errors import EditFailure, InvalidInput
from planact.base.filetext import FileText, decode_text, fingerprint
from planact.base.paths import Place
from planact.model.file import EditorProblem, FileCheck, FileInfo, FileList, PdfText, SearchPage, SearchResult, Skipped
from planact.model.rights.credentials import SEARCH_SKIPS, holds_credentials
from planact.model.rights.permission import Effect, PathAction, PathEffect
from planact.model.runs.change import Change, DeleteFile, ReplaceText
from planact.model.symbol import Definition, SymbolQuery, SymbolResult
from planact.ports import Files, Ports
from planact.tools.diagnostics.code_access import CodeAccess
from planact.tools.edit.known_texts import KnownTexts

_UNREADABLE = "unreadable"
"""Replaces the hash of a file that can't be read, so that it counts neither as unchanged nor as gone."""

_LARGEST_MANIFEST = 200_000
_MOST_LISTED, _MOST_CHECKED = 5_000, 20


class ReadAccess:
    """Read access, made by the gate alone. `seen` gets the SHA-256 of each file as it was first read, saved or not, by
    path; `known` = the texts that the model knows.
    """

    def __init__(
        self,
        ports: Ports,
        granted: Sequence[tuple[Effect, Place | None]],
        file_bytes: int,
        seen: dict[str, str],
        known: KnownTexts,
    ) -> None:
        self._ports = ports
        self._granted = tuple(granted)
        self._file_bytes = file_bytes
        self._seen = seen
        self._known = known

    async def read(self, path: str) -> FileText:
        """Return a file's text as the user sees it, unsaved buffers first; the model knows it from then on.

        Raises:
            InvalidInput: FILE_BINARY, and what `Files.read` raises.
        """
        place, file = await asyncio.to_thread(self._read, path)
        if place.relative is not None:
            self._known.note(place.shown, file.text)
        return file

    async def read_bytes(self, path: str) -> bytes:
        """Return a file's bytes on disk. Raises what `Files.read` does."""
        return await asyncio.to_thread(self._bytes_of, path)

    def _bytes_of(self, path: str) -> bytes:
        place = self._place(path, "read")
        data = self._ports.files.read(place, self._file_bytes)
        if place.relative is not None:
            self._seen.setdefault(place.shown, hashlib.sha256(data).hexdigest())
        return data

    async def pdf_text(self, path: str, data: bytes, first: int, last: int | None) -> PdfText:
        """Return the texts of pages of a PDF file that was read, as `PdfFiles.pdf_text`."""
        return await self._ports.pdf_files.pdf_text(data, path, first, last)

    async def info(self, path: str) -> FileInfo:
        """Return the file system's facts about a path."""
        return await asyncio.to_thread(lambda: self._ports.files.info(self._place(path, "read")))

    async def list(self, path: str) -> Sequence[str]:
        """Return the names in a folder; folders end with a slash."""
        return await asyncio.to_thread(lambda: self._ports.files.list(self._place(path, "read")))

    async def search(self, pattern: str, path: str, glob: str, page: SearchPage, *, is_literal: bool) -> SearchResult:
        """Search below a path; files that usually hold credentials are left out."""
        place, unsaved = await asyncio.to_thread(self._searched, path)
        if _holds_credentials(place):
            return SearchResult((), is_cut=False, skipped=(Skipped("credentials", 1, (place.shown,)),))
        return await self._ports.files.search(
            pattern, place, glob, page, is_literal=is_literal, skip=SEARCH_SKIPS, unsaved=unsaved
        )

    async def find_files(self, path: str, glob: str, fitting: Callable[[Sequence[str]], Sequence[str]]) -> FileList:
        """Return the files below a path that fit a glob, empty = all, and that `fitting` returns of many paths, as far
        as a search covers them.
        """

        def find() -> FileList:
            place = self._place(path, "search")
            if _holds_credentials(place):
                return FileList((), (Skipped("credentials", 1, (place.shown,)),))
            return self._ports.files.names(place, glob, skip=SEARCH_SKIPS, fitting=fitting)

        return await asyncio.to_thread(find)

    async def find_symbol(self, sought: SymbolQuery, path: str) -> SymbolResult:
        """Return the places of a name below a path, in the files that a search covers."""
        place, unsaved = await asyncio.to_thread(self._searched, path)
        if _holds_credentials(place):
            return SymbolResult((), 0, 0)
        return await self._ports.symbols.find(sought, place, skip=SEARCH_SKIPS, unsaved=unsaved)

    async def definitions(self, path: str, file: FileText) -> Sequence[Definition] | None:
        """Return the definitions in a file that was read; None where they can't be told."""
        return await self._ports.symbols.definitions(path, file.text)

    def _searched(self, path: str) -> tuple[Place, Mapping[str, str]]:
        """Return the place to search in, and the unsaved texts there."""
        place = self._place(path, "search")
        return place, self._ports.editor.unsaved(place)

    async def problems(self, path: str) -> Sequence[EditorProblem] | None:
        """Return the diagnostics that the editor shows for files below a folder that a search covers; None for a file,
        and when the editor has none to give.
        """
        place = await asyncio.to_thread(self._place, path, "search")
        found = await self._ports.editor.diagnostics(place) if place.is_directory else None
        if found is None:
            return None
        paths = {problem.path for problem in found}
        shown = await asyncio.to_thread(lambda: {path for path in paths if self._is_shown(path)})
        return [problem for problem in found if problem.path in shown]

    async def check_files(self, path: str) -> tuple[Sequence[FileCheck], int]:
        """Have language servers check the files at or below a path that a search covers; return what they say, and the
        number of files that were too many.
        """
        texts, left_out = await asyncio.to_thread(self._texts_to_check, path)
        return await self._ports.language_servers.check(texts), left_out

    def _texts_to_check(self, path: str) -> tuple[Mapping[str, str], int]:
        place, servers = self._place(path, "search"), self._ports.language_servers
        if place.relative is None:
            return {}, 0
        path = place.relative.as_posix()
        paths = [path] if self._is_shown(path) else []
        if place.is_directory:
            ends, below = tuple(servers.suffixes()), "" if path == "." else path
            found = self._ports.files.find("", _MOST_LISTED, below) if ends else ()
            paths = [each for each in found if each.endswith(ends) and self._is_shown(each)]
        texts = {each: text for each in paths[:_MOST_CHECKED] if (text := self._text_at(each)) is not None}
        return texts, max(0, len(paths) - _MOST_CHECKED)

    async def code(self, path: str) -> CodeAccess:
        """Return a file of the workspace for what language servers know of it; the model knows no text by that.

        Raises:
            InvalidInput: as `read`, and PATH_OUTSIDE_WORKSPACE.
        """

        def read() -> tuple[Place, FileText | None]:
            place = self._place(path, "read", "write")
            if place.relative is None:
                message = f"{place.shown} lies outside the workspace, whose files alone language servers look at"
                raise InvalidInput("PATH_OUTSIDE_WORKSPACE", message, "Use search_code.")
            return place, self._file_at(place)

        place, file = await asyncio.to_thread(read)
        if file is None:
            raise InvalidInput("FILE_BINARY", f"{place.shown} is a binary file", "Name a source file.")
        return CodeAccess(self._ports, place, file.text, self._text_shown)

    def _text_shown(self, path: str) -> str | None:
        return self._text_at(path) if self._is_shown(path) else None

    def manifest(self, name: str) -> str | None:
        """Return the text of a file in the workspace folder that a search covers, None if there is none; empty for a
        large one.
        """
        self._place(".", "search")
        if not self._is_shown(name):
            return None
        try:
            file = decode_text(self._ports.files.read(self._ports.files.resolve(name), _LARGEST_MANIFEST))
        except InvalidInput as error:
            return "" if error.code == "FILE_TOO_LARGE" else None
        return file.text if file else None

    def _is_shown(self, path: str) -> bool:
        place = self._ports.files.resolve(path)
        relative = place.relative
        return relative is not None and not holds_credentials(relative) and not self._ports.files.is_hidden(place)

    def read_to_change(self, path: str) -> FileText:
        """Return a file's text for an edit, which must be based on the text that the model knows.

        Raises:
            EditFailure: EDIT_CONFLICT, once, where others changed the file meanwhile; it names their changes, so that
                the next edit can fit.
        """
        place, file = self._read(path)
        self._check_known(place, file, "Keep what others wrote, and make the edit anew if it still fits. What changed")
        return file

    def read_as_planned(self, path: str) -> FileText:
        """Return a file's text for edits that a program made out, not the model: it need not know the text."""
        return self._read(path)[1]

    def _check_known(self, place: Place, file: FileText, hint: str) -> None:
        if changed := self._known.warn(place.shown, file.text):
            raise EditFailure("EDIT_CONFLICT", f"{place.shown} has changed since you read it", f"{hint}:\n{changed}")

    def news(self, changes: Iterable[Change]) -> str:
        """Return others' changes in the files of `changes` that the model wasn't told yet, as lines behind a result."""
        told = [self._known.take_news(path) for path in dict.fromkeys(change.place.shown for change in changes)]
        return "".join(f"\nAnother program changes it too. Changes before your edit:\n{news}" for news in told if news)

    def outdated(self) -> Set[str]:
        """Return the files whose text differs from the one that the model knows."""
        open_files = {*self._ports.editor.open_files()}  # their texts may change without the disk
        return {path for path in self._known.paths() if self._is_outdated(path, is_open=path in open_files)}

    def _is_outdated(self, path: str, *, is_open: bool) -> bool:
        stamp = () if is_open else self._ports.files.stamp(path)
        if self._known.is_same(path, stamp):
            return False
        text = self._text_at(path)
        is_outdated = text is None or bool(self._known.difference(path, text))
        if stamp and not is_outdated:
            self._known.note_same(path, stamp)
        return is_outdated

    def with_changes_by_others(self, failure: EditFailure, changes: Sequence[Change]) -> EditFailure:
        """Return `failure`, with the changes that others made to the same files."""
        told = [failure.hint]
        for change in changes:
            path = change.place.shown
            if not isinstance(change, ReplaceText) or (now := self._text_at(path)) is None:
                continue
            self._known.note(path, change.before.text)
            if changed := self._known.warn(path, now):
                told.append(f"What changed:\n{changed}")
        return EditFailure(failure.code, failure.message, "\n".join(told))

    def _read(self, path: str) -> tuple[Place, FileText]:
        place = self._place(path, "read", "write")
        file = self._file_at(place)
        if file is None:
            raise InvalidInput("FILE_BINARY", f"{place.shown} is a binary file", "Use get_file_info to learn about it.")
        if place.relative is not None and place.shown not in self._seen:
            is_saved = place.shown not in self._ports.editor.unsaved(place)
            self._seen[place.shown] = file.sha256 if is_saved else fingerprint(file)
        return place, file

    def _file_at(self, place: Place) -> FileText | None:
        self._ports.editor.check_readable(place)
        return self._ports.editor.buffer(place) or decode_text(self._ports.files.read(place, self._file_bytes))

    def _text_at(self, path: str) -> str | None:
        """Return the text that the user sees of a file; None where there is no text in the workspace."""
        place = self._ports.files.resolve(path)
        try:
            file = self._file_at(place) if place.relative is not None else None
        except (InvalidInput, EditFailure):
            return None
        return file.text if file else None

    def removal(self, path: str) -> DeleteFile:
        """Return the change that removes a file as it is on disk, a link, or an empty folder.

        Raises:
            EditFailure: EDIT_CONFLICT, as `read_to_change`.
        """
        place = self._place(path, "delete")
        if place.is_directory:
            return DeleteFile(place, "")
        if place.is_link:
            target = self._ports.files.link_target(place)
            return DeleteFile(place, hashlib.sha256(target).hexdigest(), target.decode("utf-8", "replace"))
        data = self._ports.files.read(place, self._file_bytes)
        file = decode_text(data)
        if file is not None and place.shown not in self._ports.editor.unsaved(place):
            self._check_known(place, file, "Look whether it still is to go. What changed")
        return DeleteFile(place, hashlib.sha256(data).hexdigest(), file.text if file else "")

    def place(self, path: str) -> Place:
        """Return the place of a path that a change names; `Permit.apply` checks whether it was granted."""
        return self._ports.files.resolve(path)

    def entry(self, path: str) -> Place:
        """Return the place of a path as `place` does, but of a link at its end itself."""
        return self._ports.files.resolve_entry(path)

    def _check_granted(self, effect: Effect) -> None:
        if effect not in [granted for granted, _ in self._granted]:
            raise PermissionError(f"no permit for {effect}")

    def _place(self, path: str, *actions: PathAction) -> Place:
        """Return the granted place for `path`, if the path still leads there."""
        for effect, place in self._granted:
            if (
                isinstance(effect, PathEffect)
                and effect.path == path
                and effect.action in actions
                and place is not None
            ):
                now = place_of_effect(self._ports.files, effect, place.asked)
                # Outside the workspace nothing but reading was ever granted.
                is_read = effect.action in ("read", "search")
                is_same = (now.real, now.is_link) == (place.real, place.is_link)
                if is_same and (now.relative is not None or is_read):
                    return now
                raise EditFailure("EDIT_CONFLICT", f"{path!r} leads elsewhere than a moment ago", "Look at it again.")
        raise PermissionError(f"no permit to {' or '.join(actions)} {path!r}")


def _holds_credentials(place: Place) -> bool:
    return holds_credentials(place.relative or PurePosixPath(place.real.as_posix()))


def place_of_effect(files: Files, effect: PathEffect, path: str) -> Place:
    """Return the place that an effect is on now, by the path that is asked for."""
    return files.resolve(path) if effect.follows_link else files.resolve_entry(path)


def fingerprint_of(files: Files, path: str, limit: int) -> str:
    """Return the SHA-256 (hex) of a file's bytes on disk; empty where there is none in the workspace. From any
    thread.
    """
    place = files.resolve(path)
    if place.relative is None or not place.exists:
        return ""
    try:
        return files.digest(place, limit)
    except InvalidInput as error:
        return "" if error.code == "FILE_NOT_FOUND" else _UNREADABLE
