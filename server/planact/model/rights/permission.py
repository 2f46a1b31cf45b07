"""Modes and permissions, the two parts of rights."""

from enum import StrEnum


class Mode(StrEnum):
    """The mode of a session. It outranks every other right."""

    PLAN = "plan"
    ACT = "act"


MODE_ALIASES = {"planning": Mode.PLAN, "executing": Mode.ACT, "build": Mode.ACT}


class Permission(StrEnum):
    """A permission that a role grants and a tool requires."""

    READ_FILES = "read_files"
    WRITE_FILES = "write_files"
    CREATE_FILES = "create_files"
    DELETE_FILES = "delete_files"
    EXECUTE_COMMANDS = "execute_commands"


def parse_mode(text: str) -> Mode | None:
    """The mode that `text` names, or None; accepts the aliases."""
    word = text.strip().lower()
    if word in MODE_ALIASES:
        return MODE_ALIASES[word]
    return Mode(word) if word in set(Mode) else None
