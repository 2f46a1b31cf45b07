"""A switch to Plan while a call is in flight: it holds from the very next call, wherever the switch comes from."""

from pathlib import Path
from typing import Any

import pytest

from planact.model.rights.permission import Mode
from tests.lsp.commands.greetings import set_up
from tests.lsp.commands.planact_client import IN_ONE_ENCODING, PlanactClient, call, calls, planact_client, say, scene
from tests.lsp.raw_client import until

pytestmark = pytest.mark.asyncio(loop_scope="session")

SLOW = call("execute_command", command="touch started; until test -e go; do sleep 0.05; done; touch finished")
WRITE = call("create_file", path="late.txt", content="x")
BLOCKED = {"expect": [{"in": "tool", "text": "TOOL_BLOCKED_BY_MODE"}]}

one_reply = (calls(SLOW, WRITE), say("Never mind."))
two_replies = (calls(SLOW), calls(WRITE), say("Never mind."))


async def working(client: PlanactClient, turns: Any) -> Any:
    """Work in Act whose command runs, and waits for a file called `go`."""
    set_up(client, scene("work", *turns))
    client.configure(approval="acceptAll")
    await client.do("newSession", mode="act")
    going = client.begin("sendMessage", text="work")
    await until(lambda: (client.root / "started").exists())
    return going


@pytest.mark.parametrize("turns", [one_reply, two_replies], ids=["one reply", "two replies"])
async def test_a_confirmed_switch_stops_the_work(client: PlanactClient, turns: Any) -> None:
    going = await working(client, turns)
    session = await client.do("setMode", mode="plan", confirm_stop=True)
    client.write("go", "")
    ended = await going
    assert (session.mode, ended.status) == (Mode.PLAN, "stopped")
    [run] = (await client.do("listExecutions")).executions
    assert run.status == "paused"
    assert not {"finished", "late.txt"} & names(client.root)


@pytest.mark.parametrize("turns", [one_reply, two_replies], ids=["one reply", "two replies"])
async def test_a_switch_that_is_not_confirmed_is_none(client: PlanactClient, turns: Any) -> None:
    going = await working(client, turns)
    assert (await client.refusal("setMode", mode="plan", confirm_stop=False))[0] == "MODE_CONFLICT"
    client.write("go", "")
    assert (await going).text == "Never mind."
    assert {"finished", "late.txt"} <= names(client.root)
    assert (await client.do("showStatus")).mode is Mode.ACT


@IN_ONE_ENCODING
@pytest.mark.parametrize("turns", [one_reply, two_replies], ids=["one reply", "two replies"])
async def test_a_switch_from_another_window_lets_the_call_end_and_refuses_the_next(
    client: PlanactClient, turns: Any
) -> None:
    *acts, last = turns
    going = await working(client, (*acts, {**last, **BLOCKED}))
    session_id = (await client.do("showStatus")).session.id
    async with planact_client(client.root) as other:
        assert (await other.do("setMode", session_id=session_id, mode="plan")).mode is Mode.PLAN
    client.write("go", "")
    assert (await going).text == "Never mind."
    assert "finished" in names(client.root)
    assert "late.txt" not in names(client.root)


def names(root: Path) -> set[str]:
    return {path.name for path in root.iterdir()}
