"""The devices of the machine that bubblewrap mounts, and not for reading alone, since nobody could write to them then:
a command of root could change their modes for all.
"""

import contextlib
import functools
import os
import stat
from collections.abc import Mapping

_DEVICES = tuple(f"/dev/{name}" for name in ("null", "zero", "full", "random", "urandom", "tty"))


@functools.cache
def modes_of_devices() -> Mapping[str, int]:
    """Return the permission bits of the user's own, who is root. Not as they are right now: some command may have
    begun.
    """
    found = {}
    for path in _DEVICES:
        with contextlib.suppress(OSError, AttributeError):
            if (status := os.lstat(path)).st_uid == os.geteuid():
                found[path] = stat.S_IMODE(status.st_mode)
    return found


def put_modes_back(modes: Mapping[str, int]) -> None:
    """Give paths these permission bits where they have others. Never raises."""
    for path, mode in modes.items():
        with contextlib.suppress(OSError):
            if stat.S_IMODE(os.lstat(path).st_mode) != mode:
                os.chmod(path, mode)  # noqa: PTH101 - a plain text at hand
