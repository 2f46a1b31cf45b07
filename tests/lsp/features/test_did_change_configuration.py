"""`workspace/didChangeConfiguration`: the editor's settings count from the next command on."""

from typing import Any

import pytest
from lsprotocol import types

from tests.lsp.commands.greetings import set_up
from tests.lsp.commands.planact_client import PlanactClient, say, scene
from tests.lsp.raw_client import until

pytestmark = pytest.mark.asyncio(loop_scope="session")


async def test_another_model_answers_from_now_on(client: PlanactClient) -> None:
    set_up(client, scene("", say("first")))
    client.script(scene("", say("second 👋")), name="other.yaml")
    assert (await client.do("sendMessage", text="x")).text == "first"
    client.configure(model="scripted:other.yaml")
    assert (await client.do("showStatus")).model == "scripted:other.yaml"
    assert (await client.do("sendMessage", text="x")).text == "second 👋"


async def test_a_setting_that_nobody_knows_is_told_with_the_nearest_name(client: PlanactClient) -> None:
    client.configure(modle="x")
    await until(lambda: bool(client.messages))
    [shown] = client.messages
    assert shown.type is types.MessageType.Warning
    assert "modle" in shown.message
    assert "model" in client.log_messages[0].message


async def test_without_a_model_the_error_says_how_to_choose_one(client: PlanactClient) -> None:
    client.configure(model="")
    code, message = await client.refusal("sendMessage", text="x")
    assert (code, message) == ("MODEL_NOT_CHOSEN", "no model is chosen")


@pytest.mark.parametrize("settings", [None, {}, []])
async def test_what_says_nothing_is_ignored(client: PlanactClient, settings: Any) -> None:
    before = await client.do("showStatus")
    client.workspace_did_change_configuration(types.DidChangeConfigurationParams(settings))
    assert await client.do("showStatus") == before
