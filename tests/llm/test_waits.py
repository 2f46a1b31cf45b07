"""Before a request is sent again, the wait is told; what had come of the answer is replaced. Real litellm over HTTP."""

import asyncio
from pathlib import Path

import pytest

from planact.adapters.llm.litellm_model import LitellmLoader
from planact.agent.context import CUT_OFF
from planact.base.errors import ModelFailure
from planact.model.notice import MessageAdded, MessageDelta, ModelRetry
from planact.model.settings import LimitSettings
from planact.workflows.chat.send_message import send_message
from tests.fakes.loopback_model import OVERLOADED, UNAUTHORIZED, Call, LoopbackModel, Say, rate_limited
from tests.llm.test_faults import Answers, Step, scene
from tests.workflows.scene import Scene

pytestmark = [
    pytest.mark.asyncio(loop_scope="module"),
    pytest.mark.filterwarnings("ignore:Accessing the .* attribute on the instance is deprecated"),
]

BROKEN = Say("First I look around, and then", drop_after=3)
THINKS = Say("", reasoning="Where do I begin?", end_after=2)
REWORDED = Say("I begin with the tests.")


async def said(root: Path, loader: LitellmLoader, *answers: Step) -> Scene:
    with LoopbackModel(Answers(list(answers))) as server:
        it = scene(root, server.url, loader, LimitSettings())
        await send_message(it.ws, it.session_id, "What will you do?")
    return it


def retries(it: Scene) -> list[ModelRetry]:
    return [notice for notice in it.world.editor.notices if isinstance(notice, ModelRetry)]


async def test_a_wait_is_told_each_second_with_its_reason_and_recorded_once(
    tmp_path: Path, loader: LitellmLoader
) -> None:
    it = await said(tmp_path, loader, rate_limited("2.5"), OVERLOADED, REWORDED)
    first = [notice for notice in retries(it) if notice.attempt == 2]
    assert [notice.seconds_left for notice in first] == [3, 2, 1, 0]
    assert [notice.text for notice in first] == [
        "The provider takes no more requests for now (429). Trying again in 3 s, attempt 2 of 5",
        "The provider takes no more requests for now (429). Trying again in 2 s, attempt 2 of 5",
        "The provider takes no more requests for now (429). Trying again in 1 s, attempt 2 of 5",
        "",
    ]
    assert [bool(notice.line) for notice in first] == [True, False, False, False]
    assert "Rate limit reached; trying again in 3 s, attempt 2 of 5 [MODEL_RATE_LIMITED]" in first[0].line
    assert {(each.attempt, each.reason) for each in retries(it)} == {
        (2, "The provider takes no more requests for now (429)"),
        (3, "The provider is overloaded (529)"),
    }
    events = [event for event in it.world.store.events.list(it.session_id) if event.kind == "model_retried"]
    assert [event.data["code"] for event in events] == ["MODEL_RATE_LIMITED", "MODEL_OVERLOADED"]
    assert events[0].data.items() >= {
        "model": "openai/rehearsal", "reason": first[0].reason, "attempt": 2, "of": 5, "wait_seconds": 3,
    }.items()  # fmt: skip


async def test_the_next_attempt_replaces_the_text_that_had_come(tmp_path: Path, loader: LitellmLoader) -> None:
    it = await said(tmp_path, loader, BROKEN, BROKEN, REWORDED)
    shown = ""
    for delta in (notice for notice in it.world.editor.notices if isinstance(notice, MessageDelta)):
        shown = delta.text if delta.begins_anew else shown + delta.text
    answers = [each.message for each in it.world.editor.notices if isinstance(each, MessageAdded)]
    answers = [message for message in answers if message.role == "assistant"]
    assert [message.content for message in answers] == [shown] == [REWORDED.text]
    ids = {notice.message_id for notice in it.world.editor.notices if isinstance(notice, MessageDelta)}
    assert ids == {answers[0].id}
    stored = it.ws.ports.sessions.messages(it.session_id)
    assert [message.content for message in stored if message.role == "assistant"] == [REWORDED.text]
    order = [notice for notice in it.world.editor.notices if isinstance(notice, ModelRetry | MessageDelta)]
    at = order.index(next(notice for notice in order if isinstance(notice, MessageDelta) and notice.begins_anew))
    before = order[at - 1]
    assert isinstance(before, ModelRetry), "the text is there until the wait is over"
    assert before.seconds_left == 0
    usage = it.world.store.sessions.get(it.session_id).usage
    assert usage.by_purpose["lost"].requests == 2, "each attempt that began is paid for"


async def test_thoughts_that_broke_off_begin_anew_too(tmp_path: Path, loader: LitellmLoader) -> None:
    it = await said(tmp_path, loader, THINKS, REWORDED)
    deltas = [notice for notice in it.world.editor.notices if isinstance(notice, MessageDelta)]
    assert [delta.begins_anew for delta in deltas if not delta.text] == [True]


async def test_what_showed_nothing_begins_nothing_anew(tmp_path: Path, loader: LitellmLoader) -> None:
    it = await said(tmp_path, loader, OVERLOADED, REWORDED)
    assert not any(notice.begins_anew for notice in it.world.editor.notices if isinstance(notice, MessageDelta))


@pytest.mark.parametrize("last", [BROKEN, UNAUTHORIZED], ids=["broken for good", "refused for good"])
async def test_what_no_attempt_replaced_is_kept(tmp_path: Path, loader: LitellmLoader, last: Step) -> None:
    answers = [BROKEN] * 4 + [last]
    with LoopbackModel(Answers(answers)) as server:
        it = scene(tmp_path, server.url, loader, LimitSettings())
        with pytest.raises(ModelFailure) as failure:
            await send_message(it.ws, it.session_id, "What will you do?")
    assert ("tried 5 times" in failure.value.message) == (last is BROKEN)
    messages = it.ws.ports.sessions.messages(it.session_id)
    kept = [message.content for message in messages if message.metadata.get(CUT_OFF)]
    assert [text.startswith("First I") for text in kept] == ([True] if last is BROKEN else [])


async def test_a_stop_ends_the_wait_at_once_and_keeps_what_had_come(tmp_path: Path, loader: LitellmLoader) -> None:
    waiting = asyncio.Event()

    async def sleep(_: float) -> None:
        waiting.set()
        await asyncio.Event().wait()  # for ever

    with LoopbackModel(Answers([BROKEN])) as server:
        it = scene(tmp_path, server.url, loader, LimitSettings())
        object.__setattr__(it.ws.ports.clock, "sleep", sleep)
        sending = asyncio.ensure_future(send_message(it.ws, it.session_id, "What will you do?"))
        await asyncio.wait_for(waiting.wait(), 180)
        assert await asyncio.wait_for(it.ws.stop(it.session_id), 180)
        await asyncio.wait([sending])
        assert len(server.requests) == 1
    (kept,) = (message for message in it.ws.ports.sessions.messages(it.session_id) if message.metadata.get(CUT_OFF))
    assert kept.content.startswith("First I")


async def test_a_call_that_broke_off_is_run_once_by_the_attempt_that_ends(
    tmp_path: Path, loader: LitellmLoader
) -> None:
    make = Call("create_file", {"path": "a.txt", "content": "a"}, "call_a")
    torn = Say("I make it.", calls=[make], drop_after=6)
    it = await said(tmp_path, loader, torn, Say("Now I make it.", calls=[make]), Say("Done."))
    stored = it.ws.ports.sessions.messages(it.session_id)
    assert [message.content for message in stored if message.role == "assistant"] == ["Now I make it.", "Done."]
    assert [*it.world.tree()] == ["a.txt"]
