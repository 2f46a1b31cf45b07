"""Text → tree. Never fails, in time linear in the text; unknown text is kept and, if it matters, reported."""

from collections.abc import Mapping, Sequence
from itertools import pairwise

from planact.base.span import Span, TextEdit, line_spans
from planact.plan.syntax import front_matter, grammar
from planact.plan.syntax.lines import Line, block_text, indent_of, is_blank, scan, unbroken
from planact.plan.syntax.marks import with_new_mark
from planact.plan.syntax.steps import Quotes, read_quotes, read_steps
from planact.plan.syntax.tree import (
    AdaptationBlock,
    Comment,
    Fix,
    PlanProblem,
    PlanProblemSeverity,
    PlanTree,
    QuestionBlock,
    Section,
    StepNode,
)

_FIELDS = {title.casefold(): name for title, name in grammar.SECTIONS.items()}


def parse(text: str, before: PlanTree | None = None) -> PlanTree:
    """Parse any text. `before`, an earlier version, only saves time."""
    if before is not None and (marked := with_new_mark(before, text)):
        return marked
    all_spans = spans = line_spans(text)
    start = 1 if text.startswith("\ufeff") else 0
    front, first, problems = front_matter.read_front_matter(text, spans, start)
    if first == 0:
        spans = (Span(start, spans[0].end), *spans[1:])
    body = _Body(text, spans[first:], front.span.end if front else start, before.blocks if before else {})
    problems += body.problems
    quoted = body.quotes.by_line.values()
    comments = {quote.span: quote for quote in quoted if isinstance(quote, Comment)}
    for step in body.steps:
        comments |= {comment.span: comment for comment in step.comments}
    return PlanTree(
        text=text,
        front_matter=front,
        body_start=body.start,
        goal=body.goal,
        goal_span=body.goal_span,
        description=body.description,
        description_span=body.description_span,
        sections=tuple(body.sections),
        steps=tuple(body.steps),
        adaptations=tuple(quote for quote in quoted if isinstance(quote, AdaptationBlock)),
        questions=tuple(quote for quote in quoted if isinstance(quote, QuestionBlock)),
        comments=tuple(comments.values()),
        open_fence=body.open_fence,
        problems=tuple(sorted(problems, key=lambda problem: problem.span)),
        line_spans=all_spans,
        blocks=body.blocks,
    )


class _Body:
    """The text behind the front matter, read once from top to bottom."""

    def __init__(self, text: str, spans: Sequence[Span], start: int, known: Mapping[str, StepNode]) -> None:
        self.start = start
        self.text = text
        self.problems: list[PlanProblem] = []
        scanned = scan(text, spans)
        self.lines = scanned.lines
        self.open_fence = scanned.open_fence
        if self.open_fence:
            message = "the fence that opens here is never closed, so that all below it counts as code"
            hint = f"Close it with a line of `{self.open_fence.strip()}`."
            end = "" if text.endswith(("\n", "\r")) else "\n"
            close = TextEdit(Span(len(text), len(text)), f"{end}{self.open_fence}\n")
            fixes = (Fix("Close it at the end of the document", (close,)),)
            self.problems.append(PlanProblem(scanned.opened_at, "PLAN014", "error", message, hint, fixes))
        self.quotes = read_quotes(self.lines) if ">" in text else Quotes()
        self.goal = ""
        self.goal_span: Span | None = None
        self._seen: set[str] = set()
        self.steps: list[StepNode] = []
        self.blocks: Mapping[str, StepNode] = {}
        self._known = known
        self.sections: list[Section] = []
        self._read_headings()

    def _read_headings(self) -> None:
        goal: int | None = None
        starts: list[int] = []
        for index in [index for index, line in enumerate(self.lines) if "#" in line.text and not line.is_fenced]:
            line = self.lines[index]
            heading = grammar.HEADING.match(line.text)
            if heading and heading.group(1) == "##":
                starts.append(index)
            elif heading and goal is None:
                goal = index
                self.goal_span = _trimmed(line, heading.end())
                self.goal = self.text[slice(*self.goal_span)]
        self._read_description(goal, starts)
        # The goal ends a section too, where the author put it below one.
        bounds = sorted({*starts, len(self.lines), *([] if goal is None else [goal])})
        following = dict(pairwise(bounds))
        for first in starts:
            self._read_section(first, following[first])

    def _read_description(self, goal: int | None, starts: list[int]) -> None:
        first = 0 if goal is None else goal + 1
        last = next((index for index in starts if index >= first), len(self.lines))
        begin = self.start if goal is None else self._offset(first)
        self.description_span = Span(begin, max(begin, self._offset(last)))
        self.description = block_text(self._visible(first, last))

    def _read_section(self, first: int, last: int) -> None:
        line = self.lines[first]
        heading = grammar.HEADING.match(line.text)
        title_span = _trimmed(line, heading.end() if heading else 0)
        title = self.text[slice(*title_span)]
        name = _FIELDS.get(title.casefold(), "")
        if name in self._seen:
            self._report_double(title, title_span, name)
            name = ""
        elif name:
            self._seen.add(name)
        if name == "steps":
            read = read_steps(self.text, self.lines, first + 1, last, self.quotes.by_line, self._known)
            self.steps, self.blocks = read.steps, read.blocks
            self.problems += read.problems
        is_read = name in grammar.TEXT_SECTIONS or name in grammar.LIST_SECTIONS
        visible = self._visible(first + 1, last) if is_read else []
        self.sections.append(
            Section(
                name=name,
                title=title,
                span=Span(line.start, self._offset(last)),
                title_span=title_span,
                body_span=Span(self._offset(first + 1), self._offset(last)),
                text=block_text(visible) if name in grammar.TEXT_SECTIONS else "",
                items=tuple(_list_items(visible)) if name in grammar.LIST_SECTIONS else (),
            )
        )

    def _report_double(self, title: str, span: Span, name: str) -> None:
        message = f"the section '{title}' is given twice; only the first counts"
        severity: PlanProblemSeverity = "error" if name == "steps" else "warning"
        self.problems.append(PlanProblem(span, "PLAN013", severity, message, "Put both into one."))

    def _offset(self, index: int) -> int:
        return self.lines[index].start if index < len(self.lines) else len(self.text)

    def _visible(self, first: int, last: int) -> list[Line]:
        hidden = self.quotes.hidden
        return [self.lines[index] for index in range(first, last) if index not in hidden]


def _trimmed(line: Line, after: int) -> Span:
    """Return the place of the text of `line` behind its first `after` characters, without blanks at its ends."""
    rest = line.text[after:]
    begin = line.start + after + len(rest) - len(rest.lstrip(" \t"))
    return Span(begin, max(begin, line.start + len(line.text.rstrip(" \t"))))


def _list_items(lines: Sequence[Line]) -> list[str]:
    """Return one text per list item at the outer level, or per paragraph; nested items are part of theirs."""
    items: list[list[str]] = []
    indent = 3
    is_after_blank = True
    for line in lines:
        text = line.text
        if is_blank(text):
            is_after_blank = True
            continue
        marker = None if line.is_fenced else grammar.LIST_ITEM.match(text)
        depth = indent_of(text)
        if marker and depth <= indent + 1:
            items.append([text[marker.end() :]])
            indent = depth
        elif not items or (is_after_blank and depth == 0 and not line.is_fenced):
            items.append([text])
        else:
            items[-1].append(text)
        is_after_blank = False
    return [item for lines_ in items if (item := unbroken("\n".join(lines_)))]
