"""Which command of a line a redirection belongs to, and so from which folder its path is meant."""

import subprocess
from pathlib import Path

import pytest

from tests.shell.judged import classify


@pytest.mark.parametrize(
    "line",
    [
        "cd .aws && cat < credentials",
        "cd .aws && pwd && cat < credentials 2>&1",
        "cd .aws && ls | cat < credentials",
        "cd .aws && { ls; cat; } < credentials",
        "cd .aws && ls | while read l; do echo $l; done < credentials",
        "cd .aws; (cat) < credentials",
        "cd .aws && cat < credentials | wc -l",
    ],
)
def test_one_at_the_end_of_a_list_is_its_last_command_s(line: str) -> None:
    found = classify(line)
    assert found.cls == "local-read"
    assert ".aws/credentials" in found.reads
    assert "credentials" not in found.reads


@pytest.mark.parametrize("line", ["(cd .aws && cat) < credentials", "{ cd .aws; cat; } < credentials"])
def test_one_of_a_group_is_opened_before_its_commands_run(line: str) -> None:
    assert "credentials" in classify(line).reads


@pytest.mark.parametrize(
    "line",
    [
        "cd sub && ls 2>&1 | tail -3 && cd .. && pwd",
        "cd sub && ls 2>&1 && cd .. && pwd",
        "cd sub && true && ls 2>/dev/null | head -3 && cd .. && pwd",
        "cd sub && ls | cat 2>&1 | tail -3 && cd .. && pwd",
        "cd sub && ls 2>&1 | cat 2>/dev/null | tail -3 2>&1 && cd .. && pwd",
        "cd sub 2>&1 && ls 2>&1 |& tail -3 && cd .. && pwd",
        "true || cd sub && ls 2>&1 | tail -3; pwd",
    ],
)
def test_a_redirection_in_a_pipe_is_that_of_its_own_command(tmp_path: Path, line: str) -> None:
    (tmp_path / "sub/deep").mkdir(parents=True)
    ended = subprocess.run(["bash", "-c", line], cwd=tmp_path, capture_output=True, text=True, check=True)
    assert ended.stdout.splitlines()[-1] == str(tmp_path)
    assert "outside" not in classify(line).traits


@pytest.mark.parametrize(
    "line",
    [
        "cd sub 2>&1 | tail -3 && cd .. && pwd",
        "ls && cd sub 2>&1 | tail -3 && cd .. && pwd",
        "cd sub && cd .. 2>&1 | tail -3 && cd ../.. && pwd",
        "(cd sub && ls 2>&1 | tail -3) && cd .. && pwd",
        "{ cd sub && ls; } 2>&1 | tail -3 && cd .. && pwd",
        "false || cd missing && ls 2>&1 | tail -3; cd .. && pwd",
    ],
)
def test_a_pipe_goes_to_no_other_folder(tmp_path: Path, line: str) -> None:
    (tmp_path / "sub").mkdir()
    ended = subprocess.run(["bash", "-c", line], cwd=tmp_path, capture_output=True, text=True, check=True)
    assert ended.stdout.splitlines()[-1] == str(tmp_path.parent)
    assert "outside" in classify(line).traits
