"""`planact/secret`: a key that an editor hands over reaches the provider, and is written down nowhere."""

import asyncio
import os
from pathlib import Path
from typing import Any

import pytest
from lsprotocol import types

from planact.lsp.protocol import messages
from tests.fakes.loopback_model import Call, Fault, LoopbackModel, Say
from tests.lsp.commands.planact_client import PlanactClient, planact_client
from tests.lsp.editor_client import LIMIT, failure

pytestmark = pytest.mark.asyncio(loop_scope="session")

KEY = "correct-horse-battery-9f3c2a71"
"""Of no provider's shape, so that nothing knows it but by having been told."""

VARIABLE = "OPENAI_API_KEY"


async def hand_over(client: PlanactClient, value: Any, variable: str = VARIABLE) -> Any:
    asking = client.protocol.send_request_async(messages.SECRET, {"variable": variable, "value": value})
    return await asyncio.wait_for(asking, LIMIT)


async def send(client: PlanactClient, text: str) -> Any:
    """Say something; the first time the server has to load litellm for it, which takes as long as the machine does."""
    params = types.ExecuteCommandParams("planact.sendMessage", [{"text": text}])
    return await asyncio.wait_for(client.workspace_execute_command_async(params), 120)


def files_with(text: str, *folders: Path) -> list[Path]:
    """All files below that have the text in them, whatever they are."""
    files = [path for folder in folders for path in folder.rglob("*") if path.is_file()]
    assert files
    return [path for path in files if text.encode() in path.read_bytes()]


def answer(request: dict[str, Any]) -> Say | Fault:
    """A model that says the key back, has it written and searched for, and at last refuses it by name."""
    messages = request["messages"]
    said = [message for message in messages if message["role"] == "user"][-1]["content"]
    if "refuse" in said:
        return Fault(401, f"Incorrect API key provided: {KEY}", "invalid_api_key")
    if messages[-1]["role"] == "tool":
        return Say(f"I looked for {KEY}.")
    return Say(f"Your key is {KEY}.", [Call("search_code", {"pattern": KEY}, "call_1")])


async def test_a_key_reaches_the_provider_and_is_nowhere_else(tmp_path: Path) -> None:
    with LoopbackModel(answer) as model:
        settings = {"model": "openai/gpt-4o", "modelEndpoint": model.url, "logLevel": "debug"}
        async with planact_client(tmp_path, settings=settings) as client:
            client.write("a.txt", "hello\n")
            assert await hand_over(client, KEY) == {"variable": VARIABLE, "has_key": True}
            await send(client, "hello")
            code, message, _ = await failure(send(client, "refuse me"))
            shown = [message, *(shown.message for shown in (*client.log_messages, *client.messages))]
        stderr = await client._server.stderr.read()  # type: ignore[union-attr]
        assert {request.key for request in model.requests} == {KEY}
    assert code == "MODEL_KEY_REFUSED"
    assert KEY not in "".join(shown)
    assert KEY.encode() not in stderr
    assert files_with(KEY, tmp_path, Path(os.environ["HOME"])) == []


async def test_no_program_that_is_started_sees_it(tmp_path: Path) -> None:
    def run(request: dict[str, Any]) -> Say:
        if request["messages"][-1]["role"] == "tool":
            return Say("Done.")
        return Say("", [Call("execute_command", {"command": "env > seen.txt"}, "c")])

    with LoopbackModel(run) as model:
        settings = {"model": "openai/x", "modelEndpoint": model.url, "approval": "acceptAll", "startMode": "act"}
        async with planact_client(tmp_path, settings={**settings, "sandbox": "off"}) as client:
            await hand_over(client, KEY)
            await send(client, "run")
    seen = (tmp_path / "seen.txt").read_bytes()
    assert b"PATH=" in seen
    assert KEY.encode() not in seen


async def test_it_is_told_what_is_still_missing(tmp_path: Path) -> None:
    async with planact_client(tmp_path, settings={"model": ""}) as client:
        assert (await client.do("showStatus")).missing == "model"
        client.configure(model="anthropic/claude-sonnet-4-5")
        assert (await client.do("showStatus")).missing == "key"
        assert await hand_over(client, KEY, "ANTHROPIC_API_KEY") == {"variable": "ANTHROPIC_API_KEY", "has_key": True}
        assert (await client.do("showStatus")).missing == ""
        (model,) = (await client.do("listModels", search="anthropic/claude-sonnet-4-5", all=True)).models[:1]
        assert (model.key_variable, model.has_key) == ("ANTHROPIC_API_KEY", True)
        assert (await hand_over(client, "", "ANTHROPIC_API_KEY"))["has_key"] is False
        assert (await client.do("showStatus")).missing == "key"
        client.configure(model="scripted:demo")
        assert (await client.do("showStatus")).missing == ""


@pytest.mark.parametrize(
    ("variable", "value"),
    [
        ("PATH", KEY),
        ("openai_api_key", KEY),
        (VARIABLE, f"{KEY}\r\nX-Evil: 1"),
        (VARIABLE, [KEY]),
        (VARIABLE, f"{KEY} "),
    ],
)
async def test_what_is_no_key_is_refused_without_repeating_it(client: PlanactClient, variable: str, value: Any) -> None:
    code, message, hint = await failure(hand_over(client, value, variable))
    assert code == "INVALID_ARGUMENTS"
    assert KEY not in message + hint
