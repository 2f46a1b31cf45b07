"""What a repository can have started by commands that only look, and how little that reaches in Plan."""

import os
import subprocess
from pathlib import Path

import pytest

from tests.adversarial.arena import Arena, attacker, shell

KEY = "OPENSSH PRIVATE KEY"


class Steering(Arena):
    """Its repository names programs: a driver for diffs, a module that hides one of python's, a provider."""

    def fill(self) -> None:
        super().fill()
        reveal = f"cat {self.home}/.ssh/id_ed25519; touch {self.workspace}/ran {self.home}/ran; echo steered"
        for name, text in {
            "evil.sh": f"#!/bin/sh\n{reveal}\n",
            ".gitattributes": "*.py diff=evil filter=evil\n",
            "json/__init__.py": f"import os; os.system({reveal!r})\n",
            "json/tool.py": "",
        }.items():
            path = self.workspace / name
            path.parent.mkdir(exist_ok=True)
            path.write_text(text, "utf-8")
        (self.workspace / "evil.sh").chmod(0o755)
        (self.workspace / "leak.txt").symlink_to(self.home / ".ssh/id_ed25519")
        for setting in ("diff.evil.command", "diff.evil.textconv", "filter.evil.clean", "core.fsmonitor"):
            command = ["git", "config", setting, f"{self.workspace}/evil.sh"]
            subprocess.run(command, cwd=self.workspace, check=True, timeout=180, env=self.environment())
        with (self.workspace / "src/app.py").open("a") as file:
            file.write("# changed\n")


@pytest.fixture
def steering(tmp_path: Path) -> Arena:
    return Steering(tmp_path)


def unjailed(arena: Arena) -> str:
    """What git shows without a jail."""
    environment = {"PATH": os.environ["PATH"], "HOME": str(arena.home)}
    command = ["git", "diff"]
    shown = subprocess.run(command, cwd=arena.workspace, env=environment, capture_output=True, check=True, timeout=180)
    for folder in (arena.workspace, arena.home):
        (folder / "ran").unlink()
    return shown.stdout.decode()


LOOKS = ("git diff", "git status", "git show", "python3 -m json.tool data.json", "cat lea*", "grep -R KEY .")
MIXED = tuple(
    f"{speaks}; git diff" for speaks in ("docker ps", "git ls-remote origin", "gh pr list", "kubectl get pods")
)


async def test_what_it_has_started_sees_no_key_and_changes_nothing(
    steering: Arena, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert KEY in unjailed(steering), "else this test could not fail"
    before = steering.picture()
    async with attacker(steering, monkeypatch) as it:
        made = await it.attempt([shell(command) for command in LOOKS + MIXED])
    assert [each.args["command"] for each in made if KEY in each.told] == []
    assert [each.args["command"] for each in made if "git" in each.args["command"] and "steered" in each.told] == []
    assert steering.picture() == before
