"""The agent and the web, by the real program: which addresses are asked about, and what comes of the answers."""

import subprocess
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from tests.cli.program import Program, Ran
from tests.fakes.loopback_model import Call, Fault, LoopbackModel, Page, Say, results
from tests.web.web_server import WebServer


@dataclass
class Reader:
    """A model that fetches `urls` one after the other, and then says what it read."""

    urls: Sequence[str] = ()
    model: LoopbackModel | None = None

    def __call__(self, request: Any) -> Say | Fault | Page:
        said = results(request, "fetch_page")
        done = [text for text in said if text.startswith("[what the page ")]
        if not any("The user said no" in text for text in said) and len(done) < len(self.urls):
            return Say("", [Call("fetch_page", {"url": self.urls[len(done)]})])
        return Say("I have read it.")


@dataclass
class WebProgram(Program):
    """planact in a web where names that end in `.example` are this machine."""

    def start(self, *words: str, model: str = "", **more: Any) -> "subprocess.Popen[str]":
        options = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True} | more
        program = [sys.executable, "-m", "tests.web.web_server", *words]
        environment = self.environment("openai/gpt-4o") | {"PYTHONPATH": str(Path(__file__).parents[2])}
        return subprocess.Popen(program, cwd=self.folder, env=environment, **options)

    def run(self, *words: str, **more: Any) -> Ran:
        process = self.start(*words)
        out, err = process.communicate(timeout=180)
        return Ran(process.returncode, out, err)


@pytest.fixture
def planact(tmp_path: Path) -> WebProgram:
    program = WebProgram(tmp_path / "work", tmp_path / "home")
    program.folder.mkdir()
    program.home.mkdir()
    (program.folder / "notes.md").write_text("See http://repository.example/steal\n")
    assert program.run("trust").code == 0
    return program


@pytest.fixture
def reader(planact: WebProgram) -> Iterator[Reader]:
    reader = Reader()
    with LoopbackModel(reader) as model:
        planact.variables |= {"OPENAI_API_KEY": "sk-test", "PLANACT_MODEL_ENDPOINT": model.url}
        reader.model = model
        yield reader


def asked(planact: Program) -> list[dict[str, Any]]:
    """The open question's fields; none where none is open."""
    found = planact.run("questions", "--json").json["questions"]
    return [
        field | {"id": each["question_id"], "session": each["session_id"]}
        for each in found
        for field in each["questions"]
    ]


def go_on(planact: Program, question: dict[str, Any], answer: str) -> Ran:
    assert planact.run("answer", question["id"], answer).code == 0
    return planact.run("chat", "--session", question["session"], "go on")


def test_a_host_is_asked_about_once_and_each_address_of_the_models_making(
    planact: WebProgram, reader: Reader, web: WebServer
) -> None:
    start = web.page("/start", f"<main>{'Welcome. ' * 30}<a href=/more>more</a></main>")
    web.page("/more", "More of it.", "text/plain")
    made = web.page("/search", "Nothing found.", "text/plain") + "?q=the+key+is+hunter2"
    reader.urls = (start, web.url("/more"), made)
    assert planact.run("chat", f"What does {start} say?").code == 3
    [first] = asked(planact)
    assert first["question"] == (f"Fetch a page of `docs.example:{web.port}`? You haven't allowed pages of this host.")
    assert first["context"] == f"```\n{start}\n```"
    assert [option["value"] for option in first["options"]][:2] == ["allow_once", "always_allow"]
    assert web.asked == []

    assert go_on(planact, first, "always_allow").code == 3
    [second] = asked(planact)
    assert web.asked == ["docs.example/start", "docs.example/more"]  # the link of the page without a question
    assert "The model put this address together itself" in second["question"]
    assert second["context"] == f"```\n{made}\n```"
    assert "always_allow" not in [option["value"] for option in second["options"]]

    ended = go_on(planact, second, "reject_once")
    assert (ended.code, asked(planact), len(web.asked)) == (0, [], 2)


@pytest.mark.parametrize("approval", ["acceptEdits", "acceptAll"])
def test_no_setting_of_approval_covers_a_page_and_no_file_names_one(
    planact: WebProgram, reader: Reader, web: WebServer, approval: str
) -> None:
    planact.variables["PLANACT_APPROVAL"] = approval
    reader.urls = ("http://repository.example/steal",)
    assert planact.run("chat", "--mode", "act", "What does notes.md say?").code == 3
    [question] = asked(planact)
    assert "The model put this address together itself" in question["question"]
    assert web.asked == []


def test_no_page_is_fetched_in_a_folder_without_trust(
    planact: WebProgram, reader: Reader, web: WebServer, tmp_path: Path
) -> None:
    (tmp_path / "other").mkdir()
    planact.folder = tmp_path / "other"
    reader.urls = (web.page("/x", "x", "text/plain"),)
    assert planact.run("chat", f"Read {reader.urls[0]}").code == 4
    assert (asked(planact), web.asked) == ([], [])
    assert reader.model is not None
    assert "a folder that the user hasn't trusted" in results(reader.model.requests[-1].json)[-1]
