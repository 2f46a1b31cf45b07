import json
from pathlib import Path

import pytest

from planact.base.filetext import FileText
from planact.tools.builtin.read_file import MAX_LINE, MAX_LINES, MAX_READ_CHARACTERS
from planact.tools.tool_result import Done, Failed, Refused
from tests.fakes.bench import ACT, PLAN, Bench


def read(bench: Bench, path: str = "a.txt", **lines: object) -> list[str]:
    outcome = bench.run("read_file", path=path, **lines)
    assert isinstance(outcome, Done), outcome
    return outcome.text.split("\n")


@pytest.mark.parametrize(
    ("data", "described", "lines"),
    [
        (b"x\ny\n", "lines 1-2 of 2, utf-8, LF, indent none", ["1\tx", "2\ty"]),
        (b"x\ny", "lines 1-2 of 2, utf-8, LF, no line end at the end, indent none", ["1\tx", "2\ty"]),
        (b"", "lines 1-1 of 1, utf-8, none, no line end at the end, indent none", ["1\t"]),
        (b"\n\n", "lines 1-2 of 2, utf-8, LF, indent none", ["1\t", "2\t"]),
        (
            b"\xef\xbb\xbfa:\r\n    b\r\n",
            "lines 1-2 of 2, utf-8 with BOM, CRLF, indent 4 spaces",
            ["1\ta:", "2\t    b"],
        ),
        (b"a\x0cb\xc2\x85c\n", "lines 1-1 of 1, utf-8, LF, indent none", ["1\ta\x0cb\x85c"]),
        (b"caf\xe9\n", "lines 1-1 of 1, bytes, LF, indent none", ["1\tcaf\xe9"]),
        ("naïve\n".encode("utf-16"), "lines 1-1 of 1, utf-16-le with BOM, LF, indent none", ["1\tnaïve"]),
    ],
)
def test_a_file_is_read_with_what_it_is(tmp_path: Path, data: bytes, described: str, lines: list[str]) -> None:
    bench = Bench(tmp_path, PLAN)
    (tmp_path / "a.txt").write_bytes(data)
    header, *shown = read(bench)
    assert header.startswith(f"a.txt: {described}, sha256 ")
    assert shown == lines


@pytest.mark.parametrize(
    ("lines", "numbers"),
    [
        ({"first_line": 3}, [3, 4, 5]),
        ({"last_line": 2}, [1, 2]),
        ({"first_line": 2, "last_line": 4}, [2, 3, 4]),
        ({"first_line": 5, "last_line": 99}, [5]),
    ],
)
def test_some_lines_can_be_read(tmp_path: Path, lines: dict[str, int], numbers: list[int]) -> None:
    bench = Bench(tmp_path, PLAN)
    bench.world.write("a.txt", "1\n2\n3\n4\n5\n")
    header, *shown = read(bench, **lines)
    assert f"lines {numbers[0]}-{numbers[-1]} of 5" in header
    assert shown == [f"{number}\t{number}" for number in numbers]


@pytest.mark.parametrize(
    "lines", [{"first_line": 6}, {"first_line": 4, "last_line": 3}, {"first_line": 0}, {"last_line": 0}]
)
def test_lines_that_are_not_there_are_a_mistake(tmp_path: Path, lines: dict[str, int]) -> None:
    bench = Bench(tmp_path, PLAN)
    bench.world.write("a.txt", "1\n2\n3\n4\n5\n")
    outcome = bench.run("read_file", path="a.txt", **lines)
    assert isinstance(outcome, Failed)
    assert outcome.code == "INVALID_ARGUMENTS"


def test_what_is_too_long_is_cut_and_can_be_read_on(tmp_path: Path) -> None:
    bench = Bench(tmp_path, PLAN)
    bench.world.write("a.txt", "x\n" * (MAX_LINES + 500))
    _, *shown, more = read(bench)
    assert (len(shown), more) == (MAX_LINES, f"… read on from line {MAX_LINES + 1}")
    assert len(read(bench, first_line=MAX_LINES + 1)) == 501
    bench.world.write("a.txt", ("y" * (MAX_LINE + 1) + "\n") * 400)
    text = "\n".join(read(bench))
    assert len(text) < MAX_READ_CHARACTERS + 1_000
    assert f"1\t{'y' * MAX_LINE}[… 1 more characters; search_code shows those that match]\n" in text


def test_a_file_larger_than_all_memory_costs_nothing(tmp_path: Path) -> None:
    bench = Bench(tmp_path, PLAN)
    with (tmp_path / "a.txt").open("wb") as sparse:
        sparse.truncate(1_000_000_000_000)
    outcome = bench.run("read_file", path="a.txt")
    assert isinstance(outcome, Failed)
    assert outcome.code == "FILE_TOO_LARGE"


def test_what_is_no_text_file_says_why(tmp_path: Path) -> None:
    bench = Bench(tmp_path, PLAN)
    (tmp_path / "binary").write_bytes(b"a\0b")
    (tmp_path / "folder").mkdir()
    codes = {}
    for path in ("binary", "folder", "missing", "folder/missing", "binary/missing"):
        outcome = bench.run("read_file", path=path)
        assert isinstance(outcome, Failed)
        assert outcome.hint
        codes[path] = outcome.code
    assert codes == {
        "binary": "FILE_BINARY",
        "folder": "FILE_UNREADABLE",
        "missing": "FILE_NOT_FOUND",
        "folder/missing": "FILE_NOT_FOUND",
        "binary/missing": "FILE_NOT_FOUND",
    }


@pytest.mark.parametrize(
    ("path", "code"),
    [
        ("hidden/a.txt", "PATH_HIDDEN"),
        (".env", "CREDENTIAL_FILE"),
        ("link-to-env", "CREDENTIAL_FILE"),
        (".ssh/config", "CREDENTIAL_FILE"),
        ("../elsewhere", "PATH_OUTSIDE_WORKSPACE"),
        ("/etc/shadow", "PATH_OUTSIDE_WORKSPACE"),
        ("link-out", "PATH_OUTSIDE_WORKSPACE"),
        ("a\0b", "PATH_OUTSIDE_WORKSPACE"),
    ],
)
def test_what_is_not_for_the_agent_is_refused(tmp_path: Path, path: str, code: str) -> None:
    bench = Bench(tmp_path / "ws", PLAN)
    bench.world.write(".planactignore", "hidden/\n")
    for name in ("hidden/a.txt", ".env", ".ssh/config", "../elsewhere"):
        bench.world.write(name, "secret")
    (tmp_path / "ws/link-to-env").symlink_to(".env")
    (tmp_path / "ws/link-out").symlink_to(tmp_path / "elsewhere")
    outcome = bench.run("read_file", path=path)
    assert isinstance(outcome, Refused)
    assert outcome.code == code


def test_an_example_of_credentials_is_read_and_real_ones_are_asked_for_in_act(tmp_path: Path) -> None:
    bench = Bench(tmp_path, ACT, "reject_once", "allow_once")
    bench.world.write(".env", "SECRET=1")
    bench.world.write(".env.example", "SECRET=")
    assert isinstance(bench.run("read_file", path=".env.example"), Done)
    assert bench.listener.asked == []
    assert isinstance(bench.run("read_file", path=".env"), Refused)
    assert isinstance(bench.run("read_file", path=".env"), Done)


def test_an_unsaved_buffer_is_read_as_it_is(tmp_path: Path) -> None:
    bench = Bench(tmp_path, PLAN)
    bench.world.editor.buffers["new.txt"] = FileText("typed\n", version=1)
    header, line = read(bench, "new.txt")
    assert header.endswith("unsaved in the editor")
    assert line == "1\ttyped"


def test_a_notebook_is_read_as_cells_and_its_json_by_lines(tmp_path: Path) -> None:
    bench = Bench(tmp_path, PLAN)
    cells = [{"cell_type": "code", "source": f"x = {number}", "outputs": []} for number in range(2)]
    bench.world.write("a.ipynb", json.dumps({"nbformat": 4, "cells": cells}, indent=1))
    header, *shown = read(bench, "a.ipynb")
    assert header.startswith("a.ipynb: notebook, 2 cells, sha256 ")
    assert shown == ["--- cell 1: code", "x = 0", "--- cell 2: code", "x = 1"]
    assert read(bench, "a.ipynb", last_line=1)[1:] == ["1\t{"]
    bench.world.write("a.ipynb", "{")
    assert read(bench, "a.ipynb")[1:] == ["1\t{"]


def test_a_long_notebook_says_how_to_read_on(tmp_path: Path) -> None:
    bench = Bench(tmp_path, PLAN)
    cells = [{"cell_type": "markdown", "source": "x" * 50_000} for _ in range(3)]
    bench.world.write("a.ipynb", json.dumps({"cells": cells}))
    shown = read(bench, "a.ipynb")
    assert shown[-1] == "… 2 more cells; name lines to read on in the JSON"
    assert sum(map(len, shown)) < MAX_READ_CHARACTERS + 1_000


def test_a_definition_is_read_by_its_name_as_the_user_sees_it(tmp_path: Path) -> None:
    bench = Bench(tmp_path, PLAN)
    (tmp_path / "a.py").write_text("import os\n\nclass A:\n    def go(self):\n        return 1\n\ndef go(): ...\n")
    header, *shown = read(bench, "a.py", symbol="A.go")
    assert header.startswith("a.py: lines 4-5 of 7, ")
    assert shown == ["4\t    def go(self):", "5\t        return 1"]
    bench.world.editor.buffers["a.py"] = FileText("\n\ndef go():\n    return 2\n", version=3)
    assert read(bench, "a.py", symbol="go")[1:] == ["3\tdef go():", "4\t    return 2"]


@pytest.mark.parametrize(
    ("asked", "told"),
    [
        ({"path": "a.py", "symbol": "gone"}, "a.py doesn't define gone"),
        ({"path": "a.py", "symbol": "go", "first_line": 2}, "a symbol and lines were named"),
        ({"path": "a.txt", "symbol": "go"}, "the names in a.txt can't be told"),
    ],
)
def test_a_name_that_means_nothing_is_told(tmp_path: Path, asked: dict[str, object], told: str) -> None:
    bench = Bench(tmp_path, PLAN)
    for name in ("a.py", "a.txt"):
        (tmp_path / name).write_text("def go(): ...\n")
    outcome = bench.run("read_file", **asked)
    assert isinstance(outcome, Failed)
    assert (outcome.code, told in outcome.message) == ("INVALID_ARGUMENTS", True), outcome
