"""`planact.setRole`: another role works from the next call on; nobody's mode changes by it."""

import pytest

from planact.lsp.protocol import messages
from planact.model.rights.permission import Mode
from tests.lsp.commands.planact_client import PlanactClient, call, calls, say, scene

pytestmark = pytest.mark.asyncio(loop_scope="session")

TESTS_ONLY = "---\nmode: act\npermissions: [read_files, write_files, create_files]\npaths: [tests/]\n---\nYou test.\n"
WRITE = calls(call("create_file", path="farewell.txt", content="bye"))
WRITE_TEST = calls(call("create_file", path="tests/a.txt", content="bye"))
IS_REFUSED = {"expect": [{"in": "tool", "text": "TOOL_BLOCKED_BY_ROLE"}]}


async def test_the_role_is_set_and_the_client_hears_of_it(client: PlanactClient) -> None:
    session = await client.do("newSession")
    changed = await client.do("setRole", role="reviewer")
    assert changed == session.model_copy(update={"role": "reviewer", "updated_at": changed.updated_at})
    assert client.heard(messages.MODE_CHANGED)[-1] == messages.ModeChanged(
        folder=client.root.as_uri(), session_id=session.id, mode=Mode.PLAN, role="reviewer", plan_file=""
    )
    assert (await client.do("setMode", mode="act")).role == "actor"


async def test_what_can_not_be_set_is_refused_with_the_next_step(client: PlanactClient) -> None:
    await client.do("newSession")
    assert await client.refusal("setRole", role="tester") == (
        "MODE_CONFLICT",
        "the role tester is for Act, and the session is in Plan",
    )
    assert (await client.refusal("setRole", role="testr"))[0] == "ROLE_NOT_FOUND"
    client.write(".planact/roles/docs.md", "no front matter")
    assert (await client.refusal("setRole", role="docs"))[0] == "ROLE_INVALID"
    assert (await client.do("showStatus")).session.role == "planner"


async def test_a_trusted_role_narrows(client: PlanactClient) -> None:
    client.write(".planact/config.toml", 'approval = "acceptAll"\n')
    client.write(".planact/roles/tester.md", TESTS_ONLY)
    client.script(scene("", WRITE, {**WRITE_TEST, **IS_REFUSED}, say("Done."), mode="act"))
    await client.do("trustFolder")
    await client.do("newSession", mode="act")
    await client.do("setRole", role="tester")
    assert (await client.do("sendMessage", text="write")).status == "done"
    assert not (client.root / "farewell.txt").exists()
    assert client.text("tests/a.txt") == "bye"
