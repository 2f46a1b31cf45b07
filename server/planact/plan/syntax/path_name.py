"""Names that stand for one file or folder of the workspace, with or without a line: `src/app.py`, `src/app.py:12`."""

import re

_LINE_SUFFIX = re.compile(r":(\d{1,9})(?:[-:]\d{1,9})?\Z")
_UNPLAIN = re.compile(r"[\0-\x1f\x7f*?\[\]{}\\:<>|\"]")


def is_plain_path(path: str) -> bool:
    """Return True if `path` names one file or folder below the folder it is relative to, on every system."""
    if not path or len(path) > 1000 or path[0] in "/~" or _UNPLAIN.search(path):
        return False
    return ".." not in path or ".." not in path.split("/")


def split_line(name: str) -> tuple[str, int | None]:
    """Return the path that `name` means, and the line that it names, from 1. A name that is no path stays whole."""
    suffix = _LINE_SUFFIX.search(name)
    if suffix is None or not is_plain_path(name[: suffix.start()]):
        return name, None
    return name[: suffix.start()], int(suffix[1])
