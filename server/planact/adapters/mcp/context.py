"""The settings that all MCP servers of one workspace folder start with."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class LaunchContext:
    """The settings that all servers of a workspace start with.

    Attributes:
        root: the workspace folder, by its real path.
        environment: the variables of programs, before a server's own `env`.
        search_path: the folders of PATH in which programs are looked for.
        folders: where folders to start in may be made, the best first.
    """

    root: Path
    environment: Mapping[str, str]
    search_path: str
    folders: Sequence[Path]
