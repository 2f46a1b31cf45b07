"""Commands that the manifests in a workspace folder name, read again only after one of them has changed."""

from dataclasses import dataclass, field
from pathlib import Path

from planact.base.errors import InvalidInput
from planact.base.filetext import decode_text
from planact.plan.project_commands import BESIDE, SOURCES, project_commands
from planact.ports import Files
from planact.workflows.workspace import Workspace

_LARGEST = 200_000
"""Bytes of a manifest, at most."""

_Stamps = tuple[tuple[str, float, int], ...]


@dataclass(slots=True)
class ProjectCommands:
    """Caches the commands of each folder, with the manifests' stamps."""

    _known: dict[Path, tuple[_Stamps, tuple[str, ...]]] = field(default_factory=dict)

    def of(self, ws: Workspace) -> tuple[str, ...]:
        """Return the folder's commands, in the order of the manifests."""
        files = ws.ports.files
        stamps = tuple(stamp for name in (*SOURCES, *BESIDE) if (stamp := _stamp(files, name)) is not None)
        known = self._known.get(files.root)
        if known is None or known[0] != stamps:
            names = [name for name, _, _ in stamps]
            texts = {name: text for name in names if name in SOURCES and (text := _text(files, name)) is not None}
            known = self._known[files.root] = (stamps, project_commands(texts, names))
        return known[1]


def _stamp(files: Files, name: str) -> tuple[str, float, int] | None:
    place = files.resolve(name)
    if place.relative is None or not place.exists or place.is_directory or files.is_hidden(place):
        return None
    try:
        info = files.info(place)
    except InvalidInput:
        return None
    return (name, info.modified, info.size) if info.kind == "file" else None


def _text(files: Files, name: str) -> str | None:
    try:
        file = decode_text(files.read(files.resolve(name), _LARGEST))
    except InvalidInput:
        return None
    return file.text if file else None
