"""Messages that are typed while work runs: kept before they are acknowledged, read at the next safe point, not lost."""

import asyncio
from pathlib import Path
from typing import Literal

import pytest

from planact.base.errors import Conflict
from planact.model.chat.message import Message, ModelRequest, Reply
from planact.model.rights.permission import Mode
from planact.workflows.chat.send_message import send_message
from planact.workflows.runs.make_plan import make_plan
from planact.workflows.runs.queued_messages import unread
from tests.fakes.loopback_model import without_surroundings
from tests.fakes.world import Turn, call, calls
from tests.workflows.scene import BOTH_STEPS, SAID, WRITE_A, WRITE_B, Scene, until


def typing(it: Scene, text: str, reply: Reply) -> Turn:
    """The user writes while the model speaks."""

    def turn(_: ModelRequest) -> Reply:
        typed.append(asyncio.ensure_future(send_message(it.ws, it.session_id, text)))
        return reply

    typed: list[asyncio.Future[object]] = []
    return turn


def told(it: Scene, request: int) -> list[str]:
    return [str(message["content"]) for message in without_surroundings(it.world.model.requests[request].messages)]


def test_it_is_kept_and_marked_before_it_is_acknowledged(tmp_path: Path) -> None:
    it = Scene(tmp_path)
    it.world.model.turns = [typing(it, "and c", calls(call("list_directory"))), SAID]
    asyncio.run(send_message(it.ws, it.session_id, "hello"))
    said = [
        (m.content, m.metadata.get("queued")) for m in it.ws.ports.sessions.messages(it.session_id) if m.role == "user"
    ]
    assert said == [("hello", None), ("and c", True)]
    assert (it.said_last(), unread(it.ws, it.session_id)) == ("and c", ())


def said(it: Scene, message_id: str, role: Literal["user", "assistant"], *, queued: bool = False) -> None:
    metadata = {"queued": True} if queued else {}
    message = Message(id=message_id, session_id=it.session_id, role=role, content=message_id, metadata=metadata)
    it.ws.ports.sessions.add_message(message)


def test_it_is_found_though_the_clock_was_set_back_since_the_model_was_asked(tmp_path: Path) -> None:
    it = Scene(tmp_path)
    said(it, "9", "assistant")
    said(it, "1", "user", queued=True)
    assert [message.content for message in unread(it.ws, it.session_id)] == ["1"]


def test_what_an_earlier_request_read_is_not_read_again_though_the_clock_was_set_back(tmp_path: Path) -> None:
    it = Scene(tmp_path)
    said(it, "7", "user", queued=True)
    said(it, "8", "assistant")
    said(it, "1", "assistant")
    assert unread(it.ws, it.session_id) == ()


def test_in_a_run_it_is_read_within_the_step(tmp_path: Path) -> None:
    it = Scene(tmp_path)
    it.write_plan()
    it.world.model.turns = [typing(it, "say it loud", WRITE_A), SAID, WRITE_B, SAID]
    assert it.execute().status == "success"
    assert told(it, 1)[-1] == "say it loud"


def test_what_comes_after_the_last_request_of_a_run_is_worked_on_when_it_ends(tmp_path: Path) -> None:
    it = Scene(tmp_path, *BOTH_STEPS, SAID)
    it.write_plan(SLOW)

    async def late() -> None:
        await it.approve()
        running = asyncio.ensure_future(it.executing())
        await until((tmp_path / "checking").exists)
        assert await send_message(it.ws, it.session_id, "now the docs") is None
        (tmp_path / "go").touch()
        assert (await running).status == "success"

    asyncio.run(late())
    assert it.said_last() == "now the docs"
    assert [run.plan_id != "" for run in it.ws.ports.records.executions()] == [False, True]


SLOW = """---
id: plan_20261120_aaaa
---
# Greet
## Steps
- [ ] 1. Write the greeting
  - reason: nobody is greeted
  - files: a.txt
- [ ] 2. Write the answer
  - reason: nobody answers
  - files: b.txt
  - check: `touch checking; while [ ! -e go ]; do sleep 0.02; done`
"""


def test_what_a_killed_run_never_read_is_told_when_the_plan_goes_on(tmp_path: Path) -> None:
    it = Scene(tmp_path, *BOTH_STEPS)
    it.write_plan()
    it.ws.add_message(it.session_id, "user", "mind the gap", queued=True)
    it.execute()
    (begins,) = (text for text in told(it, 0) if "Execution of “Greet” begins." in text)
    assert "mind the gap" in begins
    assert unread(it.ws, it.session_id) == ()
    (tmp_path / "a.txt").unlink()
    (tmp_path / "b.txt").unlink()
    it.world.model.turns = list(BOTH_STEPS)
    it.write_plan()
    it.execute()
    begins = next(text for text in reversed(told(it, 4)) if "Execution of “Greet” begins." in text)
    assert "mind the gap" not in begins, "once is enough"


@pytest.mark.parametrize("mode", list(Mode))
def test_a_session_that_works_in_another_process_gets_its_messages_there(tmp_path: Path, mode: Mode) -> None:
    it = Scene(tmp_path, mode=mode)
    elsewhere = it.ws.ports.session_lock(it.session_id)
    elsewhere.acquire("its session works")
    assert asyncio.run(send_message(it.ws, it.session_id, "and c")) is None
    assert [message.content for message in unread(it.ws, it.session_id)] == ["and c"]
    elsewhere.release()
    it.world.model.turns = [SAID]
    asyncio.run(send_message(it.ws, it.session_id, "go on"))
    assert told(it, 0)[-2:] == ["and c", "go on"]


def test_nothing_else_begins_in_a_session_that_works_in_another_process(tmp_path: Path) -> None:
    it = Scene(tmp_path)
    it.ws.ports.session_lock(it.session_id).acquire("its session works")
    it.world.store.lock._holders.append("a.plan: Greet")
    with pytest.raises(Conflict) as conflict:
        asyncio.run(make_plan(it.ws, it.session_id, "Greet"))
    assert (conflict.value.code, conflict.value.message) == (
        "BUSY",
        "another planact works in this session: a.plan: Greet",
    )


def test_a_stop_leaves_a_message_for_the_next_turn(tmp_path: Path) -> None:
    it = Scene(tmp_path, calls(call("execute_command", command="touch busy; sleep 600")), mode=Mode.ACT)
    it.ws.settings = it.ws.settings.model_copy(update={"approval": "acceptAll"})

    async def stop() -> None:
        working = asyncio.ensure_future(send_message(it.ws, it.session_id, "work"))
        await until((tmp_path / "busy").exists)
        assert await send_message(it.ws, it.session_id, "and c") is None
        assert await it.ws.stop(it.session_id)
        result = await working
        assert result is not None
        assert result.kind == "stopped"

    asyncio.run(stop())
    it.world.model.turns = [SAID]
    asyncio.run(send_message(it.ws, it.session_id, "go on"))
    assert told(it, -1)[-2:] == ["and c", "go on"]
