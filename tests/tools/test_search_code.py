import time
from pathlib import Path

import pytest

from planact.tools.outcome import Done, Failed, Refused
from tests.fakes.bench import PLAN, Bench


@pytest.fixture
def bench(tmp_path: Path) -> Bench:
    made = Bench(tmp_path / "ws", PLAN)
    made.world.write("src/a.py", "import os\nTOKEN = load()\n")
    made.world.write("src/b.txt", "TOKEN too\n")
    made.world.write(".env", "TOKEN=secret\n")
    made.world.write("deploy/.aws/credentials", "TOKEN secret\n")
    made.world.write(".env.example", "TOKEN=\n")
    made.world.write("hidden/x.py", "TOKEN\n")
    made.world.write(".planactignore", "hidden/\n")
    return made


def test_lines_are_found_with_path_and_number_and_credentials_are_left_out(bench: Bench) -> None:
    assert bench.run("search_code", pattern="TOKEN") == Done(
        ".env.example:1: TOKEN=\nsrc/a.py:2: TOKEN = load()\nsrc/b.txt:1: TOKEN too"
    )


@pytest.mark.parametrize("path", [".env", "deploy/.aws/credentials", "deploy/.aws", "link"])
def test_pointing_at_credentials_finds_nothing(bench: Bench, path: str) -> None:
    (bench.world.root / "link").symlink_to(".env")
    outcome = bench.run("search_code", pattern="TOKEN", path=path)
    assert outcome == Done(f"nothing matches 'TOKEN' below {path}")


def test_a_search_can_be_narrowed(bench: Bench) -> None:
    assert bench.run("search_code", pattern="TOKEN", path="src", glob="*.py") == Done("src/a.py:2: TOKEN = load()")
    assert bench.run("search_code", pattern="load()", is_literal=True) == Done("src/a.py:2: TOKEN = load()")
    assert bench.run("search_code", pattern="load()", path="src/a.py") == Done("src/a.py:2: TOKEN = load()")


def test_more_hits_than_asked_for_are_said_to_be_more(bench: Bench) -> None:
    assert bench.run("search_code", pattern="TOKEN", limit=1) == Done(
        ".env.example:1: TOKEN=\n… and more; narrow the search"
    )


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        ({"pattern": "("}, "INVALID_ARGUMENTS"),
        ({"pattern": ""}, "INVALID_ARGUMENTS"),
        ({"pattern": "x", "limit": 100_000}, "INVALID_ARGUMENTS"),
        ({"pattern": "x", "path": "missing"}, "FILE_NOT_FOUND"),
        ({"pattern": "x", "path": ".."}, "PATH_OUTSIDE_WORKSPACE"),
        ({"pattern": "x", "path": "hidden"}, "PATH_HIDDEN"),
    ],
)
def test_what_can_not_be_searched_says_why(bench: Bench, arguments: dict[str, object], code: str) -> None:
    outcome = bench.run("search_code", **arguments)
    assert isinstance(outcome, Failed | Refused)
    assert outcome.code == code


def test_endless_lines_do_not_fill_the_conversation(bench: Bench) -> None:
    bench.world.write("long.txt", ("TOKEN " + "x" * 3_000 + "\n") * 200)
    begun = time.monotonic()
    outcome = bench.run("search_code", pattern="TOKEN", path="long.txt", limit=1_000)
    assert isinstance(outcome, Done)
    assert len(outcome.text) < 70_000
    assert time.monotonic() - begun < 5
