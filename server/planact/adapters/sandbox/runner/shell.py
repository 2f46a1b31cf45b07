"""The shell that runs command lines."""

import sys
from collections.abc import Mapping
from pathlib import Path


def shell_line(command: str, environment: Mapping[str, str]) -> list[str] | str:
    """Return the arguments, on Windows the line, that start the shell with a command line."""
    if sys.platform == "win32":
        return f'{environment.get("COMSPEC", "cmd.exe")} /d /s /c "{command}"'
    return [f"/bin/{shell_name()}", "-c", command]


def shell_name() -> str:
    """Return the name of the shell that runs commands."""
    if sys.platform == "win32":
        return "cmd"
    return "bash" if Path("/bin/bash").exists() else "sh"
