"""What the light commands of the real program import: waiting for more than they need is what makes them slow."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

TELL = """
import gc, os, sys
leave = os._exit
def tell(code):
    print(gc.isenabled(), gc.get_freeze_count(), file=sys.stderr)
    print(*sorted(sys.modules), file=sys.stderr)
    leave(code)
os._exit = tell
from planact.__main__ import main
main()
"""
OTHERS = {"annotated_types", "platformdirs", "psutil", "pydantic", "pydantic_core", "typing_extensions"}
OTHERS |= {"typing_inspection", "yaml"}
LISTS = ("plan list", "questions", "sessions", "executions", "rules", "events", "metrics", "doctor", "doctor --size")
OF_THE_AGENT = {
    "planact.adapters.llm.scripted",
    "planact.agent.loop",
    "planact.lsp",
    "planact.shell.classify",
    "planact.workflows.undo.roll_back",
    "planact.workflows.turns.take_turn",
}


def imported(folder: Path, *words: str) -> set[str]:
    return set(told(folder, *words)[-1].split())


def told(folder: Path, *words: str, **more: str) -> list[str]:
    ran = subprocess.run(
        [sys.executable, "-c", TELL, *words],
        cwd=folder,
        env={"PATH": os.environ["PATH"], "HOME": str(folder), "XDG_STATE_HOME": str(folder / "state"), **more},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert ran.returncode in (0, 1), ran.stderr  # the doctor finds something here
    return ran.stderr.splitlines()


def of_others(modules: set[str]) -> set[str]:
    """The packages that had to be installed, without the parts that C extensions register beside themselves."""
    tops = {name.partition(".")[0] for name in modules} - sys.stdlib_module_names
    return {name for name in tops if not name.startswith(("_", "cython", "planact", "sitecustomize"))}


@pytest.mark.parametrize("line", ["--version", "--help", "plan --help", "act --help"])
def test_help_needs_nothing_but_the_names_of_commands(line: str, tmp_path: Path) -> None:
    modules = imported(tmp_path, *line.split())
    assert of_others(modules) == set()
    parts = {name.split(".")[1] for name in modules if name.startswith("planact.")}
    assert parts == {"__main__", "app", "base", "cli"}
    assert {name for name in modules if name.startswith("planact.app.")} == {"planact.app.late_methods"}
    assert modules.isdisjoint({"asyncio", "sqlite3", "ssl", "subprocess"})


@pytest.mark.parametrize("line", LISTS)
def test_what_lists_imports_nothing_that_works(line: str, tmp_path: Path) -> None:
    modules = imported(tmp_path, *line.split())
    assert of_others(modules) <= OTHERS
    assert modules.isdisjoint(OF_THE_AGENT)


def test_collecting_begins_with_the_work_and_passes_over_what_is_imported(tmp_path: Path) -> None:
    is_enabled, frozen = told(tmp_path, "plan", "list")[-2].split()
    assert is_enabled == "True"
    assert int(frozen) > 10_000


def test_what_others_installed_for_pydantic_is_not_loaded(tmp_path: Path) -> None:
    about = tmp_path / "beside" / "planted-1.0.dist-info"
    about.mkdir(parents=True)
    (tmp_path / "beside" / "planted.py").write_text("plugin = None", "utf-8")
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: planted\nVersion: 1.0\n", "utf-8")
    (about / "entry_points.txt").write_text("[pydantic]\nplanted = planted:plugin\n", "utf-8")
    modules = told(tmp_path, "plan", "list", PYTHONPATH=str(tmp_path / "beside"))[-1].split()
    assert "pydantic" in modules
    assert "planted" not in modules
