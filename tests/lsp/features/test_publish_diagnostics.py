"""`textDocument/publishDiagnostics`: what is wrong with a plan, sent with each version, gone with the window."""

import pytest
from lsprotocol import types

from tests.lsp.commands.greetings import PATH, PLAN, set_up
from tests.lsp.commands.planact_client import PlanactClient
from tests.lsp.raw_client import until

pytestmark = pytest.mark.asyncio(loop_scope="session")

Shown = list[tuple[str, str, types.DiagnosticSeverity | None]]


async def shown(client: PlanactClient, uri: str) -> Shown:
    """Code, text and severity of each, once the server has read all that was sent before."""
    await client.do("showStatus")
    found = client.diagnostics[uri]
    assert {each.source for each in found} <= {"planact"}
    return [(str(each.code), client.shown_at(uri, each.range), each.severity) for each in found]


ERROR, WARNING = types.DiagnosticSeverity.Error, types.DiagnosticSeverity.Warning


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("hello", "goodbye", []),
        ("# Greet the 🌍 politely", "# ", [("PLAN001", "", ERROR)]),
        ("- [ ] 2. 👋", "- [𝄞] 2. 👋", [("PLAN004", "𝄞", ERROR)]),
        ("create_file", "👻, 😀_file", [("PLAN008", "👻, 😀_file", WARNING)] * 2),
        ("status: draft", "👻: draft", [("PLAN005", "👻: draft", ERROR)]),
        ("2. 👋 Write", "1. 👋 Write", [("PLAN003", "1", ERROR)]),
    ],
    ids=["nothing", "goal", "mark", "tools", "key", "number"],
)
async def test_problems_are_shown_at_their_place(client: PlanactClient, old: str, new: str, expected: Shown) -> None:
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
    client.close(uri)
    await client.do("showStatus")
    assert list(client.diagnostics[uri]) == []


async def test_a_request_has_none(client: PlanactClient) -> None:
    uri = client.show(PATH, "greet the 🌍\n")
    assert await shown(client, uri) == []


async def test_other_documents_have_none(client: PlanactClient) -> None:
    uri = client.show("a.md", "# ")
    await client.do("showStatus")
    assert uri not in client.diagnostics
