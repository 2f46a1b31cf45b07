"""What was said to each file, as one answer; and what each file is shown to become."""

from pathlib import Path

import pytest

from planact.model.question import Answered, Option, ProposedEdit, Question, QuestionSet
from planact.workflows.history.review_edits import (
    FileDecision,
    answer_by_file,
    edit_difference,
    edit_title,
    is_by_file,
    may_reject,
)
from tests.fakes.world import World

OPTIONS = (Option(label="Allow once", value="allow_once"), Option(label="Reject", value="reject_once"))
APPROVAL = Question(name="approval", question="May it?", options=OPTIONS)
EDITS = (ProposedEdit(path="a.py", before="1", after="2"), ProposedEdit(path="b.py", after="3"))
ASKED = QuestionSet(id="q", session_id="s", created_at="", questions=(APPROVAL,), purpose="approval", edits=EDITS)


@pytest.mark.parametrize(
    ("said", "answer"),
    [
        (
            [FileDecision("a.py", is_allowed=True), FileDecision("b.py", is_allowed=True)],
            Answered({"approval": "allow_once"}),
        ),
        (
            [FileDecision("a.py", is_allowed=True), FileDecision("b.py", is_allowed=False, words="not there")],
            Answered({"approval": "allow_once"}, rejected=("b.py",), comment="b.py: not there"),
        ),
        (
            [FileDecision("a.py", is_allowed=False, words="no"), FileDecision("b.py", is_allowed=False)],
            Answered({"approval": "reject_once"}, comment="a.py: no"),
        ),
    ],
)
def test_what_was_said_to_each_file_is_one_answer(said: list[FileDecision], answer: Answered) -> None:
    assert answer_by_file(ASKED, said) == answer


def test_only_leave_for_several_files_is_asked_file_by_file() -> None:
    of_agent = ASKED.model_copy(update={"purpose": "agent"})
    of_one = ASKED.model_copy(update={"edits": EDITS[:1]})
    assert [(may_reject(asked), is_by_file(asked)) for asked in (ASKED, of_agent, of_one)] == [
        (True, True),
        (False, False),
        (True, False),
    ]


def test_a_file_is_shown_with_what_is_invisible_spelled_out(tmp_path: Path) -> None:
    world = World(tmp_path)
    kept = [world.ports.journal.keep(text.encode()) for text in ("one\ntwo\n", "one\nt\u202ewo\n")]
    edit = ProposedEdit(path="a.py", before=kept[0], after=kept[1])
    asked = ASKED.model_copy(update={"edits": (edit, EDITS[1])})
    assert edit_title(asked, edit) == "1 of 2 · a.py would be changed"
    assert edit_difference(world.ws, edit) == "--- a.py\n+++ a.py\n@@ -1,2 +1,2 @@\n one\n-two\n+t\\u202ewo"
    made = ProposedEdit(path="b.py", after=kept[0])
    assert edit_difference(world.ws, made) == "--- /dev/null\n+++ b.py\n@@ -0,0 +1,2 @@\n+one\n+two"
