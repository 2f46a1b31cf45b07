"""planact as a program, on a disk that is slow below one folder, and that writes down who waits for it.

In the environment: `SLOW_DISK` is that folder, `SLOW_DISK_CALLS` the file that gets a line of JSON for each call below
it, and while `SLOW_DISK_HELD` exists, the kinds of calls that stand in it are not answered.
"""

import builtins
import io
import json
import os
import runpy
import threading
import time
import traceback
from collections.abc import Callable, Mapping
from typing import Any

KINDS = ("stat", "lstat", "readlink", "access", "scandir", "listdir", "open")


class SlowDisk:
    """Stands before the calls of `os`, which it makes itself as they were."""

    def __init__(self, environment: Mapping[str, str]) -> None:
        self._root = environment["SLOW_DISK"]
        self._held = environment["SLOW_DISK_HELD"]
        self._calls = os.open(environment["SLOW_DISK_CALLS"], os.O_CREAT | os.O_WRONLY | os.O_APPEND)
        self._opened = io.open
        self._read_link = os.readlink

    def begin(self) -> None:
        for kind in KINDS:
            setattr(os, kind, self._slowed(kind, getattr(os, kind)))
        builtins.open = io.open = self._slowed("open", self._opened)  # type: ignore[assignment]

    def _slowed(self, kind: str, call: Callable[..., Any]) -> Callable[..., Any]:
        def made(path: Any = ".", *args: Any, **more: Any) -> Any:
            name = self._path_of(path) if isinstance(path, int) else os.fsdecode(path)
            if name == self._root or name.startswith(f"{self._root}/"):
                self._notify(kind, name[len(self._root) + 1 :])
                while self._holds(kind):
                    time.sleep(0.01)
            return call(path, *args, **more)

        return made

    def _path_of(self, handle: int) -> str:
        try:
            return self._read_link(f"/proc/self/fd/{handle}")
        except OSError:  # other systems have none
            return ""

    def _holds(self, kind: str) -> bool:
        try:
            with self._opened(self._held) as file:
                return kind in file.read().split()
        except FileNotFoundError:
            return False

    def _notify(self, kind: str, path: str) -> None:
        frames = [frame for frame in traceback.extract_stack() if "/planact/" in frame.filename]
        line = {
            "kind": kind,
            "path": path,
            "is_on_loop": threading.current_thread() is threading.main_thread(),
            "by": [f"{frame.filename.rpartition('/planact/')[2]}:{frame.lineno}" for frame in frames[-9:]],
        }
        os.write(self._calls, json.dumps(line).encode() + b"\n")


if __name__ == "__main__":
    SlowDisk(os.environ).begin()
    runpy.run_module("planact", run_name="__main__", alter_sys=True)
