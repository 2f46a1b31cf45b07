"""What a tool is: a value, not a class to inherit from. It has no hands of its own; `run` acts through its permit."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Generic, Literal, TypeVar

from pydantic import BaseModel, ConfigDict

from planact.model.change import Change
from planact.model.effect import Effect
from planact.model.permission import Permission
from planact.tools.permit import Permit
from planact.tools.sight import Sight


class Args(BaseModel):
    """Base of tool arguments; the JSON schema that the model sees comes from here."""

    model_config = ConfigDict(extra="forbid", frozen=True, defer_build=True)


A = TypeVar("A", bound=Args)


@dataclass(frozen=True, slots=True)
class Tool(Generic[A]):
    """One tool.

    Attributes:
        summary: what the model is told.
        effects: pure; what would this call touch?
        run: acts only through the permit, and returns what the model gets to read. Raises PlanactError on failure.
        category, risk: inform the user; permissions and effects decide.
        changes: what the call would do to files, told without doing it; for tools that do nothing else. Raises
            PlanactError where `run` would.
        requires_approval: asks in Act even when every effect is planned, unless the user accepts all.
        examples: calls as a model should make them, each the JSON of its arguments; they stand behind the summary.
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
    changes: Callable[[A, Sight], Sequence[Change]] | None = None
    requires_approval: bool = False
    examples: tuple[str, ...] = ()
    parameters: Mapping[str, Any] | None = None

    @property
    def read_only(self) -> bool:
        """Whether it needs no more than reading."""
        return self.required_permissions <= {Permission.READ_FILES}

    def schema(self) -> dict[str, Any]:
        """The tool as chat-completion APIs want it."""
        description = "\n".join((self.summary, *(f"Example: {example}" for example in self.examples)))
        parameters = self.parameters if self.parameters is not None else _lean(self.args.model_json_schema())
        return {
            "type": "function",
            "function": {"name": self.name, "description": description, "parameters": parameters},
        }


_NOISE = frozenset(("title", "default", "$defs", "additionalProperties"))
_BOUNDS = frozenset(("minimum", "exclusiveMinimum", "minLength", "maxLength", "minItems", "maxItems", "pattern"))
_DROPPED = _NOISE | _BOUNDS
"""What a model gets right without being told, as good as always: a call that doesn't fit goes back to it."""

_ANYTHING = ("string", "number", "boolean")
"""What a value is whose schema says nothing; Gemini would hear that it must be an object."""


def _lean(schema: Mapping[str, Any]) -> dict[str, Any]:
    """The same meaning in half the tokens: definitions inlined, what is plain anyway dropped, and so are the docstrings
    of objects, which are for those who read the code.
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
