"""The subject at a place of a plan: hover explains it, and links lead from it."""

from dataclasses import dataclass
from typing import Literal

from planact.base.span import Span
from planact.plan.references import (
    FileReference,
    Reference,
    context_paths,
    file_reference,
    files_in_code,
    names_in,
    parameters_in,
    validation_commands,
)
from planact.plan.syntax import grammar
from planact.plan.syntax.lines import line_at
from planact.plan.syntax.tree import Detail, PlanTree, StepNode


@dataclass(frozen=True, slots=True)
class StepHead:
    """A step's own line."""

    step: StepNode
    span: Span


@dataclass(frozen=True, slots=True)
class File:
    """A path; `step` is the one that names it, if one does."""

    reference: FileReference
    step: StepNode | None

    @property
    def span(self) -> Span:
        """The place of the path."""
        return self.reference.span


@dataclass(frozen=True, slots=True)
class Name:
    """A tool, a command or a parameter."""

    kind: Literal["tool", "command", "parameter"]
    name: str
    span: Span


@dataclass(frozen=True, slots=True)
class PlanWord:
    """A word of the language: a front-matter key, a detail's key, or the title of a section."""

    kind: Literal["front matter", "detail", "section"]
    name: str
    span: Span


Subject = StepHead | File | Name | PlanWord


def subject_at(tree: PlanTree, offset: int) -> Subject | None:
    """Return the innermost subject at `offset`, or directly before it."""
    if tree.front_matter and offset < tree.body_start:
        return _in_front_matter(tree, offset)
    step = next((step for step in tree.steps if step.span.contains(offset)), None)
    found = _parameter(tree, offset) or (_in_step(tree, step, offset) if step else _in_section(tree, offset))
    if found is None and (file := _file_in_code(tree, offset)):
        return File(file, step)
    if found is None and step and offset <= step.action_span.end:
        return StepHead(step, Span(step.span.start, step.action_span.end))
    return found


def _parameter(tree: PlanTree, offset: int) -> Subject | None:
    found = parameters_in(tree) if "{{" in tree.text else ()
    return next((Name("parameter", *each) for each in found if each.span.contains(offset)), None)


def _in_section(tree: PlanTree, offset: int) -> Subject | None:
    section = next((section for section in tree.sections if section.title_span.contains(offset)), None)
    if section:
        return PlanWord("section", section.name, section.title_span) if section.name else None
    return next((Name("command", *each) for each in validation_commands(tree) if each.span.contains(offset)), None)


def _in_front_matter(tree: PlanTree, offset: int) -> Subject | None:
    keys = tree.front_matter.keys if tree.front_matter else ()
    for key in keys:
        if key.key_span.contains(offset) and key.name in grammar.FRONT_MATTER_KEYS:
            return PlanWord("front matter", key.name, key.key_span)
    return next((File(file, None) for file in context_paths(tree) if file.span.contains(offset)), None)


def _in_step(tree: PlanTree, step: StepNode, offset: int) -> Subject | None:
    detail = next((detail for detail in step.details if detail.span.contains(offset)), None)
    if detail is None:
        return None
    if detail.key_span.contains(offset):
        return PlanWord("detail", detail.key, detail.key_span) if detail.key in grammar.DETAILS else None
    return _in_value(tree, step, detail, offset)


def _in_value(tree: PlanTree, step: StepNode, detail: Detail, offset: int) -> Subject | None:
    if detail.key not in ("tools", "files", "check"):
        return None
    key: Literal["tools", "files", "check"] = detail.key  # type: ignore[assignment]
    found: Reference | None = next((each for each in names_in(tree, step, key) if each.span.contains(offset)), None)
    if found is None:
        return None
    if key == "files":
        file = file_reference(*found)
        return File(file, step) if file else None
    return Name("tool" if key == "tools" else "command", *found)


def _file_in_code(tree: PlanTree, offset: int) -> FileReference | None:
    """A path that stands as code in the line."""
    start, end = line_at(tree.text, offset)
    files = files_in_code(tree.text, max(start, tree.body_start), end)
    return next((file for file in files if file.span.contains(offset)), None)
