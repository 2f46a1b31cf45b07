"""`planact.commentPlan`: a comment of the user's stands below what it is about, and nothing is saved by it."""

import pytest

from planact.plan.syntax.parser import parse
from tests.lsp.commands.greetings import PATH, PLAN, SLOW, set_up
from tests.lsp.commands.planact_client import PlanactClient
from tests.lsp.commands.work import told
from tests.lsp.raw_client import until

pytestmark = pytest.mark.asyncio(loop_scope="session")

LINES = PLAN.splitlines()
SECOND = LINES.index("- [ ] 2. 👋 Write `farewell.txt`")


async def test_it_stands_below_the_step_in_the_window_and_not_on_disk(client: PlanactClient) -> None:
    uri = set_up(client)
    client.show(PATH)
    written = await client.do("commentPlan", uri=uri, line=SECOND, text="Only at night\nand softly")
    assert (written.line, written.path) == (SECOND + 1, PATH)
    lines = client.texts[uri].splitlines()
    assert lines[: SECOND + 3] == [*LINES[: SECOND + 1], "  > Only at night", "  > and softly"]
    assert (client.root / PATH).read_text("utf-8") == PLAN
    again = await client.do("commentPlan", uri=uri, line=SECOND, text="Once more")
    assert again.line == SECOND + 3
    comments = parse(client.texts[uri]).comments
    assert [(each.step, each.text) for each in comments] == [(2, "Only at night\nand softly\nOnce more")]


async def test_where_no_comment_can_stand_it_is_refused(client: PlanactClient) -> None:
    uri = set_up(client)
    for line in (0, LINES.index("## Steps"), 99):
        assert (await client.refusal("commentPlan", uri=uri, line=line, text="no"))[0] == "INVALID_ARGUMENTS"
    assert (await client.refusal("commentPlan", uri=uri, line=SECOND, text="  "))[0] == "INVALID_ARGUMENTS"
    assert client.text(PATH) == PLAN


async def test_words_that_look_like_a_block_of_planacts_stay_a_comment(client: PlanactClient) -> None:
    uri = set_up(client)
    goal = LINES.index("# Greet the 🌍 politely")
    await client.do("commentPlan", uri=uri, line=goal, text="[!QUESTION] really?")
    [comment] = parse(client.text(PATH)).comments
    assert (comment.step, comment.text) == (None, "\\[!QUESTION] really?")
    assert parse(client.text(PATH)).questions == ()


async def test_while_the_plan_is_executed_it_is_refused(client: PlanactClient) -> None:
    uri = set_up(client, SLOW)
    running = client.begin("executePlan", uri=uri, approve_hash=(await client.do("showPlan", uri=uri)).plan_hash)
    await until(lambda: any(work.step == 1 for work in told(client)))
    assert (await client.refusal("commentPlan", uri=uri, line=SECOND, text="no"))[0] == "BUSY"
    assert (await client.do("listCommentRanges", uri=uri)).ranges == ()
    await client.do("stop")
    await running
