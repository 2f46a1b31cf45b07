"""`planact.newSession`: a conversation begins, in Plan unless the user says otherwise."""

import pytest

from planact.lsp.protocol import messages
from planact.model.rights.permission import Mode
from tests.lsp.commands.planact_client import IN_ONE_ENCODING, PlanactClient, planact_client

pytestmark = pytest.mark.asyncio(loop_scope="session")


@pytest.mark.parametrize(
    ("payload", "mode", "role"),
    [
        ({}, Mode.PLAN, "planner"),
        ({"mode": "plan"}, Mode.PLAN, "planner"),
        ({"mode": "planning"}, Mode.PLAN, "planner"),
        ({"mode": "act"}, Mode.ACT, "actor"),
        ({"mode": "executing"}, Mode.ACT, "actor"),
        ({"mode": "build"}, Mode.ACT, "actor"),
    ],
)
async def test_a_session_begins_in_its_mode(
    client: PlanactClient, payload: dict[str, str], mode: Mode, role: str
) -> None:
    session = await client.do("newSession", **payload)
    assert (session.mode, session.role, session.plan_file, session.title) == (mode, role, "", "")
    assert (await client.do("showStatus")).session == session
    changed = messages.ModeChanged(
        folder=client.root.as_uri(), session_id=session.id, mode=mode, role=role, plan_file=""
    )
    assert set(client.heard(messages.MODE_CHANGED)) == {changed}


async def test_each_session_is_another(client: PlanactClient) -> None:
    first, second = await client.do("newSession"), await client.do("newSession")
    assert first.id < second.id


@IN_ONE_ENCODING
async def test_the_setting_says_in_which_mode_sessions_begin(client: PlanactClient) -> None:
    async with planact_client(client.root, settings={"startMode": "act"}) as other:
        assert (await other.do("showStatus")).mode is Mode.ACT
        assert (await other.do("newSession")).mode is Mode.ACT
