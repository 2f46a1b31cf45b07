"""Windows' cmd: lines that are known whole, and nothing else."""

import pytest

from planact.shell.static import classify_static


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("dir", "local-read"),
        ("DIR /B", "local-read"),
        ("git status", "unknown"),  # it would run a git.bat of the workspace
        ("dir & del x", "unknown"),
        ("dir\ndel x", "unknown"),
        ("dir > x", "unknown"),
        ("del x", "unknown"),
        ("", "unknown"),
    ],
)
def test_only_whole_lines_are_known(line: str, expected: str) -> None:
    assert classify_static(line).cls == expected
