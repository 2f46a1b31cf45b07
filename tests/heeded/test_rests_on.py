"""A plan rests on the files that it names, wherever it names them, and not on all that planning read."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.fakes.zygote import Zygote
from tests.heeded.killed_program import KilledProgram, call

FILES = {"src/app.py": "app\n", "src/limits.py": "limits\n", "src/notes.py": "notes\n", "README.md": "read\n"}
PLAN = {
    "goal": "Say hello",
    "analysis": "`limits.py` caps what the app may say.",
    "assumptions": ["Nobody reads README.md."],
    "steps": [{"action": "Say it", "reason": "they wait", "files": ["src/app.py"]}],
}


@pytest.fixture(scope="module")
def zygote() -> Iterator[Zygote]:
    made = Zygote()
    yield made
    made.close()


def test_files_that_the_analysis_or_an_assumption_names_are_its_context_and_others_only_its_record(
    tmp_path: Path, zygote: Zygote
) -> None:
    it = KilledProgram(tmp_path, zygote, "", FILES)
    it.model_says([call("read_file", path=path) for path in FILES], [call("write_plan", **PLAN)], "Ready.", mode="plan")
    made = it.run("plan", "Say hello", "--json")
    assert made.code == 0, made
    plan_id = made.json["plan_id"]
    context = json.loads(next((it.folder / ".planact/plans").glob(f"{plan_id}*.json")).read_text())["context"]
    assert [file["path"] for file in context] == ["README.md", "src/app.py", "src/limits.py"]
    (created,) = [data for (data,) in it.rows("SELECT data FROM events WHERE kind = 'plan_created'")]
    assert [file["path"] for file in json.loads(created)["data"]["also_read"]] == ["src/notes.py"]
    it.write("src/notes.py", "other notes\n")
    assert "changed since planning" not in it.run("plan", "lint", ".").out
    it.write("src/limits.py", "other limits\n")
    assert "src/limits.py changed since planning" in it.run("plan", "lint", ".").out
    assert "PLAN_STALE" in it.run("act", plan_id, "--yes").err
