"""Completion: words that can stand at the cursor, by the line before it and the part of the plan around it."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from planact.base.span import Span, line_spans
from planact.model.plan import PlanStatus
from planact.plan.lint_context import ToolFact
from planact.plan.references import validation_commands
from planact.plan.syntax import code_span, grammar
from planact.plan.syntax.lines import indent_of, line_at, scan
from planact.plan.syntax.lower import step_checks
from planact.plan.syntax.path_name import is_plain_path
from planact.plan.syntax.tree import PlanTree, StepNode
from planact.plan.templates.parameters import declared_parameters
from planact.plan.words import DETAIL_MEANINGS, KEY_MEANINGS, SECTION_MEANINGS

CompletionKind = Literal["key", "value", "section", "step", "mark", "tool", "file", "folder", "command", "parameter"]

_PARAMETER = re.compile(r"\{\{([A-Za-z0-9_-]*)$")
_KEY = re.compile(r"[A-Za-z_]*$")
_VALUE = re.compile(r"([A-Za-z_]+):[ \t]*([A-Za-z]*)$")
_HEADING = re.compile(r" {0,3}#{1,2}[ \t]*[^#]*$")
_MARK = re.compile(r"[ \t]*[-*+][ \t]+(\[[^\]]?)$")
_DETAIL = re.compile(r"[ \t]+([-*+][ \t]+)?[A-Za-z]*$")
_DETAIL_VALUE = re.compile(r"[ \t]+[-*+][ \t]+([A-Za-z]+):[ \t]*(.*)$")
_ITEM = re.compile(r"[ \t]*[-*+][ \t]+(.*)$")
_NEW_STEP = re.compile(r"(?:[-*+][ \t]*)?$")
_PATH_IN_CODE = re.compile(r"`([^`\s]*)$")


@dataclass(frozen=True, slots=True)
class Completion:
    """A replacement for `span`, which ends at the cursor or behind a closing sign."""

    label: str
    kind: CompletionKind
    span: Span
    new_text: str
    detail: str = ""
    documentation: str = ""


@dataclass(frozen=True, slots=True)
class Choices:
    """Sources of names: tools, the entries of a workspace folder (folders end with `/`), and commands."""

    tools: Mapping[str, ToolFact]
    names_in: Callable[[str], Sequence[str]]
    commands: Sequence[str] = ()


def completions(tree: PlanTree, offset: int, choices: Choices) -> tuple[Completion, ...]:
    """Return all fitting words, best first. The client leaves out those that don't begin as typed."""
    return tuple(_Cursor(tree, offset, choices).completions())


class _Cursor:
    """A place, with the line around it."""

    def __init__(self, tree: PlanTree, offset: int, choices: Choices) -> None:
        start, end = line_at(tree.text, offset)
        self._tree = tree
        self._offset = offset
        self._before = tree.text[start:offset]
        self._after = tree.text[offset:end]
        self._choices = choices

    def completions(self) -> Iterator[Completion]:
        front = self._tree.front_matter
        if front and front.body_span.start <= self._offset <= front.body_span.end:
            return self._in_front_matter()
        if self._offset < self._tree.body_start or self._is_fenced() or grammar.QUOTE.match(self._before):
            return iter(())
        if match := _PARAMETER.search(self._before):
            return self._parameters(match[1])
        if _HEADING.fullmatch(self._before):
            return self._sections()
        section = next((s for s in self._tree.sections if s.body_span.contains(self._offset)), None)
        if section and section.name == "steps":
            return self._in_steps()
        if section and section.name == "validation" and (item := _ITEM.fullmatch(self._before)):
            return self._commands(item[1])
        return self._paths_in_code()

    def _is_fenced(self) -> bool:
        text = self._tree.text[self._tree.body_start : self._offset]
        return ("```" in text or "~~~" in text) and bool(scan(text, line_spans(text)).open_fence)

    def _back(self, typed: str) -> Span:
        return Span(self._offset - len(typed), self._offset)

    # --- front matter and headings

    def _in_front_matter(self) -> Iterator[Completion]:
        if value := _VALUE.fullmatch(self._before):
            words = {"status": [status.value for status in PlanStatus], "infrastructure": ["true", "false"]}
            for word in words.get(value[1], ()):
                yield Completion(word, "value", self._back(value[2]), word)
        elif _KEY.fullmatch(self._before):
            front = self._tree.front_matter
            foreign = () if self._tree.is_template else grammar.TEMPLATE_KEYS - {"parameters"}
            for key, text in KEY_MEANINGS.items():
                if front and front.key(key) is None and key not in foreign:
                    yield Completion(key, "key", self._back(self._before), f"{key}: ", documentation=text)

    def _sections(self) -> Iterator[Completion]:
        for title, name in grammar.SECTIONS.items():
            if self._tree.section(name) is None:
                line = f"## {title}"
                yield Completion(line, "section", self._back(self._before), line, documentation=SECTION_MEANINGS[name])

    def _parameters(self, typed: str) -> Iterator[Completion]:
        closing = "" if self._after.startswith("}}") else "}}"
        for parameter in declared_parameters(self._tree).values():
            yield Completion(
                parameter.name,
                "parameter",
                self._back(typed),
                parameter.name + closing,
                documentation=parameter.description,
            )

    # --- steps

    def _in_steps(self) -> Iterator[Completion]:
        if mark := _MARK.fullmatch(self._before):
            return self._marks(mark[1])
        step = next((step for step in reversed(self._tree.steps) if step.span.start <= self._offset), None)
        if step and (value := _DETAIL_VALUE.fullmatch(self._before)):
            return self._values(value[1].lower(), value[2])
        if step and (item := _ITEM.fullmatch(self._before)) and (key := self._key_of_list(step)):
            return self._values(key, item[1])
        if step and self._before and (detail := _DETAIL.fullmatch(self._before)):
            return self._details(step, has_marker=bool(detail[1]))
        if _NEW_STEP.fullmatch(self._before):
            return self._new_step()
        return self._paths_in_code()

    def _marks(self, typed: str) -> Iterator[Completion]:
        closed = self._after.startswith("]")
        for status, mark in grammar.MARKS.items():
            span = Span(self._offset - len(typed), self._offset + closed)
            text = f"[{mark}]" if closed else f"[{mark}] "
            yield Completion(f"[{mark}]", "mark", span, text, detail=status.value)

    def _details(self, step: StepNode, *, has_marker: bool) -> Iterator[Completion]:
        typed = re.search(r"[A-Za-z]*$", self._before)
        used = {detail.key for detail in step.details if not detail.span.contains(self._offset)}
        for key, text in DETAIL_MEANINGS.items():
            if key not in used or key == "check":
                new_text = f"{key}: " if has_marker else f"- {key}: "
                yield Completion(key, "key", self._back(typed[0] if typed else ""), new_text, documentation=text)

    def _key_of_list(self, step: StepNode) -> str:
        """Return the detail whose list of values the line continues; empty when it isn't indented that far."""
        above = [detail for detail in step.details if detail.start < self._offset]
        if not above:
            return ""
        start = line_at(self._tree.text, above[-1].start).start
        depth = indent_of(self._tree.text[start : above[-1].start])
        return above[-1].key if indent_of(self._before) > depth + 1 else ""

    def _values(self, key: str, typed: str) -> Iterator[Completion]:
        match key:
            case "tools":
                return self._tools(_last_part(typed))
            case "files":
                return self._files(_last_part(typed))
            case "check":
                return self._commands(typed)
            case _:
                return self._paths_in_code()

    def _new_step(self) -> Iterator[Completion]:
        highest = max((step.step_number for step in self._tree.steps), default=0)
        text = f"- [ ] {highest + 1}. "
        yield Completion(text.strip(), "step", self._back(self._before), text, documentation="A new step.")

    # --- names

    def _tools(self, typed: str) -> Iterator[Completion]:
        for tool in self._choices.tools.values():
            permissions = ", ".join(sorted(tool.permissions))
            yield Completion(tool.name, "tool", self._back(typed), tool.name, permissions, tool.summary)

    def _files(self, typed: str) -> Iterator[Completion]:
        folder = typed[: typed.rfind("/") + 1]
        if folder and not is_plain_path(folder):
            return
        for name in self._choices.names_in(folder):
            kind: CompletionKind = "folder" if name.endswith("/") else "file"
            yield Completion(name, kind, self._back(typed[len(folder) :]), name)

    def _paths_in_code(self) -> Iterator[Completion]:
        match = _PATH_IN_CODE.search(self._before)
        # An odd one opens a code span.
        return self._files(match[1]) if match and self._before.count("`") % 2 else iter(())

    def _commands(self, typed: str) -> Iterator[Completion]:
        end = self._offset + (typed.startswith("`") and self._after.startswith("`"))
        mine = [command for step in self._tree.steps for command in step_checks(step)]
        mine += [command for command, _ in validation_commands(self._tree)]
        for command in dict.fromkeys((*mine, *self._choices.commands)):
            if command and command != typed.strip("`"):
                yield Completion(command, "command", Span(self._offset - len(typed), end), code_span.wrap(command))


def _last_part(typed: str) -> str:
    """Return the typed beginning of the last name in a list, without the blanks and the backtick before it."""
    return typed.rpartition(",")[2].lstrip(" \t").removeprefix("`")
