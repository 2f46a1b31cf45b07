"""Outputs that are too long for one result: the part that the model gets, and reading and searching in the rest."""

import asyncio
from collections.abc import Callable, Iterable, Iterator, Sequence

from planact.base.errors import InvalidInput, NotFound
from planact.base.text import capped, counted
from planact.model.rights.command import KEPT_CHARACTERS
from planact.ports import KeptOutputs, Sessions

_LONGEST_LINE = 2_000
"""Longer lines are read in parts of so many characters, each with a number of its own."""


class LongOutputs:
    """Outputs of one call, of which the model gets `limit` characters at once, and may read on in what is kept: those
    with the `ids`, where it `may_read_on`.
    """

    def __init__(
        self,
        outputs: KeptOutputs,
        sessions: Sessions,
        session_id: str,
        limit: int,
        may_read_on: Callable[[], bool],
    ) -> None:
        self._outputs = outputs
        self._sessions = sessions
        self._session_id = session_id
        self._limit = limit
        self._may_read_on = may_read_on
        self.ids: list[str] = []

    @property
    def kept(self) -> int:
        """Characters of an output to ask for."""
        return max(KEPT_CHARACTERS, self._limit) if self._may_read_on() else self._limit

    async def cut(self, text: str) -> str:
        """Return an output for the model; a long one is kept whole, and cut."""
        if len(text) <= self._limit or not self._may_read_on():
            return text
        output_id, kept = await asyncio.to_thread(self._outputs.keep, self._session_id, text)
        if not output_id:
            return capped(text, self._limit)
        self.ids.append(output_id)
        return cut_output(kept, self._limit, output_id)

    async def read(self, output_id: str, first: int, last: int | None, sought: str) -> str:
        """Return lines of a kept output, as `read_lines`.

        Raises:
            NotFound: OUTPUT_NOT_FOUND. InvalidInput: INVALID_ARGUMENTS.
        """
        text = await asyncio.to_thread(self._text_of, output_id)
        if text is None:
            message = f"this session has no output {output_id[:40]!r}, or not any more"
            raise NotFound("OUTPUT_NOT_FOUND", message, "Name one that a result named, or make the call anew.")
        return read_lines(text, output_id, first, last, sought, self._limit)

    def _text_of(self, output_id: str) -> str | None:
        """Return a kept output, or the result of an earlier call, which a compaction cut, by its message's id."""
        text = self._outputs.read(self._session_id, output_id)
        if text is not None:
            return text
        results = [message for message in self._sessions.messages(self._session_id) if message.role == "tool"]
        return next((result.content for result in results if result.id == output_id), None)


def cut_output(text: str, limit: int, output_id: str) -> str:
    """Return both ends of a kept output in about `limit` characters, with a line between them on how to read the
    rest.
    """
    lines = lines_of_output(text)
    head = _fitting(lines, limit - limit // 2)
    tail = _fitting(reversed(lines[head:]), limit // 2)
    left_out = len(lines) - head - tail
    if not left_out:
        return text
    way = f'read_output with id "{output_id}" and first_line {head + 1}, or search'
    gap = f"[… {counted(left_out, 'line')} left out; to see them: {way} …]"
    return "\n".join((*lines[:head], gap, *lines[len(lines) - tail :]))


def lines_of_output(text: str) -> Sequence[str]:
    """Return the lines of an output, long ones in parts."""
    lines = text.removesuffix("\n").split("\n")
    starts = range(0, max(map(len, lines)), _LONGEST_LINE) if lines else ()
    if len(starts) <= 1:
        return lines
    return [line[at : at + _LONGEST_LINE] for line in lines for at in range(0, max(1, len(line)), _LONGEST_LINE)]


def read_lines(text: str, output_id: str, first: int, last: int | None, sought: str, limit: int) -> str:
    """Return the lines from `first` to `last` of an output that hold `sought` in any case, each with its number, as
    many as fit into `limit` characters.

    Raises:
        InvalidInput: INVALID_ARGUMENTS, where there are no such lines.
    """
    lines = lines_of_output(text)
    end = min(last or len(lines), len(lines))
    if first > end:
        message = f"{output_id} has {counted(len(lines), 'line')}, and {first} to {last or 'the end'} is none"
        raise InvalidInput("INVALID_ARGUMENTS", message, "Name lines that are there.")
    wanted = sought.casefold()
    found = [at for at in range(first, end + 1) if wanted in lines[at - 1].casefold()]
    shown = list(_numbered(lines, found, limit))
    about = f"{counted(len(found), 'line')} with {sought!r}" if sought else f"lines {first}-{first + len(shown) - 1}"
    more = (
        [f"… {len(found) - len(shown)} more; go on with first_line {found[len(shown)]}"] if found[len(shown) :] else []
    )
    return "\n".join((f"{output_id}: {about} of {len(lines)}", *shown, *more))


def _numbered(lines: Sequence[str], numbers: Iterable[int], limit: int) -> Iterator[str]:
    room = limit
    for number in numbers:
        shown = f"{number}\t{lines[number - 1]}"
        room -= len(shown) + 1
        if room < 0 and room + len(shown) + 1 < limit:
            return
        yield shown


def _fitting(lines: Iterable[str], limit: int) -> int:
    """Return how many of the lines fit into `limit` characters."""
    room = limit
    for number, line in enumerate(lines):
        room -= len(line) + 1
        if room < 0:
            return number
    return number + 1
