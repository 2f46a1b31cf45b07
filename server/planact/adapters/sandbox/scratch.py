"""A folder of a command's own, for its temporary files and instead of the user's home, thrown away with all in it.

What a command left there may be made to resist: without rights, or nested deeper than recursion goes.
"""

import asyncio
import contextlib
import os
import subprocess
import tempfile
from collections.abc import Mapping
from pathlib import Path
from time import monotonic

_REMOVE_SECONDS = 60
_REMOVE = 'chmod -R u+rwx -- "$1"; exec rm -rf -- "$1"'


class Scratch:
    """`path` is there from now until it is removed; `variables` point a command to it."""

    def __init__(self, *, is_home: bool) -> None:
        self.path = Path(os.path.realpath(tempfile.mkdtemp(prefix="planact-")))
        names = ("TMPDIR", "TMP", "TEMP", *(("HOME",) if is_home else ()))
        self.variables: Mapping[str, str] = dict.fromkeys(names, str(self.path))

    async def remove(self) -> None:
        """Remove it with whatever is in it; what can't be removed in time is left to the system's cleaning."""
        try:
            self.path.rmdir()
        except OSError:
            await self._remove_all()

    async def _remove_all(self) -> None:
        with contextlib.suppress(OSError):
            removing, until = self._start_to_remove(), monotonic() + _REMOVE_SECONDS
            while removing.poll() is None:
                if monotonic() > until:
                    removing.kill()
                await asyncio.sleep(0.002)

    def _start_to_remove(self) -> subprocess.Popen[bytes]:
        null = subprocess.DEVNULL
        argv = ["/bin/sh", "-c", _REMOVE, "sh", str(self.path)]
        return subprocess.Popen(argv, stdin=null, stdout=null, stderr=null)
