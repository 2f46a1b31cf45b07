import os
from pathlib import Path

import pytest

from planact.tools.tool_result import Done, Failed, Refused
from tests.fakes.bench import PLAN, Bench
from tests.tools.test_readable import Beside


@pytest.fixture
def bench(tmp_path: Path) -> Bench:
    made = Bench(tmp_path / "ws", PLAN)
    oldest_first = ("src/app.py", "src/deep/user_settings.py", "docs/settings.md", "src/view.ts", "README.md")
    for age, path in enumerate(oldest_first):
        made.world.write(path, "x")
        os.utime(made.world.root / path, (1_000_000 + age, 1_000_000 + age))
    return made


def found(bench: Bench, pattern: str, **more: object) -> list[str]:
    outcome = bench.run("find_files", pattern=pattern, **more)
    assert isinstance(outcome, Done), outcome
    return outcome.text.splitlines()


def test_files_are_found_by_glob_the_newest_first(bench: Bench) -> None:
    assert found(bench, "*.py") == ["src/deep/user_settings.py", "src/app.py"]
    assert found(bench, "src/**/*.{py,ts}") == ["src/view.ts", "src/deep/user_settings.py", "src/app.py"]
    assert found(bench, "*", path="src/deep") == ["src/deep/user_settings.py"]
    assert found(bench, "*.rs") == ["no file below . fits '*.rs'"]
    assert found(bench, "*", limit=2) == [
        "README.md",
        "src/view.ts",
        "… and 3 more; go on with skip=2, or narrow the pattern",
    ]
    assert found(bench, "*", limit=2, skip=4)[1:] == []
    assert found(bench, "*", skip=5) == ["no more file below . fits '*'"]


@pytest.mark.parametrize(
    ("letters", "expected"),
    [
        ("settings", ["docs/settings.md", "src/deep/user_settings.py"]),  # a name that begins so comes first
        ("readme.md", ["README.md"]),
        ("usrset", ["src/deep/user_settings.py"]),
        ("deep user", ["src/deep/user_settings.py"]),
        ("src/app", ["src/app.py"]),
        ("nothing", ["no file below . fits 'nothing'"]),
    ],
)
def test_files_are_found_by_letters_of_their_paths(bench: Bench, letters: str, expected: list[str]) -> None:
    assert found(bench, letters) == expected


def test_letters_are_found_in_each_path_alone_whatever_its_name_is(bench: Bench) -> None:
    for path in ("odd/ab.py", "odd/cd.py", "odd/e\nf.py", "odd/İx.py", "odd/STRASSE.md", "odd/straße.md"):
        bench.world.write(path, "x")
    assert found(bench, "odd/acd")[0].startswith("no file")
    assert found(bench, "odd/ef") == ['"odd/e\\nf.py"']
    assert found(bench, "odd/ix.py") == ["odd/İx.py"]
    assert sorted(found(bench, "odd/strasse")) == ["odd/STRASSE.md", "odd/straße.md"]
    assert found(bench, "odd/]x")[0].startswith("no file")


def test_what_is_left_out_is_told_and_credentials_are_never_listed(bench: Bench) -> None:
    bench.world.write(".gitignore", "build/\n")
    bench.world.write(".planactignore", "hidden/\n")
    for path in ("build/app.py", "hidden/app.py", ".env", "deploy/.aws/credentials", ".git/app.py"):
        bench.world.write(path, "x")
    (bench.world.root / "link.py").symlink_to(".env")
    assert found(bench, "app") == [
        "src/app.py",
        "left out: 2 with credentials (.env, deploy/.aws/); 1 ignored (build/); 1 hidden by the user",
    ]
    assert found(bench, "*", path="deploy/.aws/credentials") == [
        "no file below deploy/.aws/credentials fits '*'",
        "left out: 1 with credentials (deploy/.aws/credentials)",
    ]


def test_names_with_line_breaks_cannot_pass_for_other_files(bench: Bench) -> None:
    bench.world.write("src/a\nREADME.md.rb", "x")
    [line] = found(bench, "*.rb")
    assert "\\n" in line


def test_it_looks_only_where_the_user_lets_it(bench: Bench, tmp_path: Path) -> None:
    outcome = bench.run("find_files", pattern="*", path="..")
    assert isinstance(outcome, Refused)
    assert outcome.code == "PATH_OUTSIDE_WORKSPACE"
    missing = bench.run("find_files", pattern="*", path="nowhere")
    assert isinstance(missing, Failed)
    assert missing.code == "FILE_NOT_FOUND"
    it = Beside(tmp_path / "more", PLAN, is_named=True)
    assert found(it, "*.py", path=str(it.sib))[0] == f"{it.sib}/src/a.py"


def test_a_glob_of_another_agent_is_understood(bench: Bench) -> None:
    outcome = bench.run("Glob", pattern="**/*.ts")
    assert isinstance(outcome, Done)
    assert outcome.text.splitlines()[0] == "src/view.ts"
