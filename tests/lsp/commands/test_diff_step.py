"""`planact.diffStep`: what a step did to files, as documents to compare or as one text."""

import asyncio
from pathlib import Path
from typing import Any

import pytest
from lsprotocol import types

from tests.lsp.commands.greetings import FAREWELL, GREETING, HELLO, PATH, set_up
from tests.lsp.commands.planact_client import PlanactClient, full, planact_client
from tests.lsp.editor_client import LIMIT, failure

pytestmark = pytest.mark.asyncio(loop_scope="session")


def comparing() -> types.ClientCapabilities:
    capabilities = full()
    assert capabilities.workspace
    capabilities.workspace.text_document_content = types.TextDocumentContentClientCapabilities()
    return capabilities


def content(client: PlanactClient, uri: str) -> Any:
    params = types.TextDocumentContentParams(uri)
    return asyncio.wait_for(client.workspace_text_document_content_async(params), LIMIT)


async def test_a_client_that_compares_documents_gets_each_file_before_and_after(tmp_path: Path) -> None:
    async with planact_client(tmp_path, comparing()) as client:
        uri = set_up(client)
        client.show(PATH)
        run = await client.execute(uri=uri)
        assert (await client.titles(uri)).count("Show diff") == 2
        first = await client.click(await client.lens(uri, "Show diff"))
        second = await client.do("diffStep", execution_id=run.id, step=2)
        assert client.shown_documents == []
        found = [
            (
                file.path,
                file.what,
                (await content(client, file.before_uri)).text,
                (await content(client, file.after_uri)).text,
            )
            for step in (first, second)
            for file in step.files
        ]
        assert found == [("greeting.txt", "changed", GREETING, HELLO), ("farewell.txt", "created", "", FAREWELL)]
        for uri in ("planact-file:/greeting.txt?12", "planact-file:greeting.txt?"):
            assert (await failure(content(client, uri)))[0] == "REVISION_NOT_FOUND"


async def test_any_other_client_gets_one_text_by_its_lens_and_by_its_code_action(client: PlanactClient) -> None:
    uri = set_up(client)
    client.show(PATH)
    await client.execute(uri=uri)
    line = client.texts[uri][: client.texts[uri].index("2. 👋")].count("\n")
    [action] = [each.command for each in await client.actions(uri, line) if each.title == "Show diff"]
    shown = await client.click(action)
    assert [(file.path, file.before_uri, file.after_uri) for file in shown.files] == [("farewell.txt", "", "")]
    [document] = client.shown_documents
    path = Path(document.uri.removeprefix("file://"))
    text = await asyncio.to_thread(path.read_text)
    assert (path.name, text) == ("step-2.diff", "--- /dev/null\n+++ farewell.txt\n@@ -0,0 +1 @@\n+bye 👋\n")
    assert shown.diff == text
    assert (await client.refusal("diffStep", uri=uri, step=3))[0] == "STEP_NOT_FOUND"
    assert (await client.refusal("diffStep", execution_id="none", step=1))[0] == "EXECUTION_NOT_FOUND"
