"""Six ordinary tasks, worked on by models that vary their commands: at most one question besides the approval."""

import shutil
import subprocess
import tomllib
import zipfile
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from planact.adapters.sandbox.choose import probe
from planact.model.chat.message import Reply
from planact.model.settings import LimitSettings, Settings
from tests.fakes.world import ENVIRONMENT, Turn, answer, call, calls
from tests.workflows.scene import PATH, SAID, WRITE_A, WRITE_B, Scene


@dataclass(frozen=True)
class Task:
    """A row of `ordinary_tasks.toml`."""

    needs: str
    named: str
    check: str
    edit: tuple[str, str]
    lines: Sequence[str]
    run: Sequence[str]
    files: Mapping[str, str]
    asked: Mapping[str, int] = field(default_factory=dict)


TABLE = Path(__file__).with_name("ordinary_tasks.toml").read_text("utf-8")
TASKS = {name: Task(**row) for name, row in tomllib.loads(TABLE).items()}


def turns(task: Task) -> list[Turn]:
    path, content = task.edit
    half = len(task.lines) // 2
    return [
        *(calls(call("execute_command", command=line, _id=f"call_{at}")) for at, line in enumerate(task.lines[:half])),
        calls(call("read_file", path=path)),
        calls(call("update_file", path=path, edits=[{"old": task.files[path].strip(), "new": content.strip()}])),
        *(calls(call("execute_command", command=line, _id=f"later_{at}")) for at, line in enumerate(task.lines[half:])),
        SAID,
    ]


def plan(task: Task, check: str) -> str:
    return (
        '---\nformat_version: "1.0"\nid: plan_20261120_aaaa\n---\n# Mend it\n\n## Steps\n- [ ] 1. Mend what is wrong\n'
        f"  - reason: it fails\n  - files: {task.named}\n  - check: `{check}`\n"
    )


@pytest.mark.slow
@pytest.mark.skipif(not probe().bubblewrap, reason="the jail needs bubblewrap")
@pytest.mark.parametrize("name", TASKS)
def test_a_task_asks_at_most_once_besides_the_approval(tmp_path: Path, name: str) -> None:
    task = TASKS[name]
    search = ENVIRONMENT["PATH"]
    for path, content in task.files.items():
        (tmp_path / path).parent.mkdir(exist_ok=True)
        (tmp_path / path).write_text(content)
    for command in (("init", "-q"), ("add", "-A"), ("-c", "user.name=a", "-c", "user.email=a@b", "commit", "-qm", "x")):
        subprocess.run(["git", *command], cwd=tmp_path, check=True)
    settings = Settings(model="played", limits=LimitSettings(repairs=0, max_turns=40))
    it = Scene(tmp_path, *turns(task), Reply("Done."), settings=settings)
    is_there = shutil.which(task.needs, path=search) is not None
    it.write_plan(plan(task, task.check if is_there else "git diff --stat"), PATH)
    it.world.editor.answers_by_name = {
        "outcome": answer(outcome="keep"),
        "approval": answer(approval="reject_once"),
        "failed": answer(failed="stop"),
    }
    it.execute()
    counted = Counter(asked.questions[0].name for asked in it.asked)
    assert counted == Counter(task.asked), [asked.questions[0].question for asked in it.asked]
    results = {
        str(message["tool_call_id"]): str(message["content"])
        for message in it.world.model.requests[-1].messages
        if message["role"] == "tool"
    }
    assert "error" not in results["call_update_file"]
    told = dict(zip(task.lines, (text for key, text in results.items() if "_file" not in key), strict=False))
    assert len(told) == len(task.lines)
    refused = [line for line, text in told.items() if "REFUSED" in text or "BLOCKED" in text]
    assert len(refused) == counted["approval"], refused
    if is_there:
        for line in task.run:
            assert "exit code" in told[line], told[line]
            assert "exit code 127" not in told[line], told[line]


INSTALL = ".venv/bin/pip install --disable-pip-version-check --no-index --find-links wheels"
WHEEL = {
    "dep.py": "def one(): return 1\n",
    "dep-1.0.dist-info/METADATA": "Metadata-Version: 2.1\nName: dep\nVersion: 1.0\n",
    "dep-1.0.dist-info/WHEEL": "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
    "dep-1.0.dist-info/RECORD": "",
}


@pytest.mark.slow
@pytest.mark.skipif(not probe().bubblewrap, reason="the jail needs bubblewrap")
@pytest.mark.parametrize("is_named", [False, True])
def test_a_dependency_is_added_with_one_question_or_none_where_the_plan_names_how(
    tmp_path: Path, *, is_named: bool
) -> None:
    (tmp_path / "wheels").mkdir()
    with zipfile.ZipFile(tmp_path / "wheels/dep-1.0-py3-none-any.whl", "w") as wheel:
        for name, text in WHEEL.items():
            wheel.writestr(name, text)
    (tmp_path / ".gitignore").write_text(".venv/\n__pycache__/\n.planact/\n")
    (tmp_path / "app.py").write_text("x = 0\n")
    (tmp_path / "requirements.txt").write_text("")
    first = f"python3 -m venv .venv && {INSTALL} dep"
    lines = [
        *("cat requirements.txt; ls wheels", first, ".venv/bin/python -c 'import dep'"),
        *(".venv/bin/pip freeze > requirements.txt", f"{INSTALL} -r requirements.txt", ".venv/bin/pip check"),
        *(".venv/bin/python -m unittest -q test_app", f"{INSTALL} -r requirements.txt 2>&1 | tail -3"),
    ]
    writes = [
        call("create_file", path="test_app.py", content="import unittest, app\n"),
        call("update_file", path="app.py", edits=[{"old": "x = 0", "new": "import dep\nx = dep.one()"}]),
    ]
    turns = [calls(call("execute_command", command=line, _id=f"call_{at}")) for at, line in enumerate(lines)]
    settings = Settings(model="played", limits=LimitSettings(repairs=0, max_turns=40))
    it = Scene(
        tmp_path, *turns[:3], calls(call("read_file", path="app.py"), *writes), *turns[3:], SAID, settings=settings
    )
    how = f"  - tools: create_file, update_file, execute_command\n  - check: `{first}`\n" if is_named else ""
    named = "requirements.txt, app.py, test_app.py"
    text = plan(Task("", named, ".venv/bin/python -c 'import app'", ("", ""), (), (), {}), "true")
    it.write_plan(text.replace("  - check: `true`\n", f"{how}  - check: `.venv/bin/python -c 'import app'`\n"), PATH)
    it.world.editor.answers_by_name = {"approval": answer(approval="allow_once"), "failed": answer(failed="stop")}
    execution = it.execute()
    shown = [asked.questions[0].context or "" for asked in it.asked]
    assert shown == ([] if is_named else [f"```\n{first}\n```"])
    told = [str(each["content"]) for each in it.world.model.requests[-1].messages if each["role"] == "tool"]
    assert all("exit code 0" in each for each in told if "exit code" in each), told
    assert "already satisfied" in told[-1]
    assert it.world.read("requirements.txt") == "dep==1.0\n"
    assert execution.status == "success"


@pytest.mark.slow
@pytest.mark.skipif(not probe().bubblewrap, reason="the jail needs bubblewrap")
def test_a_folder_outside_is_asked_about_once_in_the_session(tmp_path: Path) -> None:
    other = tmp_path / "other"
    (other / ".git").mkdir(parents=True)
    for name in ("a.txt", "b.txt"):
        (other / name).write_text(f"text of {name}\n")
    (tmp_path / "w").mkdir()
    commands = [calls(call("execute_command", command=f"cat ../other/{name}")) for name in ("a.txt", "b.txt")]
    it = Scene(tmp_path / "w", commands[0], WRITE_A, SAID, commands[1], WRITE_B, SAID)
    it.write_plan()
    it.world.editor.answers_by_name = {"approval": answer(approval="allow_once")}
    execution = it.execute()
    assert execution.status == "success"
    assert [asked.questions[0].name for asked in it.asked] == ["approval"]
    told = str(it.world.model.requests[-1].messages)
    assert "text of a.txt" in told
    assert "text of b.txt" in told
