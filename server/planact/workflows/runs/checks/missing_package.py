"""Errors that a package isn't found, in a project whose packages aren't installed: no edit can mend them."""

import re
from collections.abc import Callable
from pathlib import PurePosixPath

from planact.model.file import EditorProblem

_INSTALLED_IN = {
    **dict.fromkeys(("unresolved-import", "reportMissingImports", "reportMissingModuleSource"), (".venv", "venv")),
    **dict.fromkeys(("2307", "2792", "7016"), ("node_modules",)),
}
"""Folders that hold a project's packages, by the codes of such errors: of ty, of pyright, and of TypeScript."""

_NAME = re.compile(r"""["'`]([\w@][^"'`\s]*)["'`]""")
_SOURCES = "src"


def misses_package(problem: EditorProblem, exists: Callable[[str], bool]) -> bool:
    """Return whether an error says so. `exists` tells whether the workspace has a file or folder of that path."""
    folders = _INSTALLED_IN.get(problem.code)
    name = _NAME.search(problem.message)
    if folders is None or name is None or name[1].startswith("@/"):  # by custom the project's own folder of sources
        return False
    above = [PurePosixPath(), *PurePosixPath(problem.path).parents]
    if any(exists((parent / folder).as_posix()) for parent in above for folder in folders):
        return False
    top = re.split(r"[./]", name[1])[0]
    own = (f"{parent / top}{ending}" for parent in (*above, PurePosixPath(_SOURCES)) for ending in _ENDINGS)
    return not any(map(exists, own))


_ENDINGS = ("", ".py", ".pyi", ".ts", ".tsx", ".js", ".d.ts")
