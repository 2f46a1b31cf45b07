"""`planact.tryAgain`: work that ended with an error goes on."""

import pytest

from tests.lsp.commands.greetings import set_up
from tests.lsp.commands.planact_client import PlanactClient, say, scene
from tests.lsp.commands.work import status_of, until_told

pytestmark = pytest.mark.asyncio(loop_scope="session")


async def test_a_model_that_gives_no_answer_leaves_a_trace_and_can_be_asked_again(client: PlanactClient) -> None:
    fail = {"code": "MODEL_OVERLOADED", "message": "Too much", "transient": True, "retry_after": 0, "times": 5}
    set_up(client, scene("greet", say("Lost.", fail=fail), say("Good day to you.")))
    code, _ = await client.refusal("sendMessage", text="greet")
    assert code == "MODEL_OVERLOADED"
    work = await until_told(client, "no_answer")
    assert (work.title, work.text) == ("The model did not answer", "5 tries; the last: Too much.")
    kept = await client.transcript(work.session_id)
    failure = kept[-1].metadata["failure"]
    assert (failure["code"], failure["title"], failure["can_try_again"]) == (code, work.title, True)
    assert failure["hint"] not in failure["text"]
    ended = await client.do("tryAgain")
    assert (ended.status, ended.text) == ("done", "Good day to you.")
    assert (await status_of(client)).state == "idle"
    assert (await client.refusal("tryAgain"))[0] == "MODE_CONFLICT"


async def test_a_failure_without_a_title_is_told_once(client: PlanactClient) -> None:
    set_up(client, scene("greet", say("Lost.", fail={"code": "MODEL_BAD_REQUEST", "message": "too odd"})))
    await client.refusal("sendMessage", text="greet")
    work = await until_told(client, "no_answer")
    assert (work.title, "too odd" in work.text) == ("The work could not go on", True)
