"""Folding: front matter, sections, steps, and comments of more than one line."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from planact.base.span import Span
from planact.plan.syntax.tree import PlanTree


@dataclass(frozen=True, slots=True)
class FoldedPart:
    """Lines that fold away below the first of them; `span` ends behind the last character to see."""

    kind: Literal["region", "comment"]
    span: Span


def folding(tree: PlanTree) -> Iterator[FoldedPart]:
    """Yield each part that has more than one line."""
    found = [("region", section.span) for section in tree.sections]
    found += [("region", step.span) for step in tree.steps]
    found += [("comment", comment.span) for comment in tree.comments]
    if tree.front_matter:
        found.append(("region", tree.front_matter.span))
    for kind, (start, end) in sorted(found, key=lambda each: each[1]):
        text = tree.text[start:end].rstrip(" \t\r\n")
        if "\n" in text or "\r" in text:
            yield FoldedPart("comment" if kind == "comment" else "region", Span(start, start + len(text)))
