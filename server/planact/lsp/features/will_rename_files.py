"""`workspace/willRenameFiles`: paths inside plans change in the same step as the rename."""

from pathlib import Path

from lsprotocol import types

from planact.base.span import apply_edits
from planact.lsp.documents.convert import path_of
from planact.lsp.documents.open_documents import NOT_OPEN, Document, workspace_edit
from planact.lsp.host.workspace_host import host_of
from planact.lsp.server import PlanactServer
from planact.plan.ide.renames import Rename
from planact.plan.syntax.path_name import is_plain_path
from planact.workflows.plans.rename import PlanToChange, plans_to_change
from planact.workflows.workspace import Workspace

_ALL = types.FileOperationFilter(types.FileOperationPattern("**"), scheme="file")


def register(server: PlanactServer) -> None:
    """Put the feature on the server."""

    @server.feature(types.WORKSPACE_WILL_RENAME_FILES, types.FileOperationRegistrationOptions([_ALL]))
    async def on_will_rename_files(ls: PlanactServer, params: types.RenameFilesParams) -> types.WorkspaceEdit | None:
        found: list[tuple[Document, PlanToChange]] = []
        for ws, root in zip(host_of(ls).workspaces.all(), host_of(ls).folders.roots, strict=True):
            renames = [rename for file in params.files if (rename := _below(root, file))]
            changes = plans_to_change(ws, renames) if renames else ()
            found += [(_document(ls, ws, change), change) for change in changes]
        if not found:
            return None
        for document, change in found:
            ls.documents.note_own_change(document, apply_edits(document.text, change.edits))
        return workspace_edit(
            [(document, change.edits) for document, change in found],
            has_versions=ls.client.document_changes,
            to_confirm=[document for document, change in found if change.is_approved] if ls.client.annotations else (),
        )


def _below(root: Path, file: types.FileRename) -> Rename | None:
    """Return the rename as paths in the folder; None for one from or to another folder."""
    old, new = path_of(file.old_uri), path_of(file.new_uri)
    if old is None or new is None or not (old.is_relative_to(root) and new.is_relative_to(root)):
        return None
    rename = Rename(old.relative_to(root).as_posix(), new.relative_to(root).as_posix())
    return rename if is_plain_path(rename.old) and is_plain_path(rename.new) else None


def _document(ls: PlanactServer, ws: Workspace, change: PlanToChange) -> Document:
    """Return the plan as the client has it open, or would open it."""
    place, text = change.document.place, change.document.file.text
    uri = host_of(ls).workspaces.uri(ws, change.document.path)
    return ls.documents.at(place) or Document(uri, "", NOT_OPEN, text, ls.documents.encoding, Path(place.real))
