"""Formatting: one way to write headings, steps and details. The plan means the same before and after, to the letter.

The user's own text stays unchanged: prose, comments, unknown sections and keys, front matter, blocks.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from planact.base.span import Span, TextEdit, line_spans
from planact.plan.syntax import grammar
from planact.plan.syntax.lines import Line, indent_of, is_blank, line_at, scan
from planact.plan.syntax.tree import Detail, PlanTree, StepNode

_TITLES = {name: title for title, name in grammar.SECTIONS.items()}


@dataclass(frozen=True, slots=True)
class Piece:
    """Edits that only make sense together: those of a step or a heading, which lies at `span`."""

    span: Span
    edits: tuple[TextEdit, ...]


def formatting(tree: PlanTree) -> tuple[TextEdit, ...]:
    """Return all edits of the document, in its order. None for a request: it is the user's own text."""
    return tuple(edit for piece in _pieces(tree) for edit in piece.edits)


def formatting_of(tree: PlanTree, selection: Span) -> tuple[TextEdit, ...]:
    """The edits of the steps and headings that the selection touches."""
    start, end = selection
    touched = (piece for piece in _pieces(tree) if piece.span.start <= end and start <= piece.span.end)
    return tuple(edit for piece in touched for edit in piece.edits)


def _pieces(tree: PlanTree) -> list[Piece]:
    if tree.is_request or tree.open_fence:
        return []
    spans = [span for span in line_spans(tree.text) if tree.body_start <= span.start]
    lines = scan(tree.text, spans).lines
    pieces = [*_headings(tree), *_steps(tree, lines), *_end(tree)]
    return sorted((piece for piece in pieces if piece.edits), key=lambda piece: piece.edits[0].span)


# --- headings, and the blank lines before them


def _headings(tree: PlanTree) -> Iterator[Piece]:
    if tree.goal_span and tree.goal:
        line = line_at(tree.text, tree.goal_span.start)
        yield Piece(line, _changed(tree.text, line, f"# {tree.goal}"))
    before_is_own = False
    for section in tree.sections:
        if section.name:
            line = line_at(tree.text, section.span.start)
            edits = _changed(tree.text, line, f"## {_TITLES[section.name]}")
            gap = () if before_is_own else _one_blank_line(tree, section.span.start)
            yield Piece(line, (*gap, *edits))
        before_is_own = not section.name


def _one_blank_line(tree: PlanTree, start: int) -> tuple[TextEdit, ...]:
    """Return the edits that leave one blank line above a heading; directly below the front matter there may be
    none.
    """
    end = _end_of_words(tree, start)
    wanted = "" if end == tree.body_start else tree.line_end * 2
    gap = tree.text[end:start]
    is_as_it_should = len(line_spans(gap)) == 3 and not gap.strip("\r\n") if wanted else not gap
    return () if is_as_it_should else (TextEdit(Span(end, start), wanted),)


def _end(tree: PlanTree) -> Iterator[Piece]:
    """One line end behind the last character to see, unless that is the user's own."""
    if tree.sections and not tree.sections[-1].name:
        return
    end = _end_of_words(tree, len(tree.text))
    if end > tree.body_start and not re.fullmatch(r"\r\n|\n|\r", tree.text[end:]):
        span = Span(end, len(tree.text))
        yield Piece(span, (TextEdit(span, tree.line_end),))


def _end_of_words(tree: PlanTree, before: int) -> int:
    """Return the end of the last line with visible text; its own trailing blanks belong to it."""
    end = tree.body_start + len(tree.text[tree.body_start : before].rstrip(" \t\r\n"))
    return line_at(tree.text, end).end if end > tree.body_start else end


# --- steps


def _steps(tree: PlanTree, lines: Sequence[Line]) -> Iterator[Piece]:
    numbers = [step.step_number for step in tree.steps]
    are_unique = len(set(numbers)) == len(numbers)
    at = 0
    for step in tree.steps:
        while lines[at].start < step.span.start:
            at += 1
        last = at + 1
        while last < len(lines) and lines[last].end <= step.span.end:
            last += 1
        head, *inner = lines[at:last]
        edits = [*_changed(tree.text, Span(head.start, head.end), _head(step, head, has_number=are_unique))]
        if not any(line.is_fenced or grammar.QUOTE.match(line.text) for line in inner):
            edits += _inner(tree, step, inner)
        yield Piece(step.span, tuple(edits))


def _head(step: StepNode, line: Line, *, has_number: bool) -> str:
    action = line.text[step.action_span.start - line.start :].strip(" \t")
    mark = "x" if step.mark == "X" else step.mark
    number = step.step_number if has_number or step.number else None
    return f"{step.indent}- [{mark}]{'' if number is None else f' {number}.'} {action}".rstrip(" ")


def _inner(tree: PlanTree, step: StepNode, lines: Sequence[Line]) -> Iterator[TextEdit]:
    """The lines below: details as they are written, all of them moved to the left together."""
    details = [detail for detail in step.details if detail.key in grammar.DETAILS]
    shift = _shift(step, lines)
    for line in lines:
        if is_blank(line.text):
            continue
        text = line.text[shift:].rstrip(" \t")
        if details and line.start <= details[0].start <= line.end:
            text = _detail(details.pop(0), line, indent=text[: len(text) - len(text.lstrip(" \t"))])
        yield from _changed(tree.text, Span(line.start, line.end), text)


def _shift(step: StepNode, lines: Sequence[Line]) -> int:
    """By how many blanks all lines stand too far to the right; 0 where moving them could change their meaning."""
    texts = [line.text for line in lines if not is_blank(line.text)]
    first = next((text for text in texts if grammar.LIST_ITEM.match(text)), None)
    if first is None or "\t" in "".join(text[: len(text) - len(text.lstrip())] for text in texts):
        return 0
    depth, wanted = indent_of(first), indent_of(step.indent) + 2
    return max(0, depth - wanted) if all(indent_of(text) >= depth for text in texts) else 0


def _detail(detail: Detail, line: Line, indent: str) -> str:
    value = line.text[detail.value_start - line.start :].strip(" \t")
    is_list = detail.key in ("tools", "files") and "`" not in value and detail.end <= line.end
    if is_list:
        value = ", ".join(part for name in value.split(",") if (part := name.strip(" \t")))
    return f"{indent}- {detail.key}: {value}".rstrip(" ")


# --- text


def _changed(text: str, span: Span, new: str) -> tuple[TextEdit, ...]:
    """Return the smallest edit that turns the text at `span` into `new`."""
    old = text[slice(*span)]
    if old == new:
        return ()
    shorter = min(len(old), len(new))
    head = next((i for i in range(shorter) if old[i] != new[i]), shorter)
    tail = next((i for i in range(shorter - head) if old[-1 - i] != new[-1 - i]), shorter - head)
    return (TextEdit(Span(span.start + head, span.end - tail), new[head : len(new) - tail]),)
