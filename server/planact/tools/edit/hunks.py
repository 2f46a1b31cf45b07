"""Plans the hunks of a patch as edits to one file's text: in their order, all or none, context left as it is."""

from collections.abc import Sequence
from typing import NamedTuple

from planact.base.filetext import newline
from planact.base.span import Span, TextEdit, line_spans
from planact.tools.edit.closest import explain
from planact.tools.edit.indentation import blanks, learn, unknown_indentation
from planact.tools.edit.matching import BLANKS, MOST_SHOWN, Tier, find_lines
from planact.tools.edit.patch import Hunk
from planact.tools.edit.problem import EditProblem
from planact.tools.edit.splice import LineChange, splice


class _Place(NamedTuple):
    line: int
    tier: Tier


def plan_hunks(text: str, hunks: Sequence[Hunk]) -> tuple[TextEdit, ...] | EditProblem:
    """The edits to `text`, in order, that make all `hunks`."""
    spans = line_spans(text)
    lines = [text[span.start : span.end] for span in spans]
    # What follows the last line break is a line only if there is something.
    count = len(lines) - (lines[-1] == "")
    edits: list[TextEdit] = []
    done = 0
    for number, hunk in enumerate(hunks, 1):
        name = f"hunk {number} of {len(hunks)}" if len(hunks) > 1 else "the hunk"
        old = [line for mark, line in hunk.lines if mark != "+"]
        place = _find(text, lines[:count], hunk, old, done, name)
        if isinstance(place, EditProblem):
            return place
        planned = _plan(text, spans, hunk, old, place, name)
        if isinstance(planned, EditProblem):
            return planned
        edits += planned
        done = place.line + len(old)
    return tuple(edits)


def _find(
    text: str, lines: Sequence[str], hunk: Hunk, old: Sequence[str], done: int, name: str
) -> _Place | EditProblem:
    if not old:
        if hunk.at_end or not lines:
            return _Place(len(lines), "exact")
        return EditProblem("EDIT_REFUSED", f"{name} only adds lines and doesn't say where", "Add lines around it")
    first = done
    for anchor in hunk.anchors:
        found = find_lines(lines, [anchor], MOST_SHOWN + 1, first)
        if found is None or len(found[1]) > 1:
            return _lost(text, name, f"`@@ {anchor}`", anchor, found and found[1])
        first = found[1][0] + 1
    if hunk.at_end:
        first = max(first, len(lines) - len(old))
    # What the last anchor encloses comes first: the same lines may follow in a later function.
    scope = _scope(lines, first) if hunk.anchors else len(lines)
    found = find_lines(lines[:scope], old, MOST_SHOWN + 1, first) or find_lines(lines, old, MOST_SHOWN + 1, first)
    if found is None or len(found[1]) > 1:
        return _lost(text, name, "it", "\n".join(old), found and found[1])
    return _Place(found[1][0], found[0])


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


def _plan(
    text: str, spans: Sequence[Span], hunk: Hunk, old: Sequence[str], place: _Place, name: str
) -> list[TextEdit] | EditProblem:
    new = [line for mark, line in hunk.lines if mark != "-"]
    end = newline(text) or "\n"
    at = place.line
    if not old:
        return [_appended(text, new, end)]
    block = tuple(spans[at : at + len(old)])
    if place.tier == "indentation":
        indentation = learn(old, [text[span.start : span.end] for span in block], is_whole=True)
        for number in (number for change in _changes(hunk) for number in range(change.new_start, change.new_end)):
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
    return [edit for change in _changes(hunk) for edit in splice(block, change, new, end)]


def _appended(text: str, lines: Sequence[str], end: str) -> TextEdit:
    at = Span(len(text), len(text))
    if not text or text.endswith(("\n", "\r")):
        return TextEdit(at, end.join((*lines, "")))
    return TextEdit(at, end.join(("", *lines)))


def _changes(hunk: Hunk) -> list[LineChange]:
    """The runs of `-` and `+` lines."""
    changes: list[LineChange] = []
    old = new = 0
    for mark, _ in hunk.lines:
        if mark == " ":
            old, new = old + 1, new + 1
            continue
        if not changes or (changes[-1].old_end, changes[-1].new_end) != (old, new):
            changes.append(LineChange(old, old, new, new))
        old, new = (old + 1, new) if mark == "-" else (old, new + 1)
        changes[-1] = changes[-1]._replace(old_end=old, new_end=new)
    return changes
