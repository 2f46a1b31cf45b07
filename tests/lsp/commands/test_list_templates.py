"""`planact.listTemplates`."""

import pytest

from tests.lsp.commands.greetings import set_up_template
from tests.lsp.commands.planact_client import PlanactClient

pytestmark = pytest.mark.asyncio(loop_scope="session")


async def test_planacts_templates_and_the_workspaces_are_listed(client: PlanactClient) -> None:
    set_up_template(client)
    client.write(".planact/templates/broken.plan", "# x\n")
    found = await client.do("listTemplates")
    own = next(each for each in found.templates if each.name == "greet")
    assert (own.source, own.category, [each.name for each in own.parameters]) == ("workspace", "other", ["who"])
    assert {each.source for each in found.templates if each.name != "greet"} == {"planact"}
    assert len(found.problems) == 1
    assert "broken" in found.problems[0]
