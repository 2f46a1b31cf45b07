from pathlib import Path

import pytest

from planact.base.filetext import FileText
from planact.policy.context import PolicyContext
from planact.tools.tool_result import Done, Failed, Refused
from tests.fakes.bench import ACT, PLAN, Bench

pytestmark = pytest.mark.slow  # by the programs that search, in processes of their own

TREE = {
    "src/a.py": "def load(path):\n    return path\n",
    "src/b.py": "from a import load\n\nload('load')\n",
    ".env.py": "",
    "deploy/.aws/c.py": "def load(): ...\n",
    "hidden/d.py": "def load(): ...\n",
    ".planactignore": "hidden/\n",
}


@pytest.fixture(params=[PLAN, ACT])
def bench(request: pytest.FixtureRequest, tmp_path: Path) -> Bench:
    standing: PolicyContext = request.param
    made = Bench(tmp_path / "ws", standing)
    for path, text in TREE.items():
        made.world.write(path, text)
    return made


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        ({"name": "load"}, "load: 1 definitions, 2 references\nsrc/a.py:1: function: def load(path):\n"
                           "src/b.py:1: from a import load\nsrc/b.py:3: load('load')"),
        ({"name": "a.load()", "kind": "definition"},
         "load: 1 definitions, 0 references\nsrc/a.py:1: function: def load(path):"),
        ({"name": "load", "glob": "b.*", "limit": 1},
         "load: 0 definitions, 2 references\nsrc/b.py:1: from a import load\n"
         "… go on with skip=1, or narrow the search"),
        ({"name": "load", "path": "src/b.py", "skip": 1},
         "load: 0 definitions, 2 references\nsrc/b.py:3: load('load')"),
        ({"name": "loa"}, "loa: 0 definitions, 0 references\nSimilar names: load"),
        ({"name": "load", "path": "deploy/.aws/c.py"}, "load: 0 definitions, 0 references"),
        ({"name": "load", "path": "deploy"}, "load: 0 definitions, 0 references"),
    ],
)  # fmt: skip
def test_a_name_is_found_by_what_it_is(bench: Bench, arguments: dict[str, object], expected: str) -> None:
    assert bench.run("search_symbol", **arguments) == Done(expected)


def test_what_is_open_in_the_editor_counts_as_it_is_there(bench: Bench) -> None:
    bench.world.editor.buffers["src/b.py"] = FileText("\nload(2)\n")
    assert bench.run("search_symbol", name="load", path="src/b.py") == Done(
        "load: 0 definitions, 1 references\nsrc/b.py:2: load(2)"
    )


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        ({"name": ""}, "INVALID_ARGUMENTS"),
        ({"name": "two words"}, "INVALID_ARGUMENTS"),
        ({"name": "x", "kind": "thing"}, "INVALID_ARGUMENTS"),
        ({"name": "x", "limit": 1_000}, "INVALID_ARGUMENTS"),
        ({"name": "x", "path": "missing"}, "FILE_NOT_FOUND"),
        ({"name": "x", "path": ".."}, "PATH_OUTSIDE_WORKSPACE"),
        ({"name": "x", "path": "hidden"}, "PATH_HIDDEN"),
    ],
)
def test_what_can_not_be_searched_says_why(bench: Bench, arguments: dict[str, object], code: str) -> None:
    outcome = bench.run("search_symbol", **arguments)
    assert isinstance(outcome, Failed | Refused)
    assert outcome.code == code


def test_credentials_are_left_out_in_whatever_case_their_names_are(bench: Bench) -> None:
    before = bench.run("search_symbol", name="load")
    for name in (".ENV.py", ".AWS/c.py", "x/.SSH/d.py"):
        bench.world.write(name, "def load(): ...\n")
    assert bench.run("search_symbol", name="load") == before


@pytest.mark.slow
def test_of_an_endless_line_the_part_with_the_name_is_shown(bench: Bench) -> None:
    bench.world.write("min.js", f"{'var a=1;' * 5_000}function find(){{}}{'var b=2;' * 5_000}\n")
    outcome = bench.run("search_symbol", name="find")
    assert isinstance(outcome, Done)
    line = outcome.text.splitlines()[1]
    assert line.startswith("min.js:1: function: …")
    assert "function find(){}var b=2;" in line
    assert len(line) < 400
