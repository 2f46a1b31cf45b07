"""A home for the commands on trial of one workspace, of which only caches last.

Below the user's cache folder; never on a PATH, and no command that reads the network's answers sees it. In its jail the
rest of it is made anew each time, so no settings of one command reach the next.
"""

import contextlib
import hashlib
import os
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path, PurePath
from time import time

from planact.adapters.sandbox.limits.scratch import remove_folder
from planact.base.own_folders import is_real_folder
from planact.base.private_folder import make_private_folder

CACHES = (
    *(".cache", ".npm/_cacache", ".gradle/caches", ".gradle/wrapper", ".m2/repository", ".ivy2/cache", ".konan"),
    *(".cargo/registry", ".cargo/git", ".nuget/packages", "go/pkg/mod"),
)
"""Where build tools keep what they could make or fetch again, below a home."""

_FOLDER = "planact/trial"
_MOST_BYTES = 4_000_000_000  # of all workspaces
_SECONDS_BETWEEN = 3_600
_CHECKED = ".checked"


def lasting_homes(environment: Mapping[str, str], home: Path) -> Path:
    """Return the folder of all workspaces' homes."""
    named = Path(environment.get("XDG_CACHE_HOME", ""))
    return Path(os.path.realpath(named if named.is_absolute() else home / ".cache")) / _FOLDER


def lasting_home(environment: Mapping[str, str], home: Path, workspace: Path) -> Path:
    """Return the home of the workspace, by its real path."""
    return lasting_homes(environment, home) / hashlib.sha256(os.fsencode(workspace)).hexdigest()[:16]


def make_caches(home: PurePath, elsewhere: Sequence[str]) -> tuple[Path, ...]:
    """Return the folders of its caches, made if missing, but for those with a part in the paths `elsewhere` below the
    home; none where they can't be made.
    """
    try:
        folder = Path(home)
        make_private_folder(folder)
        if os.path.realpath(folder) != str(folder) or folder.stat().st_uid != os.getuid():
            return ()
        caches = [name for name in CACHES if not any(PurePath(path).is_relative_to(name) for path in elsewhere)]
        for name in caches:
            make_private_folder(folder / name)
        os.utime(folder)
    except OSError:
        return ()
    return tuple(path for path in (folder / name for name in caches) if is_real_folder(path))


def drop_oldest_caches(homes: Path, most: int = _MOST_BYTES, seconds: float = _SECONDS_BETWEEN) -> None:
    """Remove whole caches, the longest unused first, until all of them hold at most `most` bytes; done once in
    `seconds`. Never raises.
    """
    checked = homes / _CHECKED
    with contextlib.suppress(OSError):
        if checked.exists() and time() - checked.stat().st_mtime < seconds:
            return
        checked.touch()
        found = sorted((*_used_and_size(path), str(path)) for path in _units(homes))
        total = sum(size for _, size, _ in found)
        for _, size, path in found:
            if total <= most:
                break
            remove_folder(Path(path))
            total -= size
        for home in homes.iterdir():
            is_unused = time() - home.lstat().st_mtime > seconds
            if is_unused and home.is_dir() and not any(any((home / name).glob("*")) for name in CACHES):
                remove_folder(home)


def _units(homes: Path) -> Iterator[Path]:
    """Yield each tool's cache: removing a part of one could spoil it."""
    for home in homes.iterdir():
        if home.is_dir() and not home.is_symlink():
            for name in CACHES:
                if name == ".cache":
                    yield from (home / name).glob("*")
                elif any((home / name).glob("*")):
                    yield home / name


def _used_and_size(path: Path) -> tuple[float, int]:
    used, size = 0.0, 0
    waiting = [str(path)]
    while waiting:
        with contextlib.suppress(OSError), os.scandir(waiting.pop()) as entries:
            for entry in entries:
                with contextlib.suppress(OSError):
                    found = entry.stat(follow_symlinks=False)
                    size += found.st_blocks * 512
                    used = max(used, found.st_mtime)
                    if entry.is_dir(follow_symlinks=False):
                        waiting.append(entry.path)
    return used, size
