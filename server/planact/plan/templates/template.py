"""A template: a `*.plan` document with typed parameters, and the plan that it becomes with values for them.

A value is one line of text: it can't add steps or sections, wherever its placeholder stands. It is of the type of its
parameter's schema, from text, as terminals and front matter have it, and back.
"""

import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from planact.base.errors import InvalidInput
from planact.base.span import TextEdit, apply_edits
from planact.model.plan import StepStatus
from planact.plan.references import PARAMETER
from planact.plan.syntax import grammar
from planact.plan.syntax.edits import set_mark
from planact.plan.syntax.parser import parse
from planact.plan.syntax.tree import PlanTree, Value
from planact.plan.templates.parameters import Parameter, declared_parameters

_TRUE, _FALSE = frozenset({"true", "yes", "on", "1"}), frozenset({"false", "no", "off", "0"})
_INTEGER = re.compile(r"[+-]?[0-9]{1,18}")
_NUMBER = re.compile(r"[+-]?(?:[0-9]{1,18}(?:\.[0-9]{1,18})?|\.[0-9]{1,18})(?:[eE][+-]?[0-9]{1,2})?")


def read_value(name: str, schema: Mapping[str, Any], said: Any) -> Any:
    """Return the value that a text means by its schema; a value that is no text stays as it is.

    An array is JSON, or its items with commas between them. Empty text stays a text, for a value that isn't given.

    Raises:
        InvalidInput: ANSWER_INVALID, naming the parameter and what it wants.
    """
    kind = schema.get("type", "string")
    if not isinstance(said, str) or kind == "string" or not said.strip():
        return said
    text = said.strip()
    match kind:
        case "integer" if _INTEGER.fullmatch(text):
            return int(text)
        case "number" if _NUMBER.fullmatch(text):
            return float(text) if re.search(r"[.eE]", text) else int(text)
        case "boolean" if text.casefold() in _TRUE | _FALSE:
            return text.casefold() in _TRUE
        case "array":
            return [read_value(name, schema.get("items", {}), item) for item in _items(name, text)]
        case _:
            wanted = {"integer": "a whole number", "number": "a number", "boolean": "true or false"}[kind]
            raise InvalidInput("ANSWER_INVALID", f"{name} is {text[:80]!r} and must be {wanted}", "Give it another.")


def value_text(value: Any) -> str:
    """Return the text that a value leaves in a plan: `true`, `1.5`, and items with commas."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, list | tuple):
        return ", ".join(map(value_text, value))
    return "" if value is None else str(value)


def _items(name: str, text: str) -> list[Any]:
    if not text.startswith("["):
        return [item for part in text.split(",") if (item := part.strip())]
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        raise InvalidInput(
            "ANSWER_INVALID", f"{name} is no JSON array", 'Write ["a", "b"], or items with commas.'
        ) from None
    return [item if isinstance(item, str | int | float) else json.dumps(item) for item in found]


NAME = re.compile(r"[a-z0-9][a-z0-9-]{0,63}\Z")
MAX_VALUE = 2_000

CATEGORIES = (
    "resource-creation", "security-update", "migration", "scaling", "deployment", "cleanup", "monitoring", "custom",
)  # fmt: skip
"""Categories that every client knows; a template may name one of its own."""

_CODE = re.compile(r"`([^`\n]{1,200})`")
_MOST_OFFERED = 8
_NUMBERS = frozenset({"minLength", "maxLength", "minimum", "maximum", "minItems", "maxItems"})
_KEYWORDS = _NUMBERS | {"type", "enum", "pattern", "items", "uniqueItems"}
_TYPES = frozenset({"string", "integer", "number", "boolean", "array"})


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
    """A template with its source."""

    template: Template
    source: Literal["planact", "workspace"]


def read_template(name: str, text: str) -> Template:
    """Return the template in a text.

    Raises:
        InvalidInput: TEMPLATE_INVALID, with the fault.
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
        default_value(name, parameter)
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


def fill_template(template: Template, values: Mapping[str, str]) -> str:
    """Return the plan's text: placeholders replaced, and of the front matter only the keys of plans.

    A parameter that isn't required and has no value becomes empty.

    Raises:
        InvalidInput: ANSWER_INVALID for a value that is no line of text; INVALID_ARGUMENTS for an unknown parameter.
    """
    check_names(template, values)
    chosen = {parameter.name: _chosen(template.name, parameter, values) for parameter in template.parameters}
    front_matter = template.tree.front_matter
    assert front_matter is not None, "it has parameters"
    kept = [key for key in front_matter.keys if key.name not in grammar.TEMPLATE_KEYS]
    text = template.tree.text
    head = "\n".join(("---", *(text[key.span.start : key.span.end] for key in kept), "---", ""))
    return PARAMETER.sub(lambda match: chosen[match[1]], head + text[template.tree.body_start :])


def make_template(tree: PlanTree, description: str, category: str, parameters: Mapping[str, str]) -> str:
    """Return the text of a template from a plan: marks cleared, and each parameter's text made a placeholder with that
    text as its default. Placeholders that the plan has become parameters, too.

    Facts about that plan alone (id, status, files by hash) and comments to the planner go.

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
    placeholders = [name for name in dict.fromkeys(PARAMETER.findall(body)) if name not in parameters]
    lines += ["parameters:"] if parameters or placeholders else ["parameters: []"]
    lines += [f"  - {{name: {name}, default: {_quoted(text)}}}" for name, text in parameters.items()]
    lines += [f"  - {{name: {name}}}" for name in placeholders]
    return "\n".join([*lines, "---", ""]) + body


def json_schema(template: str, parameter: Parameter) -> dict[str, Any]:
    """JSON Schema of a parameter's value, with numbers where its keywords want them; empty = any text.

    Raises:
        InvalidInput: TEMPLATE_INVALID.
    """
    return _schema(template, parameter.name, parameter.schema, _TYPES)


def _schema(template: str, name: str, said: Mapping[str, Value], types: frozenset[str]) -> dict[str, Any]:
    schema: dict[str, Any] = {}
    for key, value in said.items():
        if key not in _KEYWORDS or (key == "type" and value not in types):
            hint = f"Known are {', '.join(sorted(_KEYWORDS))}; types are {', '.join(sorted(types))}."
            raise _invalid(template, f"the schema of {name} has {key}: {value}", hint)
        if key in _NUMBERS:
            schema[key] = _number(template, f"{key} of {name}", value, is_whole=key not in ("minimum", "maximum"))
        elif key == "items":
            schema[key] = _schema(template, name, value if isinstance(value, dict) else {}, _TYPES - {"array"})
        elif key == "uniqueItems":
            schema[key] = value == "true"
        elif key == "enum" and isinstance(value, list):
            schema[key] = [_read_stated(template, name, {"type": said.get("type", "string")}, each) for each in value]
        else:
            schema[key] = value
    return schema


def _number(template: str, what: str, said: object, *, is_whole: bool) -> int | float:
    if isinstance(said, str) and re.fullmatch(r"-?[0-9]{1,9}", said):
        return int(said)
    if isinstance(said, str) and not is_whole and re.fullmatch(r"-?[0-9]{1,9}\.[0-9]{1,9}", said):
        return float(said)
    raise _invalid(template, f"{what} is no {'whole ' if is_whole else ''}number", "Correct it.")


def _read_stated(template: str, name: str, schema: Mapping[str, Any], said: object) -> Any:
    """Read a value that the template itself states."""
    try:
        return read_value(name, schema, said)
    except InvalidInput as error:
        raise _invalid(template, error.message, "Correct it.") from None


def default_value(template: str, parameter: Parameter) -> Any:
    """Return the parameter's default by its type; None without one.

    Raises:
        InvalidInput: TEMPLATE_INVALID.
    """
    if not parameter.default:
        return None
    return _read_stated(template, parameter.name, json_schema(template, parameter), parameter.default)


def check_names(template: Template, values: Iterable[str]) -> None:
    """Raises InvalidInput INVALID_ARGUMENTS, naming all values that the template has no parameters for."""
    known = [parameter.name for parameter in template.parameters]
    stray = ", ".join(repr(name) for name in values if name not in known)
    if stray:
        raise InvalidInput(
            "INVALID_ARGUMENTS",
            f"the template {template.name} has no parameter {stray}",
            f"Its parameters are {', '.join(known) or 'none'}.",
        )


def suggested_values(tree: PlanTree) -> Mapping[str, str]:
    """Return texts of a plan that may become parameters, by a name for each: code in the goal or in several steps."""
    goal = _CODE.findall(tree.goal)
    actions = [set(_CODE.findall(step.action)) for step in tree.steps]
    often = [text for each in actions for text in each if sum(text in other for other in actions) > 1]
    found: dict[str, str] = {}
    for text in dict.fromkeys([*goal, *sorted(often)]):
        name = re.sub(r"[^A-Za-z0-9]+", "_", text).strip("_").lower()[:40]
        if PARAMETER.fullmatch(f"{{{{{name}}}}}") and not PARAMETER.search(text) and len(found) < _MOST_OFFERED:
            found.setdefault(name, text)
    return found


def _chosen(template: str, parameter: Parameter, values: Mapping[str, str]) -> str:
    value = values.get(parameter.name)
    value = value_text(default_value(template, parameter)) if value is None else value
    if not value.strip() and parameter.is_required:
        raise InvalidInput("ANSWER_INVALID", f"{parameter.name} has no value", "Give it one.")
    if len(value) > MAX_VALUE or len(value.splitlines()) > 1 or not value.isprintable():
        raise InvalidInput("ANSWER_INVALID", f"{parameter.name} is not one line of text", "Shorten it.")
    return value


def _value(tree: PlanTree, name: str) -> Value | None:
    key = tree.key(name)
    return key.value if key else None


def _text(value: Value | None) -> str:
    return value if isinstance(value, str) else ""


def _quoted(text: str) -> str:
    escaped = " ".join(text.split()).replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


def _invalid(name: str, cause: str, hint: str) -> InvalidInput:
    return InvalidInput("TEMPLATE_INVALID", f"the template {name} can't be used: {cause}", hint)
