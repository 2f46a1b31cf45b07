"""`planact.retryNow`: the user ends a wait for a busy model."""

import asyncio

import pytest

from planact.lsp.protocol import messages
from tests.lsp.commands.greetings import set_up
from tests.lsp.commands.planact_client import PlanactClient, say, scene
from tests.lsp.commands.work import status_of

pytestmark = pytest.mark.asyncio(loop_scope="session")


async def test_the_wait_for_a_busy_model_is_told_to_a_client_that_comes_late_and_ends_on_request(
    client: PlanactClient,
) -> None:
    fail = {"code": "MODEL_RATE_LIMITED", "message": "Too much", "transient": True, "retry_after": 50, "times": 1}
    set_up(client, scene("greet", say("Good day to you.", fail=fail)))
    asking = client.begin("sendMessage", text="greet")
    await client.until_heard(messages.MODEL_RETRY)
    work = await status_of(client)
    assert (work.state, work.status_text) == ("retrying", "Plan · model busy")
    assert work.retry is not None
    assert (work.retry.attempt, work.retry.of, work.retry.wait_seconds) == (2, 5, 50)
    assert work.retry.short_text.startswith("Too much · try 2 of 5 in ")
    assert (await client.do("retryNow")).retried is True
    assert (await asyncio.wait_for(asking, 180)).text == "Good day to you."
    assert (await client.do("retryNow")).retried is False
