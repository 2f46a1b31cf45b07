"""Reads patches in the style of `apply_patch`, which some models know better than any tool schema.

    *** Begin Patch
    *** Update File: src/app.py
    *** Move to: src/main.py
    @@ def load():
     context
    -old line
    +new line
    *** Add File: notes.md
    +text
    *** Delete File: old.py
    *** End Patch

Only the form is judged here; whether hunks fit their files is for `hunks`.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Literal

from planact.tools.edit.matching import normalized
from planact.tools.edit.problem import EditProblem


@dataclass(frozen=True, slots=True)
class Hunk:
    """Lines that stay (" "), go ("-") or come ("+"), after the lines `anchors`; `at_end`: at the file's end."""

    lines: tuple[tuple[Literal[" ", "-", "+"], str], ...]
    anchors: tuple[str, ...] = ()
    at_end: bool = False


@dataclass(frozen=True, slots=True)
class PatchAdd:
    """Make `path`, which must not exist."""

    path: str
    text: str


@dataclass(frozen=True, slots=True)
class PatchDelete:
    """Remove `path`."""

    path: str


@dataclass(frozen=True, slots=True)
class PatchUpdate:
    """Make all `hunks` in `path`, in their order, then move it to `move_to` unless that is empty or exists."""

    path: str
    move_to: str
    hunks: tuple[Hunk, ...]


@dataclass(frozen=True, slots=True)
class Patch:
    """Changes of a patch to files; each path is named once."""

    files: tuple[PatchAdd | PatchDelete | PatchUpdate, ...]


_BEGIN, _END = "*** Begin Patch", "*** End Patch"
_FILE = re.compile(r"\*\*\* (Add|Delete|Update) File: *(.*)")
_MOVE = "*** Move to: "
_END_OF_FILE = "*** End of File"
# Models mix in the line numbers of unified diffs, which are usually wrong: only the text after them counts.
_ANCHOR = re.compile(r"@@(?: -\d+(?:,\d+)? \+\d+(?:,\d+)? @@)? ?(.*)")
_MARKS: dict[str, Literal[" ", "-", "+"]] = {" ": " ", "-": "-", "+": "+"}


class _BadPatchError(Exception):
    """Line number (from 1) and cause."""


def parse_patch(text: str) -> Patch | EditProblem:
    """The patch, or why it can't be read."""
    try:
        files = tuple(_files(_Lines(normalized(text).strip("\n").split("\n"))))
        _check_paths(files)
    except _BadPatchError as error:
        return EditProblem(
            "EDIT_REFUSED",
            f"the patch can't be read: {error}",
            f"A patch begins with `{_BEGIN}`, ends with `{_END}`, and has `*** Update File: PATH` with `@@` hunks of "
            "lines that begin with a space, `-` or `+`",
        )
    return Patch(files)


@dataclass(slots=True)
class _Lines:
    """The lines of a patch, and how far they are read."""

    lines: list[str]
    at: int = field(default=0)

    def peek(self) -> str | None:
        return self.lines[self.at] if self.at < len(self.lines) else None

    def take(self) -> str:
        self.at += 1
        return self.lines[self.at - 1]

    def error(self, cause: str) -> _BadPatchError:
        return _BadPatchError(f"line {self.at + 1}: {cause}")


def _files(lines: _Lines) -> Iterator[PatchAdd | PatchDelete | PatchUpdate]:
    if (lines.peek() or "").strip() != _BEGIN:
        raise lines.error(f"expected `{_BEGIN}`")
    lines.take()
    while (line := lines.peek()) is not None:
        if line.strip() == _END:
            lines.take()
            if lines.peek() is not None:
                raise lines.error(f"there is text after `{_END}`")
            return
        header = _FILE.fullmatch(line.rstrip())
        if not header or not header[2]:
            raise lines.error(f"expected a file header, got {line[:80]!r}")
        lines.take()
        if header[1] == "Add":
            yield PatchAdd(header[2], "".join(f"{added}\n" for added in _added(lines)))
        elif header[1] == "Delete":
            yield PatchDelete(header[2])
        else:
            yield _update(header[2], lines)
    raise lines.error(f"`{_END}` is missing, so the patch may have been cut off")


def _added(lines: _Lines) -> Iterator[str]:
    while (line := lines.peek()) is not None and not line.startswith("*** "):
        if not line.startswith("+"):
            raise lines.error(f"lines of a new file begin with `+`, got {line[:80]!r}")
        yield lines.take()[1:]


def _update(path: str, lines: _Lines) -> PatchUpdate:
    move_to = ""
    if (lines.peek() or "").startswith(_MOVE):
        move_to = lines.take().removeprefix(_MOVE).strip()
        if not move_to:
            raise lines.error("the path to move to is empty")
    hunks: list[Hunk] = []
    while (line := lines.peek()) is not None and (line.strip() == _END_OF_FILE or not line.startswith("*** ")):
        hunks.append(_hunk(lines, is_first=not hunks))
    if not hunks and not move_to:
        raise lines.error(f"nothing is to change in {path}")
    return PatchUpdate(path, move_to, tuple(hunks))


def _hunk(lines: _Lines, *, is_first: bool) -> Hunk:
    anchors: list[str] = []
    start = lines.at
    while (anchor := _ANCHOR.fullmatch(lines.peek() or "")) is not None:
        lines.take()
        anchors += [anchor[1]] if anchor[1].strip() else []
    if lines.at == start and not is_first:
        raise lines.error("expected `@@` between hunks")
    body: list[tuple[Literal[" ", "-", "+"], str]] = []
    blank = 0
    while (line := lines.peek()) is not None and not line.startswith(("@@", "*** ")):
        if line and line[0] not in _MARKS:
            raise lines.error(f"lines of a hunk begin with a space, `-` or `+`, got {line[:80]!r}")
        lines.take()
        body.append((_MARKS[line[0]], line[1:]) if line else (" ", ""))
        blank = 0 if line else blank + 1
    # Lines without even a space at the end of a hunk only set it off from what follows.
    body = body[: len(body) - blank]
    if not any(mark != " " for mark, _ in body):
        raise lines.error("a hunk without `-` and `+` lines changes nothing")
    at_end = (lines.peek() or "").strip() == _END_OF_FILE
    if at_end:
        lines.take()
    return Hunk(tuple(body), tuple(anchors), at_end)


def _check_paths(files: tuple[PatchAdd | PatchDelete | PatchUpdate, ...]) -> None:
    seen: set[str] = set()
    for file in files:
        for path in (file.path, *([file.move_to] if isinstance(file, PatchUpdate) and file.move_to else [])):
            if path in seen:
                raise _BadPatchError(f"{path} is named twice")
            seen.add(path)
    if not files:
        raise _BadPatchError("it names no file")
