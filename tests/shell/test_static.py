"""Windows' shells: lines that are known whole, and nothing else."""

import pytest

from planact.shell.static import classify_static


@pytest.mark.parametrize(
    ("line", "cmd", "powershell"),
    [
        ("dir", "local-read", "local-read"),
        ("DIR /B", "local-read", "unknown"),
        ("Get-ChildItem", "unknown", "local-read"),
        # cmd would run a git.bat of the workspace
        ("git status", "unknown", "local-read"),
        ("git status; rm x", "unknown", "unknown"),
        ("dir & del x", "unknown", "unknown"),
        ("dir\ndel x", "unknown", "unknown"),
        ("dir > x", "unknown", "unknown"),
        ("Remove-Item x", "unknown", "unknown"),
        ("", "unknown", "unknown"),
    ],
)
def test_only_whole_lines_are_known(line: str, cmd: str, powershell: str) -> None:
    assert [classify_static(line, "cmd").cls, classify_static(line, "powershell").cls] == [cmd, powershell]
