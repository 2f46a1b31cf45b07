"""Reasons why an edit can't be made, as values that a model can repair in one turn."""

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from planact.base.span import Span, line_spans

EditProblemCode = Literal["EDIT_NOT_FOUND", "EDIT_AMBIGUOUS", "EDIT_REFUSED"]


@dataclass(frozen=True, slots=True)
class EditProblem:
    """`message` names the edit and the cause, `hint` the next step."""

    code: EditProblemCode
    message: str
    hint: str


def line_number(text: str, offset: int) -> int:
    """The line, counted from 1, in which `offset` lies."""
    return bisect_right([span.start for span in line_spans(text)], offset)


def line_range(text: str, block: Sequence[Span]) -> str:
    """Return the place of a block of lines, as people write it."""
    # A block that ends with a line break has an empty piece of the line after it.
    end = block[-2] if len(block) > 1 and block[-1].start == block[-1].end else block[-1]
    first, last = line_number(text, block[0].start), line_number(text, end.start)
    return f"line {first}" if first == last else f"lines {first}-{last}"
