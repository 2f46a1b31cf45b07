"""Document symbols: the goal, below it the sections, below Steps the steps."""

from dataclasses import dataclass
from typing import Literal

from planact.base.span import Span
from planact.plan.syntax.tree import PlanTree, Section


@dataclass(frozen=True, slots=True)
class Symbol:
    """A named piece of the text; `name_span` lies inside `span`, and so do the children."""

    name: str
    kind: Literal["goal", "section", "step"]
    span: Span
    name_span: Span
    children: tuple["Symbol", ...] = ()


def symbols(tree: PlanTree) -> tuple[Symbol, ...]:
    """Return a symbol for the goal with all others in it; without a goal, the sections."""
    sections = tuple(_section(tree, section) for section in tree.sections)
    if not tree.goal_span or not tree.goal:
        return sections
    return (Symbol(tree.goal, "goal", Span(tree.body_start, len(tree.text)), tree.goal_span, sections),)


def _section(tree: PlanTree, section: Section) -> Symbol:
    steps = tree.steps if section.name == "steps" else ()
    children = tuple(
        Symbol(f"{step.step_number}. {step.action or '(no action)'}", "step", step.span, step.action_span)
        for step in steps
    )
    return Symbol(section.title or "(no title)", "section", section.span, section.title_span, children)
