"""Names as a file system reads them: special names, and case that doesn't count."""

import re
import unicodedata
from pathlib import Path

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
