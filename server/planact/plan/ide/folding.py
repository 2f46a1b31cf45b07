"""Folding: front matter, sections, steps, and comments of more than one line."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from planact.base.span import Span
from planact.plan.syntax.tree import PlanTree

FoldedKind = Literal["region", "comment", "imports"]


@dataclass(frozen=True, slots=True)
class FoldedPart:
    """Lines that fold away below the first of them; `span` ends behind the last character to see. Front matter is of
    the kind `imports`, which editors can fold when they open a document.
    """

    kind: FoldedKind
    span: Span


def folding(tree: PlanTree) -> Iterator[FoldedPart]:
    """Yield each part that has more than one line."""
    found: list[tuple[FoldedKind, Span]] = [("region", section.span) for section in tree.sections]
    found += [("region", step.span) for step in tree.steps]
    found += [("comment", comment.span) for comment in tree.comments]
    if tree.front_matter:
        found.append(("imports", tree.front_matter.span))
    for kind, (start, end) in sorted(found, key=lambda each: each[1]):
        text = tree.text[start:end].rstrip(" \t\r\n")
        if "\n" in text or "\r" in text:
            yield FoldedPart(kind, Span(start, start + len(text)))
