"""Plans the hunks of a patch as edits to one file's text: in their order, all or none, context left as it is.

A place is taken only where the hunk's lines stand once after what comes before them in the patch.
"""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import takewhile
from typing import Literal, NamedTuple

from planact.base.filetext import BYTE_ORDER_MARK, newline
from planact.base.span import Span, TextEdit, line_spans
from planact.tools.edit.closest import explain
from planact.tools.edit.indentation import blanks, learn, unknown_indentation
from planact.tools.edit.matching import BLANKS, MOST_SHOWN, Tier, find_lines
from planact.tools.edit.patch import END_OF_FILE, Hunk
from planact.tools.edit.problem import EditProblem
from planact.tools.edit.splice import LineChange, splice


class _Place(NamedTuple):
    line: int
    tier: Tier


Marked = Sequence[tuple[Literal[" ", "-", "+"], str]]
Blocks = Sequence[Sequence[str]]


class _Done(NamedTuple):
    """How far a file is worked through: up to line `end`, of which the last `context` lines stay as they are."""

    end: int = 0
    context: int = 0


def plan_hunks(text: str, hunks: Sequence[Hunk]) -> tuple[TextEdit, ...] | EditProblem:
    """The edits to `text`, in order, that make all `hunks`."""
    spans = line_spans(text)
    lines = [text[span.start : span.end] for span in spans]
    # What follows the last line break is a line only if there is something.
    lines = lines[: len(lines) - (lines[-1] == "")]
    edits: list[TextEdit] = []
    done = _Done()
    anchors: list[Sequence[str]] = []
    for number, hunk in enumerate(hunks, 1):
        name = f"hunk {number} of {len(hunks)}" if len(hunks) > 1 else "the hunk"
        hunk = hunk if BYTE_ORDER_MARK in text else _without_mark(hunk)
        anchors += [[anchor] for anchor in hunk.anchors]
        if all(mark == " " for mark, _ in hunk.lines):
            anchors.append([line for _, line in hunk.lines])
            if number == len(hunks) and isinstance(lost := _after(text, lines, anchors, done.end, name), EditProblem):
                return lost
            continue
        found = _find(text, lines, hunk, anchors, done, name)
        if isinstance(found, EditProblem):
            return found
        marked, place = found
        planned = _plan(text, spans, marked, place, name)
        if isinstance(planned, EditProblem):
            return planned
        edits += planned
        done = _Done(place.line + len(_old(marked)), _context(reversed(marked)))
        anchors = []
    return tuple(edits)


def _without_mark(hunk: Hunk) -> Hunk:
    lines = tuple((mark, line.removeprefix(BYTE_ORDER_MARK)) for mark, line in hunk.lines)
    return replace(hunk, lines=lines)


def _old(marked: Marked) -> list[str]:
    return [line for mark, line in marked if mark != "+"]


def _context(marked: Iterable[tuple[str, str]]) -> int:
    """The number of lines that stay before the first that doesn't."""
    return sum(1 for _ in takewhile(lambda each: each[0] == " ", marked))


def _find(
    text: str, lines: Sequence[str], hunk: Hunk, anchors: Blocks, done: _Done, name: str
) -> tuple[Marked, _Place] | EditProblem:
    """The place of a hunk and its lines there: where those as sent stand nowhere, without blank ones at its edges, and
    behind that over lines that the hunk before it left as they are.
    """
    problem: EditProblem | None = None
    for first in dict.fromkeys((done.end, done.end - done.context)):
        for marked in (hunk.lines, _trimmed(hunk.lines)):
            place = _place(text, lines, marked, anchors, first, name, at_end=hunk.at_end)
            if isinstance(place, _Place) and place.line + _context(marked) >= done.end:
                return marked, place
            if isinstance(place, EditProblem) and place.code == "EDIT_AMBIGUOUS":
                return place
            problem = problem or place if isinstance(place, EditProblem) else problem
    return problem or _lost(text, name, "it", "\n".join(_old(hunk.lines)), None)


def _trimmed(marked: Marked) -> Marked:
    """The lines without blank ones that stay at both ends."""
    filled = [number for number, (mark, line) in enumerate(marked) if mark != " " or line.strip(BLANKS)]
    return marked[filled[0] : filled[-1] + 1]


def _place(
    text: str, lines: Sequence[str], marked: Marked, anchors: Blocks, first: int, name: str, *, at_end: bool
) -> _Place | EditProblem:
    old = _old(marked)
    after = _after(text, lines, anchors, first, name)
    if isinstance(after, EditProblem):
        return after
    first, unsure = after
    if not old:
        if at_end or not lines:
            return _Place(len(lines), "exact")
        if anchors:
            return unsure or _Place(first, "exact")
        return EditProblem(
            "EDIT_REFUSED",
            f"{name} only adds lines and doesn't say where",
            f"Add lines around it, or `{END_OF_FILE}` below it to add it at the end, which now is: "
            + " | ".join(line.strip()[:80] for line in lines[-3:]),
        )
    if at_end:
        first = max(first, len(lines) - len(old))
    # What the last anchor encloses comes first: the same lines may follow in a later function.
    scope = _scope(lines, first) if anchors and not unsure else len(lines)
    found = find_lines(lines[:scope], old, MOST_SHOWN + 1, first) or find_lines(lines, old, MOST_SHOWN + 1, first)
    if found is None or len(found[1]) > 1:
        return (found and unsure) or _lost(text, name, "it", "\n".join(old), found and found[1])
    return _Place(found[1][0], found[0])


def _after(
    text: str, lines: Sequence[str], anchors: Blocks, first: int, name: str
) -> tuple[int, EditProblem | None] | EditProblem:
    """The line behind the last of `anchors`; where it stands in several places, behind the first of them, with the
    problem that this is if what follows doesn't stand once.
    """
    unsure: EditProblem | None = None
    for anchor in anchors:
        block = "\n".join(anchor)
        shown = f"`@@ {anchor[0]}`" if len(anchor) == 1 else f"its context from {anchor[0]!r} on"
        found = find_lines(lines, anchor, MOST_SHOWN + 1, first)
        if found is None:
            return _lost(text, name, shown, block, None)
        unsure = _lost(text, name, shown, block, found[1]) if len(found[1]) > 1 else None
        first = found[1][0] + len(anchor)
    return first, unsure


def _scope(lines: Sequence[str], first: int) -> int:
    """The number of the line that ends the block whose head is the line before `first`."""
    depth = len(blanks(lines[first - 1]))
    inside = (number for number in range(first, len(lines)) if lines[number].strip(BLANKS))
    return next((number for number in inside if len(blanks(lines[number])) <= depth), len(lines))


def _lost(text: str, name: str, what: str, block: str, places: Sequence[int] | None) -> EditProblem:
    if places:
        shown = ", ".join(f"line {place + 1}" for place in places[:MOST_SHOWN])
        return EditProblem(
            "EDIT_AMBIGUOUS",
            f"{name}: {what} is in {'more than ' * (len(places) > MOST_SHOWN)}"
            f"{min(len(places), MOST_SHOWN)} places: {shown}",
            "Add context lines or an `@@` line that is there once",
        )
    closest = explain(text, block)
    return EditProblem(
        "EDIT_NOT_FOUND",
        f"{name}: {what} isn't in the file after what comes before it in the patch" + (closest and f". {closest}"),
        "Hunks go from top to bottom; send context and removed lines exactly as the file has them",
    )


def _plan(text: str, spans: Sequence[Span], marked: Marked, place: _Place, name: str) -> list[TextEdit] | EditProblem:
    old = _old(marked)
    new = [line for mark, line in marked if mark != "-"]
    end = newline(text) or "\n"
    at = place.line
    if not old:
        return [_inserted(text, spans, at, new, end)]
    block = tuple(spans[at : at + len(old)])
    if place.tier == "indentation":
        indentation = learn(old, [text[span.start : span.end] for span in block], is_whole=True)
        for number in (number for change in _changes(marked) for number in range(change.new_start, change.new_end)):
            line = indentation.of(new[number], is_first=False)
            if line is None:
                return unknown_indentation(name, f"line {at + 1}", new[number])
            new[number] = line
    if at + len(old) < len(spans):
        start = spans[at + len(old)].start
        block = (*block, Span(start, start))
    elif not new and at:
        # The file loses its last lines and stays without a final line break.
        return [TextEdit(Span(spans[at - 1].end, block[-1].end), "")]
    return [edit for change in _changes(marked) for edit in splice(block, change, new, end)]


def _inserted(text: str, spans: Sequence[Span], line: int, lines: Sequence[str], end: str) -> TextEdit:
    at = spans[line].start if line < len(spans) else len(text)
    if at < len(text) or not text or text.endswith(("\n", "\r")):
        return TextEdit(Span(at, at), end.join((*lines, "")))
    return TextEdit(Span(at, at), end.join(("", *lines)))


def _changes(marked: Marked) -> list[LineChange]:
    """The runs of `-` and `+` lines."""
    changes: list[LineChange] = []
    old = new = 0
    for mark, _ in marked:
        if mark == " ":
            old, new = old + 1, new + 1
            continue
        if not changes or (changes[-1].old_end, changes[-1].new_end) != (old, new):
            changes.append(LineChange(old, old, new, new))
        old, new = (old + 1, new) if mark == "-" else (old, new + 1)
        changes[-1] = changes[-1]._replace(old_end=old, new_end=new)
    return changes
