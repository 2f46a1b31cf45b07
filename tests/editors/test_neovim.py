"""Neovim's own LSP client does the main job. One alone: `.venv/bin/pytest tests/editors/test_neovim.py -k edits`."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).parent
NEOVIM = HERE / ".rig" / "neovim" / "bin" / "nvim"
PLANACT = Path(sys.executable).with_name("planact")
WORDS = json.loads((HERE / "words.json").read_text("utf-8"))


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    """A git repository with the sample project and a request."""
    folder = tmp_path / "workspace"
    shutil.copytree(HERE / "project", folder, ignore=shutil.ignore_patterns("__pycache__"))
    (folder / "request.plan").write_text(WORDS["request"], "utf-8")
    me = ("-c", "user.name=Tester", "-c", "user.email=tester@example.invalid")
    for words in (("init", "--quiet"), ("add", "--all"), ("commit", "--quiet", "--message", "The sample project")):
        subprocess.run(("git", *me, *words), cwd=folder, check=True, timeout=20)
    return folder


def run_scenario(name: str, workspace: Path, *files: str) -> None:
    """Run a Lua scenario in a Neovim of its own; its error is the test's."""
    assert NEOVIM.exists(), f"{NEOVIM} is missing. To get it, run: tests/editors/install"
    home = workspace.with_name("home")
    home.mkdir()
    path = f"{PLANACT.parent}:{os.environ['PATH']}"
    env = {"PATH": path, "HOME": str(home), "LANG": "C.UTF-8", "WORKSPACE": str(workspace)}
    done = subprocess.run(
        (NEOVIM, "--headless", "-n", "-i", "NONE", "-u", HERE / name, *files),
        cwd=workspace,
        env=env,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=100,
    )
    log = home / ".local" / "state" / "nvim" / "lsp.log"
    said = log.read_text("utf-8")[-4000:] if log.exists() else ""
    assert done.returncode == 0, f"{done.stdout}{done.stderr}\nNeovim's log of the server:\n{said}"


def test_a_request_becomes_a_plan_and_the_plan_becomes_edits(workspace: Path) -> None:
    run_scenario("plan_to_edits.lua", workspace)
    for name, text in WORDS["edits"].items():
        assert text in (workspace / name).read_text("utf-8")


def test_the_server_attaches_to_a_plan_that_neovim_is_started_with(workspace: Path) -> None:
    run_scenario("started_with_plan.lua", workspace, "request.plan")


def test_a_plan_has_what_a_language_has(workspace: Path) -> None:
    (workspace / "language.plan").write_text(WORDS["language"]["plan"], "utf-8")
    run_scenario("language.lua", workspace)
