"""A disk that answers late, as one over a network does, holds up whoever needs it, and nobody who types."""

import asyncio
import hashlib
import json
import os
from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager
from pathlib import Path
from typing import Any

import psutil
import pytest
import pytest_asyncio
from lsprotocol import types

from planact.adapters.store.search.large_files import MOST_IN_LARGE_FILES
from planact.lsp.protocol.messages import TRANSCRIPT
from tests.lsp import slow_disk
from tests.lsp.commands.greetings import GREETING, PATH, PLAN, PLAN_ID, PLANNING, set_up
from tests.lsp.commands.planact_client import PlanactClient, call, calls, planact_client, say, scene
from tests.lsp.editor_client import LIMIT
from tests.lsp.raw_client import until

pytestmark = pytest.mark.asyncio

EVERYTHING = types.Range(types.Position(0, 0), types.Position(99, 0))
LARGE, MANY = 2_000_000_000, 40


class Disk:
    """The workspace's disk, as the server finds it."""

    def __init__(self, folder: Path) -> None:
        self.root = folder / "workspace"
        self._calls, self._held = folder / "calls", folder / "held"
        self.root.mkdir()
        self._calls.touch()

    @property
    def environment(self) -> dict[str, str]:
        return {"SLOW_DISK": str(self.root), "SLOW_DISK_CALLS": str(self._calls), "SLOW_DISK_HELD": str(self._held)}

    def hold(self, *kinds: str) -> None:
        """Answer no calls of these kinds."""
        self._held.write_text(" ".join(kinds))

    def let_go(self) -> None:
        self._held.unlink()

    def forget(self) -> None:
        os.truncate(self._calls, 0)

    @property
    def calls(self) -> list[dict[str, Any]]:
        return [json.loads(line) for line in self._calls.read_text().splitlines()]

    @property
    def waited_for(self) -> list[dict[str, Any]]:
        """The calls for which everything else waited."""
        return [call for call in self.calls if call["is_on_loop"]]


@pytest.fixture
def disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Disk:
    disk = Disk(tmp_path)
    for name, value in disk.environment.items():
        monkeypatch.setenv(name, value)
    return disk


@pytest_asyncio.fixture
async def client(disk: Disk) -> AsyncIterator[PlanactClient]:
    async with client_of(disk) as client:
        yield client


def client_of(disk: Disk) -> AbstractAsyncContextManager[PlanactClient]:
    return planact_client(disk.root, program=(str(Path(slow_disk.__file__)), "serve"))


def at(text: str, begun: str) -> types.Position:
    """Behind what a line begins with, for the first that does."""
    return types.Position(next(n for n, line in enumerate(text.splitlines()) if line.startswith(begun)), len(begun))


def asked(client: PlanactClient, uri: str) -> list[Any]:
    """What editors ask for with a key, and while the mouse moves."""
    plan = types.TextDocumentIdentifier(uri)
    step, file, tool = (at(client.texts[uri], line) for line in ("- [ ] 1.", "  - files: gree", "  - tools: "))
    return [
        client.text_document_completion_async(types.CompletionParams(plan, tool)),
        client.text_document_hover_async(types.HoverParams(plan, step)),
        client.text_document_hover_async(types.HoverParams(plan, file)),
        client.text_document_definition_async(types.DefinitionParams(plan, file)),
        client.text_document_code_lens_async(types.CodeLensParams(plan)),
        client.text_document_document_link_async(types.DocumentLinkParams(plan)),
        client.text_document_inlay_hint_async(types.InlayHintParams(plan, EVERYTHING)),
        client.text_document_document_symbol_async(types.DocumentSymbolParams(plan)),
        client.text_document_code_action_async(types.CodeActionParams(plan, EVERYTHING, types.CodeActionContext([]))),
    ]


async def test_nothing_waits_for_the_disk_with_a_key_in_a_plan_or_in_a_file_that_it_names(
    disk: Disk, client: PlanactClient
) -> None:
    digest = hashlib.sha256(b"one\n").hexdigest()
    context = f'context: [{{path: src.txt, sha256: "{digest}"}}]\nstatus: draft'
    uri = set_up(client, plan=PLAN.replace("status: draft", context))
    source = client.write("src.txt", "one\n")
    client.show(PATH)
    client.show("src.txt")
    await client.approve(uri)
    await until(lambda: client.refreshes > 0)
    await client.judged(uri)
    disk.forget()
    client.type(uri, f"{client.texts[uri]}\n")
    answers = await asyncio.wait_for(asyncio.gather(*asked(client, uri)), LIMIT)
    assert None not in answers
    await client.judged(uri)
    client.type(source, "two\n")
    lenses = await client.lenses(source)
    await client.do("listPlans")
    await until(lambda: "PLAN025" in {each.code for each in client.diagnostics[uri]})
    assert disk.waited_for == []
    assert lenses == []


async def colours(client: PlanactClient, uri: str) -> Any:
    """What a text alone says, without the disk."""
    params = types.SemanticTokensParams(types.TextDocumentIdentifier(uri))
    return await asyncio.wait_for(client.text_document_semantic_tokens_full_async(params), LIMIT)


async def test_nothing_but_a_start_waits_for_a_disk_that_does_not_answer_then(disk: Disk) -> None:
    disk.hold(*slow_disk.KINDS)
    async with client_of(disk) as client:
        uri = set_up(client)
        client.show(PATH)
        assert await colours(client, uri)
        assert uri not in client.diagnostics
        disk.let_go()
        assert await client.judged(uri) == []
    assert disk.waited_for == []


async def test_nothing_waits_with_a_command_that_waits_for_the_disk(disk: Disk, client: PlanactClient) -> None:
    uri = set_up(client)
    client.show(PATH)
    await client.judged(uri)
    disk.forget()
    for command, named in (("listSessions", {}), ("showStatus", {}), ("showPlan", {"plan_id": PLAN_ID})):
        disk.hold(*slow_disk.KINDS)
        before = len(disk.calls)
        running = client.begin(command, **named)
        await until(lambda before=before: len(disk.calls) > before)
        assert await colours(client, uri)
        assert not running.done()
        disk.let_go()
        await asyncio.wait_for(running, LIMIT)
    assert disk.waited_for == []


async def test_nothing_waits_for_what_is_derived_from_a_plan_that_is_saved(disk: Disk, client: PlanactClient) -> None:
    set_up(client)
    path = ".planact/plans/greet.plan"
    uri = client.write(path, PLAN)
    client.show(path)
    await client.judged(uri)
    disk.forget()
    disk.hold("open")
    client.text_document_did_save(types.DidSaveTextDocumentParams(types.TextDocumentIdentifier(uri)))
    await until(lambda: any(call["kind"] == "open" for call in disk.calls))
    assert await colours(client, uri)
    disk.let_go()
    await until((disk.root / ".planact/plans/index.json").exists)
    assert (disk.root / ".planact/plans/greet.json").exists()
    assert disk.waited_for == []


async def test_nothing_waits_with_a_message_up_to_its_answer(disk: Disk, client: PlanactClient) -> None:
    uri = set_up(client, scene("^Thanks", say("Welcome.")), PLANNING)
    client.show(PATH)
    await client.do("sendMessage", text="Please greet")  # which makes a plan that the next message could mean
    await client.judged(uri)
    disk.forget()
    disk.hold(*slow_disk.KINDS)
    first, second = (client.begin("sendMessage", text=f"Thanks {name}") for name in ("you", "again"))
    await until(lambda: bool(disk.calls))
    assert await colours(client, uri)
    assert not first.done()
    disk.let_go()
    assert (await first).text == "Welcome."
    await second
    assert disk.waited_for == []
    told = await client.protocol.send_request_async(TRANSCRIPT, {})
    assert [each["content"] for each in told["messages"] if each["content"].startswith("Thanks")] == [
        "Thanks you",
        "Thanks again",
    ]


async def test_work_is_stopped_while_the_disk_does_not_answer(disk: Disk, client: PlanactClient) -> None:
    uri = set_up(client, scene("talk", say("a word now and then " * 200, delay=0.05)))
    client.show(PATH)
    await client.judged(uri)
    message = client.begin("sendMessage", text="talk")
    await client.until_heard("planact/messageDelta")
    disk.hold(*slow_disk.KINDS)
    listing = client.begin("listTemplates")
    await client.do("stop")
    disk.let_go()
    await listing
    assert (await message).status == "stopped"


async def test_nothing_waits_with_the_calls_of_the_agent(disk: Disk, client: PlanactClient) -> None:
    reads = [
        call("read_file", path="greeting.txt"),
        call("list_directory", path="."),
        call("get_file_info", path="greeting.txt"),
        call("search_code", pattern="good day"),
        call("get_diagnostics"),
    ]
    edits = [
        call("create_file", path="new/farewell.txt", content="bye\n"),
        call("update_file", path="greeting.txt", edits=[{"old": "good day", "new": "hello"}]),
        call("rename_file", path="new/farewell.txt", new_path="farewell.txt"),
        call("delete_file", path="farewell.txt"),
    ]
    made = [calls(*reads), *(calls(edit) for edit in edits)]
    set_up(client, scene("first", say("One.")), scene("all of it", *made, say("Two.")))
    client.configure(approval="acceptAll")
    await client.do("sendMessage", text="first")
    await client.do("setMode", mode="act")
    disk.forget()
    assert (await client.do("sendMessage", text="all of it")).text == "Two."
    assert client.text("greeting.txt") == GREETING.replace("good day", "hello")
    assert [call for call in disk.waited_for if any(place.startswith("tools/") for place in call["by"])] == []


async def test_who_types_is_answered_while_a_listing_waits_for_the_disk(disk: Disk, client: PlanactClient) -> None:
    uri = set_up(client)
    client.show(PATH)
    await client.judged(uri)
    disk.hold("scandir")
    listing = client.begin("listPlans")
    await until(lambda: any(call["kind"] == "scandir" for call in disk.calls))
    client.type(uri, PLAN.replace("create_file", "creat_file"))
    assert [each.code for each in await client.judged(uri)] == ["PLAN008"]
    assert None not in await asyncio.wait_for(asyncio.gather(*asked(client, uri)), LIMIT)
    assert not listing.done()
    disk.let_go()
    assert [plan.id for plan in (await listing).plans] == [PLAN_ID]


async def test_who_types_is_answered_while_a_search_of_the_agent_waits_for_the_disk(
    disk: Disk, client: PlanactClient
) -> None:
    searched = calls(call("search_code", pattern="ahoy"))
    uri = set_up(client, scene("Where", searched, say("There.", expect=[{"in": "tool", "text": "greeting.txt:1"}])))
    client.show(PATH)
    client.show("greeting.txt", "ahoy, not saved yet\n")
    await client.judged(uri)
    disk.forget()
    disk.hold("scandir")
    message = client.begin("sendMessage", text="Where?")
    await until(lambda: any(call["kind"] == "scandir" for call in disk.calls))
    client.type(uri, PLAN.replace("create_file", "creat_file"))
    assert [each.code for each in await client.judged(uri)] == ["PLAN008"]
    assert None not in await asyncio.wait_for(asyncio.gather(*asked(client, uri)), LIMIT)
    assert not message.done()
    disk.let_go()
    assert (await message).text == "There."


async def test_the_last_of_many_keys_is_judged_when_the_disk_answers_again(disk: Disk, client: PlanactClient) -> None:
    uri = set_up(client)
    client.show(PATH)
    await client.judged(uri)
    client.diagnostics.clear()
    disk.hold("stat", "lstat")
    for number in range(5):
        client.type(uri, PLAN.replace("create_file", f"creat_file{number}"))
    assert await colours(client, uri)
    assert uri not in client.diagnostics
    disk.let_go()
    [problem] = await client.judged(uri)
    assert "creat_file4" in problem.message


async def test_of_a_workspace_of_two_gigabytes_hardly_anything_is_read(disk: Disk) -> None:
    for number in range(MANY):
        with (disk.root / f"{number}.bin").open("wb") as file:
            file.truncate(LARGE // MANY)
    async with client_of(disk) as client:
        searched = calls(call("search_code", pattern="good day"))
        uri = set_up(client, scene("Where", searched, say("There.", expect=[{"in": "tool", "text": "greeting.txt"}])))
        client.show(PATH)
        await client.judged(uri)
        assert (await client.do("sendMessage", text="Where?")).text == "There."
        assert [plan.path for plan in (await client.do("listPlans")).plans] == [PATH]
        assert client._server is not None
        assert psutil.Process(client._server.pid).memory_info().rss < LARGE // 8
    read = {call["path"] for call in disk.calls if call["kind"] == "open"}
    assert {PATH, "greeting.txt"} <= read
    large = {path for path in read if path.endswith(".bin")}
    assert len(large) <= MOST_IN_LARGE_FILES // (LARGE // MANY)  # of which the search reads the beginning
