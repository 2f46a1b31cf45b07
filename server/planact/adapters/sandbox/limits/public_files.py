"""Files of the system that every user of this machine may read, and so hold no secrets: read without a question.

Unsure means no. What counts are owner, modes and the real path, never a list of files.
"""

import os
import stat
from pathlib import Path, PurePosixPath

from planact.model.rights.credentials import holds_credentials

PACKAGED = ("/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32", "/nix/store", "/gnu/store")
"""Folders of the system that packages fill."""

DATABASES = (
    *("/var/cache/apt/pkgcache.bin", "/var/cache/apt/srcpkgcache.bin", "/var/cache/dnf", "/var/cache/fontconfig"),
    *("/var/cache/man", "/var/db", "/var/lib/alternatives", "/var/lib/apt", "/var/lib/dnf", "/var/lib/dpkg"),
    *("/var/lib/flatpak", "/var/lib/gems", "/var/lib/ghc", "/var/lib/pacman", "/var/lib/rpm", "/var/lib/snapd"),
    "/var/lib/texmf",
)
"""Where programs of the system keep what they tell of it."""

LOGS = ("/run/log/journal", "/run/utmp", "/var/log/btmp", "/var/log/journal", "/var/log/lastlog", "/var/log/wtmp")
"""What `journalctl`, `last` and `who` show: for these programs, and asked about by its name."""

RUNNING = (
    *("/run/booted-system", "/run/current-system", "/run/opengl-driver", "/run/wrappers"),
    *("/run/NetworkManager/resolv.conf", "/run/nscd", "/run/resolvconf", "/run/systemd/resolve"),
)
"""Programs of NixOS, and where names of servers are looked up: services listen beside it, and in it."""

ADMINISTERED = ("/etc", "/opt", "/usr/local", *DATABASES)
"""Folders in which administrators may put files that others can't read: all of them is looked at."""

KERNEL = ("/proc", "/sys")
"""Files that the kernel makes up."""

_MADE_BY_KERNEL = (*KERNEL, "/dev", "/run")
_TOP = 2  # parts of the path of a folder in the root
_TEMPORARY = ("/tmp", "/var/tmp", "/dev/shm")  # noqa: S108 - looked at, not written
_MOST_ENTRIES = 5_000
_PROCESS_LINKS = ("self", "thread-self")


def is_unasked(path: str, *, is_opened: bool, only_reads: bool) -> bool:
    """Return whether a command needs no question for naming an absolute path outside the workspace: it is public, leads
    to no folder of this machine, or is one of a temporary file that isn't there, which only a line that doesn't
    `only_read` can mean to make.
    """
    if is_public_file(path, is_opened=is_opened) or _is_of_another_machine(path):
        return True
    return not only_reads and _is_missing_temporary(path)


def is_for_own_files(path: str, *, only_reads: bool) -> bool:
    """Return whether a command that has folders for temporary files of its own finds there all that it can mean by an
    absolute path: one of a temporary file that isn't there, and of these folders one that doesn't `only_read`.
    """
    return _is_missing_temporary(path) or (not only_reads and path in _TEMPORARY)


def is_public_file(path: str, *, is_opened: bool) -> bool:
    """Return whether the system's file or folder at an absolute path may be read by everybody; a folder with all that
    is below it if `is_opened`, else only its names.
    """
    if os.name != "posix" or ".." in path.split("/") or _is_private(path):
        return False
    try:
        return _is_public(Path(os.path.realpath(path)), is_opened=is_opened)
    except (OSError, ValueError):  # such as a path with a NUL
        return False


def is_for_all(mode: int) -> bool:
    """Return whether an entry with these permission bits lets every user read it, a folder with its names."""
    needed = stat.S_IROTH | (stat.S_IXOTH if stat.S_ISDIR(mode) else 0)
    return mode & needed == needed


def _is_missing_temporary(path: str) -> bool:
    try:
        real = Path(os.path.realpath(Path(path).parent))
    except (OSError, ValueError):  # such as the root of another process, in Python 3.11
        return False
    return any(_is_below(real, folder) for folder in _TEMPORARY) and not os.path.lexists(path)


def _is_of_another_machine(path: str) -> bool:
    """Return whether a path begins with a folder that isn't here and that only the system could make, as models name
    those of machines that they know: `/testbed`, `/app`. No jail opens what isn't there.
    """
    if os.name != "posix" or ".." in path.split("/") or _is_private(path):
        return False
    try:
        real = Path(os.path.realpath(path))
        there = next(folder for folder in (real, *real.parents) if os.path.lexists(folder))
        if there == real or len(there.parts) > _TOP or str(there) in _MADE_BY_KERNEL:
            return False
        return _belongs_to_system(there) and is_for_all(there.lstat().st_mode)
    except (OSError, ValueError):
        return False


def _is_public(real: Path, *, is_opened: bool) -> bool:
    root = next((root for root in (*ADMINISTERED, *PACKAGED, *KERNEL) if _is_below(real, root)), None)
    if root is None or _is_private(str(real)):
        return False
    if not os.path.lexists(real):
        return os.path.isdir(real.parent) and is_public_file(str(real.parent), is_opened=False)
    mode = real.lstat().st_mode
    if root in ADMINISTERED and real.lstat().st_dev != Path(root).stat().st_dev:
        return False  # containers get their secrets by mounts
    if not (stat.S_ISDIR(mode) or stat.S_ISREG(mode)):
        return False
    above = (folder for folder in real.parents if _is_below(folder, root))
    if not (_belongs_to_system(real) and is_for_all(mode) and all(_lets_all_pass(folder) for folder in above)):
        return False
    if not (is_opened and stat.S_ISDIR(mode)):
        return True
    if root in ADMINISTERED:
        return _holds_nothing_private(real)
    return root in PACKAGED and not any(_is_below(Path(each), str(real)) for each in ADMINISTERED)


def _is_below(path: Path, root: str) -> bool:
    return path.is_relative_to(os.path.realpath(root))


def _is_private(path: str) -> bool:
    """Return whether a path is one of credentials, or leads through the folder of a process or to the list of them."""
    place = PurePosixPath(path)
    if holds_credentials(place):
        return True
    if place.parts[:2] != ("/", "proc"):
        return False
    return len(place.parts) < 3 or place.parts[2].isdigit() or place.parts[2] in _PROCESS_LINKS


def _lets_all_pass(folder: Path) -> bool:
    return _belongs_to_system(folder) and bool(folder.lstat().st_mode & stat.S_IXOTH)


def _belongs_to_system(path: Path) -> bool:
    """Return whether an entry is the system's own, and not every user can change it."""
    found = path.lstat()
    return _is_own(found) and not found.st_mode & stat.S_IWOTH


def _is_own(found: os.stat_result) -> bool:
    return found.st_uid == 0


def _holds_nothing_private(folder: Path) -> bool:
    """Return whether all below a folder is public, but for what this user can't read either."""
    count = 0
    for at, folders, names in os.walk(folder):
        for name in (*folders, *names):
            path = f"{at}/{name}"
            count += 1
            if count > _MOST_ENTRIES or (os.access(path, os.R_OK) and not is_public_file(path, is_opened=False)):
                return False
    return True
