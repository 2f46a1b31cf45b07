"""Map a model's indentation to the file's, learnt from a block that matches but for its indentation.

Where the block allows two readings of an indentation it doesn't show, there is none: a wrong one changes what code
does.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from planact.tools.edit.matching import BLANKS, Hit
from planact.tools.edit.problem import EditProblem, line_range
from planact.tools.edit.splice import LineChange

Pair = tuple[str, str]


@dataclass(frozen=True, slots=True)
class Indentation:
    """A mapping learnt by `learn`.

    `first` is that of the first line; `rest` leaves it out where that line may have begun after its blanks.
    """

    first: Pair
    rest: tuple[Pair, ...]

    def of(self, line: str, *, is_first: bool) -> str | None:
        """`line` as the file would indent it, or None when that can't be known. Blank lines become empty."""
        body = line.lstrip(BLANKS)
        sent = line[: len(line) - len(body)]
        if not body:
            return ""
        if is_first and sent == self.first[0]:
            return self.first[1] + body
        known = {file for told, file in (*self.rest, *(() if self.rest else (self.first,))) if told == sent}
        readings = known or {
            reading for pairs in ((self.first, *self.rest), self.rest) if (reading := _read(sent, pairs)) is not None
        }
        return readings.pop() + body if len(readings) == 1 else None


def learn(sent: Sequence[str], file: Sequence[str], *, is_whole: bool) -> Indentation:
    """From the lines of a block as sent and as the file has them; `is_whole`: the first surely has its blanks."""
    pairs = [(blanks(a), blanks(b)) for a, b in zip(sent, file, strict=True) if a.strip(BLANKS)]
    return Indentation(pairs[0], tuple(dict.fromkeys(pairs if is_whole else pairs[1:])))


def indented(
    text: str, old: Sequence[str], new: Sequence[str], hit: Hit, changes: Sequence[LineChange], name: str
) -> Sequence[str] | EditProblem:
    """The `new` lines of the edit called `name`, those in `changes` with the file's indentation."""
    indentation = learn(old, [text[span.start : span.end] for span in hit], is_whole=False)
    lines = list(new)
    for number in (number for change in changes for number in range(change.new_start, change.new_end)):
        line = indentation.of(new[number], is_first=number == 0)
        if line is None:
            return unknown_indentation(name, line_range(text, hit), new[number])
        lines[number] = line
    return lines


def unknown_indentation(name: str, place: str, line: str) -> EditProblem:
    """The block matches, and doesn't tell how to indent `line`."""
    return EditProblem(
        "EDIT_NOT_FOUND",
        f"{name} matches {place} but for the indentation, which doesn't tell how to indent {line[:80]!r}",
        "Send all lines with the file's own indentation",
    )


def blanks(line: str) -> str:
    """The blanks that a line begins with."""
    return line[: len(line) - len(line.lstrip(BLANKS))]


def _read(sent: str, pairs: Iterable[Pair]) -> str | None:
    """`sent` under the one rule (a block moved as a whole, or other units) that explains all `pairs`."""
    pairs = tuple(pairs)
    if not pairs:
        return None
    told, file = pairs[0]
    if file.endswith(told):
        added = file[: len(file) - len(told)]
        if all(b == added + a for a, b in pairs):
            return added + sent
    if told.endswith(file):
        removed = told[: len(told) - len(file)]
        if all(a == removed + b for a, b in pairs):
            return sent[len(removed) :] if sent.startswith(removed) else None
    return _in_other_units(sent, pairs)


def _in_other_units(sent: str, pairs: Sequence[Pair]) -> str | None:
    told = set("".join(a for a, _ in pairs) + sent)
    file = set("".join(b for _, b in pairs))
    if len(told) != 1 or len(file) != 1:
        return None
    (least, base), (most, top) = min(pairs), max(pairs)
    # One pair alone says how units convert only if nothing was moved as well.
    if len(least) == len(most):
        least, base = "", ""
    width, gain = len(most) - len(least), len(top) - len(base)
    if width <= 0 or gain <= 0 or (told == file and len(base) * width != len(least) * gain):
        return None

    def converted(blanks: str) -> int | None:
        times, remainder = divmod((len(blanks) - len(least)) * gain, width)
        return None if remainder else len(base) + times

    if any(converted(a) != len(b) for a, b in pairs):
        return None
    count = converted(sent)
    return None if count is None or count < 0 else file.pop() * count
