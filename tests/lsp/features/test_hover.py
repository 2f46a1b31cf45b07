"""`textDocument/hover`: what is known of the thing under the cursor in a plan."""

import asyncio
import hashlib
from pathlib import Path

import pytest
from lsprotocol import types

from tests.lsp.commands.greetings import GREETING, PATH, PLAN, set_up
from tests.lsp.commands.planact_client import PlanactClient, full, planact_client
from tests.lsp.editor_client import LIMIT

pytestmark = pytest.mark.asyncio(loop_scope="session")

STALE = PLAN.replace("status: draft", "status: draft\ncontext:\n  - {path: greeting.txt, sha256: 0f}")
FRESH = STALE.replace("0f}", hashlib.sha256(GREETING.encode()).hexdigest() + "}")


async def shown(client: PlanactClient, marked: str) -> tuple[str, types.MarkupContent] | None:
    """The text under the hover, found in the client's own way, and what it says."""
    text = marked.replace("‸", "")
    uri = client.show(PATH, text)
    params = types.HoverParams(types.TextDocumentIdentifier(uri), client.position(marked))
    found = await asyncio.wait_for(client.text_document_hover_async(params), LIMIT)
    if found is None:
        return None
    assert isinstance(found.contents, types.MarkupContent)
    assert found.range
    return client.shown_at(uri, found.range), found.contents


@pytest.mark.parametrize(
    ("text", "old", "new", "span", "beginning"),
    [
        (PLAN, "status: draft", "‸status: draft", "status", "How far the plan is"),
        (PLAN, "👋 Write", "👋‸ Write", "- [ ] 2. 👋 Write `farewell.txt`", "**Step 2** · pending"),
        (PLAN, "files: greeting.txt", "files: greet‸ing.txt", "greeting.txt", "`greeting.txt` · 14 bytes"),
        (STALE, "😀 Say hello in `", "😀 Say hello in `‸", "greeting.txt", "`greeting.txt` · 14 bytes · changed since"),
        (
            FRESH,
            "😀 Say hello in `",
            "😀 Say hello in `‸",
            "greeting.txt",
            "`greeting.txt` · 14 bytes · unchanged since",
        ),
        (PLAN, "files: farewell.txt", "files: ‸farewell.txt", "farewell.txt", "`farewell.txt` doesn't exist"),
        (PLAN, "read_file,", "read_‸file,", "read_file", "`read_file` · low risk"),
        (PLAN, "`grep -q", "`grep ‸-q", "grep -q hello greeting.txt", "**Only reads, in the workspace**"),
    ],
)
async def test_what_is_under_the_cursor_is_explained(
    client: PlanactClient, text: str, old: str, new: str, span: str, beginning: str
) -> None:
    set_up(client)
    found = await shown(client, text.replace(old, new))
    assert found
    assert (found[0], found[1].kind, found[1].value[: len(beginning)]) == (span, "markdown", beginning)


async def test_a_step_tells_what_came_of_it(client: PlanactClient) -> None:
    uri = set_up(client)
    client.show(PATH)
    await client.execute(uri=uri)
    found = await shown(client, client.texts[uri].replace("[x] 1.", "[x] ‸1."))
    assert found
    lines = found[1].value.split("\n\n")
    assert lines[0] == "**Step 1** · done"
    assert lines[1].startswith("Last run: done · ")
    assert lines[2:] == ["- passed: `grep -q hello greeting.txt`", "Changed: `greeting.txt`"]


async def test_nothing_is_said_of_other_documents(client: PlanactClient) -> None:
    uri = client.show("a.md", PLAN)
    params = types.HoverParams(types.TextDocumentIdentifier(uri), types.Position(2, 1))
    assert await asyncio.wait_for(client.text_document_hover_async(params), LIMIT) is None


async def test_a_client_without_markdown_gets_plain_text(tmp_path: Path) -> None:
    capabilities = full()
    assert capabilities.text_document
    capabilities.text_document.hover = None
    async with planact_client(tmp_path, capabilities) as client:
        found = await shown(client, PLAN.replace("tools: read", "tools: ‸read"))
    assert found
    assert (found[1].kind, found[1].value.split("\n")[0]) == ("plaintext", "read_file · low risk")
