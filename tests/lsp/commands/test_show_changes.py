"""`planact.showChanges`: what changed in the files that a plan rests on, as a document or as a message."""

from pathlib import Path

import pytest
from lsprotocol import types

from tests.lsp.commands.greetings import GREETING, set_up
from tests.lsp.commands.planact_client import call, calls, full, planact_client, say, scene
from tests.lsp.raw_client import until

pytestmark = pytest.mark.asyncio(loop_scope="session")


async def test_a_client_that_opens_no_documents_gets_a_message(tmp_path: Path) -> None:
    capabilities = full()
    assert capabilities.window
    capabilities.window.show_document = None
    async with planact_client(tmp_path, capabilities) as client:
        shown = await client.do("showChanges", uri=set_up(client))
        assert (shown.files, shown.diff) == ((), "")
        await until(lambda: bool(client.messages))
        assert client.messages[-1].message == "Nothing that the plan rests on has changed.\n"


async def test_show_changes_opens_a_document_with_the_difference_to_what_planning_read(tmp_path: Path) -> None:
    capabilities = full()
    assert capabilities.window
    capabilities.window.show_document = types.ShowDocumentClientCapabilities(support=True)
    goal = {"goal": "Greet", "steps": [{"action": "Mend it", "reason": "so", "files": ["greeting.txt"]}]}
    async with planact_client(tmp_path, capabilities) as client:
        set_up(client)
        turns = (calls(call("read_file", path="greeting.txt")), calls(call("write_plan", **goal)), say("There."))
        client.script(scene("greet", *turns))
        made = await client.do("generatePlan", request="greet")
        client.write("greeting.txt", "other\n")
        shown = await client.do("showChanges", uri=made.uri)
        assert shown.diff.splitlines()[-2:] == [f"-{GREETING.rstrip()}", "+other"]
        [opened] = client.shown_documents
        assert text_at(opened.uri) == shown.diff
    assert text_at(opened.uri) is None


def text_at(uri: str) -> str | None:
    path = Path(uri.removeprefix("file://"))
    return path.read_text() if path.exists() else None
