"""The eyes of one call: it sees what its effects name, and changes nothing.

A permit sees like this too. Without one, a tool can only tell what it would change, for the question whether it may.
"""

import hashlib
from collections.abc import Sequence

from planact.base.errors import EditFailure, InvalidInput
from planact.base.filetext import FileText, decode, fingerprint
from planact.base.paths import Place
from planact.model.change import DeleteFile
from planact.model.effect import Effect, PathAction, PathEffect
from planact.ports import Files, Ports

_UNREADABLE = "unreadable"
"""Stands for the hash of what is there and can't be read, so that it is neither as it was nor gone."""


class Sight:
    """Made by the gate alone. `seen` gets the SHA-256 of what was read, saved or not, by path, as it was first
    seen.
    """

    def __init__(
        self, ports: Ports, granted: Sequence[tuple[Effect, Place | None]], file_bytes: int, seen: dict[str, str]
    ) -> None:
        self._ports = ports
        self._granted = tuple(granted)
        self._file_bytes = file_bytes
        self._seen = seen

    def read(self, path: str) -> FileText:
        """The text of a file as the user sees it: unsaved buffers first.

        Raises:
            InvalidInput: FILE_BINARY, and what `Files.read` raises.
        """
        place = self._place(path, "read", "write")
        file = self._ports.editor.buffer(place)
        if file is None:
            file = decode(self._ports.files.read(place, self._file_bytes))
            if file is None:
                raise InvalidInput(
                    "FILE_BINARY", f"{place.shown} is a binary file", "Use get_file_info to learn about it."
                )
            self._seen.setdefault(place.shown, file.sha256)
        elif place.shown not in self._seen:
            is_saved = place.shown not in self._ports.editor.unsaved(place)
            self._seen[place.shown] = file.sha256 if is_saved else fingerprint(file)
        return file

    def removal(self, path: str) -> DeleteFile:
        """The change that removes a file as it is on disk, or an empty directory."""
        place = self._place(path, "delete")
        if place.is_directory:
            return DeleteFile(place, "")
        data = self._ports.files.read(place, self._file_bytes)
        file = decode(data)
        return DeleteFile(place, hashlib.sha256(data).hexdigest(), file.text if file else "")

    def place(self, path: str) -> Place:
        """Where `path` leads, for a change; `Permit.apply` looks whether it was granted."""
        return self._ports.files.resolve(path)

    def _place(self, path: str, *actions: PathAction) -> Place:
        """The granted place for `path`, if it still leads where it led when the verdict was given."""
        for effect, place in self._granted:
            if (
                isinstance(effect, PathEffect)
                and effect.path == path
                and effect.action in actions
                and place is not None
            ):
                now = self._ports.files.resolve(path)
                if now.real == place.real and now.relative is not None:
                    return now
                raise EditFailure("EDIT_CONFLICT", f"{path!r} leads elsewhere than a moment ago", "Look at it again.")
        raise PermissionError(f"no permit to {' or '.join(actions)} {path!r}")


def fingerprint_of(files: Files, path: str, limit: int) -> str:
    """SHA-256 (hex) of a file's bytes on disk; empty where there is none in the workspace. From any thread."""
    place = files.resolve(path)
    if place.relative is None or not place.exists:
        return ""
    try:
        return files.digest(place, limit)
    except InvalidInput as error:
        return "" if error.code == "FILE_NOT_FOUND" else _UNREADABLE
