import os
from pathlib import Path

import pytest

from planact.tools.builtin.list_directory import MAX_NAMES
from planact.tools.tool_result import Done, Failed, Refused
from tests.fakes.bench import PLAN, Bench


def test_names_are_sorted_and_those_of_directories_end_with_a_slash(tmp_path: Path) -> None:
    bench = Bench(tmp_path, PLAN)
    for path in ("b.py", "a/x.py", ".hidden/y", "secret/z"):
        bench.world.write(path, "")
    (tmp_path / "link").symlink_to("a")
    (tmp_path / "loop").symlink_to("loop")
    bench.world.write(".planactignore", "secret/\n")
    assert bench.run("list_directory") == Done(".hidden/\n.planactignore\na/\nb.py\nlink/\nloop")
    assert bench.run("list_directory", path="a") == Done("x.py")


def test_an_empty_directory_says_so(tmp_path: Path) -> None:
    assert Bench(tmp_path, PLAN).run("list_directory") == Done(". is empty")


def test_a_crowded_directory_is_cut_and_can_be_read_on(tmp_path: Path) -> None:
    names = [f"{number:04}" for number in range(2 * MAX_NAMES + 3)]
    for name in names:
        os.mknod(tmp_path / name)
    bench = Bench(tmp_path, PLAN)
    read: list[str] = []
    for left in (MAX_NAMES + 3, 3, 0):
        outcome = bench.run("list_directory", skip=len(read))
        assert isinstance(outcome, Done)
        listed, _, more = outcome.text.partition("\n… ")
        read += listed.split("\n")
        assert more == (f"and {left} more; go on with skip={len(read)}" if left else "")
    assert read == names
    assert bench.run("list_directory", skip=len(read)) == Done(f". has no more than {len(names)} names")


def test_a_name_with_a_line_break_is_one_name(tmp_path: Path) -> None:
    (tmp_path / "a\nb").write_text("")
    outcome = Bench(tmp_path, PLAN).run("list_directory")
    assert isinstance(outcome, Done)
    assert outcome.text.count("\n") == 0


@pytest.mark.parametrize(
    ("path", "code"), [("missing", "FILE_NOT_FOUND"), ("file", "FILE_UNREADABLE"), ("..", "PATH_OUTSIDE_WORKSPACE")]
)
def test_what_is_no_directory_of_the_workspace_is_not_listed(tmp_path: Path, path: str, code: str) -> None:
    bench = Bench(tmp_path / "ws", PLAN)
    bench.world.write("file", "")
    outcome = bench.run("list_directory", path=path)
    assert isinstance(outcome, Failed | Refused)
    assert outcome.code == code
