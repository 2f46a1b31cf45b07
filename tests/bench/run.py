"""Runs parts of the bench, each in a process of its own, so that none feels what another left in memory.

A part that fails is told, and the others go on.
"""

import os
import sys
import tempfile
import traceback
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from importlib import import_module
from multiprocessing import get_context
from pathlib import Path

from tests.bench.row import Room, Row


def run(parts: Sequence[str], *, is_short: bool) -> tuple[list[Row], list[str]]:
    """The rows of these parts, and the names of those that failed."""
    rows, failed = [], []
    for part in parts:
        print(f"==> {part}", file=sys.stderr, flush=True)
        with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as process:
            try:
                rows += process.submit(measure, part, is_short=is_short).result()
            except Exception:  # noqa: BLE001 - whatever went wrong in one part says nothing about the others
                traceback.print_exc()
                failed.append(part)
    return rows, failed


def measure(part: str, *, is_short: bool) -> list[Row]:
    """The rows of one part, in this process, without settings, keys or state of the user. Programs that it starts keep
    their bytecode, as they do where they were installed; else compiling would be most of what a start takes.
    """
    bench = import_module(f"tests.bench.parts.{part}").bench
    for name in list(os.environ):
        if name.startswith(("PLANACT_", "XDG_", "PYTHONDONTWRITEBYTECODE")) or name.endswith("_API_KEY"):
            del os.environ[name]
    with tempfile.TemporaryDirectory(prefix="planact-bench-") as folder:
        home, work = Path(os.path.realpath(folder), "home"), Path(os.path.realpath(folder), "work")
        home.mkdir()
        work.mkdir()
        os.environ["HOME"] = str(home)
        return [*bench(Room(work, is_short))]
