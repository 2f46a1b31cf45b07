"""Which command of a line a redirection belongs to, and so from which folder its path is meant."""

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
