"""`planact.setModel`: another model speaks from the next turn on, in this session alone."""

import pytest
import yaml

from tests.lsp.commands.planact_client import SCRIPT, PlanactClient, say, scene

pytestmark = pytest.mark.asyncio(loop_scope="session")


def other(client: PlanactClient) -> str:
    client.write("other.yaml", yaml.safe_dump({"scenes": [scene("", say("I am the other."))]}))
    return "scripted:other.yaml"


async def test_another_model_speaks_until_the_settings_count_again(client: PlanactClient) -> None:
    client.script(scene("", say("I am the first.")))
    session = await client.do("newSession")
    assert (await client.do("sendMessage", text="Who?")).text == "I am the first."
    changed = await client.do("setModel", model=other(client))
    assert (changed.id, changed.model) == (session.id, "scripted:other.yaml")
    assert (await client.do("showStatus")).model == "scripted:other.yaml"
    assert (await client.do("sendMessage", text="And you?")).text == "I am the other."
    await client.do("newSession")
    assert (await client.do("showStatus")).model == f"scripted:{SCRIPT}"
    assert (await client.do("setModel", session_id=session.id, model="")).model == ""
    assert (await client.do("sendMessage", text="Who is it now?")).text == "I am the first."


async def test_what_can_not_be_used_is_refused_and_the_model_stays(client: PlanactClient) -> None:
    client.script(scene("", say("I am the first.")))
    await client.do("newSession")
    code, message = await client.refusal("setModel", model="scripted:nonesuch.yaml")
    assert (code, "nonesuch.yaml" in message) == ("CONFIG_INVALID", True)
    assert await client.refusal("setModel", model="nonesuch-model") == (
        "MODEL_UNKNOWN",
        "no provider is known for the model 'nonesuch-model'",
    )
    assert await client.refusal("setModel", model="antropic/claude-x") == (
        "MODEL_UNKNOWN",
        "there is no provider 'antropic' for the model 'antropic/claude-x'",
    )
    assert (await client.do("showStatus")).model == f"scripted:{SCRIPT}"
