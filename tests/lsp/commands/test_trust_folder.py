"""`planact.trustFolder`: what a folder's `.planact/` says counts fully, as it is now."""

import pytest

from tests.lsp.commands.greetings import FAREWELL
from tests.lsp.commands.planact_client import PlanactClient, call, calls, say, scene
from tests.lsp.editor_client import failure

pytestmark = pytest.mark.asyncio(loop_scope="session")


async def test_trust_is_bound_to_the_content(client: PlanactClient) -> None:
    client.write(".planact/config.toml", 'approval = "acceptAll"\n')
    assert (await client.do("showStatus")).is_trusted is False
    trusted = await client.do("trustFolder")
    assert trusted.folder == str(client.root)
    assert len(trusted.fingerprint) == 64
    assert (await client.do("showStatus")).is_trusted is True
    client.write(".planact/config.toml", 'approval = "acceptEdits"\n')
    assert (await client.do("showStatus")).is_trusted is False
    again = await client.do("trustFolder", folder=client.root.as_uri())
    assert again.fingerprint != trusted.fingerprint
    assert (await client.do("showStatus")).is_trusted is True


async def test_trust_is_in_what_the_user_was_asked_about(client: PlanactClient) -> None:
    client.write(".planact/config.toml", 'approval = "acceptAll"\n')
    seen = (await client.do("showStatus")).fingerprint
    client.write(".planact/roles/helper.md", "---\nmode: act\n---\nHelp.\n")
    code, _, _ = await failure(client.do("trustFolder", seen=seen))
    assert code == "TRUST_OUTDATED"
    status = await client.do("showStatus")
    assert (status.is_trusted, status.fingerprint == seen) == (False, False)
    assert (await client.do("trustFolder", seen=status.fingerprint)).fingerprint == status.fingerprint
    assert (await client.do("showStatus")).is_trusted is True


async def test_what_a_trusted_folder_says_counts(client: PlanactClient) -> None:
    write = calls(call("create_file", path="farewell.txt", content=FAREWELL))
    client.write(".planact/config.toml", 'approval = "acceptAll"\n')
    client.script(scene("", write, say("Done."), mode="act"))
    await client.do("newSession", mode="act")
    working = client.begin("sendMessage", text="write")
    await client.answer(await client.question(), approval="reject_once")
    assert (await working).status == "refused"
    assert not (client.root / "farewell.txt").exists()
    await client.do("trustFolder")
    assert (await client.do("sendMessage", text="write")).status == "done"
    assert client.text("farewell.txt") == FAREWELL


async def test_where_there_is_nothing_to_trust_nothing_is_kept(client: PlanactClient) -> None:
    assert (await client.do("trustFolder")).fingerprint == ""
    client.write(".planact/config.toml", 'approval = "acceptAll"\n')
    assert (await client.do("showStatus")).is_trusted is False


async def test_a_repository_widens_nothing_until_it_is_trusted(client: PlanactClient) -> None:
    client.write(".planact/config.toml", 'model = "scripted:theirs.yaml"\nstartMode = "act"\n')
    status = await client.do("showStatus")
    assert (status.mode, status.model) == ("plan", "scripted:model.yaml")
