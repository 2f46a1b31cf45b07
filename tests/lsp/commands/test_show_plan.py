"""`planact.showPlan`: a plan as data, with the hash of what the user sees."""

import re

import pytest

from planact.plan.approval import approval_hash
from planact.plan.syntax.lower import lower
from planact.plan.syntax.parser import parse
from tests.lsp.commands.greetings import PATH, PLAN, PLAN_ID, set_up
from tests.lsp.commands.planact_client import PlanactClient

pytestmark = pytest.mark.asyncio(loop_scope="session")


@pytest.mark.parametrize("plan_id", ["", PLAN_ID, "k3v9"])
async def test_a_plan_is_shown_as_data(client: PlanactClient, plan_id: str) -> None:
    uri = set_up(client)
    shown = await client.do("showPlan", **({"plan_id": plan_id} if plan_id else {"uri": uri}))
    assert (shown.uri, shown.path, shown.plan_hash, shown.is_approved) == (uri, PATH, approval_hash(PLAN), False)
    assert shown.plan == lower(parse(PLAN))


async def test_unsaved_text_is_what_the_user_sees(client: PlanactClient) -> None:
    uri = set_up(client)
    client.show(PATH, PLAN.replace("politely", "👋 unsaved"))
    shown = await client.do("showPlan", plan_id=PLAN_ID)
    assert (shown.plan.goal, shown.uri) == ("Greet the 🌍 👋 unsaved", uri)


async def test_comments_are_told_with_their_lines_and_steps(client: PlanactClient) -> None:
    uri = set_up(client)
    for step, text in ((2, "Only at 🌙\nand quietly"), (1, "say `hello`"), (0, "in short")):
        lines = client.text(PATH).splitlines()
        line = next(at for at, each in enumerate(lines) if each.startswith(f"- [ ] {step}. " if step else "# "))
        await client.do("commentPlan", uri=uri, line=line, text=text)
    shown = await client.do("showPlan", uri=uri)
    assert [(each.step, each.text) for each in shown.remarks] == [
        (0, "in short"),
        (1, "say `hello`"),
        (2, "Only at 🌙 and quietly"),
    ]
    lines = client.text(PATH).splitlines()
    assert [lines[each.line].strip() for each in shown.remarks] == ["> in short", "> say `hello`", "> Only at 🌙"]


async def test_what_a_file_says_of_itself_approves_nothing(client: PlanactClient) -> None:
    uri = set_up(client, plan=PLAN.replace("status: draft", "status: approved"))
    assert (await client.do("showPlan", uri=uri)).is_approved is False
    await client.approve(uri)
    assert (await client.do("showPlan", uri=uri)).is_approved is True


@pytest.mark.parametrize(
    ("path", "text", "expected"),
    [
        ("a.plan", "only 👋 words\n", ("PLAN_INVALID", "a.plan is not a complete plan: it has no goal or no steps")),
        (
            "a.plan",
            "# Goal\n\n## Steps\n",
            ("PLAN_INVALID", "a.plan is not a complete plan: it has no goal or no steps"),
        ),
        ("a.md", "# Goal\n", ("PLAN_INVALID", "a.md is not a .plan file")),
        ("a.plan", "a\0b", ("FILE_BINARY", "a.plan is not a text file")),
    ],
)
async def test_what_is_no_plan_is_told(client: PlanactClient, path: str, text: str, expected: tuple[str, str]) -> None:
    assert await client.refusal("showPlan", uri=client.write(path, text)) == expected


async def test_two_documents_with_one_id_are_named(client: PlanactClient) -> None:
    set_up(client)
    client.write("copy.plan", PLAN)
    code, message = await client.refusal("showPlan", plan_id=PLAN_ID)
    assert code == "PLAN_INVALID"
    assert "copy.plan" in message
    assert PATH in message


async def test_it_is_opened_at_a_step_that_is_named(client: PlanactClient) -> None:
    uri = set_up(client)
    await client.do("showPlan", uri=uri)
    assert client.shown_documents == []
    await client.do("showPlan", uri=uri, step=2)
    [shown] = client.shown_documents
    assert shown.selection
    client.show(PATH)
    assert (shown.uri, client.shown_at(uri, shown.selection)) == (uri, "👋 Write `farewell.txt`")


async def test_what_it_took_so_far_is_added_up_when_somebody_asks(client: PlanactClient) -> None:
    uri = set_up(client)
    assert (await client.do("showPlan", uri=uri, with_usage=True)).usage == ""
    await client.execute(uri=uri)
    shown = await client.do("showPlan", uri=uri, with_usage=True)
    assert re.fullmatch(r"5 requests, \d+ tokens in( \(\d+ cached\))?, \d+ out, .+", shown.usage)
    assert (await client.do("showPlan", uri=uri)).usage == ""


async def test_its_status_counts_as_far_as_the_user_approved_it(client: PlanactClient) -> None:
    uri = set_up(client, plan=PLAN.replace("status: draft", "status: done"))
    assert (await client.do("showPlan", uri=uri)).status == "draft"
    await client.execute(uri=uri)
    assert (await client.do("showPlan", uri=uri)).status == "done"
