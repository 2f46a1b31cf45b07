"""Language servers of the editor: what an edit broke stands in its own result, or in a later one, and never as none."""

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import pytest
import pytest_asyncio

from planact.lsp.protocol import messages
from tests.lsp.commands.greetings import HELPLESS, PATH, READ, SECOND, set_up
from tests.lsp.commands.planact_client import EXTRAS, PlanactClient, call, calls, full, planact_client, say, scene

pytestmark = pytest.mark.asyncio(loop_scope="session")

OPEN = "plain and wrong\ngood day\n"


class Servers:
    """The client's servers: they find an error in each line with `wrong`. `states` are the states of the next answers,
    `known` after them.
    """

    def __init__(self, client: PlanactClient) -> None:
        self.client = client
        self.states: list[str] = []
        self.asked: list[Any] = []
        client.on_diagnostics = self.tell

    async def tell(self, asked: Any) -> Any:
        self.asked.append(asked)
        state = self.states.pop(0) if self.states else "known"
        return {"files": [self._file(uri, state) for uri in asked["uris"] if not uri.endswith("/")]}

    def _file(self, uri: str, state: str) -> Any:
        path = Path(unquote(uri.removeprefix("file://")))
        text = self.client.texts.get(uri) or (path.read_text() if path.exists() else "")
        found = [
            {"line": at, "severity": "error", "message": f"not good: {line}", "source": "scripted", "code": "bad"}
            for at, line in enumerate(text.splitlines())
            if "wrong" in line
        ]
        return {"uri": uri, "state": state, "diagnostics": found if state == "known" else []}

    @property
    def waits(self) -> list[int]:
        return [asked["wait_ms"] for asked in self.asked if not asked["uris"][0].endswith("/")]


@pytest_asyncio.fixture(loop_scope="session")
async def client(tmp_path: Path) -> AsyncIterator[PlanactClient]:
    async with planact_client(tmp_path, full(extras={**EXTRAS, "diagnostics": True})) as made:
        yield made


def edit(path: str, old: str, new: str) -> Any:
    return calls(call("update_file", path=path, edits=[{"old": old, "new": new}]))


async def told(client: PlanactClient, *turns: Any, fails: bool = False) -> list[str]:
    """Execute the plan, whose first step takes these turns, and return the results of tools in it. Where it `fails`,
    its new errors are known at its end, and nobody repairs them.
    """
    first = scene("Carry out step 1 ", READ, *turns, say("Said hello."), mode="act")
    uri = set_up(client, first, SECOND, HELPLESS)
    client.show(PATH)
    client.show("greeting.txt", OPEN)
    await (client.execute_and_stop(uri=uri) if fails else client.execute(uri=uri))
    return [each.content for each in client.heard(messages.MESSAGE) if each.role == "tool"]


async def test_an_edit_tells_what_it_broke_by_what_was_there_before(client: PlanactClient) -> None:
    servers = Servers(client)
    results = await told(client, edit("greeting.txt", "good day", "hello wrong"), READ, fails=True)
    new = "the editor: 1 new error in greeting.txt since your edit\ngreeting.txt:2: error: not good: hello wrong"
    assert [result.count(new) for result in results[:3]] == [0, 1, 0]
    assert servers.waits[:2] == [8000, 1500]  # before the edit nothing had answered, and may have had to start
    assert servers.asked[1]["versions"] == [1]
    assert servers.asked[2]["versions"] == [2]


async def test_what_comes_late_stands_in_a_later_result_and_is_not_none_before(client: PlanactClient) -> None:
    servers = Servers(client)
    servers.states = ["known", "known", "not_yet", "not_yet"]
    results = await told(client, edit("greeting.txt", "good day", "hello wrong"), READ, READ, fails=True)
    assert "the editor hasn't checked greeting.txt yet" in results[1]
    assert not any("no new errors in greeting.txt" in result for result in results)
    assert "the editor" not in results[2]
    assert "the editor: 1 new error in greeting.txt since your edit\n" in results[3]
    assert servers.waits[2:4] == [0, 0]


async def test_errors_of_a_file_that_was_not_known_before_are_told_without_blame(client: PlanactClient) -> None:
    servers = Servers(client)
    servers.states = ["known", "not_yet"]
    results = await told(client, edit("greeting.txt", "good day", "hello wrong"))
    assert "the editor: 2 errors in greeting.txt; which of them your edit made isn't known\n" in results[1]


async def test_where_no_server_looks_nothing_is_said_or_waited_for(client: PlanactClient) -> None:
    servers = Servers(client)
    servers.states = ["unserved"] * 99
    asking = [calls(call("get_diagnostics", path=path)) for path in ("greeting.txt", ".")]
    results = await told(client, edit("greeting.txt", "good day", "hello wrong"), *asking)
    assert "the editor" not in results[1]
    assert "no language server looks at it" in results[2]
    assert "of files that its language servers have looked at" in results[3]
    assert servers.waits[:2] == [8000, 0]
