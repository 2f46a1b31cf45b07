"""`planact.listCommentRanges`: where a comment can be put."""

import pytest

from tests.lsp.commands.greetings import PLAN, set_up
from tests.lsp.commands.planact_client import PlanactClient

pytestmark = pytest.mark.asyncio(loop_scope="session")


async def test_the_goal_the_steps_and_lines_of_sections_can_have_comments(client: PlanactClient) -> None:
    plan = f"{PLAN}  > a comment\n\n```sh\ncode\n```\n\n## Risks\n- one\n- two\n"
    lines = plan.splitlines()
    ranges = (await client.do("listCommentRanges", uri=set_up(client, plan=plan))).ranges
    found = [line for each in ranges for line in lines[each.start : each.end + 1]]
    steps = lines[lines.index("## Steps") + 1 : lines.index("  > a comment")]
    assert found == ["# Greet the 🌍 politely", *steps, "- one", "- two"]
