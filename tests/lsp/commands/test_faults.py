"""What goes wrong around a server that runs, and what its user sees: nothing is lost, and the plan is carried out.

ARCHITECTURE.md has a table of these and others, which `tests/docs/test_faults.py` holds to what is tested.
"""

import contextlib
import resource
import shutil
import sqlite3
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest
from lsprotocol import types

from planact.adapters.store.disk.lock import FileLock
from planact.adapters.store.state.database import state_folder
from planact.model.plan import StepStatus
from tests.lsp.commands.greetings import FAREWELL, HELLO, PATH, set_up
from tests.lsp.commands.planact_client import PlanactClient, planact_client
from tests.lsp.editor_client import failure
from tests.lsp.raw_client import until

pytestmark = [pytest.mark.asyncio(loop_scope="module"), pytest.mark.timeout(300)]

GREETING = "greeting.txt"
DONE = [StepStatus.DONE, StepStatus.DONE]


def database(client: PlanactClient) -> Path:
    return state_folder(client.root) / "state.db"


@asynccontextmanager
async def read_only(client: PlanactClient) -> AsyncIterator[None]:
    paths = [client.root, *client.root.rglob("*")]
    modes = {path: path.stat().st_mode for path in paths}
    for path in reversed(paths):
        path.chmod(0o555 if path.is_dir() else 0o444)
    yield
    for path in paths:
        path.chmod(modes[path])


@asynccontextmanager
async def full_disk(client: PlanactClient) -> AsyncIterator[None]:
    """No file may grow any more."""
    assert client._server is not None
    before = resource.prlimit(client._server.pid, resource.RLIMIT_FSIZE, (1, resource.RLIM_INFINITY))
    yield
    resource.prlimit(client._server.pid, resource.RLIMIT_FSIZE, before)


@asynccontextmanager
async def held(client: PlanactClient) -> AsyncIterator[None]:
    connection = sqlite3.connect(database(client), isolation_level=None)
    connection.execute("BEGIN IMMEDIATE")
    yield
    connection.close()


@dataclass(frozen=True)
class Fault:
    """`says` are words of what the user reads."""

    bring_about: Callable[[PlanactClient], AbstractAsyncContextManager[None]]
    code: str
    says: tuple[str, ...]


FAULTS = {
    "the workspace is read-only": Fault(read_only, "STORAGE_UNWRITABLE", (".planact", "Permission denied")),
    "the disk is full": Fault(full_disk, "STORAGE_UNWRITABLE", ("can't write",)),
    "another process holds the database": Fault(held, "STORAGE_BUSY", ("state.db", "locked")),
}


@pytest.mark.parametrize("name", FAULTS)
async def test_a_fault_is_told_and_once_it_is_gone_the_plan_is_carried_out(tmp_path: Path, name: str) -> None:
    fault = FAULTS[name]
    async with planact_client(tmp_path, words=("victim", "ordinary", "0")) as client:
        uri = set_up(client)
        client.show(GREETING)
        await client.do("newSession")
        shown = await client.do("showPlan", uri=uri)
        async with fault.bring_about(client):
            code, message, _ = await failure(client.run("planact.executePlan", uri=uri, approve_hash=shown.plan_hash))
            assert (code, [words for words in fault.says if words not in message]) == (fault.code, []), message
            assert client.text(GREETING) == "🌍 good day\n"
        await is_carried_out(client, uri)


async def is_carried_out(client: PlanactClient, uri: str) -> None:
    execution = await client.execute(uri=uri)
    assert execution.status == "success", execution
    assert (client.text(GREETING), client.text("farewell.txt"), client.marks(PATH)) == (HELLO, FAREWELL, DONE)


def spoil(client: PlanactClient) -> None:
    with contextlib.closing(sqlite3.connect(database(client))) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    with database(client).open("r+b") as file:
        file.write(b"no database at all" * 500)


def damage_shown(client: PlanactClient) -> list[str]:
    errors = [each.message for each in client.messages if each.type is types.MessageType.Error]
    return [text for text in errors if "is kept as" in text and text.endswith("[STORAGE_DAMAGED]")]


async def test_damage_that_no_command_met_is_shown_once_and_the_plan_is_carried_out(tmp_path: Path) -> None:
    async with planact_client(tmp_path, words=("victim", "ordinary", "0")) as client:
        uri = set_up(client)
        await client.do("newSession")
        spoil(client)
        elsewhere = FileLock(state_folder(client.root) / "run.lock", str)
        assert elsewhere.acquire("a run of another process") == ""  # so that what is left in the folder is read again
        try:
            await until(lambda: damage_shown(client) != [])
        finally:
            elsewhere.release()
        await is_carried_out(client, uri)
        assert len(damage_shown(client)) == 1


# --- clients that say what makes no sense


def change(client: PlanactClient, uri: str, version: int, *spans: tuple[int, int, int, int], text: str = "") -> None:
    identifier = types.VersionedTextDocumentIdentifier(uri=uri, version=version)
    changes = [
        types.TextDocumentContentChangePartial(types.Range(types.Position(a, b), types.Position(c, d)), text)
        for a, b, c, d in spans
    ]
    client.text_document_did_change(types.DidChangeTextDocumentParams(identifier, changes))


async def older_version(client: PlanactClient, uri: str) -> None:
    change(client, uri, 0, (0, 0, 0, 0), text="x")
    change(client, uri, -7, (0, 0, 0, 1))
    client.versions[uri] = -7


async def behind_the_end(client: PlanactClient, uri: str) -> None:
    change(client, uri, 2, (9_000, 5, 9_001, 7), text="\n")
    client.texts[uri] += "\n"
    client.versions[uri] = 2


async def not_open(client: PlanactClient, uri: str) -> None:
    unknown = client.uri("unknown.plan")
    change(client, unknown, 2, (0, 0, 0, 0), text="x")
    client.text_document_did_close(types.DidCloseTextDocumentParams(types.TextDocumentIdentifier(unknown)))
    client.text_document_did_save(types.DidSaveTextDocumentParams(types.TextDocumentIdentifier(unknown)))


async def opened_twice(client: PlanactClient, uri: str) -> None:
    client.text_document_did_open(
        types.DidOpenTextDocumentParams(types.TextDocumentItem(uri, "planact", 1, client.texts[uri]))
    )


async def unknown_document(client: PlanactClient, uri: str) -> None:
    unknown = client.uri("unknown.plan")
    assert await client.lenses(unknown) == []
    assert await client.actions(unknown) == []
    place = types.TextDocumentIdentifier(unknown)
    assert not await client.text_document_hover_async(types.HoverParams(place, types.Position(9, 9)))
    assert not await client.text_document_document_symbol_async(types.DocumentSymbolParams(place))
    assert (await client.refusal("executePlan", uri=unknown, approve_hash="x"))[0] == "PLAN_NOT_FOUND"


async def gone_from_disk(client: PlanactClient, uri: str) -> None:
    for path in (GREETING, PATH):
        (client.root / path).unlink()


async def elsewhere_on_disk(client: PlanactClient, uri: str) -> None:
    shutil.move(client.root / GREETING, client.root / "elsewhere.txt")


ODDITIES: dict[str, Callable[[PlanactClient, str], Awaitable[None]]] = {
    "a change with an older version": older_version,
    "a change behind the end of the text": behind_the_end,
    "a change of a document that is not open": not_open,
    "a document that is opened twice": opened_twice,
    "a request about a document that nobody knows": unknown_document,
    "open files that are gone from disk": gone_from_disk,
    "an open file that was renamed on disk": elsewhere_on_disk,
}


@pytest.mark.parametrize("name", ODDITIES)
async def test_a_client_that_makes_no_sense_stops_nothing(tmp_path: Path, name: str) -> None:
    async with planact_client(tmp_path) as client:
        uri = set_up(client)
        client.show(GREETING)
        client.show(PATH)
        await ODDITIES[name](client, uri)
        await is_carried_out(client, uri)


async def test_a_text_that_the_client_has_otherwise_than_it_said_is_not_touched(tmp_path: Path) -> None:
    async with planact_client(tmp_path) as client:
        uri = set_up(client)
        client.show(PATH)
        change(client, uri, 2, (5, 3, 1, 0), text="x")  # a range that ends before it begins
        before = client.texts[uri]
        assert (await client.execute(uri=uri)).status == "success"
        assert (client.text(GREETING), client.text("farewell.txt"), client.texts[uri]) == (HELLO, FAREWELL, before)
        said = "\n".join(message.message for message in client.log_messages)
        assert f"the plan document could not be marked: the editor refused to change {PATH}: stale" in said


async def test_a_plan_whose_text_in_the_window_is_not_known_is_not_carried_out(tmp_path: Path) -> None:
    async with planact_client(tmp_path) as client:
        uri = set_up(client)
        client.show(PATH)
        shown = await client.do("showPlan", uri=uri)
        params = {"textDocument": {"uri": uri, "version": 2}, "contentChanges": [{"range": None}]}
        client.protocol._send_data({"jsonrpc": "2.0", "method": "textDocument/didChange", "params": params})
        for command in ("approvePlan", "executePlan"):
            code, message = await client.refusal(command, uri=uri, approve_hash=shown.plan_hash)
            assert (code, message.partition(" is ")[0]) == ("FILE_UNREADABLE", PATH)
        client.type(uri, client.texts[uri])
        await is_carried_out(client, uri)
