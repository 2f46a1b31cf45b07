"""Names in the text, with their exact place: tools, files and commands of a step, and paths that stand as code.

Names come out as `lower` reads them. Where the two would disagree, the whole value is the place of each of its names.
The subject at a place is what hover explains, and where links lead from.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Literal, NamedTuple

from planact.base.span import Span, line_spans
from planact.plan.syntax import code_span, grammar, normalize
from planact.plan.syntax.lines import line_at, unbroken
from planact.plan.syntax.path_name import is_plain_path, split_line
from planact.plan.syntax.tree import Detail, PlanTree, StepNode

_CODE = re.compile(r"(?<!`)`([^`\r\n]{1,1000})`(?!`)")
_NO_PATH = re.compile(r"[\s;$&()=,']")
PARAMETER = re.compile(r"(?<!\$)\{\{([A-Za-z_][A-Za-z0-9_-]{0,63})\}\}")


class Reference(NamedTuple):
    """A name and where it stands, without the backticks around it."""

    name: str
    span: Span


class FileReference(NamedTuple):
    """A path relative to the workspace folder, the line it names, from 1, and where it stands."""

    path: str
    line: int | None
    span: Span


def names_in(tree: PlanTree, step: StepNode, key: Literal["tools", "files", "check"]) -> tuple[Reference, ...]:
    """Return the names that a step lists under `tools`, `files` or `check`."""
    return tuple(found for detail in step.details if detail.key == key for found in _names(tree.text, detail))


def validation_commands(tree: PlanTree) -> Iterator[Reference]:
    """Yield the items of the validation that consist of code alone."""
    section = tree.section("validation")
    for item in section.items if section else ():
        if section and len(item) > 2 and item[0] == item[-1] == "`" and "`" not in item[1:-1]:
            at = tree.text.find(item, section.body_span.start, section.body_span.end)
            if at >= 0:
                yield Reference(item[1:-1], Span(at + 1, at + len(item) - 1))


def files_of(tree: PlanTree, step: StepNode) -> Iterator[FileReference]:
    """Yield the files that a step names; those that can't be paths in the workspace are left out."""
    for name, span in names_in(tree, step, "files"):
        if found := file_reference(name, span):
            yield found


def files_in_code(text: str, start: int, end: int) -> Iterator[FileReference]:
    """The paths that stand as code between two places of a text."""
    for match in _CODE.finditer(text, start, end):
        found = file_reference(match[1], Span(*match.span(1)))
        if found and ("/" in found.path or "." in found.path) and not _NO_PATH.search(found.path):
            yield found


def context_paths(tree: PlanTree) -> Iterator[FileReference]:
    """The paths in the front matter's `context`."""
    key = tree.key("context")
    if key is None or not isinstance(key.value, list):
        return
    at = key.value_span.start
    for entry in key.value:
        path = entry.get("path") if isinstance(entry, dict) else None
        if not isinstance(path, str) or not path:
            continue
        here = re.compile(rf"\bpath[\"']?\s*:\s*[\"']?{re.escape(path)}(?=[\"',}}\s]|\Z)")
        found = here.search(tree.text, at, key.value_span.end)
        if found is None:
            return  # written with escapes: the place of the next one is unknown
        at = found.end()
        if is_plain_path(path):
            yield FileReference(path, None, Span(at - len(path), at))


def parameters_in(tree: PlanTree) -> Iterator[Reference]:
    """Yield every `{{name}}` behind the front matter."""
    for match in PARAMETER.finditer(tree.text, tree.body_start):
        yield Reference(match[1], Span(*match.span()))


def file_reference(name: str, span: Span) -> FileReference | None:
    """Return `name` as a path with or without a line; None for a path outside the workspace or of several files."""
    path, line = split_line(name)
    return FileReference(path, line, span) if is_plain_path(path) else None


def _names(text: str, detail: Detail) -> Iterable[Reference]:
    raw = text[detail.value_start : detail.end]
    if detail.key == "check" or "`" in raw or len(detail.values) > 1 or raw != detail.values[0]:
        return _careful_names(text, detail)
    found: list[Reference] = []
    at = detail.value_start
    for part in raw.split(","):
        name = part.strip(" \t")
        if name:
            start = at + part.index(name)
            found.append(Reference(name, Span(start, start + len(name))))
        at += len(part) + 1
    return found


def _careful_names(text: str, detail: Detail) -> list[Reference]:
    is_list = detail.key != "check"
    found: list[Reference] = []
    for start, end in _values(text, detail):
        for part in code_span.split_list(text[start:end]) if is_list else [text[start:end]]:
            if reference := _unwrapped(part, start):
                found.append(reference)
            start += len(part) + 1
    parts = [part for value in detail.values for part in (code_span.split_list(value) if is_list else [value])]
    names = normalize.names(parts)
    if tuple(reference.name for reference in found) == names:
        return found
    return [Reference(name, detail.value_span) for name in names]


def _values(text: str, detail: Detail) -> list[Span]:
    """Return the place of each value: the one behind the key with its continuation lines, then the items below."""
    raw = text[detail.value_start : detail.end]
    spans: list[Span] = []
    for start, end in line_spans(raw):
        marker = grammar.LIST_ITEM.match(raw, start, end) if start else None
        if not spans or marker:
            start = marker.end() if marker else start
            spans.append(Span(detail.value_start + start, detail.value_start + end))
        else:
            spans[-1] = Span(spans[-1].start, detail.value_start + end)
    return spans


def _unwrapped(part: str, start: int) -> Reference | None:
    """The name in a part of a list, without blanks and backticks around it."""
    name = part
    while True:
        inner = name.strip(" \t\r\n")
        start += name.index(inner) if inner else 0
        unwrapped = code_span.unwrap(inner)
        if unwrapped == inner:
            return Reference(unbroken(inner), Span(start, start + len(inner))) if inner else None
        start += (len(inner) - len(unwrapped)) // 2
        name = unwrapped


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
