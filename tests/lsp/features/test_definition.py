"""`textDocument/definition`: from a path in a plan to the file, and the line if it names one."""

import asyncio

import pytest
from lsprotocol import types

from tests.lsp.commands.greetings import PATH, PLAN, set_up
from tests.lsp.commands.planact_client import PlanactClient
from tests.lsp.editor_client import LIMIT

pytestmark = pytest.mark.asyncio(loop_scope="session")


async def target(client: PlanactClient, path: str, marked: str) -> tuple[str, int] | None:
    uri = client.show(path, marked.replace("‸", ""))
    params = types.DefinitionParams(types.TextDocumentIdentifier(uri), client.position(marked))
    found = await asyncio.wait_for(client.text_document_definition_async(params), LIMIT)
    if found is None:
        return None
    assert isinstance(found, types.Location)
    return found.uri, found.range.start.line


@pytest.mark.parametrize(
    ("old", "new", "line"),
    [
        ("files: greeting.txt", "files: 😀, ‸greeting.txt", 0),
        ("files: greeting.txt", "files: 😀, greeting.txt:3‸", 2),
        ("😀 Say hello in `", "😀 Say hello in `‸", 0),
        ("# Greet the 🌍", "# Greet 🌍 `gr‸eeting.txt:0` 🌍", 0),
    ],
)
async def test_a_path_leads_to_its_file(client: PlanactClient, old: str, new: str, line: int) -> None:
    set_up(client)
    assert await target(client, PATH, PLAN.replace(old, new)) == (client.uri("greeting.txt"), line)


@pytest.mark.parametrize(
    ("path", "old", "new"),
    [
        (PATH, "`farewell.txt`", "`fare‸well.txt`"),
        (PATH, "reason: it", "reason: ‸it"),
        ("a.md", "`greeting.txt`", "`greet‸ing.txt`"),
    ],
    ids=["not there", "no path", "no plan"],
)
async def test_nothing_else_leads_anywhere(client: PlanactClient, path: str, old: str, new: str) -> None:
    set_up(client)
    assert await target(client, path, PLAN.replace(old, new)) is None
