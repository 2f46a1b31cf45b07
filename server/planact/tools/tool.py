"""Tools as values, not classes to inherit from. A tool acts only through the permit that `run` gets."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, Generic, Literal, TypeVar

from pydantic import BaseModel, ConfigDict

from planact.model.plan import FORMAT_VERSION
from planact.model.rights.permission import Effect, Permission
from planact.model.runs.change import Change
from planact.tools.permits.permit import Permit
from planact.tools.read_access import ReadAccess


class Args(BaseModel):
    """Base of tool arguments; the JSON schema that the model sees comes from here."""

    model_config = ConfigDict(extra="forbid", frozen=True, defer_build=True)


def known_format(data: Any) -> Any:
    """Return arguments without their `format_version`, which models write into plans and questions.

    Raises:
        ValueError: it is a version that this one doesn't know.
    """
    if not isinstance(data, dict) or "format_version" not in data:
        return data
    version = data["format_version"]
    if version != FORMAT_VERSION:
        raise ValueError(f"format_version {str(version)[:40]!r} is not supported; it is {FORMAT_VERSION!r}")
    return {key: value for key, value in data.items() if key != "format_version"}


A = TypeVar("A", bound=Args)


@dataclass(frozen=True, slots=True)
class Tool(Generic[A]):
    """One tool.

    Attributes:
        summary: description for the model.
        effects: pure; returns the effects that a call would have.
        run: acts only through the permit, and returns the text for the model. Raises PlanactError on failure.
        category, risk: inform the user; permissions and effects decide.
        changes: returns the changes that a call would make to files, for tools without other effects. Raises
            PlanactError where `run` would.
        prepare: returns the arguments with what only another program knows of the call's effects. It is called once the
            effects of the bare arguments aren't refused, and the call is judged again by what it returns. It changes
            nothing. Raises PlanactError.
        is_whole: the changes make sense only together, so a user who rejects one rejects all.
        requires_approval: asks in Act even when every effect is planned, unless the user accepts all.
        examples: calls as a model should make them, each the JSON of its arguments; they follow the summary.
        parameters: the JSON schema that the model sees, where it doesn't come from `args`.
    """

    name: str
    summary: str
    args: type[A]
    required_permissions: frozenset[Permission]
    category: Literal["read", "search", "write", "execute", "other"]
    risk: Literal["low", "medium", "high"]
    effects: Callable[[A], tuple[Effect, ...]]
    run: Callable[[A, Permit], Awaitable[str]]
    changes: Callable[[A, ReadAccess], Sequence[Change]] | None = None
    prepare: Callable[[A, ReadAccess], Awaitable[A]] | None = None
    is_whole: bool = False
    requires_approval: bool = False
    examples: tuple[str, ...] = ()
    parameters: Mapping[str, Any] | None = None

    @property
    def read_only(self) -> bool:
        return self.required_permissions <= {Permission.READ_FILES}

    def schema(self) -> dict[str, Any]:
        """Return the tool as chat-completion APIs want it."""
        description = "\n".join((self.summary, *(f"Example: {example}" for example in self.examples)))
        parameters = self.parameters if self.parameters is not None else _schema_of(self.args)
        return {
            "type": "function",
            "function": {"name": self.name, "description": description, "parameters": parameters},
        }


_NOISE = frozenset(("title", "default", "$defs", "additionalProperties"))
_BOUNDS = frozenset(("minimum", "exclusiveMinimum", "minLength", "maxLength", "minItems", "maxItems", "pattern"))
_DROPPED = _NOISE | _BOUNDS
"""Keys that the model doesn't need: a call that doesn't fit goes back to it."""

_ANYTHING = ("string", "number", "boolean")
"""Types of a value whose schema is empty; Gemini would take it for an object."""


@cache
def _schema_of(args: type[BaseModel]) -> Mapping[str, Any]:
    """Return the schema of a tool's arguments, which each turn asks for; nobody changes it."""
    return _lean(args.model_json_schema())


def _lean(schema: Mapping[str, Any]) -> dict[str, Any]:
    """Return a schema of the same meaning in half the tokens: definitions inlined, defaults and the docstrings of
    objects dropped.
    """
    definitions = schema.get("$defs", {})

    def lean(node: Mapping[str, Any]) -> dict[str, Any]:
        if "$ref" in node:
            return lean(definitions[node["$ref"].rsplit("/", 1)[1]])
        match node.get("anyOf"):
            case [kind, {"type": "null"}]:  # it may be left out
                return lean({key: value for key, value in node.items() if key != "anyOf"} | kind)
        dropped = _DROPPED | {"description"} if "properties" in node else _DROPPED
        return {key: lean_value(key, value) for key, value in node.items() if key not in dropped}

    def lean_value(key: str, value: Any) -> Any:
        match key:
            case "properties":
                return {name: lean(each) or {"type": [*_ANYTHING]} for name, each in value.items()}
            case "items":
                return lean(value)
            case "enum":
                return [each for each in value if each != ""]  # Gemini takes no empty one, and it may be left out
            case _:
                return value

    return lean(schema)
