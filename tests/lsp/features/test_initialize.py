"""`initialize`: the server says what it can do, and learns folder and settings however the client tells them."""

import asyncio
from pathlib import Path

import pytest
from lsprotocol import types

from planact import __version__
from tests.lsp.commands.planact_client import PlanactClient, planact_client
from tests.lsp.raw_client import until

pytestmark = pytest.mark.asyncio(loop_scope="session")


async def test_the_position_encoding_is_the_clients(client: PlanactClient, request: pytest.FixtureRequest) -> None:
    assert client.encoding == request.node.callspec.params["shared"]


async def test_what_the_server_can_do_is_told(tmp_path: Path) -> None:
    async with planact_client(tmp_path) as client:
        can = client.answer_to_initialize.capabilities
        assert client.answer_to_initialize.server_info == types.ServerInfo("planact", __version__)
        assert can.code_lens_provider == types.CodeLensOptions(resolve_provider=False)
        assert can.code_action_provider == types.CodeActionOptions(
            code_action_kinds=("source.planact", "quickfix", "refactor.rewrite")
        )
        assert can.document_symbol_provider is not None
        assert can.rename_provider is None
        assert can.workspace
        assert can.workspace.file_operations
        assert can.workspace.file_operations.will_rename is not None
        sync = can.text_document_sync
        assert isinstance(sync, types.TextDocumentSyncOptions)
        assert (sync.open_close, sync.change) == (True, types.TextDocumentSyncKind.Incremental)


@pytest.mark.parametrize("has_root", [True, False], ids=["a root", "nothing"])
async def test_older_clients_name_one_root_or_none(tmp_path: Path, has_root: bool) -> None:
    params = types.InitializeParams(types.ClientCapabilities(), root_uri=tmp_path.as_uri() if has_root else None)
    async with planact_client(tmp_path, params=params) as client:
        folders = [folder.path for folder in (await client.do("showStatus")).folders]
        assert folders == ([str(tmp_path)] if has_root else [])
        uri = client.show("a.plan", "greet the 🌍\n")
        assert await client.titles(uri) == ["Generate plan"]


async def test_settings_that_make_no_sense_are_told_and_the_rest_counts(tmp_path: Path) -> None:
    async with planact_client(tmp_path, settings={"startMode": "chaos", "approvel": "ask"}) as client:
        await until(lambda: len(client.messages) == 1)
        log = "\n".join(message.message for message in client.log_messages)
        assert "startMode" in log
        assert "approvel" in log
        assert (await client.do("showStatus")).model == "scripted:model.yaml"


async def test_nothing_is_written_before_it_is_needed(tmp_path: Path) -> None:
    async with planact_client(tmp_path) as client:
        client.show("a.plan", "greet\n")
        await client.do("showStatus")
        assert await asyncio.to_thread(lambda: list(tmp_path.iterdir())) == []
