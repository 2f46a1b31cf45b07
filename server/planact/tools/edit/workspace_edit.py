"""Edits that a language server proposes, checked and made into edits of texts: all of them, or none."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from planact.base.errors import EditFailure
from planact.base.positions import Encoding, offsets_of
from planact.base.span import Span, TextEdit, apply_edits
from planact.base.text import named, one_line
from planact.model.navigation import RangeEdit, WorkspaceEdit
from planact.model.rights.permission import Effect, PathEffect

MAX_FILES, MAX_EDITS, MAX_NEW_TEXT = 200, 10_000, 2_000_000
"""Most files, edits and new characters of one proposal."""

_GO_ON = "Make the change by update_file."


@dataclass(frozen=True, slots=True)
class PlannedFile:
    """The edits of one file, to the text `before`."""

    path: str
    before: str
    edits: tuple[TextEdit, ...]


@dataclass(frozen=True, slots=True)
class PlannedEdit:
    """Checked edits of files. `unread` are files besides that the proposal names and whose texts weren't read, so that
    it can't be made; the gate says why, where it refuses them.
    """

    server: str
    files: tuple[PlannedFile, ...] = ()
    unread: tuple[str, ...] = ()

    @property
    def effects(self) -> tuple[Effect, ...]:
        return tuple(PathEffect("write", path) for path in (*(file.path for file in self.files), *self.unread))


def check_size(edit: WorkspaceEdit) -> None:
    """Refuse a proposal that can't be made, or that is too large. Raises EditFailure."""
    edits = [each for file in edit.files for each in file.edits]
    if edit.problem:
        raise refused(edit.problem)
    if len(edit.files) > MAX_FILES or len(edits) > MAX_EDITS:
        raise refused(f"it makes {len(edits)} edits in {len(edit.files)} files, more than {MAX_EDITS} in {MAX_FILES}")
    if sum(len(each.new_text) for each in edits) > MAX_NEW_TEXT:
        raise refused(f"its new text has more than {MAX_NEW_TEXT:,} characters")


def plan_edit(server: str, edit: WorkspaceEdit, texts: Mapping[str, str]) -> PlannedEdit:
    """Return the edits of the files in `texts`. Each file of the proposal is named once. Raises EditFailure."""
    check_size(edit)
    files = []
    for file in edit.files:
        if file.path in texts:
            text = texts[file.path]
            edits = _text_edits(file.path, text, file.edits, edit.encoding)
            if edits:
                files.append(PlannedFile(file.path, text, edits))
    unread = tuple(file.path for file in edit.files if file.path not in texts)
    if not files and not unread:
        raise EditFailure("EDIT_REFUSED", f"{server} has nothing to change there", "Go on; it reads like that already.")
    return PlannedEdit(server, tuple(files), unread)


def _text_edits(path: str, text: str, edits: Sequence[RangeEdit], encoding: Encoding) -> tuple[TextEdit, ...]:
    try:
        offsets = offsets_of(text, (place for each in edits for place in (each.start, each.end)), encoding)
        found = [TextEdit(Span(offsets[each.start], offsets[each.end]), each.new_text) for each in edits]
        apply_edits(text, found)
    except ValueError as error:
        raise refused(f"its edits don't fit {named(path)}: {error}") from error
    changed = [each for each in found if text[each.span.start : each.span.end] != each.new_text]
    return tuple(sorted(changed, key=lambda each: each.span))


def refused(why: str) -> EditFailure:
    """Return the refusal of a proposal."""
    return EditFailure("EDIT_REFUSED", f"the language server's edit can't be made: {one_line(why, 300)}", _GO_ON)
