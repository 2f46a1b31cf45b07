"""What a run knows of the conversation in which its plan was made."""

import asyncio
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from planact.model.chat.message import Reply
from planact.model.rights.permission import Mode
from planact.model.settings import ActSettings, Settings
from planact.workflows.chat.send_message import send_message
from planact.workflows.plans.library import keep_own
from planact.workflows.runs.carry_context import carried_context
from planact.workflows.runs.execute import Confirmation, execute_plan
from planact.workflows.sessions.manage import new_session
from tests.fakes.loopback_model import without_surroundings
from tests.fakes.world import Turn, answer, call, calls
from tests.workflows.scene import BOTH_STEPS, PATH, SAID, Scene

WISH = "Greet them, but never with an exclamation mark"
FOUND = "a.txt is where the greeting goes."
READ = calls(call("read_file", path="a.txt"), call("read_file", path="c.txt"))
WRITE = calls(
    call(
        "write_plan",
        goal="Greet",
        steps=[
            {"action": "Write the greeting", "files": ["a.txt"], "reason": "r", "validation_checks": ["test -f a.txt"]},
            {"action": "Write the answer", "files": ["b.txt"], "reason": "r", "validation_checks": ["test -f b.txt"]},
        ],
    )
)
EDIT = calls(call("update_file", path="a.txt", edits=[{"old": "good day", "new": "hello"}]))
WORKS = (EDIT, *BOTH_STEPS[1:])


def planned(root: Path, *, act: ActSettings | None = None) -> tuple[Scene, str]:
    """Return a scene in which the plan was made in a conversation, and the plan's path."""
    it = Scene(root, READ, WRITE, Reply(FOUND), settings=Settings(model="played", act=act or ActSettings()))
    it.world.write("a.txt", "good day\n")
    it.world.write("c.txt", "what no step names\n" * 500)
    asyncio.run(send_message(it.ws, it.session_id, WISH))
    return it, it.session.plan_file


def first_of_run(
    it: Scene,
    path: str,
    session_id: str = "",
    turns: Sequence[Turn] = WORKS,
    confirmation: Confirmation = Confirmation.BY_FLAG,
) -> list[dict[str, Any]]:
    """Execute the plan, and return the messages of the first request."""
    before = len(it.world.model.requests)
    it.world.model.turns = list(turns)
    if session_id:
        it.session_id = session_id
    document = it.document(path)
    keep_own(it.ws, path, document.file.text)
    run = asyncio.run(execute_plan(it.ws, it.session_id, path, confirmation))
    assert run.status == "success"
    return [dict(message) for message in without_surroundings(it.world.model.requests[before].messages)]


def text_of(messages: list[dict[str, Any]]) -> str:
    return "\n".join(str(message.get("content", "")) for message in messages[1:])


def test_the_conversation_goes_on_in_the_run(tmp_path: Path) -> None:
    it, path = planned(tmp_path)
    messages = first_of_run(it, path)
    assert [message["role"] for message in messages[1:6]] == ["user", "assistant", "tool", "tool", "assistant"]
    assert messages[1]["content"] == WISH
    assert "Carry out step 1 of 2" in str(messages[-1]["content"])
    assert "earlier conversation" not in text_of(messages)


def test_what_the_run_reads_again_is_sent_again(tmp_path: Path) -> None:
    it, path = planned(tmp_path)
    it.world.write("d.txt", "long\n" * 200)
    it.world.model.turns = [calls(call("read_file", path="d.txt")), SAID]
    asyncio.run(send_message(it.ws, it.session_id, "What is in d.txt?"))
    again, once_more = (calls(call("read_file", path="d.txt")) for _ in range(2))
    assert first_of_run(it, path, turns=(again, once_more, *WORKS))
    last = it.world.model.requests[-1].messages
    read = [str(each["content"]) for each in last if each["role"] == "tool" and "d.txt" in str(each["content"])]
    assert ["word for word" in text for text in read] == [False, False, True]


def test_with_a_fresh_context_it_knows_the_plan_alone(tmp_path: Path) -> None:
    it, path = planned(tmp_path, act=ActSettings(context="fresh"))
    messages = first_of_run(it, path)
    pinned, *told = [str(message["content"]) for message in messages[1:]]
    assert "## APPROVED EXECUTION PLAN" in pinned
    assert [text.split(" ", 2)[1] for text in told] == ["Execution", "Carry"]
    assert WISH not in text_of(messages)


@pytest.mark.parametrize(("chosen", "goes_on"), [(True, True), ("fresh", False)])
def test_the_question_before_executing_offers_a_fresh_context(tmp_path: Path, chosen: object, goes_on: bool) -> None:
    it, path = planned(tmp_path)
    it.world.model.context_tokens = 8_000
    it.answers(answer(execute=chosen))
    messages = first_of_run(it, path, confirmation=Confirmation.ASK)
    (asked,) = [asked for asked in it.asked if asked.purpose == "confirm"]
    labels = [option.label for option in asked.questions[0].options]
    assert labels[:-1] == ["Execute Plan", "Cancel"]
    assert re.fullmatch(r"Execute with a fresh context \([1-9]\d? % used\)", labels[-1])
    assert (WISH in text_of(messages)) is goes_on
    assert "## APPROVED EXECUTION PLAN" in text_of(messages)


def test_a_fresh_context_stays_fresh_when_the_run_goes_on(tmp_path: Path) -> None:
    it, path = planned(tmp_path)
    it.answers(answer(execute="fresh"))
    document = it.document(path)
    keep_own(it.ws, path, document.file.text)
    before = len(it.world.model.requests)
    it.world.model.turns = [EDIT, SAID]
    with pytest.raises(IndexError):  # the model has no more to say
        asyncio.run(execute_plan(it.ws, it.session_id, path, Confirmation.ASK))
    it.world.model.turns = [*BOTH_STEPS[2:]]
    assert asyncio.run(execute_plan(it.ws, it.session_id, path, Confirmation.BY_FLAG)).status == "success"
    later = it.world.model.requests[before:]
    assert not any(WISH in str(request.messages) for request in later)
    assert "hello" in str(later[-1].messages)


def test_nothing_is_offered_where_nothing_would_be_carried(tmp_path: Path) -> None:
    it, path = planned(tmp_path)
    it.answers(answer(execute=True))
    first_of_run(it, path, new_session(it.ws, Mode.ACT).id, confirmation=Confirmation.ASK)
    (asked,) = [asked for asked in it.asked if asked.purpose == "confirm"]
    assert [option.label for option in asked.questions[0].options] == ["Execute Plan", "Cancel"]


def test_a_long_conversation_comes_in_short_with_the_files_that_the_plan_names(tmp_path: Path) -> None:
    it, path = planned(tmp_path)
    it.world.model.context_tokens = 6_000
    messages = first_of_run(it, path)
    told = text_of(messages)
    assert {message["role"] for message in messages[1:]} == {"user"}
    assert f"user: {WISH}" in told
    assert FOUND in told
    assert "what no step names" not in told


def test_another_session_gets_the_digest_with_the_files_that_the_plan_names(tmp_path: Path) -> None:
    it, path = planned(tmp_path)
    told = text_of(first_of_run(it, path, new_session(it.ws, Mode.ACT).id))
    assert f"user: {WISH}" in told
    assert "## a.txt, which you have read and which is the same now\n```\ngood day" in told
    assert "what no step names" not in told


def test_a_file_that_has_changed_since_it_was_read_is_left_out(tmp_path: Path) -> None:
    it, path = planned(tmp_path)
    it.world.write("a.txt", "good evening\n")
    carried = carried_context(it.ws, new_session(it.ws, Mode.ACT).id, it.document(path))
    assert (WISH in carried.digest, "which you have read" in carried.digest) == (True, False)


def test_a_digest_is_told_once(tmp_path: Path) -> None:
    it, path = planned(tmp_path)
    other = new_session(it.ws, Mode.ACT).id
    first_of_run(it, path, other)
    for name in ("a.txt", "b.txt"):
        (it.world.root / name).unlink()
    it.world.write("a.txt", "good day\n")
    text = it.document(path).file.text.replace("[x]", "[ ]")
    it.world.write(path, text)
    assert text_of(first_of_run(it, path)).count(f"user: {WISH}") == 1


def test_a_plan_that_no_session_made_has_nothing_to_carry(tmp_path: Path) -> None:
    it = Scene(tmp_path, *BOTH_STEPS)
    it.write_plan()
    it.execute()
    assert "earlier conversation" not in text_of([dict(each) for each in it.world.model.requests[0].messages])
    assert it.session.plan_file == PATH
