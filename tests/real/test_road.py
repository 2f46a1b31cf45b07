"""The whole road on a real package, with a model server behind litellm: request, plan, approval, edits, checks."""

import subprocess
import sys
from pathlib import Path
from typing import Any

from tests.fakes.loopback_model import LoopbackModel
from tests.real.rename import NEW, OLD, OWN_TESTS, REQUEST, Renamer, renamed
from tests.real.rig import KEY, Project, address, real_client, settings_of

PLAN = ".planact/plans/rename.plan"
DEFINING = "itemadapter/utils.py"
UNSAVED = f'\n\ndef is_pydantic(obj: Any) -> bool:\n    """Known only to the editor so far."""\n    return {OLD}(obj)\n'


async def test_in_an_editor_with_unsaved_text(project: Project) -> None:
    with LoopbackModel(Renamer()) as model:
        async with real_client(project, settings_of(model)) as client:
            typed = (project.root / DEFINING).read_text("utf-8") + UNSAVED
            source = client.show(DEFINING, typed)
            (project.root / PLAN).parent.mkdir(parents=True)
            (project.root / PLAN).write_text("What was saved first.\n", "utf-8")
            document = client.show(PLAN, REQUEST)

            made = await client.run("generatePlan", uri=document)
            assert (made["path"], made["uri"]) == (PLAN, document)
            assert_planned(client.texts[document])
            assert project.git("diff", "--name-only") == ""

            seen = await client.run("showPlan", uri=document)
            approved = await client.run("approvePlan", uri=document, approve_hash=seen["plan_hash"])
            assert approved["plan_hash"] == seen["plan_hash"]
            execution = await client.run("executePlan", uri=document)

            text = client.texts[document]
            assert client.texts[source] == renamed(typed)
            assert client.saves == [[source]]
            assert not [message.message for message in client.messages]
    assert project.texts() == project.renamed(**{DEFINING: renamed(typed)})
    assert_carried_out(project, execution, text)
    assert_discreet(project, model)


def test_in_a_terminal(project: Project) -> None:
    with LoopbackModel(Renamer()) as model:
        planned = project.planact("plan", REQUEST, model=model)
        assert planned.code == 0, planned
        text = (project.root / planned.data["path"]).read_text("utf-8")
        assert_planned(text)
        assert project.git("diff", "--name-only") == ""

        acted = project.planact("act", planned.data["plan_id"], "--yes", model=model)
        assert acted.code == 0, acted
    assert project.texts() == project.renamed()
    text = (project.root / planned.data["path"]).read_text("utf-8")
    record = acted.data.pop("record")
    assert project.json(record) == acted.data
    assert_carried_out(project, acted.data, text)
    assert_discreet(project, model)


def assert_planned(text: str) -> None:
    assert f"# Rename `{OLD}` to `{NEW}`" in text
    assert [line[:8] for line in text.splitlines() if line.startswith("- [")] == [f"- [ ] {n}." for n in (1, 2, 3)]


def assert_carried_out(project: Project, execution: dict[str, Any], text: str) -> None:
    """The record, its files, the marks, and what git and the package itself say."""
    assert (execution["status"], execution["reason"]) == ("success", "")
    steps = [(step["status"], [change["path"] for change in step["files"]]) for step in execution["steps"]]
    planned = [["itemadapter/utils.py"], ["itemadapter/_json_schema.py", "itemadapter/adapter.py"], ["Changelog.md"]]
    assert steps == [("done", files) for files in planned]
    checks = [(check["command"], check["passed"]) for step in execution["steps"] for check in step["checks"]]
    assert checks == [(f"! grep -rn {OLD} itemadapter", True), (OWN_TESTS, True)]
    assert [step["adaptations"] for step in execution["steps"]] == [[], [], []]

    assert [line[:8] for line in text.splitlines() if line.startswith("- [")] == [f"- [x] {n}." for n in (1, 2, 3)]
    assert "\nstatus: done\n" in text
    plan = project.json(str(Path(execution["plan_file"]).with_suffix(".json")))
    assert [step["status"] for step in plan["steps"]] == ["done"] * 3
    assert [row["id"] for row in project.json(".planact/plans/index.json")["plans"]] == [execution["plan_id"]]
    assert project.json(f".planact/executions/{execution['id']}.json") == execution
    rows = project.json(".planact/executions/index.json")["executions"]
    assert [(row["id"], row["status"]) for row in rows] == [(execution["id"], "success")]

    assert sorted(project.git("diff", "--name-only").splitlines()) == sorted(
        path for files in planned for path in files
    )
    assert {
        line.split("/")[0] for line in project.git("status", "--porcelain", "-uall").splitlines() if "??" in line
    } == {"?? .planact"}
    own = subprocess.run(
        (sys.executable, *OWN_TESTS.split()[1:]), cwd=project.root, capture_output=True, text=True, timeout=300
    )
    assert own.returncode == 0, own.stdout


def assert_discreet(project: Project, model: LoopbackModel) -> None:
    """The processes reached for the model alone, with the user's key, which is kept nowhere."""
    assert {received.key for received in model.requests} == {KEY}
    assert project.reached() == {address(model)}
    # None of them reaches out by itself.
    assert project.programs() <= {"bash", "bwrap", "find", "git", "python", "rg", "sh", "shfmt", "uname"}
    assert KEY.encode() not in project.everything_kept()
