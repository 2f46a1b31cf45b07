"""`planact.showExecution`: the record of one run."""

import json

import pytest

from tests.lsp.commands.greetings import set_up
from tests.lsp.commands.planact_client import PlanactClient

pytestmark = pytest.mark.asyncio(loop_scope="session")


async def test_the_record_is_what_the_run_answered_and_what_is_on_disk(client: PlanactClient) -> None:
    run = await client.execute(uri=set_up(client))
    shown = await client.do("showExecution", execution_id=run.id)
    assert shown.model_dump(exclude={"report", "unsaved"}) == run.model_dump()
    assert shown.unsaved == ()
    assert shown.report.startswith("# Greet the 🌍 politely\n\n**Success**\n")
    assert await client.do("showExecution", execution_id=run.id[-8:]) == shown
    assert json.loads(client.text(f".planact/executions/{run.id}.json")) == run.model_dump(mode="json")


async def test_an_unknown_run_is_told(client: PlanactClient) -> None:
    answer = await client.refusal("showExecution", execution_id="none")
    assert answer == ("EXECUTION_NOT_FOUND", "there is no execution none")
