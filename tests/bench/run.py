"""Runs parts of the bench, each in a process of its own, so that none feels what another left in memory.

A part that fails is told, and the others go on. Where the bench itself is ended, so are the part and what that started.
"""

import gc
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import asdict
from importlib import import_module
from pathlib import Path

from planact.__main__ import GARBAGE_AFTER
from tests.bench.row import Room, Row

RESULT = "rows.json"


def run(parts: Sequence[str], *, is_short: bool) -> tuple[list[Row], list[str]]:
    """The rows of these parts, and the names of those that failed. A request to end counts as Ctrl-C does."""
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    rows, failed = [], []
    for part in parts:
        print(f"==> {part}", file=sys.stderr, flush=True)
        found = _in_a_process(part, is_short=is_short)
        rows += found or ()
        failed += [] if found else [part]
    return rows, failed


def _in_a_process(part: str, *, is_short: bool) -> list[Row] | None:
    folder = Path(tempfile.mkdtemp(prefix="planact-bench-")).resolve()
    program = [sys.executable, "-m", "tests.bench.run", part, str(folder), *(["--short"] if is_short else [])]
    # A session of its own, so that all of it can be ended at once, and nothing but all of it.
    process = subprocess.Popen(program, start_new_session=True)
    try:
        is_done = process.wait() == 0
        return [Row(**row) for row in json.loads((folder / RESULT).read_bytes())] if is_done else None
    finally:
        if process.returncode is None:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
        shutil.rmtree(folder, ignore_errors=True)


def measure(part: str, folder: Path, *, is_short: bool) -> list[Row]:
    """The rows of one part, in this process, without settings, keys or state of the user. Programs that it starts keep
    their bytecode, as they do where they were installed; else compiling would be most of what a start takes.
    """
    bench = import_module(f"tests.bench.parts.{part}").bench
    gc.set_threshold(*GARBAGE_AFTER)  # as in the program
    for name in list(os.environ):
        if name.startswith(("PLANACT_", "XDG_", "PYTHONDONTWRITEBYTECODE")) or name.endswith("_API_KEY"):
            del os.environ[name]
    for name in ("home", "work"):
        (folder / name).mkdir()
    os.environ["HOME"] = str(folder / "home")
    return [*bench(Room(folder / "work", is_short))]


def write(part: str, folder: Path, *, is_short: bool) -> None:
    """Put the rows of one part into `folder`, as JSON."""
    measured = measure(part, folder, is_short=is_short)
    (folder / RESULT).write_text(json.dumps([asdict(row) for row in measured]), "utf-8")


if __name__ == "__main__":
    name, place, *rest = sys.argv[1:]
    write(name, Path(place), is_short=bool(rest))
