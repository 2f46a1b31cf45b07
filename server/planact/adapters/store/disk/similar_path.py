"""The file or folder that a path without one may mean, as models miswrite paths."""

import difflib
import os
import re
from collections.abc import Callable, Iterator
from itertools import islice
from pathlib import Path

from planact.base.paths import Place

_QUOTES = " \t\r\n\"'`<>"
_LINES = re.compile(r"(?::\d+(?:[:-]\d+)*|#L\d+(?:-L?\d+)?)\Z")
_MOST_NAMES = 2_000
"""Entries of a folder that a name is compared with."""

_CLOSENESS = 0.8
_MOST_FOLDERS = 8
"""Folders at the beginning of a path that may be too much."""


def similar_path(place: Place, is_hidden: Callable[[str], bool]) -> str:
    """Return the path, relative to the workspace, of what is there and may be meant; empty = none is near enough."""
    if place.relative is None:
        return ""
    root = Path(*place.real.parts[: len(place.real.parts) - len(place.relative.parts)])
    for names in _readings(place.asked, root):
        found = _nearest(root, names)
        if found and not is_hidden(found):
            return found
    return ""


def _readings(asked: str, root: Path) -> Iterator[tuple[str, ...]]:
    """Yield the names on a path without what doesn't belong to it, then without the folders that it begins with."""
    text = _LINES.sub("", asked.strip(_QUOTES).removeprefix("file://").replace("\\", "/"))
    text = text.removeprefix(f"{root.as_posix()}/")
    names = tuple(name for name in text.split("/") if name not in ("", "."))
    if ".." in names:
        return
    for start in range(min(len(names), _MOST_FOLDERS)):
        yield names[start:]


def _nearest(root: Path, names: tuple[str, ...]) -> str:
    """Return the path below `root` that has these names, of which one at each level may be slightly another."""
    found: list[str] = []
    for name in names:
        folder = root.joinpath(*found)
        if found and folder.is_symlink():
            return ""
        if not os.path.lexists(folder / name):
            name = _near_name(folder, name)
        if not name:
            return ""
        found.append(name)
    return "/".join(found)


def _near_name(folder: Path, name: str) -> str:
    try:
        with os.scandir(folder) as entries:
            there = sorted(each.name for each in islice(entries, _MOST_NAMES) if _is_plain(each.name))
    except OSError:
        return ""
    folded = {each.casefold(): each for each in there}
    near = difflib.get_close_matches(name.casefold(), folded, 1, _CLOSENESS)
    return folded[near[0]] if near else ""


def _is_plain(name: str) -> bool:
    return name.isprintable() and not name.startswith(".")
