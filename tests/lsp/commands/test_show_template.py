"""`planact.showTemplate`."""

import pytest

from tests.lsp.commands.greetings import TEMPLATE, set_up_template
from tests.lsp.commands.planact_client import PlanactClient

pytestmark = pytest.mark.asyncio(loop_scope="session")


async def test_a_template_is_shown_with_its_text(client: PlanactClient) -> None:
    set_up_template(client)
    shown = await client.do("showTemplate", name="greet")
    assert (shown.goal, shown.text) == ("Greet {{who}}", TEMPLATE)


async def test_one_that_is_not_there_is_told(client: PlanactClient) -> None:
    code, message = await client.refusal("showTemplate", name="nothing")
    assert (code, "nothing" in message) == ("TEMPLATE_NOT_FOUND", True)
