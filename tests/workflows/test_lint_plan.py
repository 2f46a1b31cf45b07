"""The linter with the world around it: which files are there, and which commands can run."""

from dataclasses import replace
from pathlib import Path

import pytest

from planact.base.filetext import FileText
from planact.model.settings import CommandSettings, Settings
from planact.plan.syntax.parser import parse
from planact.workflows.plans.lint import Linter
from tests.fakes.world import World

PLAN = """# G
## Steps
- [ ] 1. a
  - reason: r
  - tools: read_file
  - files: there.py, sub/, gone.py, sub/gone.py, ../above.py
  - check: `grep -q "a there.py`
  - check: `curl -f localhost`
"""


def codes(world: World, text: str = PLAN) -> list[tuple[str, str]]:
    return [(p.code, text[slice(*p.span)]) for p in Linter().lint(world.ws, parse(text))]


@pytest.fixture
def world(tmp_path: Path) -> World:
    world = World(tmp_path, settings=Settings(model="played", commands=CommandSettings(deny=["curl"])))
    world.write("there.py", "")
    world.write("sub/there.py", "")
    return world


def test_files_are_looked_up_and_commands_are_read(world: World) -> None:
    assert codes(world) == [
        ("PLAN016", "gone.py"),
        ("PLAN016", "sub/gone.py"),
        ("PLAN017", 'grep -q "a there.py'),
        ("PLAN018", "curl -f localhost"),
    ]


def test_a_file_that_is_only_open_in_the_editor_is_there(world: World) -> None:
    world.editor.buffers["gone.py"] = FileText("", has_bom=False, sha256="")
    assert ("PLAN016", "gone.py") not in codes(world)


def test_where_another_shell_runs_commands_bash_has_no_say(world: World) -> None:
    world.ws = replace(world.ws, platform="Windows")
    assert [code for code, _ in codes(world)] == ["PLAN016", "PLAN016", "PLAN018"]


def test_without_a_workspace_only_the_text_is_judged() -> None:
    assert Linter().lint(None, parse(PLAN)) == ()


@pytest.mark.parametrize(
    "command",
    [
        "python -m pytest -q tests/test_app.py",
        "! grep -rn 'load(' src | grep -v read_config",
        'test "$(git status --porcelain)" = ""',
        'for f in *.py; do python -m py_compile "$f" || exit 1; done',
        "[[ -f a && ! -f b ]]",
        "cmd <<< word; (cd sub && make) & wait",
        "case $x in a|b) true;; *) false;; esac",
        "diff <(sort a) <(sort b)",
        'node -e "if (1 > 2) process.exit(1)"',
        "X=1 Y=$((1+2)) ./run --flag='a b' {a,b}{1..3}",
    ],
)
def test_what_bash_can_read_is_no_fault(world: World, command: str) -> None:
    assert codes(world, f"# G\n## Steps\n- [ ] 1. a\n  - reason: r\n  - check: ```{command}```\n") == []
