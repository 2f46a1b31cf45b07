"""A `*.plan` text with its structure marked, and its problems with their place and fixes.

Every span counts code points of `PlanTree.text`, which stays untouched. Spans of lines and blocks leave out the last
line end, so that text can be put there. The codes of problems are stable; `plan.codes` explains each.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, NamedTuple

from planact.base.span import Span, TextEdit
from planact.model.plan import StepStatus
from planact.model.question import QuestionSeverity
from planact.model.runs.execution import Adaptation
from planact.plan.syntax import grammar

PlanProblemSeverity = Literal["error", "warning", "hint"]


@dataclass(frozen=True, slots=True)
class Fix:
    """One way to solve a problem. `is_preferred` = the author surely meant this."""

    title: str
    edits: tuple[TextEdit, ...]
    is_preferred: bool = False


@dataclass(frozen=True, slots=True)
class PlanProblem:
    """A fault at `span`: `message` names subject and cause, `hint` the next step. Errors keep a plan from running."""

    span: Span
    code: str
    severity: PlanProblemSeverity
    message: str
    hint: str
    fixes: tuple[Fix, ...] = ()


_LINE_END = re.compile(r"\r\n|\n|\r")

Value = str | list["Value"] | dict[str, "Value"]
"""A front-matter value. Scalars stay text: no dates, numbers or booleans are guessed."""


@dataclass(frozen=True, slots=True)
class FrontMatterKey:
    """One top-level key. `value` is None when it can't be read; `value_span` is then the rest of the entry."""

    name: str
    value: Value | None
    span: Span
    key_span: Span
    value_span: Span


@dataclass(frozen=True, slots=True)
class FrontMatter:
    """The block between the `---` lines; `span` has both and the last line end, `body_span` neither."""

    span: Span
    body_span: Span
    keys: tuple[FrontMatterKey, ...]

    def key(self, name: str) -> FrontMatterKey | None:
        """The first key of that name; only the first counts."""
        return next((key for key in self.keys if key.name == name), None)


@dataclass(frozen=True, slots=True)
class Comment:
    """Lines the user began with `>`: a word to the planner about a step (its number) or the plan (None)."""

    span: Span
    text: str
    step: int | None = None


@dataclass(frozen=True, slots=True)
class AdaptationBlock:
    """A deviation, in exactly the form in which the server writes it."""

    span: Span
    adaptation: Adaptation


@dataclass(frozen=True, slots=True)
class QuestionOption:
    """A box of a question."""

    value: str
    label: str
    is_ticked: bool


@dataclass(frozen=True, slots=True)
class QuestionBlock:
    """A question to the user, in exactly the server's form. `answer` is None where free text isn't asked for."""

    span: Span
    id: str
    severity: QuestionSeverity
    text: str
    options: tuple[QuestionOption, ...]
    answer: str | None


class Detail(NamedTuple):
    """`- key: value` below a step. `values` are the value with its continuation lines, then nested list items.

    A named tuple of numbers, since plans have more of these than of all else, and so they are quickly made and moved.
    """

    key: str
    start: int
    value_start: int
    end: int
    values: tuple[str, ...]

    @property
    def span(self) -> Span:
        """From the key to the end of the value."""
        return Span(self.start, self.end)

    @property
    def key_span(self) -> Span:
        """Without the colon."""
        return Span(self.start, self.start + len(self.key))

    @property
    def value_span(self) -> Span:
        """All values, with the text between them."""
        return Span(self.value_start, self.end)

    def moved(self, by: int) -> "Detail":
        """Return the detail at another place."""
        return tuple.__new__(Detail, (self.key, self.start + by, self.value_start + by, self.end + by, self.values))


@dataclass(frozen=True, slots=True)
class StepNode:
    """One step with all lines below it.

    Attributes:
        position: place among the steps, from 1.
        number: as written; None for a step without one.
        action: with its continuation lines, joined by blanks.
        indent: the text before its list marker.
        memo: results that depend on the step's lines alone, by name, kept for as long as these lines stay, but for its
            mark.
    """

    position: int
    mark: str
    number: int | None
    action: str
    indent: str
    span: Span
    mark_span: Span
    number_span: Span | None
    action_span: Span
    details: tuple[Detail, ...] = ()
    adaptations: tuple[AdaptationBlock, ...] = ()
    questions: tuple[QuestionBlock, ...] = ()
    comments: tuple[Comment, ...] = ()
    memo: dict[str, Any] = field(default_factory=dict, repr=False, compare=False)

    @property
    def step_number(self) -> int:
        """The number it goes by: as written, else its position."""
        return self.number or self.position

    @property
    def status(self) -> StepStatus:
        """The status by the mark; a step with an unknown mark is pending."""
        return grammar.STATUSES.get(self.mark, StepStatus.PENDING)

    @property
    def is_open(self) -> bool:
        """The mark says that work is left. A running step is open too: its run may have been killed."""
        return self.status not in (StepStatus.DONE, StepStatus.SKIPPED)

    def moved(self, by: int, position: int) -> "StepNode":
        """Return the step at another place, for a step without blocks and comments."""
        number = self.number_span
        return StepNode(
            position,
            self.mark,
            self.number,
            self.action,
            self.indent,
            _moved(self.span, by),
            _moved(self.mark_span, by),
            _moved(number, by) if number else None,
            _moved(self.action_span, by),
            tuple([detail.moved(by) for detail in self.details]),
            memo=self.memo,
        )


def _moved(span: Span, by: int) -> Span:
    return tuple.__new__(Span, (span[0] + by, span[1] + by))


@dataclass(frozen=True, slots=True)
class Section:
    """A heading of the second level and all up to the next.

    Attributes:
        name: its field in `model.plan`; empty for a section that is the user's own, and for a second one of a name.
        span: to the start of the next section, last line end included.
        body_span: without the heading line.
        text: of a text section, without comments and escapes.
        items: of a list section.
    """

    name: str
    title: str
    span: Span
    title_span: Span
    body_span: Span
    text: str
    items: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class PlanTree:
    """A parsed text.

    Attributes:
        body_start: where the front matter (or a byte order mark) ends.
        goal_span: of the goal's text; None without a heading of the first level.
        description_span: from the goal, or without one from `body_start`, to the first section.
        description: without comments, blocks of the server's and escapes.
        questions, comments: all of them, also those below steps, in the order of the text.
        open_fence: the line that would close the fence which is open at the end; empty = none is.
        problems: those of the syntax; `plan.rules.lint` finds the others.
        line_spans: of all lines, as `base.span.line_spans` has them.
        blocks: ordinary steps by their lines, for parsing the next version of the text.
        memo: results that depend on the text alone, by name.
    """

    text: str
    front_matter: FrontMatter | None
    body_start: int
    goal: str
    goal_span: Span | None
    description: str
    description_span: Span
    sections: tuple[Section, ...]
    steps: tuple[StepNode, ...]
    adaptations: tuple[AdaptationBlock, ...]
    questions: tuple[QuestionBlock, ...]
    comments: tuple[Comment, ...]
    open_fence: str
    problems: tuple[PlanProblem, ...]
    line_spans: Sequence[Span] = field(default=(), repr=False, compare=False)
    blocks: Mapping[str, StepNode] = field(default_factory=dict, repr=False, compare=False)
    memo: dict[str, Any] = field(default_factory=dict, repr=False, compare=False)

    @property
    def is_template(self) -> bool:
        """The front matter has `parameters`."""
        return self.key("parameters") is not None

    @property
    def is_request(self) -> bool:
        """The text only states a wish, from which a plan can be generated."""
        return not self.is_template and self.section("steps") is None

    @property
    def line_end(self) -> str:
        """The document's own: the first one in it."""
        match = _LINE_END.search(self.text)
        return match.group() if match else "\n"

    def key(self, name: str) -> FrontMatterKey | None:
        return self.front_matter.key(name) if self.front_matter else None

    def section(self, name: str) -> Section | None:
        """The section that holds a field of `model.plan`."""
        return next((section for section in self.sections if section.name == name), None)

    def step(self, number: int) -> StepNode | None:
        """The first step with that number written, else the one without a number at that position."""
        if "places" not in self.memo:
            last_first = range(len(self.steps) - 1, -1, -1)
            written = {self.steps[index].number: index for index in last_first}
            others = {step.position: index for index in last_first if not (step := self.steps[index]).number}
            self.memo["places"] = written, others
        written, others = self.memo["places"]
        index = written.get(number, others.get(number))
        return None if index is None else self.steps[index]
