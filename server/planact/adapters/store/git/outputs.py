"""Known names of build outputs, which a command on trial may change unseen."""

import re
import tomllib
from collections.abc import Collection
from fnmatch import translate
from pathlib import Path

_DATA = tomllib.loads(Path(__file__).with_suffix(".toml").read_text("utf-8"))
_FOLDERS = frozenset(_DATA["folders"])
_FILE = re.compile("|".join(translate(name) for name in _DATA["files"]))


def is_output(path: str, *, is_folder: bool, sources: Collection[str]) -> bool:
    """Return whether an ignored path lies in known build outputs. `sources` are the folders with tracked files: what
    lies in such a `build` isn't known to be an output.
    """
    *above, name = path.split("/")
    if name in _FOLDERS if is_folder else _FILE.fullmatch(name):
        return True
    return any(part in _FOLDERS and "/".join(above[: at + 1]) not in sources for at, part in enumerate(above))
