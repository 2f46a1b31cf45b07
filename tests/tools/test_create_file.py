from dataclasses import replace
from pathlib import Path

import pytest

from planact.tools.tool_result import Done, Failed, Refused
from tests.fakes.bench import ACT, Bench

ANYTHING = replace(ACT, approval="acceptAll")


@pytest.mark.parametrize("text", ["", "x", "x\r\ny\r\n", "naïve 🎉\n", "\x0c"])
def test_a_file_is_made_as_it_is_given(tmp_path: Path, text: str) -> None:
    bench = Bench(tmp_path, ANYTHING)
    assert bench.run("create_file", path="deep/er/new.txt", content=text) == Done("created deep/er/new.txt")
    assert bench.world.tree() == {"deep/er/new.txt": text.encode()}


def test_nothing_is_written_over(tmp_path: Path) -> None:
    bench = Bench(tmp_path, ANYTHING)
    bench.world.write("a.txt", "mine")
    (tmp_path / "folder").mkdir()
    for path in ("a.txt", "folder", "a.txt/below"):
        assert isinstance(bench.run("create_file", path=path, content="x"), Failed)
    assert bench.world.tree() == {"a.txt": b"mine"}


@pytest.mark.parametrize(
    ("path", "code"),
    [
        ("../x", "PATH_OUTSIDE_WORKSPACE"),
        ("/tmp/x", "PATH_OUTSIDE_WORKSPACE"),
        ("link/x", "PATH_OUTSIDE_WORKSPACE"),
        (".git/hooks/pre-commit", "PATH_PROTECTED"),
        ("sub/.git/config", "PATH_PROTECTED"),
        (".planact/config.toml", "PATH_PROTECTED"),
        (".planact/plans/index.json", "PATH_PROTECTED"),
        (".env", "CREDENTIAL_FILE"),
        (".ssh/authorized_keys", "CREDENTIAL_FILE"),
        ("hidden/x", "PATH_HIDDEN"),
    ],
)
def test_some_places_are_refused_even_where_everything_is_accepted(tmp_path: Path, path: str, code: str) -> None:
    bench = Bench(tmp_path / "ws", ANYTHING)
    bench.world.write(".planactignore", "hidden/\n")
    (tmp_path / "outside").mkdir()
    (tmp_path / "ws/link").symlink_to(tmp_path / "outside")
    before = bench.world.tree()
    outcome = bench.run("create_file", path=path, content="x")
    assert isinstance(outcome, Refused)
    assert (outcome.code, bench.listener.asked) == (code, [])
    assert bench.world.tree() == before
    assert list((tmp_path / "outside").iterdir()) == []
