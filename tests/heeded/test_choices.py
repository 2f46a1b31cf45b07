"""A question names the version of its format to every client."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.cli.program import Program
from tests.fakes.loopback_model import Call, Say
from tests.heeded.rewording_model import RewordingModel
from tests.lsp.commands.planact_client import planact_client

ASKED = {"name": "framework", "question": "Which?", "options": [{"label": "pytest", "value": "pytest"}]}


@pytest.fixture
def model(monkeypatch: pytest.MonkeyPatch) -> Iterator[RewordingModel]:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-test")
    monkeypatch.setenv("LITELLM_LOCAL_MODEL_COST_MAP", "True")
    with RewordingModel(lambda *_: Say("", [Call("ask_user", {"questions": [ASKED]})])) as model:
        yield model


def test_the_terminal_names_the_version_of_a_question(tmp_path: Path, model: RewordingModel) -> None:
    program = Program(tmp_path / "work", tmp_path / "home")
    program.folder.mkdir()
    program.home.mkdir()
    model.serve(program)
    waiting = program.run("plan", "Test it", "--json", model="").json["waiting"]
    (listed,) = program.run("questions", "--json", model="").json["questions"]
    assert waiting["format_version"] == listed["format_version"] == "1.0"


@pytest.mark.asyncio(loop_scope="session")
async def test_an_editor_is_told_the_version_of_a_question(tmp_path: Path, model: RewordingModel) -> None:
    async with planact_client(tmp_path, settings=model.settings) as client:
        client.begin("generatePlan", request="Test it")
        asked = await client.question()
        (listed,) = (await client.do("listQuestions")).questions
        assert asked.format_version == listed.format_version == "1.0"
        await client.do("cancelQuestion", question_id=asked.question_id)
