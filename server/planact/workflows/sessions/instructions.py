"""Instructions for the agent that the repository brings: its own words, which give no rights."""

import posixpath
import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice, takewhile
from pathlib import PurePosixPath

from planact.base.errors import InvalidInput
from planact.base.filetext import decode_text
from planact.workflows.workspace import Workspace

_OTHER_AGENTS = ("CLAUDE.md", "GEMINI.md", ".github/copilot-instructions.md", ".cursor/rules")
"""Files and folders of other agents, in the order in which the first that says something counts."""

_NESTED = ("AGENTS.md", "CLAUDE.md", "GEMINI.md")

_NAMING_OTHERS = ("CLAUDE.md", "GEMINI.md")
"""Files in which `@path` means that the file there belongs to it, too."""

_DEEPEST, _MOST_NAMED = 3, 10
_NAMED = re.compile(r"(?<![\w`@/])@([\w.][\w./-]*)")
_CODE = re.compile(r"^ *(```|~~~).*?^ *\1|`[^`\n]+`", re.DOTALL | re.MULTILINE)


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
    nearest: dict[PurePosixPath, Sequence[tuple[str, str]]] = {}
    found: dict[str, str] = {}
    for folder in {PurePosixPath(path).parent for path in paths}:
        above = [each for each in (folder, *folder.parents) if each.name and not each.is_absolute()]
        unknown = [*takewhile(lambda each: each not in nearest, above)]
        said = nearest[above[len(unknown)]] if len(unknown) < len(above) else ()
        for each in reversed(unknown):
            nearest[each] = said = [*_first_in(ws, each)] or said
        found.update(said)
    return sorted(found.items())


def _first_in(ws: Workspace, folder: PurePosixPath) -> Iterator[tuple[str, str]]:
    yield from islice((found for each in _NESTED for found in _read(ws, f"{folder}/{each}")), 1)


def _all_below(ws: Workspace, name: str) -> Iterator[tuple[str, str]]:
    """Yield the file, or the files of a folder."""
    place = ws.ports.files.resolve(name)
    if not place.is_directory or not ws.may_show(place):
        yield from _read(ws, name)
        return
    for entry in ws.ports.files.list(place):
        yield from _read(ws, f"{name}/{entry}")


def _read(ws: Workspace, name: str) -> Iterator[tuple[str, str]]:
    if (text := shown_text(ws, name)).strip():
        names_others = PurePosixPath(name).name in _NAMING_OTHERS
        yield name, "\n\n".join((text, *_named_by(ws, name, text))) if names_others else text


def _named_by(ws: Workspace, name: str, text: str) -> Iterator[str]:
    """Yield the texts of files that a text names with `@`, and of those that these name."""
    texts, read = {name: text}, {name}
    for _ in range(_DEEPEST):
        named = [path for name, text in texts.items() for path in _paths_in(name, text)]
        texts = {path: shown_text(ws, path) for path in dict.fromkeys(named) if path not in read}
        texts = dict(islice(((path, text) for path, text in texts.items() if text.strip()), _MOST_NAMED))
        read |= texts.keys()
        yield from (f"@{path}:\n{text}" for path, text in texts.items())


def _paths_in(name: str, text: str) -> Iterator[str]:
    """Yield the paths that a text names with `@` outside of code, which count from the folder of its file."""
    for found in _NAMED.finditer(_CODE.sub(" ", text)):
        yield posixpath.normpath(posixpath.join(posixpath.dirname(name), found[1].rstrip(".")))


def shown_text(ws: Workspace, name: str) -> str:
    """Return the text of a file that the agent may see; empty where there is none. From any thread."""
    place = ws.ports.files.resolve(name)
    if not place.exists or place.is_directory or not ws.may_show(place):  # `AGENTS.md` may be a link
        return ""
    try:
        file = decode_text(ws.read(place))
    except InvalidInput:
        return ""
    return file.text if file else ""
