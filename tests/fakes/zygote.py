"""The program in forks of a process that has loaded planact once, which saves each run half a second of the processor.

The forks are the real program with a home, streams and a process of their own. How the program is loaded is tested by
the command itself (`tests.cli.program.Program.start`).
"""

import json
import os
import signal
from pathlib import Path
from typing import Any

from tests.lsp.forked_server import ForkedProgram

ROOT = Path(__file__).parents[2]


class Zygote:
    """Runs the program in forks of one process; `kills` is how many of these were killed. See `tests.kill.victim`."""

    def __init__(self, *, with_litellm: bool = False) -> None:
        self.kills = 0
        (orders, into), (out, answers) = os.pipe(), os.pipe()
        self._program = ForkedProgram(["victims"], ROOT, os.environ, (orders, answers, 2), with_litellm=with_litellm)
        for end in (orders, answers):
            os.close(end)
        self._orders, self._answers = os.fdopen(into, "w"), os.fdopen(out)

    def run(self, **order: Any) -> int:
        self._orders.write(json.dumps(order) + "\n")
        self._orders.flush()
        code = int(json.loads(self._answers.readline())["code"])
        self.kills += code == -signal.SIGKILL
        return code

    def close(self) -> None:
        self._orders.close()
        self._program.wait(180)
        self._answers.close()
