"""`planact.diffPlan`: what changed in a plan, and which texts it had."""

from pathlib import Path

import pytest
from lsprotocol import types

from planact.lsp.documents.convert import path_of
from tests.lsp.commands.greetings import PATH, PLAN, set_up
from tests.lsp.commands.planact_client import PlanactClient, full, planact_client

pytestmark = pytest.mark.asyncio(loop_scope="session")


async def test_the_revision_is_compared_with_what_it_replaced(client: PlanactClient) -> None:
    uri = set_up(client)
    await client.do("revisePlan", uri=uri, feedback="be warm")
    found = await client.do("diffPlan", uri=uri)
    assert (found.path, found.uri, found.before, found.after) == (PATH, uri, PLAN, client.text(PATH))
    assert "-# Greet the 🌍 politely\n+# Greet the 🌍 warmly\n" in found.diff
    assert [(each.number, each.author) for each in found.revisions] == [(1, "user"), (2, "planner")]
    assert (await client.do("diffPlan", uri=uri, number=1, other=1)).diff == ""


async def test_the_client_can_open_both_texts_side_by_side(tmp_path: Path) -> None:
    capabilities = full()
    assert capabilities.workspace
    capabilities.workspace.text_document_content = types.TextDocumentContentClientCapabilities()
    async with planact_client(tmp_path, capabilities) as virtual:
        workspace = virtual.answer_to_initialize.capabilities.workspace
        assert workspace
        assert workspace.text_document_content
        assert "planact-revision" in workspace.text_document_content.schemes
        uri = set_up(virtual)
        await virtual.do("revisePlan", uri=uri, feedback="be warm")
        found = await virtual.do("diffPlan", uri=uri)
        assert (found.before_uri, found.after_uri) == (uri.replace("file:", "planact-revision:") + "?1", uri)
        both = await virtual.do("diffPlan", uri=uri, number=2, other=1)
        assert (both.before_uri[-2:], both.after_uri) == ("?2", found.before_uri)


async def test_clients_that_show_files_only_get_files_that_go_with_the_server(tmp_path: Path) -> None:
    (tmp_path / "first plan").mkdir()
    async with planact_client(tmp_path / "first plan") as client:
        uri = set_up(client)
        await client.do("revisePlan", uri=uri, feedback="be warm")
        found = await client.do("diffPlan", uri=uri)
        file = Path(str(path_of(found.before_uri)))
        assert found.after_uri == uri
        assert read(file) == ("greet.revision-1.md", PLAN, 0o400)
        assert not file.is_relative_to(client.root)
        assert (await client.do("diffPlan", uri=uri)).before_uri == found.before_uri
    assert read(file) is None
    assert read(file.parent.parent) is None


def read(file: Path) -> tuple[str, str, int] | None:
    """Name, text and rights; None where nothing is."""
    return (file.name, file.read_bytes().decode(), file.stat().st_mode & 0o777) if file.exists() else None


async def test_a_plan_without_a_history_has_no_difference(client: PlanactClient) -> None:
    found = await client.do("diffPlan", uri=set_up(client))
    assert (found.diff, found.revisions, found.before_uri, found.after_uri) == ("", (), found.uri, found.uri)


async def test_a_revision_that_is_not_there_is_told(client: PlanactClient) -> None:
    code, _ = await client.refusal("diffPlan", uri=set_up(client), number=7)
    assert code == "REVISION_NOT_FOUND"
