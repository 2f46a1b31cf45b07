import os
from pathlib import Path

import pytest

from planact.tools.tool_result import Done, Failed, Refused
from tests.fakes.bench import PLAN, Bench


def test_it_tells_what_a_path_is_without_reading_it(tmp_path: Path) -> None:
    bench = Bench(tmp_path, PLAN)
    with (tmp_path / "huge.bin").open("wb") as sparse:
        sparse.truncate(5_000_000_000)
    (tmp_path / "huge.bin").chmod(0o640)
    os.utime(tmp_path / "huge.bin", (0, 1_700_000_000))
    assert bench.run("get_file_info", path="huge.bin") == Done(
        "huge.bin: file, 5000000000 bytes, modified 2023-11-14T22:13:20+00:00, -rw-r-----"
    )
    (tmp_path / "folder").mkdir()
    outcome = bench.run("get_file_info", path="folder")
    assert isinstance(outcome, Done)
    assert outcome.text.startswith("folder: directory, ")


@pytest.mark.parametrize(("path", "code"), [("missing", "FILE_NOT_FOUND"), ("../x", "PATH_OUTSIDE_WORKSPACE")])
def test_what_is_not_there_says_so(tmp_path: Path, path: str, code: str) -> None:
    outcome = Bench(tmp_path, PLAN).run("get_file_info", path=path)
    assert isinstance(outcome, Failed | Refused)
    assert outcome.code == code
