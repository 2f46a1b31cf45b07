"""The program in forks of a process that has loaded planact once, which saves each run half a second of the processor.

The forks are the real program with a home, streams and a process of their own. How the program is loaded is tested by
the command itself (`tests.cli.program.Program.start`).
"""

import json
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
VICTIM = "tests.kill.victim"


class Zygote:
    """Runs the program in forks of one process; `kills` is how many of these were killed. See `victim`."""

    def __init__(self, *, with_litellm: bool = False) -> None:
        self.kills = 0
        self._process = subprocess.Popen(
            [sys.executable, "-m", VICTIM, *(["litellm"] if with_litellm else [])],
            cwd=ROOT,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def run(self, **order: Any) -> int:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(json.dumps(order) + "\n")
        self._process.stdin.flush()
        code = int(json.loads(self._process.stdout.readline())["code"])
        self.kills += code == -signal.SIGKILL
        return code

    def close(self) -> None:
        self._process.communicate(timeout=30)
