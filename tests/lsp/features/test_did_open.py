"""`textDocument/didOpen`: a plan that is opened asks nothing that has been answered."""

from pathlib import Path

import pytest

from tests.lsp.commands.greetings import PATH
from tests.lsp.commands.planact_client import planact_client
from tests.lsp.commands.test_questions_in_plan import act, plain_client, run_asking
from tests.lsp.raw_client import until

pytestmark = pytest.mark.asyncio(loop_scope="session")


async def test_a_question_that_ended_elsewhere_is_taken_out_of_the_plan_when_it_is_opened(tmp_path: Path) -> None:
    async with plain_client(tmp_path) as client:
        uri, running, asked_id = await run_asking(client)
        client.save_to_disk(uri)
        left = client.texts[uri]
        await client.kill()
        running.cancel()
    async with planact_client(tmp_path) as other:
        await other.do("answerQuestion", question_id=asked_id, answers={"tone": "warm"})
        assert "[!QUESTION]" not in other.text(PATH)
        other.write(PATH, left)
    async with plain_client(tmp_path) as client:
        uri = client.show(PATH)
        await until(lambda: "[!QUESTION]" not in client.texts[uri])
        assert (await act(client, uri, "Continue")).status == "success"
        assert client.text("farewell.txt") == "warm\n"
