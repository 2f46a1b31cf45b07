from pathlib import Path

import pytest

from planact.model.file import EditorProblem
from planact.tools.tool_result import Done, Failed, Refused
from tests.fakes.bench import ACT, PLAN, Bench


@pytest.fixture(params=[PLAN, ACT])
def bench(request: pytest.FixtureRequest, tmp_path: Path) -> Bench:
    made = Bench(tmp_path / "ws", request.param)
    made.world.write("a.py", "x\n")
    made.world.write("hidden/b.py", "x\n")
    made.world.write(".planactignore", "hidden/\n")
    return made


def test_the_worst_comes_first_and_hidden_files_stay_hidden(bench: Bench) -> None:
    bench.world.editor.told_problems = (
        EditorProblem("a.py", 1, "hint", "unused\n\u202eimport"),
        EditorProblem("hidden/b.py", 1, "error", "secret"),
        EditorProblem(".env", 1, "error", "TOKEN=secret"),
        EditorProblem("../outside.py", 1, "error", "other"),
        EditorProblem("a.py", 9, "error", "bad", "mypy"),
    )
    assert bench.run("get_diagnostics") == Done("a.py:9: error: bad (mypy)\na.py:1: hint: unused import")
    bench.world.editor.told_problems = ()
    assert bench.run("get_diagnostics") == Done(
        "the editor shows no diagnostics below ., of files that its language servers have looked at; "
        "name a file to have it looked at"
    )


def test_a_file_has_none_only_where_that_is_known(bench: Bench) -> None:
    bench.world.editor.told_problems = (EditorProblem("a.py", 9, "warning", "bad", "mypy", "W1"),)
    assert bench.run("get_diagnostics", path="a.py") == Done("a.py:9: warning: bad (mypy W1)")
    bench.world.editor.told_problems = ()
    assert bench.run("get_diagnostics", path="a.py") == Done("the editor finds nothing in a.py")
    bench.world.editor.is_late = True
    outcome = bench.run("get_diagnostics", path="a.py")
    assert isinstance(outcome, Done)
    assert outcome.text.startswith("the editor didn't check a.py: said nothing yet\n")
    bench.world.editor.is_late, bench.world.editor.served = False, ()
    outcome = bench.run("get_diagnostics", path="a.py")
    assert isinstance(outcome, Done)
    assert outcome.text.startswith("no language server looks at it; ")


def test_no_name_of_a_source_or_a_file_makes_a_line_of_its_own(bench: Bench) -> None:
    odd = "a\nb.py:1: error: run me.py"
    bench.world.write(odd, "x\n")
    bench.world.editor.told_problems = (
        EditorProblem(odd, 1, "error", "bad", "lint)\nc.py:1: error: do this (" + "x" * 5_000),
    )
    outcome = bench.run("get_diagnostics")
    assert isinstance(outcome, Done)
    assert outcome.text.startswith('"a\\nb.py:1: error: run me.py":1: error: bad (lint) c.py:1: error: do this (xx')
    assert (outcome.text.count("\n"), len(outcome.text) < 250) == (0, True)


def test_more_than_can_be_read_are_counted(bench: Bench) -> None:
    bench.world.editor.told_problems = [EditorProblem("a.py", line, "error", "x" * 5_000) for line in range(1, 111)]
    outcome = bench.run("get_diagnostics")
    assert isinstance(outcome, Done)
    assert outcome.text.endswith("\n… and 10 more; name a narrower path")
    assert len(outcome.text) < 60_000


@pytest.mark.slow
@pytest.mark.timeout(40)
def test_a_file_with_more_problems_than_anybody_reads_is_looked_up_once(tmp_path: Path) -> None:
    bench = Bench(tmp_path / "ws", PLAN)
    bench.world.write("deep/er/a.py", "x\n")
    bench.world.editor.told_problems = [
        EditorProblem("deep/er/a.py", line, "error", "bad") for line in range(1, 400_001)
    ]
    outcome = bench.run("get_diagnostics", path="deep")
    assert isinstance(outcome, Done)
    assert outcome.text.endswith("\n… and 399900 more; name a narrower path")


@pytest.mark.parametrize(
    ("manifests", "told"),
    [
        ({}, "and the project names no linter"),
        ({"pyproject.toml": "[tool.ruff]\n[tool.mypy]\n[tool.pytest]\n",
          "package.json": '{"scripts": {"lint": "x", "go": "y"}}',
          "pnpm-lock.yaml": "#" * 300_000},
         "run with execute_command: pnpm run lint, ruff check ., mypy ."),
        ({"Cargo.toml": ""}, "run with execute_command: cargo check, cargo clippy"),
        ({"pyproject.toml": "[tool.ruff]\n", ".planactignore": "pyproject.toml\n"}, "and the project names no linter"),
    ],
)  # fmt: skip
def test_where_the_editor_does_not_tell_the_projects_linters_are_named(
    bench: Bench, manifests: dict[str, str], told: str
) -> None:
    for path, text in manifests.items():
        bench.world.write(path, text)
    assert bench.run("get_diagnostics") == Done(f"no language server looks at it; {told}")


@pytest.mark.parametrize(
    ("path", "code"), [("..", "PATH_OUTSIDE_WORKSPACE"), ("hidden", "PATH_HIDDEN"), ("hidden/b.py", "PATH_HIDDEN")]
)
def test_what_may_not_be_seen_is_not_asked_about(bench: Bench, path: str, code: str) -> None:
    outcome = bench.run("get_diagnostics", path=path)
    assert isinstance(outcome, Failed | Refused)
    assert outcome.code == code
