"""Plan → text, with line feeds. Read again, it gives the plan's normal form; text that looks like markup is
escaped.
"""

import re
from collections.abc import Iterable, Iterator

from planact.base.span import line_spans
from planact.model.plan import ContextFile, Plan, Step
from planact.plan.syntax import grammar
from planact.plan.syntax.code_span import in_list, wrap
from planact.plan.syntax.lines import escape, scan
from planact.plan.syntax.normalize import normalize

# Words, hashes that aren't numbers, and times: values that YAML reads as meant without quotes.
_PLAIN = re.compile(
    r"[A-Za-z_/][A-Za-z0-9_./-]*|(?!0b)(?=[0-9e]*[a-df])[0-9a-f]+|[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:.]+(?:Z|[+-][0-9:]+)"
)
_NOT_TEXT = frozenset({"true", "false", "yes", "no", "on", "off", "null", "y", "n"})


def render(plan: Plan) -> str:
    """The whole document.

    Raises:
        InvalidInput: PLAN_INVALID, the goal or an action is blank.
    """
    plan = normalize(plan)
    lines = ["---", *_front_matter(plan), "---", f"# {plan.goal}", ""]
    if plan.description:
        lines += [*text_lines(plan.description), ""]
    for title, body in section_lines(plan).items():
        lines += [f"## {title}", *body, ""]
    return "\n".join(lines)


def front_matter_values(plan: Plan) -> dict[str, list[str]]:
    """Return each front-matter key's value in YAML, as one line or as list items; empty for a field without a value."""
    return {
        "format_version": [_quoted(plan.format_version)],
        "id": _optional(plan.id),
        "status": [plan.status.value],
        "created": _optional(plan.created_at),
        "role": _optional(plan.role),
        "model": _optional(plan.model),
        "infrastructure": ["true" if plan.has_infrastructure_changes else "false"],
        "context": context_items(plan.context),
    }


def _front_matter(plan: Plan) -> Iterator[str]:
    for name, lines in front_matter_values(plan).items():
        if name == "context" and lines:
            yield from (f"{name}:", *(f"  {line}" for line in lines))
        elif lines:
            yield f"{name}: {lines[0]}"


def context_items(files: Iterable[ContextFile]) -> list[str]:
    """The files a plan rests on, as YAML list items."""
    return [f"- {{path: {scalar(file.path)}, sha256: {scalar(file.sha256)}}}" for file in files]


def section_lines(plan: Plan) -> dict[str, list[str]]:
    """Return the lines below each heading; the plan, in normal form, has content for these headings only."""
    bodies = {
        "Analysis": text_lines(plan.analysis),
        "Assumptions": item_lines(plan.assumptions),
        "Prerequisites": item_lines(plan.prerequisites),
        "Steps": [line for step in plan.steps for line in step_lines(step)],
        "Risks": item_lines(plan.risks),
        "Validation": item_lines(plan.validation),
        "Estimated time": [escape(plan.estimated_total_time)] if plan.estimated_total_time else [],
    }
    return {title: body for title, body in bodies.items() if body}


def step_lines(step: Step) -> Iterator[str]:
    """A step and its details."""
    yield f"- [{grammar.MARKS[step.status]}] {step.step_number}. {step.action}"
    details = {
        "reason": [step.reason],
        "tools": [", ".join(in_list(name) for name in step.tools_needed)],
        "files": [", ".join(in_list(name) for name in step.files)],
        "time": [step.estimated_time],
        "expect": [step.expected_outcome],
        "check": [wrap(command) for command in step.validation_checks],
    }
    for key, values in details.items():
        for value in values:
            if value:
                yield f"  - {key}: {value}"


def item_lines(items: Iterable[str]) -> list[str]:
    """A list."""
    return [f"- {item}" for item in items]


def text_lines(text: str) -> list[str]:
    """Text in normal form, escaped where it would be heading, quote or fence."""
    if not text:
        return []
    return [line.text if line.is_fenced else escape(line.text) for line in scan(text, line_spans(text)).lines]


def scalar(value: str) -> str:
    """`value` as YAML that any reader takes for that very text."""
    return value if _PLAIN.fullmatch(value) and value.lower() not in _NOT_TEXT else _quoted(value)


def _optional(value: str) -> list[str]:
    return [scalar(value)] if value else []


def _quoted(value: str) -> str:
    return f'"{"".join(map(_escaped, value))}"'


def _escaped(char: str) -> str:
    code = ord(char)
    if char in '"\\':
        return f"\\{char}"
    if char.isprintable():
        return char
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"
