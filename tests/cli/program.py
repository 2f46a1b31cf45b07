"""The real program, as a process of its own with a home of its own."""

import ctypes
import json
import os
import re
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tests.lsp.forked_server import ForkedProgram

MODEL = f"scripted:{Path(__file__).with_name('model.yaml')}"


@dataclass(frozen=True)
class Ran:
    """How it ended, and what it printed."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        """Standard output, which must be exactly one JSON object."""
        return json.loads(self.out)


@dataclass
class Program:
    """`run` starts it in `folder` and waits so many seconds for it."""

    folder: Path
    home: Path
    variables: dict[str, str] = field(default_factory=dict)
    seconds: int = 180

    def run(
        self,
        *words: str,
        typed: str = "",
        model: str = MODEL,
        signals: Callable[[], bool] | None = None,
        number: int = signal.SIGINT,
    ) -> Ran:
        """`signals` says, asked again and again, when the program is to get a Ctrl-C, or the signal `number`."""
        if signals is None and not any(name.startswith(("LC_", "LANG", "PYTHON")) for name in self.variables):
            return self._run_forked(words, typed, model)
        process = self.start(*words, model=model)
        if signals is not None:
            interrupt_when(process, signals, number)
        try:
            out, err = process.communicate(typed, timeout=self.seconds)
        finally:
            process.kill()
        return Ran(process.returncode, out, err)

    def _run_forked(self, words: tuple[str, ...], typed: str, model: str) -> Ran:
        with ExitStack() as files:
            given, out, err = (files.enter_context(tempfile.TemporaryFile()) for _ in range(3))
            given.write(typed.encode())
            given.seek(0)
            process = self.fork(words, [each.fileno() for each in (given, out, err)], model)
            try:
                code = process.wait(self.seconds)
            finally:
                process.kill()
            for each in (out, err):
                each.seek(0)
            return Ran(code, out.read().decode(), err.read().decode())

    def fork(
        self, words: Sequence[str], streams: Sequence[int], model: str = MODEL, *, is_at_terminal: bool = False
    ) -> ForkedProgram:
        environment = self.environment(model)
        with_litellm = any(re.match("[a-z_]+/", each) for each in (environment.get("PLANACT_MODEL", ""), *words))
        return ForkedProgram(
            words, self.folder, environment, streams, with_litellm=with_litellm, is_at_terminal=is_at_terminal
        )

    def start_at(self, terminal: int, *words: str) -> "subprocess.Popen[str] | ForkedProgram":
        """Start it at a terminal of its own."""
        return self.fork(words, [terminal] * 3, is_at_terminal=True)

    def start(self, *words: str, model: str = MODEL, **more: Any) -> "subprocess.Popen[str]":
        options = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True} | more
        return subprocess.Popen(
            [sys.executable, "-m", "planact", *words], cwd=self.folder, env=self.environment(model), **options
        )

    def environment(self, model: str = MODEL) -> dict[str, str]:
        chosen = {"PLANACT_MODEL": model} if model else {}
        return {"HOME": str(self.home), "PATH": os.environ["PATH"]} | chosen | self.variables

    def plan(self, request: str = "Greet again") -> str:
        """The id of a new plan."""
        made = self.run("plan", request, "--json")
        assert made.code == 0, made
        return str(made.json["plan_id"])

    def hash(self, plan_id: str) -> str:
        """What approves the plan as it is now."""
        return str(self.run("plan", "show", plan_id, "--json").json["plan_hash"])

    @property
    def greeting(self) -> str:
        return (self.folder / "greeting.txt").read_text()

    def document(self, plan_id: str) -> Path:
        (path,) = (self.folder / ".planact" / "plans").glob(f"{plan_id}-*.plan")
        return path


def interrupt_when(
    process: "subprocess.Popen[str]", is_time: Callable[[], bool], number: int = signal.SIGINT, seconds: float = 180
) -> None:
    end = time.monotonic() + seconds
    while not is_time():
        assert process.poll() is None, process.communicate()
        assert time.monotonic() < end, "the moment never came"
        time.sleep(0.02)
    process.send_signal(number)


def without_rights() -> None:
    """Take what root has over other users from the next program, on Linux: permissions of files are to count."""
    if os.geteuid() == 0:
        libc = ctypes.CDLL(None)
        for right in range(41):
            libc.prctl(24, right, 0, 0, 0)  # PR_CAPBSET_DROP
