"""The open folders of a client, each under the name that the client gave it."""

import os
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path, PurePath

from lsprotocol import types

from planact.base.errors import InvalidInput, NotFound
from planact.lsp.documents.convert import path_of, uri_of


@dataclass(slots=True)
class Folders:
    """`names` by path, in the client's order; a command that names no folder means the first."""

    names: dict[Path, str] = field(default_factory=dict)
    _reals: dict[Path, Path] = field(default_factory=dict)

    @property
    def roots(self) -> list[Path]:
        """Paths of the folders, as the client knows them."""
        return list(self.names)

    def initialize(self, params: types.InitializeParams) -> None:
        """Store the folders that are open."""
        folders = list(params.workspace_folders or ())
        if not folders and (root := params.root_uri or _uri_of(params.root_path or "")):
            folders = [types.WorkspaceFolder(root, "")]
        self._add(folders)

    def change(self, event: types.WorkspaceFoldersChangeEvent) -> tuple[list[Path], list[Path]]:
        """Add and remove folders. Returns the new ones, and the real paths of those that no name leads to any more."""
        before = self.roots
        self._reals = {}
        for folder in event.removed:
            if (path := path_of(folder.uri)) is not None:
                self.names.pop(Path(path), None)
        self._add(event.added)
        still = {_real(root) for root in self.names}
        left = dict.fromkeys(real for root in before if (real := _real(root)) not in still)
        return [root for root in self.names if root not in before], list(left)

    def named(self, folder: str) -> Path:
        """Return the folder with that URI; empty = the first.

        Raises:
            NotFound: NO_WORKSPACE.
        """
        path = path_of(folder) if folder else None
        if folder and (path is None or Path(path) not in self.names):
            raise NotFound(
                "NO_WORKSPACE", f"{folder} is not a workspace folder of this editor", "Open the folder first."
            )
        if not self.names:
            raise NotFound("NO_WORKSPACE", "no folder is open", "Open a folder; plans live in one.")
        return Path(path) if path else self.roots[0]

    def containing(self, uri: str) -> tuple[Path, PurePath]:
        """Return the folder that holds a document, the innermost first, and the document's path.

        Raises:
            InvalidInput: NO_WORKSPACE, when it is no file, or in no folder; FILE_UNREADABLE, when its name isn't UTF-8,
                under which no record of it can be kept.
        """
        path = path_of(uri)
        if path is None:
            raise InvalidInput("NO_WORKSPACE", f"{uri} is not a file on disk", "Save it in a workspace folder first.")
        roots = [root for root in self.names if path.is_relative_to(root)]
        if not roots:
            raise InvalidInput("NO_WORKSPACE", f"{path} is in no workspace folder", "Open the folder that holds it.")
        root = max(roots, key=lambda root: len(root.parts))
        if not _is_utf8(path.relative_to(root)):
            raise InvalidInput("FILE_UNREADABLE", f"the name of {uri} is not UTF-8", "Rename the file.")
        return root, path

    def client_path(self, real: Path) -> Path:
        """Return a folder under the name that the client knows. Called with every key, so the disk is read only for a
        folder that isn't cached.
        """
        if real not in self._reals:
            self._reals = {_real(root): root for root in reversed(self.names)}
        return self._reals.get(real, real)

    def label(self, root: Path) -> str:
        """Return the folder's name for people where several are open, else an empty string."""
        return self.names.get(root, root.name) if len(self.names) > 1 else ""

    def _add(self, folders: Sequence[types.WorkspaceFolder]) -> None:
        for folder in folders:
            if (path := path_of(folder.uri)) is not None:
                self.names[Path(path)] = folder.name or path.name


def _real(root: Path) -> Path:
    return Path(os.path.realpath(root))


def _uri_of(root_path: str) -> str:
    """Return the URI of the folder that old clients name by its path; empty for what is no absolute path."""
    try:
        return uri_of(Path(root_path))
    except ValueError:
        return ""


def _is_utf8(path: PurePath) -> bool:
    try:
        return bool(str(path).encode())
    except UnicodeEncodeError:
        return False
