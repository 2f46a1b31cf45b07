"""`planact doctor`, `planact --help` and what they cost."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.program import MODEL, Program, without_rights


def findings(ran_json: dict[str, list[dict[str, str]]]) -> dict[str, tuple[str, str]]:
    return {finding["name"]: (finding["state"], finding["text"]) for finding in ran_json["findings"]}


def test_all_is_well_with_a_model(planact: Program) -> None:
    ran = planact.run("doctor")
    assert (ran.code, "which plays a script" in ran.out) == (0, True), ran
    assert "planact plan" in ran.err


def test_without_a_model_the_next_step_is_to_choose_one(planact: Program) -> None:
    ran = planact.run("doctor", model="")
    assert (ran.code, "none is chosen" in ran.out, "export PLANACT_MODEL=" in ran.err) == (1, True, True)


@pytest.mark.parametrize(
    ("model", "variable"),
    [
        ("anthropic/claude-sonnet-4-5", "ANTHROPIC_API_KEY"),
        ("gpt-4o", "OPENAI_API_KEY"),
        ("mistral/large", "MISTRAL_API_KEY"),
    ],
)
def test_a_key_is_named_and_never_shown(planact: Program, model: str, variable: str) -> None:
    missing = planact.run("doctor", model=model)
    assert (missing.code, f"its key is not set ({variable})" in missing.out) == (1, True)
    planact.variables[variable] = "sk-secret-value"
    there = planact.run("doctor", model=model)
    assert (there.code, f"its key is set ({variable})" in there.out) == (0, True)
    assert "sk-secret-value" not in there.out + there.err


@pytest.mark.parametrize(
    ("model", "code", "told"),
    [
        ("anthropic/claude-sonet-4-5", 0, "doesn't list that name, did you mean anthropic/claude-sonnet-4-5?"),
        ("claude-sonet-4-5", 0, "doesn't list that name, did you mean claude-sonnet-4-5?"),
        ("anthropic/zzzzzzzz", 0, "doesn't list that name"),
        ("antropic/claude-sonnet-4-5", 1, "no provider is known for the model 'antropic/claude-sonnet-4-5'"),
    ],
)
def test_a_name_that_litellm_does_not_know_is_told_with_the_nearest(
    planact: Program, model: str, code: int, told: str
) -> None:
    planact.variables["ANTHROPIC_API_KEY"] = "sk-secret-value"
    ran = planact.run("doctor", "--json", model=model)
    [(state, text)] = [found for name, found in findings(ran.json).items() if name == "model"]
    assert (ran.code, state) == (code, "problem" if code else "note")
    assert text.endswith(told)
    assert code == 0 or "anthropic/claude-sonnet-4-5" in ran.err


def test_the_name_of_a_model_at_an_endpoint_of_ones_own_is_not_doubted(planact: Program) -> None:
    planact.variables["PLANACT_MODEL_ENDPOINT"] = "http://127.0.0.1:9/v1"
    ran = planact.run("doctor", "--json", model="openai/mine")
    assert (ran.code, "doesn't list" in findings(ran.json)["model"][1]) == (0, False)


def test_what_is_wrong_with_settings_and_trust_is_told(planact: Program) -> None:
    (planact.folder / ".planact").mkdir()
    (planact.folder / ".planact" / "config.toml").write_text("aproval = 1\n")
    ran = planact.run("doctor", "--json")
    told = findings(ran.json)
    assert (ran.code, told["folder"][0], told["settings"][0]) == (1, "note", "problem")


def test_state_that_cannot_be_kept_is_a_problem(planact: Program) -> None:
    (planact.home / "file").write_text("")
    planact.variables["XDG_STATE_HOME"] = str(planact.home / "file")
    ran = planact.run("doctor", "--json")
    assert (ran.code, findings(ran.json)["state"][0]) == (1, "problem")
    assert "Set XDG_STATE_HOME to a folder of yours." in ran.err


@pytest.mark.skipif(sys.platform != "linux", reason="gives up root's rights by Linux's own call")
def test_a_folder_that_may_not_be_written_is_a_problem(planact: Program) -> None:
    planact.folder.chmod(0o555)
    process = planact.start("doctor", preexec_fn=without_rights)
    out, err = process.communicate(timeout=planact.seconds)
    assert (process.returncode, f"{planact.folder} can't be written" in out) == (1, True), out
    assert f"Make {planact.folder} writable." in err


@pytest.mark.skipif(os.getuid() != 0, reason="only root can give a folder to another user")
def test_nobody_is_told_to_open_folders_of_others(planact: Program) -> None:
    others = planact.home / "others"
    others.mkdir()
    for folder in (others, planact.folder):
        os.chown(folder, 65534, 65534)
        folder.chmod(0o755)
    planact.variables["XDG_STATE_HOME"] = str(others)
    process = planact.start("doctor", preexec_fn=without_rights)
    out, err = process.communicate(timeout=planact.seconds)
    assert (process.returncode, f"{others}/planact" in out) == (1, True), out
    assert "Set XDG_STATE_HOME to a folder of yours." in err
    assert f"Have the owner of {planact.folder} let you write there." in err


@pytest.mark.skipif(os.getuid() != 0, reason="only root can give a repository to another user")
def test_a_repository_that_git_refuses_is_told_with_what_lets_it_work(planact: Program) -> None:
    subprocess.run(["git", "init", "-q"], cwd=planact.folder, check=True)
    os.chown(planact.folder / ".git", 65534, 65534)
    os.chown(planact.folder, 65534, 65534)
    state, text = findings(planact.run("doctor", "--json").json)["git"]
    assert (state, f"git config --global --add safe.directory {planact.folder}" in text) == ("note", True), text


@pytest.mark.skipif(sys.platform != "linux", reason="needs a small disk")
@pytest.mark.parametrize("name", ["folder", "state"])
def test_a_folder_on_a_full_disk_is_a_problem(planact: Program, tmp_path: Path, name: str) -> None:
    full = planact.folder if name == "folder" else tmp_path / "small"
    full.mkdir(exist_ok=True)
    if name == "state":
        planact.variables["XDG_STATE_HOME"] = str(full)
    if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=64k", "none", full], check=False).returncode:
        pytest.skip("only root may mount one")
    try:
        ran = planact.run("doctor")
    finally:
        subprocess.run(["umount", full], check=True)
    assert (ran.code, ran.err) == (1, f"Free space on the disk of {full}.\n"), ran
    assert re.search(rf"^! {name} +{full} has no space left$", ran.out, re.MULTILINE), ran.out


def test_looking_leaves_nothing_behind(planact: Program) -> None:
    planact.run("doctor")
    assert [path.name for path in planact.folder.iterdir()] == ["greeting.txt"]
    assert [*planact.home.iterdir()] == []


def test_every_command_has_help(planact: Program) -> None:
    listed = planact.run("--help", model=MODEL).out
    assert "planact serve" in listed
    for command in ("chat", "plan list", "act", "planandact", "answer", "doctor", "demo"):
        assert planact.run(*command.split(), "--help").out.startswith(f"usage: planact {command}")


def test_a_folder_that_is_gone_is_told(planact: Program) -> None:
    words = ["sh", "-c", 'mkdir gone && cd gone && rmdir ../gone && exec "$0" -m planact doctor', sys.executable]
    ran = subprocess.run(
        words, cwd=planact.folder, env=planact.environment(), capture_output=True, text=True, timeout=180
    )
    assert (ran.returncode, "[NO_WORKSPACE]" in ran.stderr) == (2, True), ran.stderr


@pytest.mark.parametrize("word", ["plan", "template", "policy", "rules"])
def test_help_names_what_goes_with_a_word(planact: Program, word: str) -> None:
    listed = planact.run("--help", model=MODEL).out
    below = re.findall(rf"^    ({word} \S+)", listed, re.MULTILINE)
    helped = planact.run(word, "--help")
    assert (helped.code, below != [], [name for name in below if f"  planact {name}" not in helped.out]) == (
        0,
        True,
        [],
    )
