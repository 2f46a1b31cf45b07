"""Work that a role hands to another, in a real server: in Plan nothing changes, in Act no more than both may."""

import hashlib
from pathlib import Path

import pytest

from planact.lsp.protocol import messages
from tests.lsp.commands.planact_client import IN_ONE_ENCODING, PlanactClient, call, calls, planact_client, say, scene
from tests.lsp.raw_client import until

pytestmark = pytest.mark.asyncio(loop_scope="session")

LEAD = "---\ndescription: Leads.\ntools: [read_file, delegate]\n---\nLead.\n"
HAND = calls(call("delegate", role="designer", task="Write it down."))
BLOCKED = {"expect": [{"in": "tool", "text": "TOOL_BLOCKED_BY_MODE"}]}
END = {"name": "end", "in": "delegate", "anywhere": True, "text": "INTERRUPTED"}
TRIES = (
    call("create_file", path="a.txt", content="x"),
    call("update_file", path="greeting.txt", edits=[{"old": "good", "new": "bad"}]),
    call("delete_file", path="greeting.txt"),
    call("rename_file", path="greeting.txt", new_path="b.txt"),
    call("execute_command", command="rm greeting.txt"),
    call("execute_command", command="cp greeting.txt b.txt"),
    call("delegate", role="actor", task="Delete greeting.txt."),
    call("make_directory", path="src"),
)


def tree(root: Path) -> str:
    """A hash of all that lies there but planact's own records."""
    files = sorted(path for path in root.rglob("*") if ".planact" not in path.parts)
    parts = [f"{path.relative_to(root)} {path.read_bytes() if path.is_file() else b''!r}" for path in files]
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()


@IN_ONE_ENCODING
async def test_a_delegate_in_plan_changes_nothing_whatever_it_tries(client: PlanactClient) -> None:
    client.write("greeting.txt", "good day\n")
    client.write(".planact/roles/lead.md", LEAD)
    tries = [calls(made, **(BLOCKED if number else {})) for number, made in enumerate(TRIES)]
    report = say("I could not.", **BLOCKED)
    client.script(
        scene("The task of the designer", *tries, report, mode="plan"),
        scene("begin", HAND, say("Done.", expect=[{"in": "tool", "text": "I could not."}]), mode="plan"),
    )
    await client.do("trustFolder")
    await client.do("newSession")
    await client.do("setRole", role="lead")
    before = tree(client.root)
    ended = await client.do("sendMessage", text="begin")
    assert (ended.status, ended.text) == ("refused", "Done.")
    assert tree(client.root) == before
    said = [message for message in client.heard(messages.MESSAGE) if "delegate" in message.metadata]
    refused = [message for message in said if "TOOL_BLOCKED_BY_MODE" in message.content]
    assert len(refused) == len(TRIES)


@IN_ONE_ENCODING
async def test_a_server_that_is_killed_while_a_delegate_works_goes_on_later(client: PlanactClient) -> None:
    write = calls(call("create_file", path="farewell.txt", content="bye"))
    begun = calls(call("execute_command", command="touch begun; sleep 20"))
    client.write(
        ".planact/roles/actor.md", "---\nmode: act\npermissions: [read_files]\n---\n"
    )  # not trusted: no effect
    client.script(
        scene("The task of the actor", write, begun, say("never said"), mode="act"),
        scene("begin", calls(call("delegate", role="actor", task="Write it.")), say("never said"), mode="act"),
        scene("go on", say("On: ${end}", find=[END]), mode="act"),
    )
    settings = {"approval": "acceptAll", "roles": {"act": "commander"}}
    async with planact_client(client.root, settings=settings) as first:
        session = await first.do("newSession", mode="act")
        working = first.begin("sendMessage", text="begin")
        await until(lambda: (client.root / "begun").exists() or working.done())
        assert not working.done()
        await first.kill()
        working.cancel()
    assert client.text("farewell.txt") == "bye"
    async with planact_client(client.root, settings=settings) as second:
        await second.do("openSession", session_id=session.id)
        assert (await second.do("sendMessage", text="go on")).text == "On: INTERRUPTED"
