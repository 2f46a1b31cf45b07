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

The forms in which models send one are read alike: in a fence or a here-document of a shell, with padded markers, with
the names of a unified diff before the hunks. Only the form is judged here; whether hunks fit their files is for
`hunks`.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Literal

from planact.base.filetext import BYTE_ORDER_MARK
from planact.tools.edit.matching import normalized
from planact.tools.edit.problem import EditProblem


@dataclass(frozen=True, slots=True)
class Hunk:
    """Lines that stay (" "), go ("-") or come ("+"), after the lines `anchors`; `at_end`: at the file's end. One whose
    lines all stay changes nothing: the hunks after it stand behind them.
    """

    lines: tuple[tuple[Literal[" ", "-", "+"], str], ...]
    anchors: tuple[str, ...] = ()
    at_end: bool = False


@dataclass(frozen=True, slots=True)
class PatchAdd:
    """Make `path`, which must not exist."""

    path: str
    text: str


@dataclass(frozen=True, slots=True)
class PatchReplace:
    """Give `path`, which must exist, another text: it was deleted and added."""

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


PatchFile = PatchAdd | PatchReplace | PatchDelete | PatchUpdate


@dataclass(frozen=True, slots=True)
class Patch:
    """Changes of a patch to files. A path is named once, but for updates: each of them finds what the last one left."""

    files: tuple[PatchFile, ...]


END_OF_FILE = "*** End of File"
_BEGIN, _END = "*** Begin Patch", "*** End Patch"
_FILE = re.compile(r"\*\*\* (Add|Delete|Update) File: *(.*)")
_HEREDOC = re.compile(r"(?:apply_?patch\s*)?<<-?\s*(['\"]?)(\w+)\1")
_FENCE = re.compile(r"(`{3,})\w*")
_MOVE = "*** Move to: "
# Models mix in the line numbers of unified diffs, which are usually wrong: only the text after them counts.
_ANCHOR = re.compile(r"@@(?: -\d+(?:,\d+)? \+\d+(?:,\d+)? @@)? ?(.*)")
_MARKS: dict[str, Literal[" ", "-", "+"]] = {" ": " ", "-": "-", "+": "+"}


class _BadPatchError(Exception):
    """Line number (from 1) and cause."""


def parse_patch(text: str) -> Patch | EditProblem:
    """The patch, or why it can't be read."""
    try:
        files = _joined(tuple(_files(_Lines(_unwrapped(normalized(text).strip(f"{BYTE_ORDER_MARK}\n").split("\n"))))))
    except _BadPatchError as error:
        return EditProblem(
            "EDIT_REFUSED",
            f"the patch can't be read: {error}",
            f"A patch begins with `{_BEGIN}`, ends with `{_END}`, and has `*** Update File: PATH` with `@@` hunks of "
            "lines that begin with a space, `-` or `+`",
        )
    return Patch(files)


def _unwrapped(lines: list[str]) -> list[str]:
    """Return the lines without the fence or here-document around them, and without padding before their markers."""
    while len(lines) > 2:
        first, last = lines[0].strip(), lines[-1].strip()
        fence, heredoc = _FENCE.fullmatch(first), _HEREDOC.fullmatch(first)
        if not (fence and last == fence[1]) and not (heredoc and last == heredoc[2]):
            break
        lines = _without_blank_ends(lines[1:-1])
    if lines[-1].strip() == _END:
        lines = [*lines[:-1], _END]
    padding = lines[0][: len(lines[0]) - len(lines[0].lstrip())]
    if not padding:
        return lines
    is_all = all(line.startswith(padding) for line in lines[:-1] if line.strip())
    return [line.removeprefix(padding) if is_all or line.startswith(f"{padding}*** ") else line for line in lines]


def _without_blank_ends(lines: list[str]) -> list[str]:
    filled = [number for number, line in enumerate(lines) if line.strip()]
    return lines[filled[0] : filled[-1] + 1] if filled else [""]


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

    def is_set_off(self) -> bool:
        """Return whether only blank lines are left before the next marker."""
        rest = next((line for line in self.lines[self.at :] if line.strip()), "")
        return not self.lines[self.at].strip() and rest.lstrip().startswith("*** ")

    def skip_names(self, path: str) -> None:
        """Skip the lines with which a unified diff names the file at `path` twice."""
        match [line.split(maxsplit=1) for line in self.lines[self.at : self.at + 3]]:
            case [["---", old], ["+++", new], [mark, *_]] if mark.startswith("@@"):
                self.at += 2 if {old.removeprefix("a/"), new.removeprefix("b/")} == {path} else 0

    def error(self, cause: str) -> _BadPatchError:
        return _BadPatchError(f"line {self.at + 1}: {cause}")


def _files(lines: _Lines) -> Iterator[PatchFile]:
    if (lines.peek() or "").strip() != _BEGIN:
        raise lines.error(f"expected `{_BEGIN}`")
    lines.take()
    while (line := lines.peek()) is not None:
        line = line.strip()
        if line == _END:
            lines.take()
            if lines.peek() is not None:
                raise lines.error(f"there is text after `{_END}`")
            return
        header = _FILE.fullmatch(line)
        if line and (not header or not header[2]):
            raise lines.error(f"expected a file header, got {line[:80]!r}")
        lines.take()
        if header is None:  # a blank line between two files
            continue
        if header[1] == "Add":
            yield PatchAdd(header[2], "".join(f"{added}\n" for added in _added(lines)))
        elif header[1] == "Delete":
            yield PatchDelete(header[2])
        else:
            yield _update(header[2], lines)
    raise lines.error(f"`{_END}` is missing, so the patch may have been cut off")


def _added(lines: _Lines) -> Iterator[str]:
    while (line := lines.peek()) is not None and not line.lstrip().startswith("*** ") and not lines.is_set_off():
        if not line.startswith("+"):
            raise lines.error(f"lines of a new file begin with `+`, got {line[:80]!r}")
        yield lines.take()[1:]


def _update(path: str, lines: _Lines) -> PatchUpdate:
    move_to = ""
    if (lines.peek() or "").lstrip().startswith(_MOVE):
        move_to = lines.take().lstrip().removeprefix(_MOVE).strip()
        if not move_to:
            raise lines.error("the path to move to is empty")
    lines.skip_names(path)
    hunks: list[Hunk] = []
    while (line := lines.peek()) is not None and (line.strip() == END_OF_FILE or not line.startswith("*** ")):
        hunks.append(_hunk(lines, is_first=not hunks))
    if not hunks and not move_to:
        raise lines.error(f"nothing is to change in {path}")
    if hunks and not any(mark != " " for hunk in hunks for mark, _ in hunk.lines):
        raise lines.error("an update without `-` and `+` lines changes nothing")
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
    if not body:
        raise lines.error("a hunk has no lines")
    at_end = (lines.peek() or "").strip() == END_OF_FILE
    if at_end:
        lines.take()
    return Hunk(tuple(body), tuple(anchors), at_end)


def _joined(files: tuple[PatchFile, ...]) -> tuple[PatchFile, ...]:
    """Return the files, one that is deleted and then added as one that is replaced."""
    joined: list[PatchFile] = []
    named: dict[str, PatchFile] = {}
    for file in files:
        target = file.move_to if isinstance(file, PatchUpdate) else ""
        if target in (*named, file.path):
            raise _BadPatchError(f"{target} is named twice")
        made = file
        match named.get(file.path), file:
            case PatchDelete() as deleted, PatchAdd(path=path, text=text):
                joined.remove(deleted)
                made = PatchReplace(path, text)
            case (None, _) | (PatchUpdate(move_to=""), PatchUpdate()):
                pass
            case _:
                raise _BadPatchError(f"{file.path} is named twice")
        joined.append(made)
        named |= dict.fromkeys(filter(None, (file.path, target)), made)
    if not files:
        raise _BadPatchError("it names no file")
    return tuple(joined)
