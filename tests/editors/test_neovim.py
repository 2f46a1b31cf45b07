"""Neovim's own LSP client does the main job. One alone: `.venv/bin/pytest tests/editors/test_neovim.py -k edits`."""

import json
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.editors.conftest import serve_names
from tests.editors.interrupted import interrupt_a_run

HERE = Path(__file__).parent
NEOVIM = HERE / ".rig" / "neovim" / "bin" / "nvim"
NEOVIM_0_10 = HERE / ".rig" / "neovim-0.10" / "bin" / "nvim"
SHIPPED = HERE.parents[1] / "server" / "editors" / "neovim"
WORDS = json.loads((HERE / "words.json").read_text("utf-8"))
DESK = json.loads((HERE / "desk.json").read_text("utf-8"))
LOOP = json.loads((HERE / "loop.json").read_text("utf-8"))
with_each_version = pytest.mark.parametrize("neovim", [NEOVIM, NEOVIM_0_10], ids=["0.11", "0.10"])


@pytest.fixture
def workspace(workspace: Path) -> Path:
    """The sample project with a request."""
    (workspace / "request.plan").write_text(WORDS["request"], "utf-8")
    return workspace


def run_scenario(name: str, workspace: Path, environment: dict[str, str], *files: str, neovim: Path = NEOVIM) -> None:
    """Run a Lua scenario in a Neovim of its own; its error is the test's."""
    assert neovim.exists(), f"{neovim} is missing. To get it, run: tests/editors/install"
    done = subprocess.run(
        (neovim, "--headless", "-n", "-i", "NONE", "-u", HERE / name, *files),
        cwd=workspace,
        env=environment,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=500,
    )
    log = Path(environment["HOME"], ".local", "state", "nvim", "lsp.log")
    said = log.read_text("utf-8")[-4000:] if log.exists() else ""
    assert done.returncode == 0, f"{done.stdout}{done.stderr}\nNeovim's log of the server:\n{said}"


def test_a_request_becomes_a_plan_and_the_plan_becomes_edits(workspace: Path, environment: dict[str, str]) -> None:
    run_scenario("plan_to_edits.lua", workspace, environment)
    for name, text in WORDS["edits"].items():
        assert text in (workspace / name).read_text("utf-8")


def test_the_server_attaches_to_a_plan_that_neovim_is_started_with(
    workspace: Path, environment: dict[str, str]
) -> None:
    shutil.copytree(SHIPPED / "lua", Path(environment["HOME"], ".config", "nvim", "lua"))
    run_scenario("started_with_plan.lua", workspace, environment, "request.plan")


def test_a_plan_has_what_a_language_has(workspace: Path, environment: dict[str, str]) -> None:
    (workspace / "language.plan").write_text(WORDS["language"]["plan"], "utf-8")
    run_scenario("language.lua", workspace, environment)


@with_each_version
def test_a_repository_is_a_project_also_below_a_folder_with_plans(
    workspace: Path, environment: dict[str, str], neovim: Path
) -> None:
    (workspace.parent / ".planact").mkdir()
    (workspace / "language.plan").write_text(WORDS["language"]["plan"], "utf-8")
    run_scenario("language.lua", workspace, environment, neovim=neovim)


@with_each_version
def test_a_plan_is_talked_over_and_carried_out_in_pieces(
    workspace: Path, environment: dict[str, str], neovim: Path
) -> None:
    (workspace / "loop.plan").write_text(LOOP["request"], "utf-8")
    run_scenario("plan_loop.lua", workspace, environment, neovim=neovim)
    text = (workspace / LOOP["source"]).read_text("utf-8")
    assert LOOP["edit"] in text
    assert text.endswith(LOOP["unsaved"])
    assert {path.name: path.read_text("utf-8") for path in workspace.glob("*.md")} == LOOP["written"]


@with_each_version
def test_a_plan_is_made_approved_stopped_and_carried_out_by_commands(
    workspace: Path, environment: dict[str, str], neovim: Path
) -> None:
    run_scenario("desk_plan.lua", workspace, environment, neovim=neovim)
    for name, text in DESK["edits"].items():
        assert text in (workspace / name).read_text("utf-8")


@with_each_version
def test_an_interrupted_run_is_asked_about_reviewed_and_carried_on(
    workspace: Path, environment: dict[str, str], neovim: Path
) -> None:
    interrupt_a_run(workspace, environment)
    run_scenario("desk_work.lua", workspace, environment, neovim=neovim)


def test_a_form_is_answered_field_by_field_while_the_user_writes(workspace: Path, environment: dict[str, str]) -> None:
    run_scenario("desk_form.lua", workspace, environment)


def test_a_question_left_open_is_asked_again_after_a_restart(workspace: Path, environment: dict[str, str]) -> None:
    run_scenario("desk_restart.lua", workspace, environment)


def test_of_two_files_one_is_allowed_and_the_other_rejected_with_words(
    workspace: Path, environment: dict[str, str]
) -> None:
    run_scenario("desk_review.lua", workspace, environment)
    review = DESK["review"]
    assert review["made"] in (workspace / "store.py").read_text("utf-8")
    assert review["kept"] in (workspace / "app.py").read_text("utf-8")


@with_each_version
def test_the_model_reads_what_a_linter_and_another_server_report(
    workspace: Path, environment: dict[str, str], neovim: Path
) -> None:
    run_scenario("desk_diagnostics.lua", workspace, environment, neovim=neovim)


@with_each_version
def test_an_edit_tells_what_a_language_server_of_neovims_finds_in_it(
    workspace: Path, environment: dict[str, str], neovim: Path
) -> None:
    run_scenario("desk_broken.lua", workspace, environment, neovim=neovim)
    assert DESK["broken"]["made"] in (workspace / "far.txt").read_text("utf-8")
    assert DESK["broken"]["seen"] in (workspace / "near.txt").read_text("utf-8")


@with_each_version
def test_names_are_found_and_changed_by_a_language_server_of_neovims(
    workspace: Path, environment: dict[str, str], neovim: Path
) -> None:
    serve_names(workspace)
    run_scenario("desk_names.lua", workspace, environment, neovim=neovim)
    assert (workspace / "far.txt").read_text("utf-8") == DESK["names"]["made"]["far.txt"]
