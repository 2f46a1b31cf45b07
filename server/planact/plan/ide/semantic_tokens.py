"""Semantic tokens: the words of the language, and the names of tools and files, told apart from plain text."""

from collections.abc import Iterator, Sequence
from typing import Literal, NamedTuple, get_args

from planact.base.span import Span, line_spans
from planact.model.plan import StepStatus
from planact.plan.references import context_paths, files_in_code, names_in, parameters_in, validation_commands
from planact.plan.syntax import grammar
from planact.plan.syntax.tree import PlanTree, StepNode

TokenKind = Literal[
    "keyword", "property", "number", "enumMember", "function", "string", "macro", "parameter", "comment"
]
Modifier = Literal["running", "done", "skipped", "failed"]

KINDS: tuple[str, ...] = get_args(TokenKind)
MODIFIERS: tuple[str, ...] = get_args(Modifier)
"""Clients know tokens by their index in these lists: new ones go to the end."""

_MODIFIERS: dict[StepStatus, Modifier] = {
    StepStatus.RUNNING: "running",
    StepStatus.DONE: "done",
    StepStatus.SKIPPED: "skipped",
    StepStatus.FAILED: "failed",
}


class Token(NamedTuple):
    """Part of one line."""

    span: Span
    kind: TokenKind
    modifier: Modifier | None = None


def semantic_tokens(tree: PlanTree, selection: Span) -> list[Token]:
    """Return the tokens that the selection touches, in the order of the text; no two overlap."""
    found = [token for token in _tokens(tree, selection) if _touches(token.span, selection)]
    return _apart([part for token in found for part in _by_line(tree.text, token)])


def _tokens(tree: PlanTree, selection: Span) -> Iterator[Token]:
    for key in tree.front_matter.keys if tree.front_matter else ():
        if key.name in grammar.FRONT_MATTER_KEYS:
            yield Token(key.key_span, "property")
        if key.name == "status":
            yield Token(key.value_span, "enumMember")
    yield from (Token(file.span, "string") for file in context_paths(tree))
    yield from (Token(section.title_span, "keyword") for section in tree.sections if section.name)
    yield from (Token(comment.span, "comment") for comment in tree.comments)
    yield from (Token(command.span, "macro") for command in validation_commands(tree))
    if "{{" in tree.text:
        yield from (Token(parameter.span, "parameter") for parameter in parameters_in(tree))
    for step in tree.steps:
        if _touches(step.span, selection):
            yield from _of_step(tree, step)


def _of_step(tree: PlanTree, step: StepNode) -> Iterator[Token]:
    yield Token(step.mark_span, "enumMember", _MODIFIERS.get(step.status))
    if step.number_span:
        yield Token(step.number_span, "number")
    if "`" in step.action:
        yield from (Token(file.span, "string") for file in files_in_code(tree.text, *step.action_span))
    for detail in step.details:
        if detail.key in grammar.DETAILS:
            yield Token(detail.key_span, "property")
    yield from (Token(tool.span, "function") for tool in names_in(tree, step, "tools"))
    yield from (Token(file.span, "string") for file in names_in(tree, step, "files"))
    yield from (Token(command.span, "macro") for command in names_in(tree, step, "check"))


def _touches(span: Span, selection: Span) -> bool:
    return span.start <= selection.end and selection.start <= span.end


def _by_line(text: str, token: Token) -> Sequence[Token]:
    start, end = token.span
    part = text[start:end]
    if "\n" not in part and "\r" not in part:
        return (token,) if part else ()
    lines = [Span(start + line.start, start + line.end) for line in line_spans(part) if line.start < line.end]
    return [token._replace(span=line) for line in lines]


def _apart(tokens: list[Token]) -> list[Token]:
    """Return the tokens without overlaps: an inner token takes its part of the outer one."""
    found: list[Token] = []
    for token in sorted(tokens, key=lambda token: (token.span.start, -token.span.end)):
        if not found or found[-1].span.end <= token.span.start:
            found.append(token)
        elif found[-1].span.start <= token.span.start:
            outer = found.pop()
            before, after = Span(outer.span.start, token.span.start), Span(token.span.end, outer.span.end)
            parts = (outer._replace(span=before), token, outer._replace(span=after))
            found += [part for part in parts if part.span.start < part.span.end]
    return found
