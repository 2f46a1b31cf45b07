"""`planact.skipStep`: a step is left out, and stays out when the plan is carried out."""

import pytest

from planact.model.plan import StepStatus
from tests.lsp.commands.greetings import PATH, PLAN, PLAN_ID, set_up
from tests.lsp.commands.planact_client import PlanactClient

pytestmark = pytest.mark.asyncio(loop_scope="session")


async def test_a_skipped_step_is_marked_with_one_character_and_not_carried_out(client: PlanactClient) -> None:
    uri = set_up(client)
    made = await client.do("skipStep", uri=uri, step=2)
    assert (made.plan_id, made.path, made.uri) == (PLAN_ID, PATH, uri)
    assert client.text(PATH) == PLAN.replace("[ ] 2", "[-] 2")
    run = await client.execute(uri=uri)
    assert (run.status, [step.step_number for step in run.steps]) == ("success", [1])
    assert client.marks(PATH) == [StepStatus.DONE, StepStatus.SKIPPED]
    assert not (client.root / "farewell.txt").exists()


async def test_an_open_plan_is_marked_in_its_window(client: PlanactClient) -> None:
    uri = set_up(client)
    client.show(PATH, PLAN + "unsaved 🌍\n")
    await client.do("skipStep", uri=uri, step=1)
    assert client.texts[uri] == PLAN.replace("[ ] 1", "[-] 1") + "unsaved 🌍\n"
    assert client.saves == []
    assert client.text("greet.plan") != (client.root / PATH).read_text()


@pytest.mark.parametrize(
    ("plan", "step", "expected"),
    [
        (PLAN, 3, ("STEP_NOT_FOUND", "the plan has no step 3")),
        (PLAN.replace("[ ] 1", "[x] 1"), 1, ("MODE_CONFLICT", "step 1 is done")),
    ],
)
async def test_what_can_not_be_skipped_is_told(
    client: PlanactClient, plan: str, step: int, expected: tuple[str, str]
) -> None:
    assert await client.refusal("skipStep", uri=set_up(client, plan=plan), step=step) == expected
    assert client.text(PATH) == plan
