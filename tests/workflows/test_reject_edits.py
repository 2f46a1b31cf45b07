"""Answers about edits: files that are rejected by themselves, and the user's words."""

import asyncio
from pathlib import Path

import pytest

from planact.base.errors import InvalidInput
from planact.model.question import Option, ProposedEdit, Question, QuestionSet
from planact.workflows.questions.check_answer import rejection_problem
from planact.workflows.sessions.manage import new_session
from tests.fakes.world import World
from tests.workflows.scene import until

APPROVAL = Question(name="approval", question="May it?", options=(Option(label="Allow once", value="allow_once"),))
EDITS = (ProposedEdit(path="a.py"), ProposedEdit(path="b.py"))


def test_words_and_rejected_files_go_with_an_answer_and_stay_in_the_transcript(tmp_path: Path) -> None:
    world = World(tmp_path)
    session, service = new_session(world.ws), world.ws.questions

    async def ask() -> QuestionSet:
        asking = asyncio.ensure_future(service.ask(session.id, (APPROVAL,), "approval", "it", edits=EDITS))
        await until(lambda: world.editor.asked)
        asked = world.editor.asked[-1].id
        for rejected in (("c.py",), ("a.py", "c.py")):
            with pytest.raises(InvalidInput, match=r"'c.py' is none of the files that would change: a.py, b.py"):
                service.answer(asked, {"approval": "allow_once"}, rejected=rejected)
        service.answer(asked, {"approval": "allow_once"}, rejected=("b.py",), comment=" not there ")
        return await asking

    ended = asyncio.run(ask())
    assert (ended.edits, ended.rejected, ended.comment) == (EDITS, ("b.py",), "not there")
    [said] = [message for message in world.ports.sessions.messages(session.id) if message.role == "user"]
    assert said.content == "Allow once; rejected: b.py\nnot there"
    assert said.metadata["question_answer"] == {
        "question_id": ended.id,
        "answers": {"approval": "allow_once"},
        "edits": ("a.py", "b.py"),
        "rejected": ("b.py",),
        "comment": "not there",
    }


@pytest.mark.parametrize("value", ["always_allow", "reject_once"])
def test_files_are_rejected_only_where_the_rest_is_allowed_once(value: str) -> None:
    asked = QuestionSet(id="q", session_id="s", created_at="", questions=(APPROVAL,), edits=EDITS)
    assert rejection_problem(asked, {"approval": value}, ("a.py",)) != ""
    assert rejection_problem(asked, {"approval": value}, ()) == ""
