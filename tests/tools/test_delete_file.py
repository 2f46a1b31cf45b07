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


def test_a_link_goes_and_its_target_stays(tmp_path: Path) -> None:
    bench = Bench(tmp_path / "ws", NAMED, *["allow_once"] * 5)
    bench.world.write("a.py", "x")
    bench.world.write(".env", "x")
    bench.world.write("sub/b.py", "x")
    (tmp_path / "out.txt").write_text("x")
    targets = {"link": "a.py", "folder-link": "sub", "out": "../out.txt", "dangling": "nowhere", "key": ".env"}
    for name, target in targets.items():
        (tmp_path / "ws" / name).symlink_to(target)
    before = bench.world.tree()
    for name in ("link", "folder-link", "out", "sub/../dangling"):
        assert bench.run("delete_file", path=name) == Done(f"deleted {name}")
    patch = "*** Begin Patch\n*** Delete File: key\n*** End Patch"
    assert isinstance(bench.run("update_file", patch=patch), Done)
    assert not [name for name in targets if (tmp_path / "ws" / name).is_symlink()]
    assert bench.world.tree() == {path: data for path, data in before.items() if path not in targets}
    assert (tmp_path / "out.txt").read_text() == "x"


def test_a_link_on_the_way_is_followed_and_one_that_is_swapped_for_a_file_is_asked_about_anew(tmp_path: Path) -> None:
    bench = Bench(tmp_path / "ws", NAMED, "allow_once", "reject_once")
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "ws").mkdir(exist_ok=True)
    (tmp_path / "elsewhere/a").symlink_to("b")
    (tmp_path / "ws/out").symlink_to(tmp_path / "elsewhere")
    outcome = bench.run("delete_file", path="out/a")
    assert isinstance(outcome, Refused)
    assert outcome.code == "PATH_OUTSIDE_WORKSPACE"
    (tmp_path / "ws/link").symlink_to("a.py")

    def swap() -> None:
        (tmp_path / "ws/link").unlink()
        bench.world.write("link", "the user's")

    bench.listener.meanwhile = swap
    outcome = bench.run("delete_file", path="link")
    assert (isinstance(outcome, Refused), len(bench.listener.asked)) == (True, 2)
    assert bench.world.read("link") == "the user's"


def test_in_plan_only_plans_of_this_session_are_deleted(tmp_path: Path) -> None:
    mine, other = ".planact/plans/mine.plan", ".planact/plans/other.plan"
    bench = Bench(tmp_path, replace(PLAN, made_plans=frozenset({mine})))
    bench.world.write(mine, "x")
    bench.world.write(other, "x")
    assert isinstance(bench.run("delete_file", path=other), Refused)
    assert isinstance(bench.run("delete_file", path=mine), Done)
    assert list(bench.world.tree()) == [other]
