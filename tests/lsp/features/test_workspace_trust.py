"""`planact/workspaceTrust`: where the user doesn't trust what is in the workspace, nothing runs."""

import asyncio
import sys
from pathlib import Path
from typing import Any

import pytest

from planact.lsp.protocol import messages
from planact.model.rights.permission import Mode
from tests.lsp.commands.planact_client import PlanactClient, call, calls, planact_client, say, scene
from tests.lsp.editor_client import LIMIT

pytestmark = pytest.mark.asyncio(loop_scope="session")

RUN = scene("run", calls(call("execute_command", command="touch made.txt")), say("That was it."))
WRITE = scene("write", calls(call("create_file", path="note.txt", content="hello\n")), say("Written."))
EVERYTHING = {"approval": "acceptAll", "startMode": "act"}


async def trust(client: PlanactClient, said: Any) -> Any:
    asking = client.protocol.send_request_async(messages.WORKSPACE_TRUST, {"is_trusted": said})
    return await asyncio.wait_for(asking, LIMIT)


async def refusals(client: PlanactClient) -> list[str]:
    asking = client.protocol.send_request_async(messages.TRANSCRIPT, {})
    page = messages.Transcript.model_validate(await asyncio.wait_for(asking, LIMIT))
    results = [message.content for message in page.messages if message.message_type == "tool_result"]
    return [text for text in results if "WORKSPACE_UNTRUSTED" in text]


@pytest.mark.parametrize(
    ("options", "is_restricted"),
    [
        ({}, False),
        ({"workspace_trusted": True}, False),
        ({"workspace_trusted": False}, True),
        ({"workspace_trusted": None}, True),
        ({"workspace_trusted": "yes"}, True),
        ({"workspace_trusted": 1}, True),
        ({"workspace_trusted": False, "settings": []}, True),
    ],
)
async def test_what_is_no_plain_yes_is_a_no(tmp_path: Path, options: dict[str, Any], is_restricted: bool) -> None:
    async with planact_client(tmp_path, options=options) as client:
        assert (await client.do("showStatus")).is_restricted is is_restricted


async def test_no_command_runs_until_the_user_trusts_the_workspace(tmp_path: Path) -> None:
    async with planact_client(tmp_path, settings=EVERYTHING, options={"workspace_trusted": False}) as client:
        client.script(RUN, WRITE)
        await client.do("sendMessage", text="run")
        assert len(await refusals(client)) == 1
        assert not (tmp_path / "made.txt").exists()
        await client.do("sendMessage", text="write")
        assert (tmp_path / "note.txt").read_text() == "hello\n"
        for odd in (None, "true", 1):
            assert await trust(client, odd) == {"is_trusted": False}
        await client.do("sendMessage", text="run")
        assert not (tmp_path / "made.txt").exists()
        assert await trust(client, said=True) == {"is_trusted": True}
        await client.do("sendMessage", text="run")
        assert (tmp_path / "made.txt").exists()
        assert len(await refusals(client)) == 2


async def test_trust_that_ends_while_work_runs_counts_for_its_next_call(tmp_path: Path) -> None:
    ask = calls(call("ask_user", questions=[{"name": "go", "question": "Go on?"}]))
    script = scene("run", ask, calls(call("execute_command", command="touch made.txt")), say("That was it."))
    async with planact_client(tmp_path, settings=EVERYTHING, options={"workspace_trusted": True}) as client:
        client.script(script)
        working = client.begin("sendMessage", text="run")
        question = await client.question()
        await trust(client, said=False)
        await client.answer(question, go="yes")
        await working
        assert len(await refusals(client)) == 1
        assert not (tmp_path / "made.txt").exists()


async def test_no_hook_and_no_mcp_server_starts(tmp_path: Path) -> None:
    server = {"command": sys.executable, "args": ["-c", f"open({str(tmp_path / 'started')!r}, 'w')"], "readOnly": ["x"]}
    settings = {"hooks": {"beforeStep": ["touch hooked"]}, "mcp": {"servers": {"odd": server}}, **EVERYTHING}
    async with planact_client(tmp_path, settings=settings, options={"workspace_trusted": False}) as client:
        client.script(WRITE)
        await client.do("sendMessage", text="write")
        assert not (tmp_path / "hooked").exists()
        assert not (tmp_path / "started").exists()
        await trust(client, said=True)
        await client.do("sendMessage", text="write")
        assert (tmp_path / "started").exists()


async def test_what_the_repository_brings_along_does_not_count(tmp_path: Path) -> None:
    async with planact_client(tmp_path, options={"workspace_trusted": True}) as client:
        client.write(".planact/config.toml", 'startMode = "act"\n')
        client.write(".planact/roles/mine.md", "---\npermissions: [read_files]\n---\nDo as I say.\n")
        await client.do("trustFolder")
        assert (await client.do("showStatus")).mode is Mode.ACT
        assert "mine" in [role.name for role in (await client.do("listRoles")).roles]
    async with planact_client(tmp_path, options={"workspace_trusted": False}) as client:
        status = await client.do("showStatus")
        assert (status.mode, status.is_trusted) == (Mode.PLAN, False)
        assert "mine" not in [role.name for role in (await client.do("listRoles")).roles]
        assert (await client.refusal("trustFolder"))[0] == "WORKSPACE_UNTRUSTED"
        await trust(client, said=True)
        assert (await client.do("showStatus")).is_trusted is True
        assert "mine" in [role.name for role in (await client.do("listRoles")).roles]
