"""`textDocument/publishDiagnostics`: what is wrong with a plan, sent with each version, gone with the window."""

from pathlib import Path
from urllib.parse import unquote

import pytest
from lsprotocol import types

from tests.lsp.commands.greetings import PATH, PLAN, set_up
from tests.lsp.commands.planact_client import PlanactClient, full, planact_client
from tests.lsp.raw_client import until

pytestmark = pytest.mark.asyncio(loop_scope="session")

Shown = list[tuple[str, str, types.DiagnosticSeverity | None]]


async def shown(client: PlanactClient, uri: str) -> Shown:
    """Code, text and severity of each in the text that is shown."""
    found = await client.judged(uri)
    assert {each.source for each in found} <= {"planact"}
    return [(str(each.code), client.shown_at(uri, each.range), each.severity) for each in found]


ERROR, WARNING = types.DiagnosticSeverity.Error, types.DiagnosticSeverity.Warning


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("hello", "goodbye", []),
        ("# Greet the 🌍 politely", "# ", [("PLAN001", "", ERROR)]),
        ("- [ ] 2. 👋", "- [𝄞] 2. 👋", [("PLAN004", "𝄞", ERROR)]),
        ("create_file", "👻, 😀_file", [("PLAN008", "👻", WARNING), ("PLAN008", "😀_file", WARNING)]),
        ("status: draft", "👻: draft", [("PLAN005", "👻: draft", ERROR)]),
        ("2. 👋 Write", "1. 👋 Write", [("PLAN003", "1", ERROR)]),
        ("files: greeting.txt", "files: 👻/😀.txt, greeting.txt", [("PLAN016", "👻/😀.txt", WARNING)]),
        ("`grep -q hello", "`grep '😀 -q hello", [("PLAN017", "grep '😀 -q hello greeting.txt", WARNING)]),
    ],
    ids=["nothing", "goal", "mark", "tools", "key", "number", "file", "check"],
)
async def test_problems_are_shown_at_their_place(client: PlanactClient, old: str, new: str, expected: Shown) -> None:
    set_up(client)
    uri = client.show(PATH, PLAN.replace(old, new))
    assert await shown(client, uri) == expected


async def test_they_follow_the_text_and_go_with_the_window(client: PlanactClient) -> None:
    uri = set_up(client)
    client.show(PATH)
    assert await shown(client, uri) == []
    client.type(uri, PLAN.replace("create_file", "😀 create_fil"))
    [(code, text, _)] = await shown(client, uri)
    assert text == "😀 create_fil"
    assert code.startswith("PLAN")
    client.type(uri, PLAN)
    assert await shown(client, uri) == []
    client.type(uri, "# ")
    await until(lambda: client.diagnostics[uri] != [])
    client.type(uri, "# \n")
    client.close(uri)
    client.show("other.plan", PLAN)
    await client.judged(client.uri("other.plan"))
    assert list(client.diagnostics[uri]) == []


async def test_a_file_that_is_saved_is_there(client: PlanactClient) -> None:
    set_up(client)
    uri = client.show(PATH, PLAN.replace("files: greeting.txt", "files: 😀.txt"))
    assert await shown(client, uri) == [("PLAN016", "😀.txt", WARNING)]
    saved = client.write("😀.txt", "")
    client.text_document_did_save(types.DidSaveTextDocumentParams(types.TextDocumentIdentifier(saved)))
    await until(lambda: not client.diagnostics[uri])


async def test_the_settings_refuse_a_check(client: PlanactClient) -> None:
    set_up(client)
    client.configure(commands={"deny": ["grep"]})
    uri = client.show(PATH)
    assert await shown(client, uri) == [("PLAN018", "grep -q hello greeting.txt", ERROR)]


async def test_a_code_leads_to_its_explanation_where_the_client_opens_links(tmp_path: Path) -> None:
    capabilities = full()
    assert capabilities.text_document
    capabilities.text_document.publish_diagnostics = types.PublishDiagnosticsClientCapabilities(
        code_description_support=True
    )
    async with planact_client(tmp_path, capabilities) as client:
        uri = client.show(PATH, "# \n## Steps\n- [ ] 1. a\n  - reason: r\n")
        [link] = [each.code_description.href for each in await client.judged(uri) if each.code_description]
    address, _, line = link.partition("#L")
    assert page(address).splitlines()[int(line) - 1] == "## PLAN001"


def page(uri: str) -> str:
    return Path(unquote(uri.removeprefix("file://"))).read_text("utf-8")


async def test_a_request_has_none(client: PlanactClient) -> None:
    uri = client.show(PATH, "greet the 🌍\n")
    assert await shown(client, uri) == []


async def test_other_documents_have_none(client: PlanactClient) -> None:
    uri = client.show("a.md", "# ")
    await client.do("showStatus")
    assert uri not in client.diagnostics
