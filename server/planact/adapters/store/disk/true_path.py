"""Names as a file system reads them: special names, and case that doesn't count."""

import os
import re
import unicodedata
from pathlib import Path, PurePosixPath

# Windows reads more into names: streams (`a.py:b`), devices (`NUL.txt`), and dots and spaces that it drops.
_WINDOWS_TRAP = re.compile(
    r"[:\0]|(?:^|/)(?:con|prn|aux|nul|com\d|lpt\d)(?:\.[^/]*)?(?:/|$)|[. ](?:/|$)", re.IGNORECASE
)


def is_windows_trap(relative: str) -> bool:
    """Return True if Windows would read this path as another one."""
    return bool(_WINDOWS_TRAP.search(relative))


def folds_case(directory: Path) -> bool:
    """Return True if the file system treats `A` and `a` alike, tested on the directory's own path."""
    for path in (directory, *directory.parents):
        swapped = path.with_name(path.name.swapcase()) if path.name else path
        if swapped != path:
            try:
                return swapped.samefile(path)
            except OSError:
                return False
    return False


def true_case(path: Path) -> Path:
    """Return `path` with each name as its directory lists it, for file systems that fold case; missing names stay."""
    real = Path(path.anchor)
    for name in path.parts[1:]:
        try:
            names = [entry.name for entry in real.iterdir()]
        except OSError:
            names = []
        if name not in names:
            name = next((listed for listed in names if _folded(listed) == _folded(name)), name)
        real /= name
    return real


def _folded(name: str) -> str:
    return unicodedata.normalize("NFC", name).casefold()


def path_below(root: str, real: str) -> PurePosixPath | None:
    """Return a real path below the root, None for one outside; `Path.relative_to` takes ten times as long."""
    if os.path.normcase(real) == os.path.normcase(root):
        return PurePosixPath()
    below = os.path.join(root, "")  # noqa: PTH118 (speed)
    if not os.path.normcase(real).startswith(os.path.normcase(below)):
        return None
    return PurePosixPath(real[len(below) :].replace(os.sep, "/"))
