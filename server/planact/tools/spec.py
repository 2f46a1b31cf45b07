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
        """The tool as chat-completion APIs want it, without the titles that pydantic adds and tokens cost."""
        parameters = self.parameters if self.parameters is not None else _lean(self.args.model_json_schema())
        return {
            "type": "function",
            "function": {"name": self.name, "description": self.summary, "parameters": parameters},
        }


_DROPPED = ("title", "default", "$defs", "minLength")


def _lean(schema: dict[str, Any]) -> dict[str, Any]:
    """The same meaning in half the tokens: definitions inlined, without titles, defaults, what is plain anyway, and all
    of a description after its first paragraph, which is for those who read the code.
    """
    definitions = schema.get("$defs", {})

    def lean(node: Any) -> Any:
        if isinstance(node, list):
            return [lean(item) for item in node]
        if not isinstance(node, dict):
            return node
        if "$ref" in node:
            return lean(definitions[node["$ref"].rsplit("/", 1)[1]])
        match node.get("anyOf"):
            case [{**kind}, {"type": "null"}]:  # it may be left out
                return lean(kind)
        return {key: lean_value(key, value) for key, value in node.items() if key not in _DROPPED}

    def lean_value(key: str, value: Any) -> Any:
        if key == "properties":
            return {name: lean(each) for name, each in value.items()}
        return value.partition("\n")[0] if key == "description" and isinstance(value, str) else lean(value)

    lowered = lean(schema)
    lowered.pop("description", None)
    assert isinstance(lowered, dict)
    return lowered
