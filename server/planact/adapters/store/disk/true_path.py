"""Names as a file system reads them: without links, special names, and case that doesn't count."""

import os
import re
import sys
import unicodedata
from pathlib import Path

# Windows reads more into names: streams (`a.py:b`), devices (`NUL.txt`), and dots and spaces that it drops.
_WINDOWS_TRAP = re.compile(
    r"[:\0]|(?:^|/)(?:con|prn|aux|nul|com\d|lpt\d)(?:\.[^/]*)?(?:/|$)|[. ](?:/|$)", re.IGNORECASE
)


def real_path(path: str) -> str:
    """Return what `os.path.realpath` does of an absolute path. On Linux the kernel tells it, which `realpath` asks
    about each folder above; it alone answers where that isn't certain. Raises OSError, ValueError.
    """
    missing: list[str] = []
    above = path
    while sys.platform == "linux":
        try:
            return "/".join((_as_opened(above).rstrip("/"), *reversed(missing))) if missing else _as_opened(above)
        except FileNotFoundError:
            above, _, name = above.rpartition("/")
            if name in ("", ".", "..") or not above or os.path.lexists(f"{above}/{name}"):
                break
            missing.append(name)
        except (OSError, ValueError):
            break
    return os.path.realpath(path)


def _as_opened(path: str) -> str:
    """Return the path of an entry without links, as the kernel names it. Raises OSError where it can't be told."""
    assert sys.platform == "linux", "elsewhere it is told folder by folder"
    handle = os.open(path, os.O_PATH | os.O_CLOEXEC)
    try:
        real = os.readlink(f"/proc/self/fd/{handle}")  # noqa: PTH115 (speed)
        if not os.path.samestat(os.lstat(real), os.fstat(handle)):
            raise NotADirectoryError(real)
        return real
    except FileNotFoundError as error:  # it is gone by now, or there is no /proc
        raise NotADirectoryError(path) from error
    finally:
        os.close(handle)


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
