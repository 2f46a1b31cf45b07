"""Tree → plan, and plan ↔ JSON. A lowered plan is in normal form; questions, adaptations and comments stay out
of it.
"""

import re
from collections.abc import Iterator, Mapping
from itertools import pairwise
from typing import Any

from pydantic import ValidationError

from planact.base.errors import InvalidInput
from planact.model.plan import FORMAT_VERSION, ContextFile, Plan, PlanStatus, Step
from planact.plan.syntax import code_span, normalize
from planact.plan.syntax.tree import PlanTree, StepNode, Value

_SURROGATE = re.compile("[\ud800-\udfff]")
_STATUSES = {status.value: status for status in PlanStatus}
_TRUE = frozenset({"true", "yes", "on"})


def lower(tree: PlanTree) -> Plan | None:
    """Return the plan that the text means; None without a goal or without a step that has an action.

    Steps go by the number written, else by their position. Half surrogates, which no file can hold, become U+FFFD.
    """
    if "plan" not in tree.memo:
        tree.memo["plan"] = _lower(tree)
    known: Plan | None = tree.memo["plan"]
    return known


def _lower(tree: PlanTree) -> Plan | None:
    steps = tuple([step for node in tree.steps if (step := _step(node))])
    goal = _clean(tree.goal)
    if not goal or not steps:
        return None
    return Plan(
        format_version=front_matter_text(tree, "format_version", FORMAT_VERSION),
        id=front_matter_text(tree, "id"),
        goal=goal,
        description=normalize.text(_clean(tree.description)),
        analysis=normalize.text(_text(tree, "analysis")),
        assumptions=normalize.items(_items(tree, "assumptions")),
        prerequisites=normalize.items(_items(tree, "prerequisites")),
        steps=steps,
        risks=normalize.items(_items(tree, "risks")),
        validation=normalize.items(_items(tree, "validation")),
        estimated_total_time=" ".join(normalize.items(_text(tree, "estimated_total_time").split("\n"))),
        has_infrastructure_changes=front_matter_text(tree, "infrastructure").lower() in _TRUE,
        context=context_files(tree),
        created_at=front_matter_text(tree, "created"),
        status=_STATUSES.get(front_matter_text(tree, "status"), PlanStatus.DRAFT),
        role=front_matter_text(tree, "role"),
        model=front_matter_text(tree, "model"),
    )


def _step(node: StepNode) -> Step | None:
    """Return the step, which is kept as long as its lines stay; None without an action."""
    known: Step | None = node.memo.get("step")
    number, status = node.step_number, node.status
    if known is not None and known.step_number == number and known.status is status:
        return known
    if known is not None:
        known = known.model_copy(update={"step_number": number, "status": status})
    elif action := _clean(node.action):
        known = _new_step(node, action)
    node.memo["step"] = known
    return known


def _new_step(node: StepNode, action: str) -> Step:
    texts: dict[str, str] = {}
    lists: dict[str, list[str]] = {}
    for detail in node.details:
        values = [_clean(value) for value in detail.values if value]
        texts.setdefault(detail.key, " ".join(values))
        lists.setdefault(detail.key, []).extend(values)
    return Step(
        step_number=node.step_number,
        action=action,
        reason=texts.get("reason", ""),
        tools_needed=_names(lists.get("tools", [])),
        files=normalize.file_names(_parts(lists.get("files", []))),
        estimated_time=texts.get("time", ""),
        expected_outcome=texts.get("expect", ""),
        validation_checks=step_checks(node),
        status=node.status,
    )


def step_names(node: StepNode, key: str) -> tuple[str, ...]:
    """The names that a step lists under `tools` or `files`."""
    known = node.memo.get(key)
    if known is None:
        known = node.memo[key] = _step_names(node, key)
    return known


def _step_names(node: StepNode, key: str) -> tuple[str, ...]:
    names: list[str] = []
    for detail in node.details:
        if detail.key == key:
            for value in detail.values:
                # Nearly all are plain, and there are many of them.
                is_plain = value.isascii() and "`" not in value
                names += [part.strip(" \t") for part in value.split(",")] if is_plain else _names([_clean(value)])
    return tuple([name for name in names if name])


def step_checks(node: StepNode) -> tuple[str, ...]:
    """The commands that a step lists under `check`."""
    known = node.memo.get("check")
    if known is None:
        values = [value for detail in node.details if detail.key == "check" for value in detail.values]
        known = node.memo["check"] = normalize.names(map(_clean, values))
    return known


def _names(values: list[str]) -> tuple[str, ...]:
    return normalize.names(_parts(values))


def _parts(values: list[str]) -> Iterator[str]:
    return (part for value in values for part in code_span.split_list(value))


def front_matter_text(tree: PlanTree, name: str, default: str = "") -> str:
    """Return the text of a front-matter key; `default` where it is missing or isn't text."""
    key = tree.key(name)
    return _clean(key.value) if key and isinstance(key.value, str) else default


def context_files(tree: PlanTree) -> tuple[ContextFile, ...]:
    """The files that the plan rests on; entries without path and hash are left out."""
    key = tree.key("context")
    entries = key.value if key and isinstance(key.value, list) else []
    return tuple(file for entry in entries if (file := _context_file(entry)))


def _context_file(entry: Value) -> ContextFile | None:
    if not isinstance(entry, dict):
        return None
    path, sha256 = entry.get("path"), entry.get("sha256")
    if not isinstance(path, str) or not isinstance(sha256, str):
        return None
    return ContextFile(path=_clean(path), sha256=_clean(sha256))


def _text(tree: PlanTree, name: str) -> str:
    section = tree.section(name)
    return _clean(section.text) if section else ""


def _items(tree: PlanTree, name: str) -> tuple[str, ...]:
    section = tree.section(name)
    return tuple(map(_clean, section.items)) if section else ()


def _clean(text: str) -> str:
    return _SURROGATE.sub("\ufffd", text)


def plan_json(plan: Plan) -> dict[str, Any]:
    """The JSON form: all fields of the plan, lists as lists."""
    return plan.model_dump(mode="json")


def plan_from_json(data: object) -> Plan:
    """Return a plan from JSON as a model or a program gives it, in normal form.

    Null counts as missing. Steps are numbered anew unless their numbers rise from 1 or more, since their order is the
    author's intent. A command is one line: joined lines would run another command.

    Raises:
        InvalidInput: PLAN_INVALID, naming the field.
    """
    if not isinstance(data, Mapping):
        raise InvalidInput("PLAN_INVALID", "a plan is a JSON object", "Give at least `goal` and `steps`.")
    try:
        plan = Plan.model_validate(_without_nulls(data))
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False, include_context=False)[0]
        raise InvalidInput("PLAN_INVALID", f"the plan's {_path(first['loc'])}: {first['msg']}", _HINT) from None
    check_format_version(plan.format_version)
    for index, step in enumerate(plan.steps):
        _require_one_line(step.validation_checks, f"steps[{index}].validation_checks")
    numbers = [step.step_number for step in plan.steps]
    if numbers[0] < 1 or any(left >= right for left, right in pairwise(numbers)):
        steps = tuple(step.model_copy(update={"step_number": n}) for n, step in enumerate(plan.steps, 1))
        plan = plan.model_copy(update={"steps": steps})
    return normalize.normalize(plan)


def check_format_version(version: str) -> None:
    """Raises InvalidInput PLAN_INVALID, for a version that may have a meaning this one doesn't know."""
    if version != FORMAT_VERSION:
        message = f"format_version {version[:40]!r} is not supported"
        raise InvalidInput("PLAN_INVALID", message, f'Write format_version "{FORMAT_VERSION}", in its form.')


_HINT = "Correct this field and give the whole plan again."


def _without_nulls(value: object) -> object:
    if isinstance(value, Mapping):
        return {key: _without_nulls(item) for key, item in value.items() if item is not None}
    return [_without_nulls(item) for item in value] if isinstance(value, list) else value


def _path(parts: tuple[int | str, ...]) -> str:
    path = "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in parts)
    return f"`{path.lstrip('.')}`"


def _require_one_line(commands: tuple[str, ...], field: str) -> None:
    for index, command in enumerate(commands):
        if "\n" in command.strip() or "\r" in command.strip():
            message = f"the plan's `{field}[{index}]`: a command is one line"
            raise InvalidInput("PLAN_INVALID", message, "Join its lines with `&&`, or split it.")
