"""`textDocument/codeAction`: the lenses again, for editors without them."""

import asyncio

import pytest
from lsprotocol import types

from planact.lsp import protocol
from planact.model.plan import StepStatus
from tests.lsp.commands.greetings import ASK_PLAN, ASKING, PATH, PLAN, SLOW, set_up
from tests.lsp.commands.planact_client import PlanactClient

pytestmark = pytest.mark.asyncio(loop_scope="session")

FIRST_STEP = PLAN[: PLAN.index("- [ ] 1")].count("\n")
SECOND_STEP = PLAN[: PLAN.index("- [ ] 2")].count("\n")
STEP, PLAN_TITLES = ["Run step", "Skip"], ["Approve", "Execute Plan", "Revise"]


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        (0, PLAN_TITLES),
        (FIRST_STEP, [*STEP, *PLAN_TITLES]),
        (SECOND_STEP - 1, [*STEP, *PLAN_TITLES]),
        (SECOND_STEP + 1, [*STEP, *PLAN_TITLES]),
    ],
)
async def test_those_of_the_step_at_the_cursor_come_first(
    client: PlanactClient, line: int, expected: list[str]
) -> None:
    uri = set_up(client)
    client.show(PATH)
    actions = await client.actions(uri, line)
    assert [action.title for action in actions] == expected
    assert {action.kind for action in actions} == {"source.planact"}


async def test_they_are_what_the_lenses_are(client: PlanactClient) -> None:
    uri = set_up(client)
    client.show(PATH)
    clickable = [lens.command for lens in await client.lenses(uri) if lens.command and lens.command.command]
    found = [
        action.command
        for action in [*(await client.actions(uri, FIRST_STEP)), *(await client.actions(uri, SECOND_STEP))]
    ]
    assert sorted(map(repr, clickable)) == sorted({repr(command) for command in found})


@pytest.mark.parametrize(
    ("only", "count"),
    [
        (None, 3),
        (["source"], 3),
        (["source.planact"], 3),
        (["quickfix"], 0),
        (["source.organizeImports"], 0),
        ([], 0),
    ],
)
async def test_the_client_says_which_kinds_it_wants(client: PlanactClient, only: list[str] | None, count: int) -> None:
    set_up(client)
    uri = client.show(PATH)
    assert len(await client.actions(uri, only=only)) == count


async def test_an_action_carries_out_the_step_under_the_cursor(client: PlanactClient) -> None:
    uri = set_up(client)
    client.show(PATH)
    [run, *_] = await client.actions(uri, SECOND_STEP)
    assert (await client.click(run.command)).status == "success"
    assert client.marks(PATH) == [StepStatus.PENDING, StepStatus.DONE]


async def test_while_it_runs_or_waits_they_are_few(client: PlanactClient) -> None:
    uri = set_up(client, SLOW)
    client.show(PATH)
    running = asyncio.ensure_future(client.execute(uri=uri))
    await client.until_heard(protocol.MESSAGE_DELTA)
    [stop] = await client.actions(uri)
    assert stop.title == "Stop"
    await client.click(stop.command)
    assert (await running).status == "paused"


async def test_an_open_question_is_answered_from_here_too(client: PlanactClient) -> None:
    uri = set_up(client, ASKING, plan=ASK_PLAN)
    client.show(PATH)
    running = asyncio.ensure_future(client.execute(uri=uri))
    question = await client.question()
    [answer] = await client.actions(uri)
    assert answer.command == types.Command(
        "Answer", "planact.answerQuestion", arguments=({"question_id": question.question_id},)
    )
    await client.answer(question, tone="warm")
    await running


async def test_other_documents_have_none(client: PlanactClient) -> None:
    assert await client.actions(client.show("a.md", PLAN)) == []
    assert await client.actions(client.uri("closed.plan")) == []
