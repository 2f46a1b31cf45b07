"""Files that only a step's text names: what the question lists is what the run may change, and nothing else."""

import asyncio
import os
from pathlib import Path

import pytest

from planact.model.plan import Plan, Step
from planact.workflows.plans.confirmation import confirmation
from planact.workflows.plans.fingerprints import fingerprints
from planact.workflows.plans.implied_files import find_implied
from planact.workflows.runs.execute import Confirmation
from tests.fakes.world import Turn, answer, call, calls
from tests.workflows.scene import EXECUTE, PATH, SAID, Scene

HEAD = '---\nformat_version: "1.0"\nid: plan_20261120_aaaa\n---\n# Greet\n\n## Steps\n'
CHANGE = calls(call("update_file", path="src/app.py", edits=[{"old": "old", "new": "new"}]))
REJECT = answer(approval="reject_and_stop")


def scene(root: Path, action: str, *turns: Turn) -> Scene:
    made = Scene(root, *turns)
    made.world.write("src/app.py", "old\n")
    made.write_plan(f"{HEAD}- [ ] 1. {action}\n  - reason: it is polite\n")
    return made


def read() -> Turn:
    return calls(call("read_file", path="src/app.py"))


def test_a_file_that_the_step_means_to_change_is_listed_and_changed_without_another_question(tmp_path: Path) -> None:
    it = scene(tmp_path, "Update the greeting in `src/app.py`", read(), CHANGE, SAID)
    it.answers(EXECUTE)
    assert it.execute(Confirmation.ASK).status == "success"
    (question,) = it.asked
    assert "change `src/app.py`" in question.questions[0].context
    assert "- Of these, only the text of the steps names: `src/app.py`" in question.questions[0].context
    assert (tmp_path / "src/app.py").read_text() == "new\n"
    approval = it.ws.ports.approvals.find(PATH)
    assert approval is not None
    assert approval.implied_files == {1: ("src/app.py",)}


def covered(context: str) -> str:
    """Return the lines of a question that list what a yes covers."""
    return "\n".join(line for line in context.splitlines() if line.startswith(("- Your yes allows", "- Of these")))


def test_a_file_that_the_step_excludes_is_asked_about(tmp_path: Path) -> None:
    it = scene(tmp_path, "Greet, but don't touch `src/app.py`", read(), CHANGE, SAID)
    it.answers(EXECUTE, REJECT)
    it.execute(Confirmation.ASK)
    assert [question.purpose for question in it.asked] == ["confirm", "approval"]
    assert "src/app.py" not in covered(it.asked[0].questions[0].context)
    assert (tmp_path / "src/app.py").read_text() == "old\n"


def test_what_comes_after_the_yes_is_not_covered_by_it(tmp_path: Path) -> None:
    it = scene(tmp_path, "Update `src/app.py` and `src/later.py`")
    asyncio.run(it.approve())
    it.world.write("src/later.py", "x\n")
    approval = it.ws.ports.approvals.find(PATH)
    assert approval is not None
    assert approval.implied_files == {1: ("src/app.py",)}
    told = asyncio.run(confirmation(it.ws, it.document()))
    assert "later.py" not in covered(told.context), "the question lists what the approval covers"


def test_a_link_that_takes_the_file_s_place_after_the_yes_is_asked_about(tmp_path: Path) -> None:
    it = scene(tmp_path, "Update the greeting in `src/app.py`", read(), CHANGE, SAID)
    it.world.write("src/other.py", "old\n")
    asyncio.run(it.approve())
    (tmp_path / "src/app.py").unlink()
    (tmp_path / "src/app.py").symlink_to("other.py")
    it.answers(REJECT)
    it.execute(Confirmation.UNLESS_APPROVED)
    assert "approval" in [question.purpose for question in it.asked]
    assert (tmp_path / "src/other.py").read_text() == "old\n"


@pytest.mark.parametrize(
    "name", ["link.py", "linked/app.py", "shared.py", "folder.d", "pipe.py", "secret.pem", "own.plan", "hidden.py"]
)
def test_links_folders_credentials_plans_and_hidden_files_never_count(tmp_path: Path, name: str) -> None:
    it = scene(tmp_path, f"Update `{name}`")
    it.world.write("secret.pem", "key")
    it.world.write("own.plan", "# x")
    it.world.write("hidden.py", "x")
    it.world.write(".planactignore", "hidden.py\n")
    (tmp_path / "link.py").symlink_to("src/app.py")
    (tmp_path / "linked").symlink_to("src")
    os.link(tmp_path / "src/app.py", tmp_path / "shared.py")
    (tmp_path / "folder.d").mkdir()
    os.mkfifo(tmp_path / "pipe.py")
    assert find_implied(it.ws, it.document()) == {}


def test_what_is_to_be_created_through_a_link_or_as_a_secret_never_counts(tmp_path: Path) -> None:
    it = scene(tmp_path, "Create `linked/new.py`, `gone/new.py`, `server.key` and `id_rsa`")
    (tmp_path / "linked").symlink_to("/tmp")
    assert find_implied(it.ws, it.document()) == {1: ("gone/new.py",)}


def test_a_plan_rests_on_what_its_text_names(tmp_path: Path) -> None:
    it = Scene(tmp_path)
    it.world.write("src/app.py", "old\n")
    plan = Plan(goal="g", steps=(Step(step_number=1, action="Update `src/app.py`, create `src/new.py`"),))
    digest = it.ws.ports.files.digest(it.ws.ports.files.resolve("src/app.py"), 100)
    rests_on = fingerprints(it.ws, plan, {"src/app.py": digest}, {})
    assert rests_on == {"src/app.py": digest, "src/new.py": ""}
