"""Each handler in the folder is a command, once, and bears its name."""

import re
from pathlib import Path

from planact.lsp import commands
from planact.lsp.commands import LSP_COMMANDS


def test_each_handler_is_a_command_under_the_name_it_has() -> None:
    sources = [path.read_text("utf-8") for path in Path(*commands.__path__).glob("*.py")]
    handlers = [name for source in sources for name in re.findall(r"^async def handle_(\w+)", source, re.MULTILINE)]
    assert sorted(each.name for each in LSP_COMMANDS) == sorted(f"planact.{camel(name)}" for name in handlers)
    assert {each.name for each in LSP_COMMANDS if not each.waits} == {"planact.stop", "planact.retryNow"}


def camel(name: str) -> str:
    return re.sub(r"_(\w)", lambda found: found[1].upper(), name)
