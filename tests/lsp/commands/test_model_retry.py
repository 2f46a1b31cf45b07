"""`planact/modelRetry`: clients follow a wait for the model, and drop what had come of the answer."""

from pathlib import Path

import pytest

from planact.lsp.protocol import messages
from tests.lsp.commands.greetings import PLANNING, SUBMITTED, set_up
from tests.lsp.commands.planact_client import PlanactClient, call, calls, full, planact_client, say, scene

pytestmark = pytest.mark.asyncio(loop_scope="session")


def busy(seconds: float, times: int = 1) -> dict[str, object]:
    return {
        "code": "MODEL_OVERLOADED",
        "message": "Too much to do",
        "transient": True,
        "retry_after": seconds,
        "times": times,
    }


async def test_the_wait_is_counted_down_and_its_end_told(client: PlanactClient) -> None:
    set_up(client, scene("greet", say("Good day to you.", fail=busy(1.2))))
    answer = await client.do("sendMessage", text="greet")
    told = client.heard(messages.MODEL_RETRY)
    assert [(each.session_id, each.attempt, each.of, each.wait_seconds, each.seconds_left) for each in told] == [
        (answer.session_id, 2, 5, 2, left) for left in (2, 1, 0)
    ]
    assert {each.code for each in told} == {"MODEL_OVERLOADED"}
    assert told[0].text == "Too much to do. Trying again in 2 s, attempt 2 of 5"
    assert told[-1].text == ""
    lines = [line.message for line in client.log_messages if "trying again" in line.message]
    assert len(lines) == 1, "the log isn't filled with the seconds"


async def test_what_had_come_is_void_before_the_next_attempt_speaks(client: PlanactClient) -> None:
    set_up(client, scene("greet", say("Good day to you.", fail=busy(0.1))))
    await client.do("sendMessage", text="greet")
    shown = ""
    ids = set()
    for delta in client.heard(messages.MESSAGE_DELTA):
        shown = delta.text if delta.begins_anew else shown + delta.text
        ids.add(delta.message_id)
    answers = [each for each in client.heard(messages.MESSAGE) if each.role == "assistant"]
    assert (
        [(each.id, each.content) for each in answers] == [(ids.pop(), shown)] == [(answers[0].id, "Good day to you.")]
    )
    assert [each.begins_anew for each in client.heard(messages.MESSAGE_DELTA)].count(True) == 1


async def test_a_stop_ends_the_wait_at_once(client: PlanactClient) -> None:
    set_up(client, scene("greet", say("Good day to you.", fail=busy(50))))
    working = client.begin("sendMessage", text="greet")
    await client.until_heard(messages.MODEL_RETRY)
    assert (await client.do("stop")).stopped is True
    assert (await working).status == "stopped"
    kept = [each.content for each in client.heard(messages.MESSAGE) if each.role == "assistant"]
    assert kept == ["Good day to you."]


async def test_a_client_without_extras_sees_the_wait_in_its_progress(tmp_path: Path) -> None:
    async with planact_client(tmp_path, full(extras={})) as client:
        set_up(
            client, scene("greet", calls(call("write_plan", **SUBMITTED), fail=busy(1.2)), say("Ready.")), *[PLANNING]
        )
        await client.do("generatePlan", request="greet")
        [reports] = client.progress_reports.values()
        texts = [each.message for each in reports if each.kind == "report"]
        waits = [text.rpartition("Trying again in ")[2] for text in texts]
        assert waits[:3] == ["2 s, attempt 2 of 5", "1 s, attempt 2 of 5", ""]
        assert client.heard(messages.MODEL_RETRY) == []
