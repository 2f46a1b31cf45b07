"""`workspace/didChangeWorkspaceFolders`: a plan belongs to the innermost folder that holds it."""

import pytest

from tests.lsp.commands.greetings import PATH, PLAN, set_up
from tests.lsp.commands.planact_client import PlanactClient

pytestmark = pytest.mark.asyncio(loop_scope="session")


async def test_each_folder_has_its_own_plans_and_state(client: PlanactClient) -> None:
    uri = set_up(client)
    inner = client.root / "inner 🌍"
    inside = client.write(f"inner 🌍/{PATH}", PLAN)
    assert (await client.do("showPlan", uri=inside)).path == f"inner 🌍/{PATH}"
    client.change_folders(added=[inner])
    folders = (await client.do("showStatus")).folders
    assert [folder.path for folder in folders] == [str(client.root), str(inner)]
    assert [(await client.do("showPlan", uri=each)).path for each in (uri, inside)] == [PATH, PATH]
    await client.approve(inside)
    assert [(await client.do("showPlan", uri=each)).is_approved for each in (uri, inside)] == [False, True]
    assert [plan.uri for plan in (await client.do("listPlans", folder=inner.as_uri())).plans] == [inside]


async def test_a_folder_that_left_is_no_place_for_plans(client: PlanactClient) -> None:
    uri = set_up(client)
    client.change_folders(removed=[client.root])
    assert (await client.refusal("showPlan", uri=uri))[0] == "NO_WORKSPACE"
    client.change_folders(added=[client.root])
    assert (await client.do("showPlan", uri=uri)).path == PATH
