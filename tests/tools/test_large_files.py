"""A file of 200 MB and a folder of 50,000 names cost a call no more memory than small ones, and can be read on where it
makes sense.
"""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from planact.tools.builtin.list_directory import MAX_NAMES
from planact.tools.tool_result import Done
from tests.bench.states import sparse
from tests.fakes.bench import PLAN, Bench

ROOT = Path(__file__).parents[2]
LARGE = 200_000_000
LOG_LINES = 500_000
"""Of 100 characters each."""
MOST_RATIO = 1.5

# Each call is made by a process of its own, which has all modules already: what it needs at its peak is what the call
# needs, with the programs that it starts.
CHILD = """
import json, os, sys
from pathlib import Path
from planact.adapters.store.files import DiskFiles
from planact.adapters.store.git.footprints import FileFootprints
from planact.adapters.store.git.blobs import GitBlobs
from tests.fakes.bench import ACT, PLAN, Bench
from tests.fakes.store import MemoryStore
from tests.tools.test_large_files import CALLS

def act(name, folder, pipe):
    if name == "footprint":
        files, journal = DiskFiles(folder), MemoryStore().journal
        looker = FileFootprints(files, journal.keep_all, GitBlobs(folder, None, {}), 10_000_000)
        before = looker.snapshot(["big.py"])
        os.utime(folder / "big.py", (1, 1))
        said = str([touch.path for touch in before.found()])
    else:
        tool, arguments = CALLS[name]
        outcome = Bench(folder, ACT if tool == "update_file" else PLAN).run(tool, **arguments)
        said = str(outcome)
    os.write(pipe, json.dumps(said[:400]).encode())

found = {}
for name in [*CALLS, "footprint"]:
    for size in ("small", "large"):
        reading, writing = os.pipe()
        child = os.fork()
        if not child:
            try:
                act(name, Path(sys.argv[1]) / size, writing)
            finally:
                os._exit(0)
        os.close(writing)
        _, _, used = os.wait4(child, 0)
        found[f"{name} {size}"] = (used.ru_maxrss, json.loads(os.read(reading, 10_000)))
        os.close(reading)
print(json.dumps(found))
"""

CALLS: dict[str, tuple[str, dict[str, object]]] = {
    "read_file": ("read_file", {"path": "big.py"}),
    "search in the folder": ("search_code", {"pattern": "needle"}),
    "search in a file without lines": ("search_code", {"pattern": "needle", "path": "big.py"}),
    "search in a log": ("search_code", {"pattern": "needle", "path": "big.log"}),
    "search in a log without ripgrep": ("search_code", {"pattern": r"needle\Z", "path": "big.log"}),
    "search_symbol": ("search_symbol", {"name": "needle"}),
    "get_file_info": ("get_file_info", {"path": "big.py"}),
}


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="it forks")
def test_no_call_takes_a_large_file_into_memory(tmp_path: Path) -> None:
    for name, size in (("small", 1_000), ("large", LARGE)):
        (tmp_path / name).mkdir()
        sparse(tmp_path / name / "big.py", size)
        (tmp_path / name / "a.py").write_text("def needle(): pass\n")
        lines = min(size // 100, LOG_LINES)
        with (tmp_path / name / "big.log").open("w") as file:
            for begin in range(0, lines, 10_000):
                file.write(f"{'x' * 99}\n" * (min(lines, begin + 10_000) - begin))
            file.write("the needle\n")
    command = [sys.executable, "-c", CHILD, str(tmp_path)]
    ran = subprocess.run(command, cwd=ROOT, timeout=300, check=True, capture_output=True, text=True)
    found = json.loads(ran.stdout)
    ratios = {name: found[f"{name} large"][0] / found[f"{name} small"][0] for name in [*CALLS, "footprint"]}
    assert {name: ratio for name, ratio in ratios.items() if ratio > MOST_RATIO} == {}
    assert "FILE_TOO_LARGE" in found["read_file large"][1]
    assert all("a.py" in found[f"{name} large"][1] for name in ("search in the folder", "search_symbol"))
    assert "FILE_BINARY" in found["search in a file without lines large"][1]
    logs = [found[f"{name} large"][1] for name in CALLS if name.startswith("search in a log")]
    assert logs == [f"Done(text='big.log:{LOG_LINES + 1}: the needle', pictures=(), outputs=())"] * 2
    assert str(LARGE) in found["get_file_info large"][1]


@pytest.mark.slow
def test_a_folder_of_50_000_names_is_listed_page_by_page_to_its_end(tmp_path: Path) -> None:
    for number in range(50_000):
        os.mknod(tmp_path / f"{number:05}")
    bench = Bench(tmp_path, PLAN)
    for skip in (0, 49_800):
        outcome = bench.run("list_directory", skip=skip)
        assert isinstance(outcome, Done)
        *names, last = outcome.text.split("\n")
        if skip:
            assert ([*names, last][0], last) == ("49800", "49999")
        else:
            assert (len(names), names[-1]) == (MAX_NAMES, f"{MAX_NAMES - 1:05}")
            assert last == f"… and {50_000 - MAX_NAMES} more; go on with skip={MAX_NAMES}"
