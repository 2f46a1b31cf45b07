"""An answer reaches the model, also one that says everything in other words after a restart."""

import json
import re
from collections.abc import Iterator
from typing import Any

import pytest

from tests.cli.program import Program
from tests.docs.pages import DOCS, blocks
from tests.fakes.loopback_model import Call, Say, results
from tests.heeded.rewording_model import Reword, RewordingModel

QUESTION = "Which test framework should the new tests use?"
PLAN = """---
format_version: "1.0"
id: plan_20261120_test
status: draft
---
# Test the greeting

## Steps
- [ ] 1. Write a test of the greeting
  - reason: it has none
  - files: test_greeting.py
"""
PATH = ".planact/plans/plan_20261120_test-test-the-greeting.plan"


@pytest.fixture
def planact(tmp_path: Any) -> Program:
    program = Program(tmp_path / "work", tmp_path / "home")
    (program.folder / ".planact" / "plans").mkdir(parents=True)
    program.home.mkdir()
    (program.folder / PATH).write_text(PLAN)
    program.variables["PLANACT_APPROVAL"] = "acceptAll"
    return program


def said(request: dict[str, Any]) -> str:
    return "\n".join(str(message["content"]) for message in request["messages"] if message["role"] == "user")


class Asking:
    """Asks before it writes the test: once it has read the answer it goes by it, and asks nothing again."""

    def __init__(self, question: dict[str, Any]) -> None:
        self.question = question
        self.asks_always = False

    def __call__(self, request: dict[str, Any], reword: Reword) -> Say:
        if results(request, "create_file"):
            return Say(reword("The test is written."))
        told = re.search("They answered: (.*)", said(request))
        heard = [text for text in results(request, "ask_user") if '"answers"' in text]
        if heard or (told and not self.asks_always):
            content = heard[-1] if heard else told[1] if told else ""
            return Say("", [Call("create_file", {"path": "test_greeting.py", "content": f"# {content}\n"})])
        return Say("", [Call("ask_user", {"questions": [self.question | {"question": reword(QUESTION)}]})])


def shown_on_page(kind: str) -> str:
    """What the page says that the model reads."""
    [told] = [block.text.strip() for block in blocks(kind) if block.page == DOCS / "recovery.md"]
    return told


@pytest.fixture
def model(request: pytest.FixtureRequest, planact: Program) -> Iterator[RewordingModel]:
    with RewordingModel(request.param) as model:
        model.serve(planact)
        yield model


def paused(planact: Program) -> str:
    """The id of the question at which the run waits."""
    hash_ = planact.run("plan", "show", PATH, "--json", model="").json["plan_hash"]
    ran = planact.run("act", PATH, "--hash", hash_, "--json", model="")
    assert ran.code == 3, ran
    return str(ran.json["waiting"]["question_id"])


@pytest.mark.parametrize("model", [Asking({})], indirect=True)
def test_an_answer_after_a_pause_stands_in_the_first_request_of_the_run_that_goes_on(
    planact: Program, model: RewordingModel
) -> None:
    asked = paused(planact)
    assert planact.run("answer", asked, "unittest", model="").code == 0
    before = len(model.requests)
    ran = planact.run("resume", model="")
    assert ran.code == 0, ran
    first = said(model.requests[before].json)
    assert shown_on_page("text") in first
    assert (planact.folder / "test_greeting.py").read_text() == "# unittest\n"
    assert planact.run("questions", "--json", model="").json["questions"] == []


ALWAYS = Asking({"name": "framework", "options": [{"label": name, "value": name} for name in ("pytest", "unittest")]})
ALWAYS.asks_always = True
UNNAMED = Asking({})
UNNAMED.asks_always = True


@pytest.mark.parametrize("model", [ALWAYS, UNNAMED], indirect=True)
def test_a_question_in_other_words_is_not_asked_again(planact: Program, model: RewordingModel) -> None:
    asked = paused(planact)
    assert planact.run("answer", asked, "unittest", model="").code == 0
    ran = planact.run("resume", model="")
    assert ran.code == 0, ran
    text = (planact.folder / "test_greeting.py").read_text()
    named = ALWAYS.question["name"]
    content = json.loads(text.removeprefix("# ").replace('"answer":', f'"{named}":'))
    assert content == json.loads(shown_on_page("json"))


@pytest.mark.parametrize("model", [Asking({})], indirect=True)
def test_a_declined_question_is_told_too(planact: Program, model: RewordingModel) -> None:
    asked = paused(planact)
    assert planact.run("answer", asked, "--decline", model="").code == 0
    before = len(model.requests)
    planact.run("resume", model="")
    assert f"“{QUESTION}” They declined to answer" in said(model.requests[before].json)
