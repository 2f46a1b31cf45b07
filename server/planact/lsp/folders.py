"""The folders that a client has open, and which of them is meant. A folder has the name that the client gave it."""

import os
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path, PurePath

from lsprotocol import types

from planact.base.errors import InvalidInput, NotFound
from planact.lsp.convert import path_of


@dataclass(slots=True)
class Folders:
    """`names` by path, in the client's order: without a word about it, the first is meant."""

    names: dict[Path, str] = field(default_factory=dict)
    _reals: dict[Path, Path] = field(default_factory=dict)

    @property
    def roots(self) -> list[Path]:
        """Their paths, as the client knows them."""
        return list(self.names)

    def meet(self, params: types.InitializeParams) -> None:
        """Learn which are open."""
        folders = list(params.workspace_folders or ())
        if not folders and params.root_uri:
            folders = [types.WorkspaceFolder(params.root_uri, "")]
        self._add(folders)

    def change(self, event: types.WorkspaceFoldersChangeEvent) -> tuple[list[Path], list[Path]]:
        """Folders came or went. Returns those that are new, and the real paths of those that have no name any more."""
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
        """The folder with that URI; empty = the first.

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

    def holding(self, uri: str) -> tuple[Path, PurePath]:
        """The folder that holds a document, the innermost first, and the document's path.

        Raises:
            InvalidInput: NO_WORKSPACE, when it is no file, or in no folder.
        """
        path = path_of(uri)
        if path is None:
            raise InvalidInput("NO_WORKSPACE", f"{uri} is not a file on disk", "Save it in a workspace folder first.")
        roots = [root for root in self.names if path.is_relative_to(root)]
        if not roots:
            raise InvalidInput("NO_WORKSPACE", f"{path} is in no workspace folder", "Open the folder that holds it.")
        return max(roots, key=lambda root: len(root.parts)), path

    def as_client_names(self, real: Path) -> Path:
        """A folder by the name that the client knows it under. It is asked for with every key, so the disk is looked at
        only for a folder that nobody has asked for yet.
        """
        if real not in self._reals:
            self._reals = {_real(root): root for root in reversed(self.names)}
        return self._reals.get(real, real)

    def told_apart(self, root: Path) -> str:
        """What people call the folder where there is more than one; else empty."""
        return self.names.get(root, root.name) if len(self.names) > 1 else ""

    def _add(self, folders: Sequence[types.WorkspaceFolder]) -> None:
        for folder in folders:
            if (path := path_of(folder.uri)) is not None:
                self.names[Path(path)] = folder.name or path.name


def _real(root: Path) -> Path:
    return Path(os.path.realpath(root))
