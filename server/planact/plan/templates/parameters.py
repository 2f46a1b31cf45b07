"""The parameters that a template declares in its front matter, as a list of names and descriptions."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from planact.plan.syntax.tree import PlanTree, Value


@dataclass(frozen=True, slots=True)
class Parameter:
    """A declared parameter; fields that aren't given are empty. `schema`: JSON Schema of the value, all of
    texts.
    """

    name: str
    description: str = ""
    default: str = ""
    is_required: bool = True
    schema: Mapping[str, Value] = field(default_factory=dict)


def declared_parameters(tree: PlanTree) -> Mapping[str, Parameter]:
    """By name, in their order. Both `- {name: x, …}` and `x: {…}` are read."""
    key = tree.key("parameters")
    entries: list[tuple[object, object]] = []
    if key and isinstance(key.value, list):
        entries = [(entry.get("name"), entry) if isinstance(entry, dict) else (entry, None) for entry in key.value]
    elif key and isinstance(key.value, dict):
        entries = list(key.value.items())
    return {name: _parameter(name, said) for name, said in entries if isinstance(name, str) and name}


def _parameter(name: str, said: object) -> Parameter:
    texts = {key: value for key, value in said.items() if isinstance(value, str)} if isinstance(said, dict) else {}
    listed = said.get("default") if isinstance(said, dict) else None
    if isinstance(listed, list) and all(isinstance(item, str) for item in listed):
        texts["default"] = ", ".join(map(str, listed))
    schema = said.get("schema") if isinstance(said, dict) else None
    return Parameter(
        name,
        texts.get("description", ""),
        texts.get("default", ""),
        texts.get("required") != "false",
        schema if isinstance(schema, dict) else {},
    )
