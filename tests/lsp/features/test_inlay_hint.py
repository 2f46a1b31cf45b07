"""`textDocument/inlayHint`: behind each step of a plan that is over, what came of it."""

import asyncio
from pathlib import Path

import pytest
from lsprotocol import types

from tests.lsp.commands.greetings import FIRST, PATH, PLAN, SECOND, set_up
from tests.lsp.commands.planact_client import PlanactClient, full, planact_client
from tests.lsp.editor_client import LIMIT
from tests.lsp.raw_client import until

pytestmark = pytest.mark.asyncio(loop_scope="session")


async def hints(client: PlanactClient, uri: str) -> list[tuple[str, str]] | None:
    """What stands before each hint in its line, and its first sign."""
    whole = types.Range(types.Position(0, 0), types.Position(len(client.texts[uri].splitlines()), 0))
    params = types.InlayHintParams(types.TextDocumentIdentifier(uri), whole)
    found = await asyncio.wait_for(client.text_document_inlay_hint_async(params), LIMIT)
    if found is None:
        return None
    start = types.Position(0, 0)
    shown = [client.shown_at(uri, types.Range(start, hint.position)).splitlines()[-1] for hint in found]
    return list(zip(shown, [str(hint.label)[0] for hint in found], strict=True))


async def test_steps_tell_what_came_of_them(client: PlanactClient) -> None:
    broken = PLAN.replace("- files: farewell.txt", "- files: farewell.txt\n  - check: `grep -q 👻 farewell.txt`")
    uri = set_up(client, FIRST, SECOND, plan=broken)
    client.show(PATH)
    assert await hints(client, uri) == []
    await client.execute_and_stop(uri=uri)
    assert await hints(client, uri) == [
        ("- [x] 1. 😀 Say hello in `greeting.txt`", "✓"),
        ("- [!] 2. 👋 Write `farewell.txt`", "✗"),
    ]
    client.type(uri, client.texts[uri].replace("[!]", "[ ]").replace("😀 Say", "👻 Say"))
    assert await hints(client, uri) == []


async def test_a_step_without_files_shows_those_that_its_text_names_and_a_fix_lists_them(client: PlanactClient) -> None:
    client.write("greeting.txt", "old\n")
    uri = set_up(client, plan="# Greet\n\n## Steps\n- [ ] 1. Say hello in `greeting.txt`\n  - reason: politeness\n")
    client.show(PATH)
    assert await hints(client, uri) == [("- [ ] 1. Say hello in `greeting.txt`", "f")]
    action = next(each for each in await client.actions(uri, 3) if each.kind == "quickfix")
    assert action.title == "List the files of step 1: greeting.txt"
    client.type(uri, client.texts[uri].replace("  - reason", "  - files: greeting.txt\n  - reason"))
    assert await hints(client, uri) == []
    assert not [each for each in await client.actions(uri, 3) if each.kind == "quickfix"]


async def test_they_are_asked_for_again_while_steps_run(tmp_path: Path) -> None:
    capabilities = full()
    assert capabilities.workspace
    capabilities.workspace.inlay_hint = types.InlayHintWorkspaceClientCapabilities(refresh_support=True)
    async with planact_client(tmp_path, capabilities) as client:
        uri = set_up(client)
        client.show(PATH)
        await client.execute(uri=uri)
        await until(lambda: client.hint_refreshes >= 2)


@pytest.mark.parametrize(("path", "uri"), [("a.md", ""), (PATH, "file:///nowhere/x.plan"), (PATH, "untitled:new.plan")])
async def test_elsewhere_there_are_none(client: PlanactClient, path: str, uri: str) -> None:
    set_up(client)
    assert not await hints(client, client.show(path, PLAN, uri=uri))
