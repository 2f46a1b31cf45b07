"""The lines below `## Steps` → step nodes. Indentation decides which lines belong to a step, as in Markdown.

A list item that isn't a step is reported, never guessed at, so that no intended step is left out silently. Lines that
begin with `>` are comments to the planner, blocks of the server's, and alerts of the user's own. The server's blocks
are transparent: the text around one means the same with and without it. Approval relies on that.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from planact.base.span import Span, TextEdit
from planact.plan.syntax import grammar
from planact.plan.syntax.blocks import read_adaptation, read_question
from planact.plan.syntax.lines import Line, indent_of, is_blank
from planact.plan.syntax.tree import AdaptationBlock, Comment, Detail, Fix, PlanProblem, QuestionBlock, StepNode

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


_ANY_DEPTH = 3  # deeper than this plus one, Markdown sees code rather than a list


@dataclass(slots=True)
class _OpenDetail:
    key: str
    start: int
    value_start: int
    end: int
    values: list[list[str]]


@dataclass(slots=True)
class _OpenStep:
    head: StepNode
    depth: int
    action: list[str]
    action_end: int
    end: int
    takes_action: bool = True
    item_depth: int | None = None
    detail: _OpenDetail | None = None
    block: str = ""
    faults_before: int = 0
    keys: set[str] = field(default_factory=set)
    details: list[Detail] = field(default_factory=list)
    quotes: list[Quote] = field(default_factory=list)


def _marker(line: Line) -> Iterator[Span]:
    """Yield the place of the list marker of an item, with the blanks behind it."""
    if marker := grammar.LIST_ITEM.match(line.text):
        indent = len(line.text) - len(line.text.lstrip(" \t"))
        yield Span(line.start + indent, line.start + marker.end())


@dataclass(frozen=True, slots=True)
class Steps:
    """The steps that were read; `blocks` has the ordinary ones, by their lines."""

    steps: list[StepNode]
    problems: list[PlanProblem]
    blocks: dict[str, StepNode]


def read_steps(
    text: str, lines: Sequence[Line], first: int, last: int, quotes: Mapping[int, Quote], known: Mapping[str, StepNode]
) -> Steps:
    """Return the steps in `lines[first:last]` of `text`; `quotes` by the index of their first line.

    A block of lines that is in `known` is not read again, since its meaning doesn't depend on the lines around it.
    """
    reader = _Reader()
    index = first
    while index < last:
        line = lines[index]
        if line.text.startswith("- [") and not line.is_fenced:
            after = _after_block(lines, index, last)
            block = text[line.start : lines[after - 1].end]
            if step := known.get(block):
                reader.reuse(step, block, line.start)
                index = after
                continue
            reader.block = block
        index += 1
        if quote := quotes.get(index - 1):
            reader.quote(quote)
        elif line.is_fenced:
            reader.fenced(line)
        elif is_blank(line.text):
            reader.blank()
        elif grammar.QUOTE.match(line.text):
            reader.passed(line)
        else:
            reader.text(line)
    reader.close()
    return Steps(reader.steps, reader.problems, reader.blocks)


def _after_block(lines: Sequence[Line], first: int, last: int) -> int:
    """The first line that surely is no part of the step at the margin in line `first`."""
    for index in range(first + 1, last):
        line = lines[index]
        if line.text and line.text[0] not in " \t>" and not line.is_fenced:
            return index
    return last


class _Reader:
    """Takes one line after the other; at most one step, and in it one detail, is open.

    `block` is given before the line that begins it: all lines of the step, if it turns out to be an ordinary one.
    """

    def __init__(self) -> None:
        self.steps: list[StepNode] = []
        self.problems: list[PlanProblem] = []
        self.blocks: dict[str, StepNode] = {}
        self.block = ""
        self._step: _OpenStep | None = None
        self._depth = _ANY_DEPTH

    def reuse(self, step: StepNode, block: str, start: int) -> None:
        """Add a step that an earlier parse has read, in the same lines at another place."""
        self.close()
        position, by = len(self.steps) + 1, start - step.span.start
        step = step.moved(by, position) if by or position != step.position else step
        self.steps.append(step)
        self.blocks[block] = step
        self._depth = 0

    def quote(self, quote: Quote) -> None:
        """A comment or block begins; its further lines only pass."""
        if self._step:
            self._step.quotes.append(quote)
            self._step.end = max(self._step.end, quote.span.end)

    def passed(self, line: Line) -> None:
        if self._step:
            self._step.end = max(self._step.end, line.end)

    def blank(self) -> None:
        if self._step:
            self._step.takes_action = False

    def fenced(self, line: Line) -> None:
        if self._step:
            self._step.takes_action = False
            self._step.block = ""
            self.passed(line)

    def text(self, line: Line) -> None:
        depth = indent_of(line.text)
        marker = grammar.LIST_ITEM.match(line.text)
        if marker and depth <= self._depth + 1:
            self._outer_item(line, depth)
        elif self._step and depth > self._step.depth:
            self.passed(line)
            if marker:
                self._inner_item(self._step, line, depth, marker.end())
            else:
                self._continuation(self._step, line)
        else:
            self.close()
            self._depth = _ANY_DEPTH

    def _outer_item(self, line: Line, depth: int) -> None:
        block, self.block = self.block, ""
        if self._step and line.text[0] in " \t":
            self._step.block = ""  # its lines hold this item too
        self.close()
        self._depth = depth
        match = grammar.STEP.match(line.text)
        if not match:
            number = len(self.steps) + 1
            hint = f"Begin it with `- [ ] {number}. `, or indent it to make it part of the step above."
            span = Span(line.start, line.end)
            fixes = tuple(Fix("Make it a step", (TextEdit(at, "- [ ] "),)) for at in _marker(line))
            self.problems.append(PlanProblem(span, "PLAN011", "error", "this list item is not a step", hint, fixes))
            return
        action = line.text[match.end() :].rstrip(" \t")
        start = line.start + match.end()
        mark = line.start + match.start("mark")
        number_span = Span(line.start + match.start("number"), line.start + match.end("number"))
        head = StepNode(
            position=len(self.steps) + 1,
            mark=match["mark"],
            number=int(match["number"]) if match["number"] else None,
            action=action,
            indent=re.split(r"[-*+]", line.text, maxsplit=1)[0],
            span=Span(line.start, line.end),
            mark_span=Span(mark, mark + 1),
            number_span=number_span if match["number"] else None,
            action_span=Span(start, start + len(action)),
        )
        self._step = _OpenStep(
            head, depth, [action], start + len(action), line.end, block=block, faults_before=len(self.problems)
        )

    def _inner_item(self, step: _OpenStep, line: Line, depth: int, after: int) -> None:
        step.takes_action = False
        content = line.text[after:]
        if box := grammar.BOX.match(content):
            message = "a box below a step is not a step; steps are one level deep"
            hint = "Make it a step of its own, or remove the box."
            at = Span(line.start + after, line.start + after + box.end())
            fixes = (Fix("Remove the box", (TextEdit(at, ""),)),)
            self.problems.append(PlanProblem(Span(line.start, line.end), "PLAN012", "warning", message, hint, fixes))
        if step.item_depth is not None and depth > step.item_depth + 1:
            if step.detail:
                step.detail.values.append([content.strip(" \t")])
                step.detail.end = line.end
            return
        self._close_detail(step)
        step.item_depth = depth
        if key := grammar.DETAIL.match(content):
            begin = line.start + after
            step.detail = _OpenDetail(
                key=key.group(1).lower(),
                start=begin,
                value_start=begin + key.end(),
                end=begin + len(content.rstrip(" \t")),
                values=[[content[key.end() :].strip(" \t")]],
            )

    def _continuation(self, step: _OpenStep, line: Line) -> None:
        text = line.text.strip(" \t")
        if step.takes_action:
            step.action.append(text)
            step.action_end = line.start + len(line.text.rstrip(" \t"))
        elif step.detail:
            step.detail.values[-1].append(text)
            step.detail.end = line.end

    def _close_detail(self, step: _OpenStep) -> None:
        detail, step.detail = step.detail, None
        if not detail:
            return
        if detail.key in grammar.TEXT_DETAILS and detail.key in step.keys:
            key_span = Span(detail.start, detail.start + len(detail.key))
            message = f"'{detail.key}' is given twice for this step; only the first counts"
            self.problems.append(PlanProblem(key_span, "PLAN013", "warning", message, "Put both into one."))
        step.keys.add(detail.key)
        values = tuple([parts[0] if len(parts) == 1 else " ".join(filter(None, parts)) for parts in detail.values])
        end = max(detail.value_start, detail.end)
        step.details.append(Detail(detail.key, detail.start, detail.value_start, end, values))

    def close(self) -> None:
        """End the step that is open."""
        step, self._step = self._step, None
        if not step:
            return
        self._close_detail(step)
        head = step.head
        if not step.head.action:
            hint = "Say what is to be done, or remove the step."
            self.problems.append(
                PlanProblem(head.span, "PLAN010", "error", f"step {head.step_number} says nothing", hint)
            )
        comments = [quote for quote in step.quotes if isinstance(quote, Comment)]
        node = replace(
            head,
            action=" ".join(part for part in step.action if part),
            span=Span(head.span.start, step.end),
            action_span=Span(head.action_span.start, step.action_end),
            details=tuple(step.details),
            adaptations=tuple(quote for quote in step.quotes if isinstance(quote, AdaptationBlock)),
            questions=tuple(quote for quote in step.quotes if isinstance(quote, QuestionBlock)),
            comments=tuple(replace(comment, step=head.step_number) for comment in comments),
        )
        self.steps.append(node)
        if step.block and not step.quotes and len(self.problems) == step.faults_before:
            self.blocks[step.block] = node
