"""Each handler of a command is in the registry, once."""

import importlib
import pkgutil

from planact.lsp import commands
from planact.lsp.commands import LSP_COMMANDS


def test_each_handler_is_registered_under_the_name_it_has() -> None:
    modules = [
        importlib.import_module(f"{commands.__name__}.{each.name}") for each in pkgutil.iter_modules(commands.__path__)
    ]
    handlers = {
        f"{module.__name__.rpartition('.')[2]}.{name}"
        for module in modules
        for name, value in vars(module).items()
        if name.startswith("handle_") and getattr(value, "__module__", "") == module.__name__
    }
    registered = {f"{each.handler.__module__.rpartition('.')[2]}.{each.handler.__name__}" for each in LSP_COMMANDS}
    lines = [f'Command("planact.{camel(name)}", {name})' for name in sorted(handlers - registered)]
    assert lines == [], f"missing in LSP_COMMANDS of server/planact/lsp/commands/__init__.py: {', '.join(lines)}"
    assert len(registered) == len(LSP_COMMANDS)
    assert [each.name for each in LSP_COMMANDS] == [f"planact.{camel(each.handler.__name__)}" for each in LSP_COMMANDS]


def camel(handler: str) -> str:
    first, *rest = handler.rpartition("handle_")[2].split("_")
    return first + "".join(word.capitalize() for word in rest)
