import asyncio
import itertools
import json
from pathlib import Path

import pytest

from planact.agent.context import COMPACTION
from planact.agent.loop import TurnResult
from planact.base.errors import ModelFailure
from planact.model.chat.message import Reply, Usage
from planact.model.notice import MessageDelta, UsageNotice
from planact.model.rights.permission import Mode
from planact.workflows.sessions.manage import change_session
from tests.agent.talking import SAID, Talk, read, talk
from tests.fakes.world import call, calls


def test_the_answer_is_shown_as_it_comes(tmp_path: Path) -> None:
    it = talk(tmp_path, SAID)
    assert it.run() == TurnResult("finished", "done")
    deltas = [notice for notice in it.world.editor.notices if isinstance(notice, MessageDelta)]
    last = it.world.store.sessions.messages(it.session_id)[-1]
    assert deltas == [MessageDelta(session_id=it.session_id, message_id=last.id, text="done")]


def test_every_request_is_a_prefix_of_the_next(tmp_path: Path) -> None:
    it = talk(tmp_path, calls(read("a"), text="hm"), calls(call("create_file", path="x", content="")), SAID, SAID)
    it.world.write("a", "text")
    it.run()
    it.run("more")
    requests = it.world.model.requests
    assert len(requests) == 4
    for earlier, later in itertools.pairwise(requests):
        assert json.dumps(list(later.messages))[:-1].startswith(json.dumps(list(earlier.messages))[:-1])
        assert json.dumps(list(later.tools)) == json.dumps(list(earlier.tools))


def test_usage_is_summed_over_requests_and_turns(tmp_path: Path) -> None:
    used = Usage(input_tokens=10, output_tokens=2, cached_tokens=1, cost=0.5, requests=1)
    it = talk(tmp_path, Reply("", (read("a"),), usage=used), Reply("x", usage=used), Reply("y", usage=used))
    first, _ = asyncio.run(it.turn()), it.run()
    assert first.usage == used.of("played", "answer").plus(used.of("played", "answer"))
    assert it.world.store.sessions.get(it.session_id).usage == first.usage.plus(used.of("played", "answer"))


def test_the_client_hears_how_full_the_context_is(tmp_path: Path) -> None:
    it = talk(tmp_path, Reply("x", usage=Usage(input_tokens=10, output_tokens=2, requests=1)))
    it.world.model.context_tokens = 1000
    it.run()
    (told,) = (notice for notice in it.world.editor.notices if isinstance(notice, UsageNotice))
    assert (told.context_tokens, told.context_window) == (12, 1000)


def test_what_a_passing_failure_broke_is_asked_again_after_a_while(tmp_path: Path) -> None:
    busy = ModelFailure("MODEL_RATE_LIMITED", "too many requests", is_transient=True, retry_after=7.0)
    broken = ModelFailure("MODEL_STREAM_BROKEN", "the stream broke", is_transient=True)
    it = talk(tmp_path, busy, broken, SAID)
    assert it.run().kind == "finished"
    assert 7.0 + 1.5 <= sum(it.world.store.clock.slept) <= 7.0 + 2.5
    assert it.requests()[0] == it.requests()[1] == it.requests()[2]


def test_what_does_not_pass_ends_the_turn_at_once(tmp_path: Path) -> None:
    it = talk(tmp_path, ModelFailure("MODEL_KEY_REFUSED", "the key was refused"))
    with pytest.raises(ModelFailure, match="refused"):
        it.run()
    assert it.world.store.clock.slept == []
    assert it.transcript() == [("user", "begin")]


def test_an_empty_answer_is_paid_for_and_asked_again_but_not_for_ever(tmp_path: Path) -> None:
    empty = Reply("  \n", usage=Usage(input_tokens=5, requests=1))
    it = talk(tmp_path, *[empty] * 5)
    with pytest.raises(ModelFailure) as failure:
        it.run()
    assert failure.value.code == "MODEL_EMPTY_ANSWER"
    assert len(it.requests()) == 5
    assert it.world.store.sessions.get(it.session_id).usage == Usage(input_tokens=25, requests=5).of("played", "lost")
    assert it.transcript() == [("user", "begin")]


def test_what_is_typed_before_another_attempt_comes_after_its_answer_and_is_read_next(tmp_path: Path) -> None:
    broken = ModelFailure("MODEL_STREAM_BROKEN", "the stream broke", is_transient=True)
    it = talk(tmp_path, broken, calls(read("a")), SAID)

    said = iter(["wait, also this"])

    async def typing(seconds: float) -> None:
        for text in said:
            it.say(text)

    object.__setattr__(it.world.ports.clock, "sleep", typing)
    it.world.write("a", "text")
    assert it.run().kind == "finished"
    first, again, last = it.requests()
    assert first == again
    assert [message["role"] for message in last[1:]] == ["user", "assistant", "tool", "user"]


def test_what_a_delegate_has_read_is_compacted_for_it_alone(tmp_path: Path) -> None:
    used = Usage(input_tokens=900, output_tokens=1, requests=1)
    it = talk(
        tmp_path,
        calls(call("delegate", role="reviewer", task="Look at a, then at b.")),
        Reply("", (read("a", "1"),), usage=used),
        Reply("a holds words"),
        Reply("", (read("b", "2"),)),
        Reply("I saw both."),
        SAID,
        mode=Mode.ACT,
    )
    it.world.model.context_tokens = 1000
    enter_role(it, "commander")
    it.world.write("a", "word " * 2000)
    it.world.write("b", "word")
    assert it.run("begin").text == "done"
    subtask_id = [message for message in it.world.store.sessions.messages(it.session_id) if message.subtask_id]
    (compaction,) = (message for message in subtask_id if COMPACTION in message.metadata)
    assert "Look at a, then at b." in compaction.content
    assert "read_file a" in compaction.content
    assert "a holds words" in compaction.content
    parent = it.requests()[-1]
    assert "a holds words" not in json.dumps(parent)
    assert "I saw both." in json.dumps(parent)


def enter_role(it: Talk, role: str) -> None:
    change_session(it.world.ws, it.session_id, role=role)
