"""The settings that all MCP servers of one workspace folder start with."""

import contextlib
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path

EndWithParent = Callable[[str, str], AbstractContextManager[Callable[[int], None]]]
"""Given a variable and its value: ends processes that have it when this process dies, and the group it is told of."""


def _end_nothing(_variable: str, _token: str) -> AbstractContextManager[Callable[[int], None]]:
    return contextlib.nullcontext(lambda _: None)


@dataclass(frozen=True, slots=True)
class LaunchContext:
    """The settings that all servers of a workspace start with.

    Attributes:
        root: the workspace folder, by its real path.
        environment: the variables of programs, before a server's own `env`.
        search_path: the folders of PATH in which programs are looked for.
        folders: where folders to start in may be made, the best first.
        end_with_parent: what ends a server's processes when this process is killed.
    """

    root: Path
    environment: Mapping[str, str]
    search_path: str
    folders: Sequence[Path]
    end_with_parent: EndWithParent = _end_nothing
