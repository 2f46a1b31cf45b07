"""Plans replacements of text: all of them or none, as edits to the text as it was.

A change is spliced in: what a replacement doesn't name, and the lines it names and leaves alone, keep their bytes.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from planact.base.filetext import BYTE_ORDER_MARK, newline
from planact.base.span import Span, TextEdit, apply_edits
from planact.tools.edit.closest import explain
from planact.tools.edit.indentation import indented
from planact.tools.edit.matching import MOST_SHOWN, Hit, MatchResult, Tier, find_text, normalized
from planact.tools.edit.problem import EditProblem, line_number, line_range
from planact.tools.edit.splice import changed_lines, compose, splice


@dataclass(frozen=True, slots=True)
class Replacement:
    """Put `new` where `old` stands: in the one place where it does, or everywhere. Empty `old` means an empty file."""

    old: str
    new: str
    replace_all: bool = False


def plan_edits(text: str, replacements: Sequence[Replacement]) -> tuple[TextEdit, ...] | EditProblem:
    """The edits to `text`, in order, that make all `replacements`, each on what those before it left."""
    now, planned = text, tuple[TextEdit, ...]()
    for number, replacement in enumerate(replacements, 1):
        name = f"edit {number} of {len(replacements)}" if len(replacements) > 1 else "the edit"
        edits = _plan_one(now, replacement, newline(text) or newline(replacement.new) or "\n", name)
        if isinstance(edits, EditProblem):
            return edits
        planned = compose(now, planned, edits)
        now = apply_edits(now, edits)
    return planned


def _plan_one(text: str, wanted: Replacement, end: str, name: str) -> tuple[TextEdit, ...] | EditProblem:
    old, new = _without_marks(text, normalized(wanted.old), normalized(wanted.new))
    if not old:
        if text:
            return EditProblem(
                "EDIT_REFUSED",
                f"{name} has an empty `old`, and the file isn't empty",
                "Send as `old` the text that shall change, or lines beside the place where `new` shall go",
            )
        return (TextEdit(Span(0, 0), new.replace("\n", end)),) if new else ()
    if old == new:
        return EditProblem("EDIT_REFUSED", f"{name} has the same `old` and `new`", "Send what shall be different")
    found = find_text(text, old, None if wanted.replace_all else MOST_SHOWN + 1)
    found = found or _found_at_unended_line(text, old, end)
    if found is None:
        return _not_found(text, wanted, name)
    if len(found.hits) > 1 and not wanted.replace_all:
        return _ambiguous(text, found, name)
    edits: list[TextEdit] = []
    for hit in found.hits:
        is_beyond = hit[-1].end > len(text)
        planned = _spliced(text, found.tier, hit, old.split("\n"), new.split("\n"), end, name, is_beyond=is_beyond)
        if isinstance(planned, EditProblem):
            return planned
        edits += planned
    return tuple(edits)


def _found_at_unended_line(text: str, old: str, end: str) -> MatchResult | None:
    """The hit of an `old` that ends with a line break, at the end of a text that lacks one there."""
    if not old.endswith("\n") or not old.strip() or text.endswith(("\n", "\r")):
        return None
    found = find_text(text + end, old, MOST_SHOWN + 1)
    return found if found and found.tier != "indentation" else None


def _without_marks(text: str, old: str, new: str) -> tuple[str, str]:
    """`old` and `new` without a byte order mark before them, unless `text` itself has one where `old` stands."""
    if old.startswith(BYTE_ORDER_MARK) and old in text:
        return old, new
    return old.removeprefix(BYTE_ORDER_MARK), new.removeprefix(BYTE_ORDER_MARK)


def _spliced(
    text: str, tier: Tier, hit: Hit, old: list[str], new: list[str], end: str, name: str, *, is_beyond: bool
) -> Sequence[TextEdit] | EditProblem:
    """The edits for one hit; `is_beyond`: it has a line break more than the text, which stays without one."""
    if is_beyond:
        old, hit = old[:-1], hit[:-1]
        new = new[:-1] if new[-1] == "" else new
        before = text[: hit[0].start]
        if not new and before.endswith(("\n", "\r")):
            start = len(before) - (2 if before.endswith("\r\n") else 1)
            return [TextEdit(Span(start, len(text)), "")]
    changes = tuple(changed_lines(old, new))
    lines: Sequence[str] | EditProblem = new
    if tier == "indentation":
        lines = indented(text, old, new, hit, changes, name)
    if isinstance(lines, EditProblem):
        return lines
    return [edit for change in changes for edit in splice(hit, change, lines, end)]


def _not_found(text: str, wanted: Replacement, name: str) -> EditProblem:
    message = f"{name}: `old` isn't in the file"
    place = text.find(wanted.new) if wanted.new.strip() else -1
    if place >= 0:
        message += f". Its `new` is there already, at line {line_number(text, place)}"
    closest = explain(text, wanted.old)
    hint = "Send the lines exactly as the file has them" if closest else "Read the file again and send its own lines"
    return EditProblem("EDIT_NOT_FOUND", f"{message}. {closest}" if closest else message, hint)


def _ambiguous(text: str, found: MatchResult, name: str) -> EditProblem:
    hits = found.hits[:MOST_SHOWN]
    count = f"{len(hits)}" if len(found.hits) <= MOST_SHOWN else f"more than {MOST_SHOWN}"
    ignoring = "" if found.tier == "exact" else f" (ignoring {found.tier})"
    places = (line_range(text, hit) for hit in hits)
    return EditProblem(
        "EDIT_AMBIGUOUS",
        f"{name}: `old` is in {count} places{ignoring}: {', '.join(places)}",
        "Add lines before or after it to both texts until it names one place, or set replace_all to change every one",
    )
