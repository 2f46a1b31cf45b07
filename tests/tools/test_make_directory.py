from dataclasses import replace
from pathlib import Path

import pytest

from planact.tools.tool_result import Done, Failed, Refused
from tests.fakes.bench import ACT, PLAN, Bench

ANYTHING = replace(ACT, approval="acceptAll")


def test_a_directory_is_made_with_its_parents_and_may_be_there(tmp_path: Path) -> None:
    bench = Bench(tmp_path, ANYTHING)
    for _ in range(2):
        assert bench.run("make_directory", path="a/b/c") == Done("made a/b/c")
    assert (tmp_path / "a/b/c").is_dir()


def test_no_file_makes_way_for_it(tmp_path: Path) -> None:
    bench = Bench(tmp_path, ANYTHING)
    bench.world.write("a", "x")
    for path in ("a", "a/b"):
        assert isinstance(bench.run("make_directory", path=path), Failed)
    assert bench.world.tree() == {"a": b"x"}


@pytest.mark.parametrize("path", ["src", "x.plan", ".planact", "../out", ".planact/roles", ".git/x"])
def test_in_plan_there_is_only_the_plans_directory(tmp_path: Path, path: str) -> None:
    bench = Bench(tmp_path / "ws", PLAN)
    assert isinstance(bench.run("make_directory", path=path), Refused)
    assert isinstance(bench.run("make_directory", path=".planact/plans/sub"), Done)
    assert [p.name for p in (tmp_path / "ws").iterdir()] == [".planact"]
