"""The changes that put files back as they were: renamed back, restored, deleted, in one go."""

from collections.abc import Iterator, Sequence

from planact.base.errors import EditFailure
from planact.base.filetext import decode_text
from planact.base.paths import Place
from planact.model.runs.change import Change, DeleteFile, MakeDirectory, RenameFile, ReplaceText, RestoreFile
from planact.plan.revision import replace_text
from planact.workflows.history.undo_changes import Restore, UndoPlan
from planact.workflows.workspace import Workspace


async def restore_files(ws: Workspace, undo: UndoPlan, label: str) -> None:
    """Make all changes of the undo, or none. Open files change in the editor, and are saved if they were.

    Raises:
        EditFailure: the errors of `Editor.apply`.
    """
    editor = ws.ports.editor
    await _save_what_goes(ws, undo)
    saved = [place for each in undo.restores if _is_open_and_saved(ws, place := _place(ws, each.path))]
    folders = [MakeDirectory(_place(ws, path)) for path in undo.folders_removed]
    if changes := [*changes_for(ws, undo.restores), *folders]:
        await editor.apply(changes, label)
    if saved:
        await editor.save([place for place in saved if ws.ports.files.resolve(place.asked).exists])
    for path in undo.folders_made:
        await _remove_if_empty(ws, path, label)


def changes_for(ws: Workspace, restores: Sequence[Restore]) -> Sequence[Change]:
    """Order the changes: moves first, then deletions, then restored files."""
    moves = dict(_moves(restores))
    moved = {*moves, *moves.values()}
    changes: list[Change] = [RenameFile(_place(ws, moves[path]), _place(ws, path)) for path in moves]
    rest = [each for each in restores if each.path not in moved]
    changes += [DeleteFile(_place(ws, each.path), each.now.sha256) for each in rest if each.then.kind == "nothing"]
    changes += [_restored(ws, each) for each in rest if each.then.kind in ("file", "link")]
    return changes


def _moves(restores: Sequence[Restore]) -> Iterator[tuple[str, str]]:
    """Files that come back and that are somewhere else now, where they go: the path to be, and the path now."""
    going = [each for each in restores if each.then.kind == "nothing"]
    for coming in restores:
        if coming.now.kind != "nothing":
            continue
        for each in going:
            is_same = (each.now.kind, each.now.sha256) == (coming.then.kind, coming.then.sha256)
            if is_same and coming.mode in (None, each.now.mode):
                going.remove(each)
                yield coming.path, each.path
                break


def _restored(ws: Workspace, restore: Restore) -> Change:
    place = _place(ws, restore.path)
    data = ws.ports.journal.kept(restore.then.sha256)
    assert data is not None, "what isn't kept stays"
    if "link" in (restore.now.kind, restore.then.kind):
        return RestoreFile(place, data, restore.now.sha256, restore.mode, is_link=restore.then.kind == "link")
    buffer = ws.ports.editor.buffer(place) if place.exists else None
    before = restore.now.sha256 if buffer is None else buffer.sha256
    text = decode_text(data) if buffer is not None else None
    if buffer is not None and text is not None and (edits := replace_text(buffer.text, text.text)):
        return ReplaceText(place, buffer, edits)
    return RestoreFile(place, data, before, restore.mode)


async def _save_what_goes(ws: Workspace, undo: UndoPlan) -> None:
    """Text of the steps that isn't saved, in files that are to go: an open file with unsaved text is never deleted."""
    going = [_place(ws, each.path) for each in undo.restores if each.then.kind == "nothing"]
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
