"""`planact.deleteTemplate`."""

import pytest

from tests.lsp.commands.greetings import set_up_template
from tests.lsp.commands.planact_client import PlanactClient

pytestmark = pytest.mark.asyncio(loop_scope="session")


async def test_a_template_is_deleted_after_a_yes(client: PlanactClient) -> None:
    set_up_template(client)
    deleting = client.begin("deleteTemplate", name="greet")
    await client.answer(await client.question(), delete=True)
    assert (await deleting).path == ".planact/templates/greet.plan"
    assert not (client.root / ".planact/templates/greet.plan").exists()


async def test_what_ships_with_planact_stays(client: PlanactClient) -> None:
    code, _ = await client.refusal("deleteTemplate", name="release")
    assert code == "TEMPLATE_INVALID"
