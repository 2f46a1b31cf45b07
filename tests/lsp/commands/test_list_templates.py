"""`planact.listTemplates`."""

import pytest

from tests.lsp.commands.planact_client import PlanactClient

pytestmark = pytest.mark.asyncio(loop_scope="session")

OWN = """---
parameters:
  - {name: who, description: Whom}
---
# Greet {{who}}

## Steps
- [ ] 1. Say hello 👋
"""


async def test_planacts_templates_and_the_workspaces_are_listed(client: PlanactClient) -> None:
    client.write(".planact/templates/greet.plan", OWN)
    client.write(".planact/templates/broken.plan", "# x\n")
    found = await client.do("listTemplates")
    own = next(each for each in found.templates if each.name == "greet")
    assert (own.source, own.category, [each.name for each in own.parameters]) == ("workspace", "other", ["who"])
    assert {each.source for each in found.templates if each.name != "greet"} == {"planact"}
    assert len(found.problems) == 1
    assert "broken" in found.problems[0]
