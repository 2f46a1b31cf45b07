"""A plan rests on the files that it names, wherever it names them, and not on all that planning read."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from lsprotocol import types

from tests.fakes.zygote import Zygote
from tests.heeded.killed_program import KilledProgram, call
from tests.lsp.commands.planact_client import calls, planact_client, say, scene
from tests.lsp.raw_client import until

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
    assert "PLAN026" not in it.run("plan", "lint", ".").out
    it.write("src/notes.py", "other notes\n")
    linted = it.run("plan", "lint", ".")
    hint = "hint: changed since it was read for this plan, which doesn't name it: src/notes.py [PLAN026]"
    assert (linted.code, hint in linted.out, "changed since planning" in linted.out) == (0, True, False), linted
    it.write("src/limits.py", "other limits\n")
    assert "src/limits.py changed since planning" in it.run("plan", "lint", ".").out
    assert "PLAN_STALE" in it.run("act", plan_id, "--yes").err


@pytest.mark.asyncio(loop_scope="session")
async def test_an_editor_hints_at_a_file_that_planning_read_and_calls_no_plan_stale_for_it(tmp_path: Path) -> None:
    for path, text in FILES.items():
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(text)
    read = [call("read_file", path=path) for path in FILES]
    turns = [calls(*read), calls(call("write_plan", **PLAN)), say("Ready.")]
    async with planact_client(tmp_path) as client:
        client.script(scene("Say hello", *turns, mode="plan"))
        uri = (await client.do("generatePlan", request="Say hello")).uri
        path = Path(uri.removeprefix("file://")).relative_to(tmp_path).as_posix()
        client.show(path, (tmp_path / path).read_text())
        assert [each.code for each in await client.judged(uri)] == []
        (tmp_path / "src/notes.py").write_text("other notes\n")
        await until(lambda: [each.code for each in client.diagnostics[uri]] == ["PLAN026"])
        [hint] = client.diagnostics[uri]
        assert (hint.severity, "src/notes.py" in hint.message) == (types.DiagnosticSeverity.Hint, True)
        assert "Files changed" not in str(await client.titles(uri))
        (tmp_path / "src/notes.py").write_text(FILES["src/notes.py"])
        await until(lambda: not client.diagnostics[uri])
