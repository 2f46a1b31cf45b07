from dataclasses import replace
from pathlib import Path

from planact.tools.tool_result import Done, Failed, Refused
from tests.fakes.bench import ACT, PLAN, Bench

NAMED = replace(ACT, planned_files=frozenset({"a.py", "folder", "missing"}))


def test_a_deletion_is_always_asked_for_and_its_bytes_are_kept(tmp_path: Path) -> None:
    bench = Bench(tmp_path, NAMED, "reject_once", "allow_once")
    bench.world.write("a.py", "x")
    assert isinstance(bench.run("delete_file", path="a.py"), Refused)
    assert bench.world.tree() == {"a.py": b"x"}
    assert bench.run("delete_file", path="a.py") == Done("deleted a.py")
    assert bench.world.tree() == {}
    assert list(bench.world.store.journal.images.values()) == [b"x"]


def test_only_an_empty_directory_is_deleted(tmp_path: Path) -> None:
    bench = Bench(tmp_path, NAMED, *["allow_once"] * 3)
    bench.world.write("folder/a.py", "x")
    assert isinstance(bench.run("delete_file", path="folder"), Failed)
    assert bench.world.tree() == {"folder/a.py": b"x"}
    (tmp_path / "folder/a.py").unlink()
    assert bench.run("delete_file", path="folder") == Done("deleted folder")
    outcome = bench.run("delete_file", path="missing")
    assert isinstance(outcome, Failed)
    assert outcome.code == "FILE_NOT_FOUND"


def test_in_plan_only_plans_of_this_session_are_deleted(tmp_path: Path) -> None:
    mine, other = ".planact/plans/mine.plan", ".planact/plans/other.plan"
    bench = Bench(tmp_path, replace(PLAN, made_plans=frozenset({mine})))
    bench.world.write(mine, "x")
    bench.world.write(other, "x")
    assert isinstance(bench.run("delete_file", path=other), Refused)
    assert isinstance(bench.run("delete_file", path=mine), Done)
    assert list(bench.world.tree()) == [other]
