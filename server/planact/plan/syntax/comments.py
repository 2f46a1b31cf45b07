"""Where comments to the planner can stand in a plan, and writing one there."""

from collections.abc import Iterator, Sequence

from planact.base.span import Span, TextEdit
from planact.plan.syntax import grammar
from planact.plan.syntax.lines import is_blank, scan
from planact.plan.syntax.tree import PlanTree

_DETAIL_INDENT = "  "


def comment_ranges(tree: PlanTree) -> Sequence[tuple[int, int]]:
    """Return ranges of lines, from 0 and both ends included, below whose lines a comment can be put: the goal, steps,
    and text of sections.
    """
    found: list[tuple[int, int]] = []
    for number in _lines(tree):
        if found and found[-1][1] == number - 1:
            found[-1] = (found[-1][0], number)
        else:
            found.append((number, number))
    return found


def add_comment(tree: PlanTree, line: int, text: str) -> tuple[TextEdit, int] | None:
    """Return the edit that puts a comment below what stands in a line, from 0, and the comment's first line afterwards;
    None where none can be put.
    """
    if line not in set(_lines(tree)):
        return None
    spans = tree.line_spans
    at = spans[line]
    step = next((each for each in tree.steps if each.span.start <= at.start <= each.span.end), None)
    indent = ""
    if step is not None:
        indent = step.indent + _DETAIL_INDENT
        parts = (step.action_span, *(detail.span for detail in step.details))
        at = next((Span(at.start, part.end) for part in parts if part.start <= at.end and at.start <= part.end), at)
    elif grammar.LIST_ITEM.match(tree.text[slice(*at)]):
        lead = tree.text[slice(*at)]
        indent = lead[: len(lead) - len(lead.lstrip(" \t"))] + _DETAIL_INDENT
    number = next(number for number, span in enumerate(spans) if at.end <= span.end)
    for comment in sorted(tree.comments, key=lambda each: each.span):  # those that stand there come first
        if number + 1 < len(spans) and comment.span.start == spans[number + 1].start:
            number = next(below for below, span in enumerate(spans) if comment.span.end <= span.end)
    quoted = [f"{indent}> {_plain(each)}".rstrip() for each in text.strip().splitlines()]
    return TextEdit(Span(spans[number].end, spans[number].end), "".join(tree.line_end + q for q in quoted)), number + 1


def _plain(line: str) -> str:
    """Return a line that begins no block of planact's and no alert."""
    return f"\\{line.strip()}" if line.strip().startswith("[!") else line.strip()


def _lines(tree: PlanTree) -> Iterator[int]:
    headings = {section.span.start for section in tree.sections}
    quotes = [each.span for each in tree.comments]
    quotes += [each.span for each in tree.questions]
    quotes += [each.span for each in tree.adaptations]
    begin = next((at for at, span in enumerate(tree.line_spans) if tree.body_start <= span.start), 0)
    for number, line in enumerate(scan(tree.text, tree.line_spans[begin:]).lines, begin):
        is_quote = bool(grammar.QUOTE.match(line.text)) or any(a <= line.start < b for a, b in quotes)
        if not (is_blank(line.text) or line.is_fenced or line.start in headings or is_quote):
            yield number
