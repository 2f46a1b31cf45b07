"""`planact.createTemplate`."""

import pytest

from tests.lsp.commands.greetings import set_up
from tests.lsp.commands.planact_client import PlanactClient

pytestmark = pytest.mark.asyncio(loop_scope="session")


async def test_a_plan_becomes_a_template(client: PlanactClient) -> None:
    uri = set_up(client)
    made = await client.do("createTemplate", uri=uri, name="greet", parameters={"file": "greeting.txt"})
    assert made.path == ".planact/templates/greet.plan"
    shown = await client.do("showTemplate", name="greet")
    assert [(each.name, each.default) for each in shown.parameters] == [("file", "greeting.txt")]
    assert "{{file}}" in shown.text


async def test_a_name_that_is_a_path_is_refused(client: PlanactClient) -> None:
    code, _ = await client.refusal("createTemplate", uri=set_up(client), name="../greet")
    assert code == "TEMPLATE_INVALID"
