"""Each part of the bench still runs. How fast things are is not asserted anywhere: machines differ."""

import json
import multiprocessing
import os
import signal
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import psutil
import pytest

from tests.bench import parts, program
from tests.bench.__main__ import ROOT
from tests.bench.report import BEGIN, END, as_json, markdown, table, with_recorded
from tests.bench.row import Row
from tests.bench.run import RESULT, write
from tests.lsp.forked_server import ForkedProgram, zygote


@pytest.mark.timeout(600)
@pytest.mark.parametrize("part", parts.PARTS)
def test_a_part_yields_rows_that_can_be_told_apart(part: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """In a fork of this process. What it starts is forked, too, unless it measures the start itself."""
    for with_litellm in (False, True):
        zygote(with_litellm)  # one for all parts
    monkeypatch.setattr(program, "SERVED_BY", ())
    monkeypatch.setattr(program, "start", fork)
    process = multiprocessing.get_context("fork").Process(
        target=write, args=(part, tmp_path), kwargs={"is_short": True}
    )
    process.start()
    process.join(590)
    assert process.exitcode == 0
    rows = [Row(**row) for row in json.loads((tmp_path / RESULT).read_text())]
    check(as_json(rows, {})["rows"])


def fork(
    words: Sequence[str], folder: Path, environment: Mapping[str, str], output: int = subprocess.DEVNULL
) -> ForkedProgram:
    with Path(os.devnull).open("r+") as nothing:
        told = nothing.fileno() if output == subprocess.DEVNULL else output
        return ForkedProgram(words, folder, environment, [nothing.fileno(), told, told], with_litellm=True)


def check(rows: Sequence[Mapping[str, Any]]) -> None:
    names = [row["name"] for row in rows]
    assert names
    assert len({*names}) == len(names)
    assert all(row["n"] >= 1 and row["unit"] for row in rows)


@pytest.mark.timeout(600)
def test_the_bench_tells_the_rows_of_its_parts(tmp_path: Path) -> None:
    output = tmp_path / "bench.json"
    line = [sys.executable, "-m", "tests.bench", "--short", "--only", "gate", "jail", "--output", str(output)]
    ran = subprocess.run(line, cwd=ROOT, capture_output=True, text=True, timeout=590)
    assert ran.returncode == 0, ran.stderr
    rows = json.loads(output.read_text())["rows"]
    check(rows)
    assert len(ran.stdout.splitlines()) == len(rows) + 1


@pytest.mark.parametrize("request_to_end", [signal.SIGTERM, signal.SIGINT])
def test_what_a_part_started_ends_with_the_bench(request_to_end: signal.Signals, tmp_path: Path) -> None:
    line = [sys.executable, "-m", "tests.bench", "--only", "turn", "--output", str(tmp_path / "bench.json")]
    with subprocess.Popen(
        line, cwd=ROOT, env={**os.environ, "TMPDIR": str(tmp_path)}, stderr=subprocess.DEVNULL
    ) as bench:
        runner = psutil.Process(bench.pid)
        deadline = time.monotonic() + 300
        while len(started := runner.children(recursive=True)) < 2:  # the part, and what it measures
            assert bench.poll() is None
            assert time.monotonic() < deadline
            time.sleep(0.05)
        bench.send_signal(request_to_end)
        assert bench.wait(180) == 130
    _, left = psutil.wait_procs(started, timeout=180)
    for process in left:
        process.kill()
    assert left == []
    assert [*tmp_path.iterdir()] == []


ROWS = (
    Row("slow", "ms", [30.0, 10.0, 20.0], [2.0], "by hand", "< 25"),
    Row("large", "MB", [1234.5]),
)
ABOUT = {"date": "2026-11-21", "machine": "2 cores", "load": "0.4", "python": "3.11"}


def test_a_table_has_the_median_the_p90_and_the_ratio() -> None:
    assert table(ROWS).splitlines() == [
        "what   median    p90  n  unit  × raw         goal",
        "slow       20     30  3  ms    10 (by hand)  < 25",
        "large   1,234  1,234  1  MB",
    ]


def test_what_is_recorded_stands_between_the_markers_and_nothing_else_changes() -> None:
    recorded = with_recorded(f"a\n{BEGIN}\nold\n{END}\nb\n", markdown(ROWS, ABOUT))
    assert recorded == (
        f"a\n{BEGIN}\n"
        "Measured on 2026-11-21 (2 cores, Python 3.11), with a load of 0.4 from other work before it began; where"
        " that is much, look at × raw.\n\n"
        "| what | median | p90 | n | unit | × raw | goal |\n"
        "| --- | --: | --: | --: | --- | --- | --- |\n"
        "| slow | 20 | 30 | 3 | ms | 10 (by hand) | < 25 |\n"
        "| large | 1,234 | 1,234 | 1 | MB |  |  |\n"
        f"{END}\nb\n"
    )
    with pytest.raises(ValueError, match="there is no"):
        with_recorded("a page without", "text")
