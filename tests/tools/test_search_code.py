import os
import time
from pathlib import Path

import pytest

from planact.adapters.store.search.large_files import LARGEST_FILE
from planact.base.filetext import FileText
from planact.tools.tool_result import Done, Failed, Refused
from tests.fakes.bench import PLAN, Bench

pytestmark = pytest.mark.slow  # by the programs that search, in processes of their own


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
        ".env.example:1: TOKEN=\nsrc/a.py:2: TOKEN = load()\nsrc/b.txt:1: TOKEN too\n"
        "left out: 2 with credentials (.env, deploy/.aws/); 1 hidden by the user"
    )


def test_credentials_are_left_out_in_whatever_case_their_names_are(bench: Bench) -> None:
    before = bench.run("search_code", pattern="TOKEN")
    for name in (".ENV", ".Env.local", "ID_RSA", "a.PEM", ".AWS/config", "x/.SSH/y", "Credentials.json", ".Netrc"):
        bench.world.write(name, "TOKEN\n")
    after = bench.run("search_code", pattern="TOKEN")
    assert isinstance(before, Done)
    assert isinstance(after, Done)
    assert after.text.splitlines()[:3] == before.text.splitlines()[:3]
    told = "left out: 10 with credentials (.AWS/, .ENV, .Env.local, …); 1 hidden by the user"
    assert after.text.splitlines()[3:] == [told]


def test_what_a_search_left_out_is_told_by_its_reason(tmp_path: Path) -> None:
    bench = Bench(tmp_path, PLAN)
    bench.world.write("a.txt", "needle\n")
    bench.world.write(".gitignore", "build/\n*.log\n")
    for path in ("build/a.txt", "build/deep/b.txt", "run.log"):
        bench.world.write(path, "needle\n")
    (tmp_path / "b.bin").write_bytes(b"\0needle\n")
    (tmp_path / "quiet.bin").write_bytes(b"\0\n")
    with (tmp_path / "c.csv").open("wb") as large:
        large.truncate(LARGEST_FILE + 1)
    told = "left out: 2 ignored (build/, run.log); 1 too large (c.csv); 1 binary (b.bin)"
    assert bench.run("search_code", pattern="needle") == Done(f"a.txt:1: needle\n{told}")
    assert bench.run("search_code", pattern="needle", count=True) == Done(f"1 lines in 1 files\na.txt: 1\n{told}")
    nothing = "nothing matches 'needle' below .\nleft out: 1 ignored (build/)"
    assert bench.run("search_code", pattern="needle", glob="*.py") == Done(nothing)
    assert bench.run("search_code", pattern="needle", path="build") == Done(
        "build/a.txt:1: needle\nbuild/deep/b.txt:1: needle"
    )


def test_files_that_cannot_be_read_are_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    bench = Bench(tmp_path, PLAN)
    bench.world.write("a.txt", "needle\n")
    bench.world.write("b.txt", "needle\n")
    (tmp_path / "b.txt").chmod(0)
    if os.access(tmp_path / "b.txt", os.R_OK):  # root may read all: what the system says to others
        monkeypatch.setattr(os, "access", lambda path, _: Path(path).name != "b.txt")
    found = bench.run("search_code", pattern="needle")
    assert found == Done("a.txt:1: needle\nleft out: 1 unreadable (b.txt)")


@pytest.mark.parametrize("path", [".env", "deploy/.aws/credentials", "deploy/.aws", "link"])
def test_pointing_at_credentials_finds_nothing(bench: Bench, path: str) -> None:
    (bench.world.root / "link").symlink_to(".env")
    outcome = bench.run("search_code", pattern="TOKEN", path=path)
    assert isinstance(outcome, Done)
    first, told = outcome.text.splitlines()
    assert first == f"nothing matches 'TOKEN' below {path}"
    assert told.startswith("left out: 1 with credentials (")


def test_a_search_can_be_narrowed(bench: Bench) -> None:
    assert bench.run("search_code", pattern="TOKEN", path="src", glob="*.py") == Done("src/a.py:2: TOKEN = load()")
    assert bench.run("search_code", pattern="load()", path="src", is_literal=True) == Done("src/a.py:2: TOKEN = load()")
    assert bench.run("search_code", pattern="load()", path="src/a.py") == Done("src/a.py:2: TOKEN = load()")


MORE = "… more in a.txt, b.txt; search there alone, or with a larger per_file"


def stopped(shown: int, skip: int) -> str:
    return f"… stopped at {shown} hits; go on with skip={skip}, or narrow the search"


MANY = "".join(f"{'hit' if line % 3 == 0 else 'line'} {line}\n" for line in range(1, 13))


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        ({"limit": 1}, "a.txt:3: hit 3\n" + stopped(1, 1)),
        ({"limit": 2, "skip": 3}, "a.txt:12: hit 12\nb.txt:3: hit 3\n" + stopped(2, 5)),
        ({"skip": 7}, "b.txt:12: hit 12"),
        ({"skip": 8}, "nothing more matches 'hit' below many"),
        ({"per_file": 1}, "a.txt:3: hit 3\nb.txt:3: hit 3\n" + MORE),
        ({"per_file": 4}, "a.txt:3: hit 3\na.txt:6: hit 6\na.txt:9: hit 9\na.txt:12: hit 12\n"
                          "b.txt:3: hit 3\nb.txt:6: hit 6\nb.txt:9: hit 9\nb.txt:12: hit 12"),
        ({"count": True}, "8 lines in 2 files\na.txt: 4\nb.txt: 4"),
        ({"count": True, "limit": 1, "glob": "b.*"}, "4 lines in 1 files\nb.txt: 4"),
        ({"context": 1, "limit": 2}, "a.txt-2- line 2\na.txt:3: hit 3\na.txt-4- line 4\n"
                                     "a.txt-5- line 5\na.txt:6: hit 6\na.txt-7- line 7\n" + stopped(2, 2)),
        ({"context": 1, "skip": 3, "limit": 2}, "a.txt-11- line 11\na.txt:12: hit 12\n--\n"
                                                "b.txt-2- line 2\nb.txt:3: hit 3\nb.txt-4- line 4\n" + stopped(2, 5)),
    ],
)  # fmt: skip
@pytest.mark.parametrize("is_unsaved", [False, True])
def test_what_is_shown_of_many_hits_is_the_models_choice(
    bench: Bench, arguments: dict[str, object], expected: str, is_unsaved: bool
) -> None:
    for name in ("a.txt", "b.txt"):
        bench.world.write(f"many/{name}", MANY)
    if is_unsaved:
        bench.world.write("many/b.txt", "other\n")
        bench.world.editor.buffers["many/b.txt"] = FileText(MANY)
    shown = expected.replace("a.txt", "many/a.txt").replace("b.txt", "many/b.txt")
    assert bench.run("search_code", **{"pattern": "hit", "path": "many", **arguments}) == Done(shown)


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
    begun = time.process_time()
    outcome = bench.run("search_code", pattern="TOKEN", path="long.txt", limit=1_000)
    assert isinstance(outcome, Done)
    assert len(outcome.text) < 70_000
    assert time.process_time() - begun < 5


@pytest.mark.parametrize(
    ("tool", "arguments", "told"),
    [
        ("search_code", {"pattern": "load"}, '"x\\nsrc/y.py":1: load = 2'),
        ("search_code", {"pattern": "load", "count": True}, '1 lines in 1 files\n"x\\nsrc/y.py": 1'),
        ("search_symbol", {"name": "load"}, '"x\\nsrc/y.py":1: variable: load = 2'),
    ],
)
def test_no_name_of_a_file_reads_like_another_hit(
    tmp_path: Path, tool: str, arguments: dict[str, object], told: str
) -> None:
    bench = Bench(tmp_path / "ws", PLAN)
    bench.world.write("x\nsrc/y.py", "load = 2\n")
    outcome = bench.run(tool, **arguments)
    assert isinstance(outcome, Done)
    assert outcome.text.endswith(told)
