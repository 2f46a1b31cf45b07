"""Show changes in files that a plan rests on, as far as their earlier text is known, and say where it isn't."""

import difflib
from collections.abc import Iterable, Sequence

from planact.base.errors import InvalidInput
from planact.base.filetext import decode_text
from planact.base.text import fair_limit, named
from planact.plan.lint_context import ChangedFile
from planact.workflows.workspace import Workspace

MAX_COMPARED_BYTES = 200_000
"""Bytes of a text that is compared; finding a difference takes time that grows with the square."""

MAX_DIFF_CHARACTERS = 20_000
"""Characters of all differences together."""


_LEAST_SHOWN = 400
"""Characters that are shown of each difference, however many there are; files beyond are counted."""


def show_changes(ws: Workspace, changed: Sequence[ChangedFile], since: str = "planning") -> str:
    """A unified diff per file, or a line that says why there is none; cut where it gets too long. `since` says when it
    was as it was.
    """
    return fit_differences((_difference(ws, file, since) for file in changed), len(changed))


def fit_differences(differences: Iterable[str], count: int) -> str:
    """Join `count` differences, the longest cut so far that none hides another. No more are made than can be shown."""
    parts: list[str] = []
    used = 0
    for part in differences:
        used += min(len(part), _LEAST_SHOWN)
        if used > MAX_DIFF_CHARACTERS:
            break
        parts.append(part)
    share = fair_limit(map(len, parts), MAX_DIFF_CHARACTERS)
    left = count - len(parts)
    more = f"(cut here; {left} more files changed)\n" if left else ""
    return "".join(_cut(part, share) for part in parts) + more


def _cut(part: str, share: int) -> str:
    if len(part) <= share:
        return part
    end = part.rfind("\n", 0, share) + 1 or share
    shown = part[:end].removesuffix("\n")
    return f"{shown}\n(cut here: {part.count(chr(10), end)} more lines)\n"


def unified(old: str, new: str, old_name: str, new_name: str) -> str:
    """The difference between two texts in the form of `diff -u`; empty where there is none."""
    lines = difflib.unified_diff(old.splitlines(keepends=True), new.splitlines(keepends=True), old_name, new_name, n=3)
    return "".join(line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n" for line in lines)


def _difference(ws: Workspace, file: ChangedFile, since: str) -> str:
    name = named(file.path)
    place = ws.ports.files.resolve(file.path)
    if not ws.may_show(place):
        return f"{name}: {file.what}; what is in it is not shown\n"
    before = ws.ports.journal.kept(file.was) if file.was else b""
    if before is None:
        hashes = f"{_short(file.was)} then, {_short(file.now)} now"
        return f"{name}: {file.what}; what it said before is not known ({hashes})\n"
    now = _now(ws, file)
    texts = [
        decode_text(data) if data is not None and len(data) <= MAX_COMPARED_BYTES else None for data in (before, now)
    ]
    if texts[0] is None or texts[1] is None:
        return f"{name}: {file.what}; it is no text, or too large to compare here\n"
    old, new = (each.text for each in texts if each)
    shown = unified(old, new, f"{name} ({since})", f"{name} (now)")
    return shown or f"{name}: {file.what}; {'its text is the same' if old else 'it is empty'}\n"


def _now(ws: Workspace, file: ChangedFile) -> bytes | None:
    """As the agent would see it; None where it can't be read."""
    place = ws.ports.files.resolve(file.path)
    unsaved = ws.ports.editor.unsaved(place).get(place.shown)
    if unsaved is not None:
        return unsaved.encode("utf-8", "replace")
    if not place.exists:
        return b""
    try:
        return ws.ports.files.read(place, MAX_COMPARED_BYTES)
    except InvalidInput:
        return None


def _short(sha256: str) -> str:
    return f"sha256 {sha256[:12]}…" if sha256 else "no file"
