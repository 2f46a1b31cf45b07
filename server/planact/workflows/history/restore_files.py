"""The changes that put files back as they were: renamed back, restored, deleted, in one go."""

import stat
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import PurePosixPath

from planact.base.errors import EditFailure
from planact.base.filetext import decode_text
from planact.base.paths import Place
from planact.model.runs.change import Change, DeleteFile, MakeDirectory, RenameFile, ReplaceText, RestoreFile
from planact.plan.revision import replace_text
from planact.workflows.history.undo_changes import Restore, UndoPlan
from planact.workflows.workspace import Workspace

_CHANGED = stat.S_IWUSR | stat.S_IXUSR


async def restore_files(ws: Workspace, undo: UndoPlan, label: str) -> None:
    """Make all changes of the undo, or none. Open files change in the editor, and are saved if they were.

    Raises:
        EditFailure: the errors of `Editor.apply`.
    """
    unwritable = _unwritable(undo)
    await _set_modes(ws, {path: mode | stat.S_IRWXU for path, mode in unwritable.items()}, label)
    try:
        await _restore(ws, undo, label)
    finally:
        await _set_modes(ws, unwritable, label)


async def _restore(ws: Workspace, undo: UndoPlan, label: str) -> None:
    editor = ws.ports.editor
    await _save_what_goes(ws, undo)
    saved = [place for each in undo.restores if _is_open_and_saved(ws, place := _place(ws, each.path))]
    if changes := _changes_for(ws, undo):
        await editor.apply(changes, label)
    if saved:
        await editor.save([place for place in saved if ws.ports.files.resolve(place.asked).exists])
    for path in undo.folders_made:
        await _remove_if_empty(ws, path, label)
    await _set_modes(ws, _closed(undo), label)


async def _set_modes(ws: Workspace, modes: Mapping[str, int], label: str) -> None:
    """Set the permission bits of those folders that are there."""
    places = ((_place(ws, path), mode) for path, mode in modes.items())
    if changes := [MakeDirectory(place, mode) for place, mode in places if place.is_directory and not place.is_link]:
        await ws.ports.editor.apply(changes, label)


def _changes_for(ws: Workspace, undo: UndoPlan) -> Sequence[Change]:
    """Order the changes: bits of folders that stay, moves, deletions, folders that are to be, restored files."""
    restores = undo.restores
    modes = {**undo.folder_modes, **{path: mode | stat.S_IRWXU for path, mode in _closed(undo).items()}}
    cleared = {each.path for each in restores if each.now.kind == "directory"}
    filled = {each.path for each in restores if each.then.kind == "directory"}
    moves = dict(_moves([each for each in restores if not _is_below(each.path, filled)]))
    moved = {*moves, *moves.values()}
    rest = [each for each in restores if each.path not in moved]
    folders: dict[str, MakeDirectory] = {
        path: MakeDirectory(_place(ws, path), mode) for path, mode in undo.folders_removed.items()
    }
    for each in restores:
        if each.then.kind == "directory":
            folders[each.path] = MakeDirectory(_place(ws, each.path), each.mode, each.now.sha256)

    def place(path: str) -> Place:
        """Return the place of a path also where a link still stands for a folder above it."""
        return _own_place(ws, path) if _is_below(path, filled) else _place(ws, path)

    return [
        *(MakeDirectory(_place(ws, path), mode) for path, mode in modes.items()),
        *(RenameFile(_place(ws, moves[path]), _place(ws, path)) for path in moves),
        *(DeleteFile(_place(ws, each.path), each.now.sha256) for each in rest if each.then.kind == "nothing"),
        *(DeleteFile(_place(ws, path), "") for path in undo.folders_made if _is_below(path, cleared)),
        *(replace(folders[path], place=place(path)) for path in sorted(folders)),
        *(
            _restored(ws, each, place(each.path))
            for each in sorted(rest, key=lambda each: not each.is_apart)  # before what the other names get
            if each.has_content
        ),
    ]


def _closed(undo: UndoPlan) -> Mapping[str, int]:
    """Return the folders that get bits with which nothing made in them could be removed any more."""
    return {
        path: mode
        for path, mode in undo.folder_modes.items()
        if mode & _CHANGED != _CHANGED and any(_is_below(made, {path}) for made in undo.folders_made)
    }


def _unwritable(undo: UndoPlan) -> Mapping[str, int]:
    """Return the folders that are to go and from which the user can't remove anything, the outer ones first."""
    going = {each.path: each.now.mode for each in undo.restores if each.now.kind == "directory"} | undo.folders_made
    return {path: mode for path, mode in sorted(going.items()) if mode is not None and mode & _CHANGED != _CHANGED}


def _is_below(path: str, folders: Collection[str]) -> bool:
    return bool(folders) and any(str(above) in folders for above in PurePosixPath(path).parents)


def _own_place(ws: Workspace, path: str) -> Place:
    return Place(path, ws.ports.files.root / path, PurePosixPath(path))


def _moves(restores: Sequence[Restore]) -> Iterator[tuple[str, str]]:
    """Files that come back and that are somewhere else now, where they go: the path to be, and the path now."""
    going = [each for each in restores if each.then.kind == "nothing" and not each.is_apart]
    for coming in restores:
        if coming.now.kind != "nothing":
            continue
        for each in going:
            is_same = (each.now.kind, each.now.sha256) == (coming.then.kind, coming.then.sha256)
            if is_same and coming.mode in (None, each.now.mode):
                going.remove(each)
                yield coming.path, each.path
                break


def _restored(ws: Workspace, restore: Restore, place: Place) -> Change:
    data = ws.ports.journal.kept(restore.then.sha256)
    assert data is not None, "what isn't kept stays"
    is_link, over_directory = restore.then.kind == "link", restore.now.kind == "directory"
    if over_directory or "link" in (restore.now.kind, restore.then.kind):
        return RestoreFile(place, data, restore.now.sha256, restore.mode, is_link, over_directory)
    buffer = ws.ports.editor.buffer(place) if place.exists else None
    before = restore.now.sha256 if buffer is None else buffer.sha256
    text = decode_text(data) if buffer is not None else None
    if (
        buffer is not None
        and text is not None
        and not restore.is_apart
        and (edits := replace_text(buffer.text, text.text))
    ):
        return ReplaceText(place, buffer, edits)
    return RestoreFile(place, data, before, restore.mode, is_apart=restore.is_apart)


async def _save_what_goes(ws: Workspace, undo: UndoPlan) -> None:
    """Text of the steps that isn't saved, in files that are to go: an open file with unsaved text is never deleted."""
    going = [_place(ws, each.path) for each in undo.restores if not each.has_content]
    if unsaved := [place for place in going if place.shown in ws.ports.editor.unsaved(place)]:
        await ws.ports.editor.save(unsaved)


async def _remove_if_empty(ws: Workspace, path: str, label: str) -> None:
    place = ws.ports.files.resolve(path)
    if place.is_directory and place.shown == path:
        try:
            await ws.ports.editor.apply((DeleteFile(place, ""),), label)
        except EditFailure:
            return  # something of others is in it


def _is_open_and_saved(ws: Workspace, place: Place) -> bool:
    return ws.ports.editor.buffer(place) is not None and place.shown not in ws.ports.editor.unsaved(place)


def _place(ws: Workspace, path: str) -> Place:
    return ws.ports.files.resolve_entry(path)
