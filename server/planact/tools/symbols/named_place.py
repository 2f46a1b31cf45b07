"""The place that a model names by a line and a name in it: models can't count columns."""

import re
from collections.abc import Iterable

from pydantic import Field

from planact.base.errors import InvalidInput
from planact.base.span import lines_of
from planact.base.text import first_few, named, one_line, word_starts
from planact.model.navigation import NamedPlace
from planact.tools.tool import Args

LONGEST_SHOWN_LINE = 200
"""Characters of a line that are shown."""

_MOST_LINES = 10
_LAST_PART = re.compile(r"[^\s.:#>\\]+(?:\(\))?$")


class NameArgs(Args):
    """A name in a line; of a qualified one, the last part counts."""

    path: str
    line: int = Field(ge=1, description="from 1, a line where the name stands")
    name: str = Field(min_length=1, max_length=200, pattern=r"^\S+$", description="as it stands in that line")
    occurrence: int = Field(default=0, ge=0, description="from 1, where the name stands in the line more than once")


def find_name(path: str, text: str, args: NameArgs) -> NamedPlace:
    """Return the place that is meant. Raises InvalidInput, which says what is there."""
    lines = lines_of(text)
    last = _LAST_PART.search(args.name)
    if last is None:
        raise InvalidInput("INVALID_ARGUMENTS", f"{args.name!r} is no name", "Send a name as it stands in the file.")
    if args.line > len(lines):
        message = f"{named(path)} has {len(lines)} lines, and no line {args.line}"
        raise InvalidInput("INVALID_ARGUMENTS", message, _where(lines, args.name))
    line, name = lines[args.line - 1], last[0].removesuffix("()")
    found = word_starts(line, args.name.removesuffix("()"))
    if not found:
        message = f"`{args.name}` isn't in line {args.line} of {named(path)}: {one_line(line, LONGEST_SHOWN_LINE)}"
        raise InvalidInput("INVALID_ARGUMENTS", message, _where(lines, args.name))
    if args.occurrence > len(found) or (len(found) > 1 and not args.occurrence):
        shown = one_line(line, LONGEST_SHOWN_LINE)
        message = f"`{args.name}` is in line {args.line} of {named(path)} {len(found)} times: {shown}"
        raise InvalidInput("INVALID_ARGUMENTS", message, f"Say which: occurrence = 1 to {len(found)}.")
    start = found[max(args.occurrence, 1) - 1] + last.start()
    return NamedPlace(path, args.line, name, word_starts(line, name).index(start))


def _where(lines: Iterable[str], name: str) -> str:
    found = [str(number) for number, line in enumerate(lines, 1) if word_starts(line, name)]
    if not found:
        return "It is nowhere in this file: look with search_symbol."
    return f"It is in line {first_few(found, _MOST_LINES)}."
