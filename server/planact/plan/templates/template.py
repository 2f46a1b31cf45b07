"""A template: a `*.plan` document with typed parameters, and what becomes of it when they have values.

A value is one line of text: it can't add steps or sections, wherever its placeholder stands.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from planact.base.errors import InvalidInput
from planact.base.span import TextEdit, apply_edits
from planact.model.plan import StepStatus
from planact.plan import grammar
from planact.plan.edits import set_mark
from planact.plan.parameters import Parameter, declared_parameters
from planact.plan.parser import parse
from planact.plan.references import PARAMETER
from planact.plan.tree import PlanTree, Value

NAME = re.compile(r"[a-z0-9][a-z0-9-]{0,63}\Z")
MAX_VALUE = 2_000

_NUMBERS = frozenset({"minLength", "maxLength", "minimum", "maximum"})
_KEYWORDS = _NUMBERS | {"type", "enum", "pattern"}
_TYPES = frozenset({"string", "integer", "number", "boolean"})


@dataclass(frozen=True, slots=True)
class Template:
    """A template as it was read.

    Attributes:
        name: of the file, without its ending.
        goal: with placeholders.
        glob, command: say where it applies: some file matches, or the command, which must only read, ends with 0.
        tree: of the whole text.
    """

    name: str
    goal: str
    description: str
    category: str
    parameters: tuple[Parameter, ...]
    glob: str
    command: str
    tree: PlanTree


@dataclass(frozen=True, slots=True)
class KnownTemplate:
    """A template and whose it is."""

    template: Template
    source: Literal["planact", "workspace"]


def read_template(name: str, text: str) -> Template:
    """The template in a text.

    Raises:
        InvalidInput: TEMPLATE_INVALID, with what is wrong.
    """
    tree = parse(text)
    if not NAME.match(name):
        raise _invalid(name, "its name isn't of small letters, digits and hyphens", "Rename the file.")
    if not tree.is_template:
        raise _invalid(name, "it has no `parameters` in its front matter", "Add them; `parameters: []` for none.")
    if not tree.goal or not tree.steps:
        raise _invalid(name, "it has no goal or no steps", "Write both, as in any plan.")
    parameters = declared_parameters(tree)
    odd = next((each for each in parameters if not PARAMETER.fullmatch(f"{{{{{each}}}}}")), None)
    if odd is not None:
        raise _invalid(name, f"{odd[:80]!r} is no name of a parameter", "Use letters, digits and underscores.")
    for parameter in parameters.values():
        json_schema(name, parameter)
    unknown = sorted(set(PARAMETER.findall(text)) - parameters.keys())
    if unknown:
        raise _invalid(name, f"there is no parameter {{{{{unknown[0]}}}}}", "Name it under `parameters`.")
    applies = _value(tree, "applies")
    applies = applies if isinstance(applies, dict) else {}
    return Template(
        name=name,
        goal=tree.goal,
        description=_text(_value(tree, "description")),
        category=_text(_value(tree, "category")) or "other",
        parameters=tuple(parameters.values()),
        glob=_text(applies.get("glob")),
        command=_text(applies.get("command")),
        tree=tree,
    )


def fill(template: Template, values: Mapping[str, str]) -> str:
    """The plan's text: placeholders replaced, and of the front matter only what is a plan's.

    A parameter that isn't required and has no value leaves nothing.

    Raises:
        InvalidInput: ANSWER_INVALID for what is no line of text; INVALID_ARGUMENTS for what nobody asked for.
    """
    known = {parameter.name: parameter for parameter in template.parameters}
    stray = next((name for name in values if name not in known), None)
    if stray is not None:
        raise InvalidInput(
            "INVALID_ARGUMENTS",
            f"the template {template.name} has no parameter {stray!r}",
            f"Its parameters are {', '.join(known) or 'none'}.",
        )
    chosen = {name: _chosen(parameter, values) for name, parameter in known.items()}
    front_matter = template.tree.front_matter
    assert front_matter is not None, "it has parameters"
    kept = [key for key in front_matter.keys if key.name not in grammar.TEMPLATE_KEYS]
    text = template.tree.text
    head = "\n".join(("---", *(text[key.span.start : key.span.end] for key in kept), "---", ""))
    return PARAMETER.sub(lambda match: chosen[match[1]], head + text[template.tree.body_start :])


def make_template(tree: PlanTree, description: str, category: str, parameters: Mapping[str, str]) -> str:
    """The text of a template from a plan: marks cleared, and each parameter's text made a placeholder with that text
    as its default. What only that plan was about (id, status, files by hash) and what was said to the planner goes.

    Raises:
        InvalidInput: PLAN_INVALID; INVALID_ARGUMENTS, when a parameter's text isn't in the plan.
    """
    if not tree.goal or not tree.steps:
        raise InvalidInput("PLAN_INVALID", "the plan has no goal or no steps", "Complete it first.")
    edits = [edit for step in tree.steps for edit in set_mark(tree, step.step_number, StepStatus.PENDING)]
    spans = [comment.span for comment in tree.comments]
    spans += [block.span for block in tree.adaptations] + [block.span for block in tree.questions]
    edits += [TextEdit(span, "") for span in spans]
    body = apply_edits(tree.text, sorted(edits, key=lambda edit: edit.span))[tree.body_start :]
    for name, text in sorted(parameters.items(), key=lambda item: -len(item[1])):
        if not text.strip() or text not in body:
            raise InvalidInput(
                "INVALID_ARGUMENTS", f"the plan doesn't say {text!r}, which was to become {{{{{name}}}}}", "Copy it."
            )
        body = body.replace(text, f"{{{{{name}}}}}")
    lines = ["---", 'format_version: "1.0"', f"description: {_quoted(description)}", f"category: {_quoted(category)}"]
    lines += ["parameters:"] if parameters else ["parameters: []"]
    lines += [f"  - {{name: {name}, default: {_quoted(text)}}}" for name, text in parameters.items()]
    return "\n".join([*lines, "---", ""]) + body


def json_schema(template: str, parameter: Parameter) -> dict[str, object]:
    """JSON Schema of a parameter's value, with numbers where its keywords want them; empty = any text.

    Raises:
        InvalidInput: TEMPLATE_INVALID.
    """
    schema: dict[str, object] = {}
    for key, said in parameter.schema.items():
        if key not in _KEYWORDS or (key == "type" and said not in _TYPES):
            hint = f"Known are {', '.join(sorted(_KEYWORDS))}; types are {', '.join(sorted(_TYPES))}."
            raise _invalid(template, f"the schema of {parameter.name} has {key}: {said}", hint)
        if key not in _NUMBERS:
            schema[key] = said
        elif isinstance(said, str) and re.fullmatch(r"-?[0-9]{1,9}", said):
            schema[key] = int(said)
        else:
            raise _invalid(template, f"{key} of {parameter.name} is no whole number", "Correct it.")
    return schema


def _chosen(parameter: Parameter, values: Mapping[str, str]) -> str:
    value = values.get(parameter.name, parameter.default)
    if not value.strip() and parameter.is_required:
        raise InvalidInput("ANSWER_INVALID", f"{parameter.name} has no value", "Give it one.")
    if len(value) > MAX_VALUE or len(value.splitlines()) > 1 or not value.isprintable():
        raise InvalidInput("ANSWER_INVALID", f"{parameter.name} is not one line of text", "Shorten it.")
    return value


def _value(tree: PlanTree, name: str) -> Value | None:
    key = tree.front_matter.key(name) if tree.front_matter else None
    return key.value if key else None


def _text(value: Value | None) -> str:
    return value if isinstance(value, str) else ""


def _quoted(text: str) -> str:
    escaped = " ".join(text.split()).replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


def _invalid(name: str, cause: str, hint: str) -> InvalidInput:
    return InvalidInput("TEMPLATE_INVALID", f"the template {name} can't be used: {cause}", hint)
