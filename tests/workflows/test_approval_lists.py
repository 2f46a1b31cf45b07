"""The approval says which commands of the project run besides those that the plan names."""

import asyncio
import subprocess
from dataclasses import replace
from pathlib import Path

import pytest

from planact.adapters.sandbox.choose import probe
from planact.model.settings import Settings
from planact.workflows.plans.confirmation import confirmation
from tests.workflows.scene import PLAN, Scene

pytestmark = pytest.mark.skipif(not probe().bubblewrap, reason="the jail needs bubblewrap")
TOLD = "The project's own commands, which run on trial without a question: "


def listed(root: Path, approval: str = "ask", makefile: str = "check:\n\ttrue\nall:\n\ttrue\n", **more: object) -> str:
    (root / "Makefile").write_text(makefile)
    subprocess.run(["git", "init", "-q"], cwd=root, check=True)
    it = Scene(root, settings=Settings(model="played", approval=approval))
    it.write_plan(PLAN.replace("`grep -q hello a.txt`", "`make check`"))
    ws = replace(it.ws, **more)
    return asyncio.run(confirmation(ws, it.document())).context


def test_the_project_s_own_commands_that_the_plan_does_not_name_are_listed(tmp_path: Path) -> None:
    context = listed(tmp_path)
    [line] = [line for line in context.splitlines() if TOLD in line]
    assert line.endswith(f"{TOLD}`make all`.")
    assert ".." not in line
    assert "- Run: `make check`" in context
    assert len(context.splitlines()) <= 7


def test_they_are_not_where_they_would_be_asked_about(tmp_path: Path) -> None:
    for number, more in enumerate(({"awaits_trust": lambda: True}, {"is_restricted": lambda: True})):
        (root := tmp_path / str(number)).mkdir()
        assert TOLD not in listed(root, **more)
    (root := tmp_path / "review").mkdir()
    assert TOLD not in listed(root, "review")


def test_an_approval_at_the_terminal_says_that_each_command_is_asked_about_before_trust(tmp_path: Path) -> None:
    context = listed(tmp_path, awaits_trust=lambda: True)
    [line] = [line for line in context.splitlines() if "planact trust" in line]
    told = "Until you trust this folder (planact trust), each command that the plan doesn't name is asked about."
    assert line.endswith(f". {told}")
    assert ".." not in line
    assert len(context.splitlines()) <= 7
    (root := tmp_path / "restricted").mkdir()
    assert "planact trust" not in listed(root, awaits_trust=lambda: True, is_restricted=lambda: True)
    (root := tmp_path / "reviewed").mkdir()
    assert "planact trust" not in listed(root, "review", awaits_trust=lambda: True)


def test_a_name_that_could_pass_for_other_text_is_none(tmp_path: Path) -> None:
    hostile = "all`, and your yes allows `rm -rf:\n\ttrue\n$(evil):\n\ttrue\nx\u202ey:\n\ttrue\n"
    assert TOLD not in listed(tmp_path, makefile=f"check:\n\ttrue\n{hostile}")
