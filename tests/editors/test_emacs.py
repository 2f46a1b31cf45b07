"""Emacs goes round a plan, by eglot and by lsp-mode."""

import json
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.editors.conftest import serve_names
from tests.editors.interrupted import interrupt_a_run

HERE = Path(__file__).parent
WORDS = json.loads((HERE / "loop.json").read_text("utf-8"))
DESK = json.loads((HERE / "desk.json").read_text("utf-8"))
with_each_client = pytest.mark.parametrize("client", ["eglot", "lsp"])


def run_scenario(name: str, workspace: Path, environment: dict[str, str], client: str = "eglot") -> None:
    """Run a scenario in an Emacs of its own; its error is the test's."""
    emacs = shutil.which("emacs")
    assert emacs, "Emacs is missing. To get it, run: tests/editors/install"
    done = subprocess.run(
        (emacs, "--fg-daemon=scenario", "--no-init-file", "--load", HERE / "harness" / "emacs.el"),
        cwd=workspace,
        env={**environment, "SCENARIO": str(HERE / name), "CLIENT": client},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=500,
    )
    said = f"{done.stdout}{done.stderr}"
    assert done.returncode == 0, f"{said[:2_000]}\n…\n{said[-18_000:]}"  # the error comes first, then what was sent


def test_a_plan_is_talked_over_and_carried_out_in_pieces_by_code_actions(
    workspace: Path, environment: dict[str, str]
) -> None:
    (workspace / "loop.plan").write_text(WORDS["request"], "utf-8")
    run_scenario("plan_loop.el", workspace, environment)
    text = (workspace / WORDS["source"]).read_text("utf-8")
    assert WORDS["edit"] in text
    assert text.endswith(WORDS["unsaved"])
    written = {path.name: path.read_text("utf-8") for path in workspace.glob("*.md")}
    assert written == WORDS["written"]


@with_each_client
def test_a_plan_is_made_approved_stopped_and_carried_out_by_commands(
    workspace: Path, environment: dict[str, str], client: str
) -> None:
    run_scenario("desk_plan.el", workspace, environment, client)
    for name, text in DESK["edits"].items():
        assert text in (workspace / name).read_text("utf-8")


@with_each_client
def test_an_interrupted_run_is_asked_about_and_carried_on(
    workspace: Path, environment: dict[str, str], client: str
) -> None:
    interrupt_a_run(workspace, environment)
    run_scenario("desk_work.el", workspace, environment, client)


@with_each_client
def test_a_form_is_answered_field_by_field(workspace: Path, environment: dict[str, str], client: str) -> None:
    run_scenario("desk_form.el", workspace, environment, client)


def test_code_in_the_conversation_is_coloured_and_its_calls_fold(workspace: Path, environment: dict[str, str]) -> None:
    run_scenario("desk_conversation.el", workspace, environment)


@with_each_client
def test_of_two_files_one_is_allowed_and_the_other_rejected_with_words(
    workspace: Path, environment: dict[str, str], client: str
) -> None:
    run_scenario("desk_review.el", workspace, environment, client)
    review = DESK["review"]
    assert review["made"] in (workspace / "store.py").read_text("utf-8")
    assert review["kept"] in (workspace / "app.py").read_text("utf-8")


@with_each_client
def test_an_edit_tells_what_a_language_server_of_emacs_finds_in_it(
    workspace: Path, environment: dict[str, str], client: str
) -> None:
    run_scenario("desk_broken.el", workspace, environment, client)
    assert DESK["broken"]["made"] in (workspace / "far.txt").read_text("utf-8")
    assert DESK["broken"]["seen"] in (workspace / "near.txt").read_text("utf-8")


@with_each_client
def test_the_model_reads_what_flymake_shows_but_by_planact(
    workspace: Path, environment: dict[str, str], client: str
) -> None:
    run_scenario("desk_diagnostics.el", workspace, environment, client)


@with_each_client
def test_names_are_found_and_changed_by_a_language_server_of_emacs(
    workspace: Path, environment: dict[str, str], client: str
) -> None:
    serve_names(workspace)
    run_scenario("desk_names.el", workspace, environment, client)
    assert (workspace / "far.txt").read_text("utf-8") == DESK["names"]["made"]["far.txt"]


def test_no_name_is_defined_twice() -> None:
    files = (HERE.parents[1] / "server" / "editors" / "emacs").glob("*.el")
    defined = [name for file in files for name in re.findall(r"(?m)^\(def(?:un|var|const)\S* (\S+)", file.read_text())]
    assert [name for name in set(defined) if defined.count(name) > 1] == []
