from dataclasses import replace
from pathlib import Path

import pytest

from planact.tools.tool_result import Done, Failed, Refused
from tests.fakes.bench import ACT, Bench

ANYTHING = replace(ACT, approval="acceptAll")


def test_a_file_is_moved_with_the_folders_on_the_way(tmp_path: Path) -> None:
    bench = Bench(tmp_path, ANYTHING)
    bench.world.write("a.py", "x")
    outcome = bench.run("rename_file", path="a.py", new_path="pkg/b.py")
    assert outcome == Done("renamed a.py to pkg/b.py")
    assert bench.world.tree() == {"pkg/b.py": b"x"}


def test_a_directory_stays_with_all_that_was_not_judged_in_it(tmp_path: Path) -> None:
    bench = Bench(tmp_path, ANYTHING)
    bench.world.write("sub/.git/config", "x")
    bench.world.write("sub/.env", "x")
    before = bench.world.tree()
    outcome = bench.run("rename_file", path="sub", new_path="sub2")
    assert outcome == Failed("INVALID_ARGUMENTS", "sub is a directory", "Move its files one by one.")
    assert bench.world.tree() == before


@pytest.mark.parametrize(("path", "new_path"), [("a.py", "b.py"), ("missing", "c.py"), ("a.py", "a.py")])
def test_nothing_is_lost(tmp_path: Path, path: str, new_path: str) -> None:
    bench = Bench(tmp_path, ANYTHING)
    bench.world.write("a.py", "a")
    bench.world.write("b.py", "b")
    assert isinstance(bench.run("rename_file", path=path, new_path=new_path), Failed)
    assert bench.world.tree() == {"a.py": b"a", "b.py": b"b"}


def test_a_link_is_moved_and_not_its_target(tmp_path: Path) -> None:
    bench = Bench(tmp_path, ANYTHING)
    bench.world.write("a.py", "a")
    (tmp_path / "link").symlink_to("a.py")
    (tmp_path / "dangling").symlink_to("nowhere")
    assert bench.run("rename_file", path="link", new_path="other") == Done("renamed link to other")
    assert (str((tmp_path / "other").readlink()), bench.world.read("a.py")) == ("a.py", "a")
    outcome = bench.run("rename_file", path="a.py", new_path="dangling")
    assert isinstance(outcome, Failed)
    assert outcome.code == "FILE_EXISTS"
    patch = "*** Begin Patch\n*** Update File: other\n*** Move to: b.py\n@@\n-a\n+b\n*** End Patch"
    outcome = bench.run("update_file", patch=patch)
    assert isinstance(outcome, Failed)
    assert outcome.code == "EDIT_REFUSED"
    assert (bench.world.read("a.py"), (tmp_path / "b.py").exists()) == ("a", False)


@pytest.mark.parametrize(
    ("path", "new_path"),
    [("a.py", "../a.py"), (".env", "env.txt"), ("a.py", ".env"), (".git/config", "c"), (".planact/config.toml", "c")],
)
def test_both_ends_are_judged(tmp_path: Path, path: str, new_path: str) -> None:
    bench = Bench(tmp_path / "ws", ANYTHING)
    for name in ("a.py", ".env", ".git/config", ".planact/config.toml"):
        bench.world.write(name, "x")
    before = bench.world.tree()
    assert isinstance(bench.run("rename_file", path=path, new_path=new_path), Refused)
    assert bench.world.tree() == before
