"""The commands that are known: families of rows in text files of this folder, in the notation of `table`."""

from pathlib import Path

from planact.shell.table import rows

COMMANDS_FOLDER = Path(__file__).parent
FAMILY_NAMES = (
    "mutating",
    "toolchains",
    "cloud",
    "containers",
    "coreutils",
    "forges",
    "git",
    "network",
    "search",
    "shell_builtins",
    "system",
    "text_tools",
)
"""In the order of their weight: a row replaces one of the same name in an earlier family."""

FAMILIES = tuple(rows((COMMANDS_FOLDER / f"{name}.txt").read_text("utf-8")) for name in FAMILY_NAMES)
