"""The real program, as a process of its own with a home of its own."""

import atexit
import functools
import json
import os
import re
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tests.fakes.zygote import Zygote

MODEL = f"scripted:{Path(__file__).with_name('model.yaml')}"

_one_at_a_time = threading.Lock()


@functools.cache
def _zygote(with_litellm: bool) -> Zygote:
    made = Zygote(with_litellm=with_litellm)
    atexit.register(made.close)
    return made


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
    seconds: int = 60

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
        with tempfile.TemporaryDirectory() as folder, _one_at_a_time:
            (Path(folder) / "typed").write_text(typed, "utf-8")
            order = {"input": f"{folder}/typed", "output": f"{folder}/output", "seconds": self.seconds}
            environment = self.environment(model)
            named = (environment.get("PLANACT_MODEL", ""), *words)
            zygote = _zygote(any(re.match("[a-z_]+/", each) for each in named))
            code = zygote.run(words=words, folder=str(self.folder), environment=environment, **order)
            out, err = (Path(f"{folder}/output.{name}").read_text("utf-8") for name in ("out", "err"))
        return Ran(code, out, err)

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
    process: "subprocess.Popen[str]", is_time: Callable[[], bool], number: int = signal.SIGINT, seconds: float = 30
) -> None:
    end = time.monotonic() + seconds
    while not is_time():
        assert process.poll() is None, process.communicate()
        assert time.monotonic() < end, "the moment never came"
        time.sleep(0.02)
    process.send_signal(number)
