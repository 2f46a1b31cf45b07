"""Instructions for the agent that the repository brings: its own words, which give no rights."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from pathlib import PurePosixPath

from planact.base.errors import InvalidInput
from planact.base.filetext import decode_text
from planact.base.paths import Place
from planact.policy.protected import holds_credentials
from planact.workflows.workspace import Workspace

_OTHER_AGENTS = ("CLAUDE.md", "GEMINI.md", ".github/copilot-instructions.md", ".cursor/rules")
"""Files and folders of other agents, in the order in which the first that says something counts."""

_NESTED = ("AGENTS.md", "CLAUDE.md", "GEMINI.md")


def find_instructions(ws: Workspace) -> Sequence[tuple[str, str]]:
    """Return names and texts: those that the setting names; where none of them says anything, the first of the files
    that other agents read. From any thread.
    """
    found = [each for name in ws.settings.instructions for each in _read(ws, name)]
    if found or not ws.settings.instructions:
        return found
    return next((others for name in _OTHER_AGENTS if (others := [*_all_below(ws, name)])), [])


def nested_instructions(ws: Workspace, paths: Iterable[str]) -> Sequence[tuple[str, str]]:
    """Return names and texts of the nearest instructions above each path, without those of the workspace's root. From
    any thread.
    """
    if not ws.settings.instructions:
        return ()
    nearest: dict[str, str] = {}
    for path in paths:
        folders = (folder for folder in PurePosixPath(path).parents if folder.name and not folder.is_absolute())
        nearest.update(next((found for folder in folders if (found := [*_first_in(ws, folder)])), []))
    return sorted(nearest.items())


def _first_in(ws: Workspace, folder: PurePosixPath) -> Iterator[tuple[str, str]]:
    named = ((name, shown_text(ws, name)) for name in (f"{folder}/{each}" for each in _NESTED))
    yield from islice(((name, text) for name, text in named if text.strip()), 1)


def _all_below(ws: Workspace, name: str) -> Iterator[tuple[str, str]]:
    """Yield the file, or the files of a folder."""
    place = ws.ports.files.resolve(name)
    if not place.is_directory or not _may_see(ws, place):
        yield from _read(ws, name)
        return
    for entry in ws.ports.files.list(place):
        yield from _read(ws, f"{name}/{entry}")


def _read(ws: Workspace, name: str) -> Iterator[tuple[str, str]]:
    if (text := shown_text(ws, name)).strip():
        yield name, text


def shown_text(ws: Workspace, name: str) -> str:
    """Return the text of a file that the agent may see; empty where there is none. From any thread."""
    place = ws.ports.files.resolve(name)
    if not place.exists or place.is_directory or not _may_see(ws, place):
        return ""
    try:
        file = decode_text(ws.ports.files.read(place, ws.settings.limits.file_bytes))
    except InvalidInput:
        return ""
    return file.text if file else ""


def _may_see(ws: Workspace, place: Place) -> bool:
    """Return whether the agent may see it: a repository can make `AGENTS.md` a link to what it must not see."""
    return not (place.relative is None or holds_credentials(place.relative) or ws.ports.files.is_hidden(place))
