"""The registry of commands: each `handle_x` of a module of this folder is the command `planact.x`.

Its parameter and its result are what goes over the wire.
"""

from collections.abc import Awaitable, Callable, Iterator
from dataclasses import dataclass
from importlib import import_module
from pkgutil import iter_modules
from typing import Any, get_type_hints

from pydantic import BaseModel

from planact.lsp.protocol.arguments import NoArguments

_AT_ONCE = {"handle_stop", "handle_retry_now"}


@dataclass(frozen=True, slots=True)
class Command:
    """One `workspace/executeCommand`.

    Attributes:
        name: as clients send it.
        handler: `async def handle(ls)` or `handle(ls, arguments: Model) -> Model`.
        waits: begins after the commands that came before have begun, with settings read anew from disk.
    """

    name: str
    handler: Callable[..., Awaitable[Any]]
    waits: bool = True

    @property
    def arguments(self) -> type[BaseModel]:
        """The model of the one object that the command takes."""
        kind: type[BaseModel] = get_type_hints(self.handler).get("arguments", NoArguments)
        return kind

    @property
    def result(self) -> type[BaseModel]:
        """The model of the object that the command gives back."""
        kind: type[BaseModel] = get_type_hints(self.handler)["return"]
        return kind


def _commands() -> Iterator[Command]:
    for found in iter_modules(__path__):
        module = import_module(f"{__name__}.{found.name}")
        for name, value in vars(module).items():
            if name.startswith("handle_") and value.__module__ == module.__name__:
                first, *rest = name.removeprefix("handle_").split("_")
                command = "".join((first, *map(str.capitalize, rest)))
                yield Command(f"planact.{command}", value, waits=name not in _AT_ONCE)


LSP_COMMANDS: tuple[Command, ...] = tuple(_commands())
