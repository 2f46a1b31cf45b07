"""Lines that begin with `>`: comments to the planner, blocks of the server's, and alerts of the user's own.

The server's blocks are transparent: the text around one means the same with and without it. Approval relies on that.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field

from planact.base.span import Span
from planact.plan.syntax import grammar
from planact.plan.syntax.blocks import read_adaptation, read_question
from planact.plan.syntax.lines import Line
from planact.plan.syntax.tree import AdaptationBlock, Comment, QuestionBlock

Quote = Comment | AdaptationBlock | QuestionBlock


@dataclass(frozen=True, slots=True)
class Quotes:
    """The block quotes of a text, by the index of their first line. `hidden` lines belong to no text: all but
    alerts.
    """

    by_line: dict[int, Quote] = field(default_factory=dict)
    hidden: set[int] = field(default_factory=set)


def read_quotes(lines: Sequence[Line]) -> Quotes:
    """Find all quotes of a body."""
    quotes = Quotes()
    at = 0
    comment: list[int] = []
    is_alert = False
    while at < len(lines):
        line = lines[at]
        if ">" not in line.text or line.is_fenced or not grammar.QUOTE.match(line.text):
            _end_comment(lines, comment, quotes)
            is_alert = False
            at += 1
        elif block := read_adaptation(lines, at) or read_question(lines, at):
            _end_comment(lines, comment, quotes)
            quotes.by_line[at] = block
            while at < len(lines) and lines[at].end <= block.span.end:
                quotes.hidden.add(at)
                at += 1
        else:
            if grammar.ALERT.match(line.text):
                _end_comment(lines, comment, quotes)
                is_alert = True
            if not is_alert:
                comment.append(at)
            at += 1
    _end_comment(lines, comment, quotes)
    return quotes


def _end_comment(lines: Sequence[Line], numbers: list[int], quotes: Quotes) -> None:
    if not numbers:
        return
    texts = [grammar.QUOTE.sub("", lines[number].text, count=1) for number in numbers]
    quotes.by_line[numbers[0]] = Comment(
        Span(lines[numbers[0]].start, lines[numbers[-1]].end), "\n".join(texts).strip()
    )
    quotes.hidden.update(numbers)
    numbers.clear()
