"""Each patch of pygls against a real server process; `test_patches_needed` shows that pygls still needs them."""

import json
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio

from tests.lsp.raw_client import RawClient, raw_client, until

STRANGE = {"jsonrpc": "2.0", "id": 7, "b-c": {"jsonrpc": "x", "a b": None}, "class": [{"jsonrpc": "2.0", "1": 2}]}


pytestmark = pytest.mark.asyncio(loop_scope="module")


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def shared(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[RawClient]:
    async with raw_client(tmp_path_factory.mktemp("root")) as client:
        await client.initialize()
        yield client


@pytest.fixture
def client(shared: RawClient) -> RawClient:
    """One for all tests that leave the server as it was."""
    shared.others.clear()
    return shared


@pytest_asyncio.fixture(loop_scope="module")
async def fresh(tmp_path: Path) -> AsyncIterator[RawClient]:
    """One to be ended."""
    async with raw_client(tmp_path) as client:
        await client.initialize()
        yield client


async def text_of(mark: Path) -> str:
    """What a command writes there, sooner or later."""
    await until(lambda: read(mark) != "")
    return read(mark)


def read(mark: Path) -> str:
    return mark.read_text() if mark.exists() else ""


async def test_cancelling_a_request_cancels_its_command(client: RawClient, tmp_path: Path) -> None:
    client.execute(1, "probe.work", {"seconds": 30, "mark": str(tmp_path / "mark")})
    await client.call("probe.state")
    client.send(method="$/cancelRequest", params={"id": 1})
    answer = await client.answer(1)
    assert answer["error"]["code"] == -32800
    assert read(tmp_path / "mark") == "cleaned up"


async def test_an_answer_that_comes_after_a_cancel_is_dropped(client: RawClient) -> None:
    client.execute(1, "probe.relay", {"data": 1})
    asked = await client.read()
    assert asked["method"] == "probe/relayed"
    client.send(method="$/cancelRequest", params={"id": 1})
    taken_back = await client.read()
    assert (taken_back["method"], taken_back["params"]) == ("$/cancelRequest", {"id": asked["id"]})
    assert (await client.answer(1))["error"]["code"] == -32800
    client.send(id=asked["id"], result="late")
    assert (await client.call("probe.echo", {"data": "on"}))["result"] == "on"
    assert client.others == []


async def test_shutdown_ends_running_commands_and_answers(fresh: RawClient, tmp_path: Path) -> None:
    marks = [tmp_path / name for name in ("one", "two")]
    for number, mark in enumerate(marks):
        fresh.execute(number, "probe.work", {"seconds": 30, "mark": str(mark)})
    fresh.execute(8, "probe.relay", {"data": 1})
    await fresh.call("probe.state")
    assert await fresh.leave() == 0
    assert [read(mark) for mark in marks] == ["cleaned up"] * 2
    assert read(tmp_path / "closed") == "closed"
    assert [other["error"]["code"] for other in fresh.others if "error" in other] == [-32800] * 3


async def test_after_shutdown_requests_are_refused(fresh: RawClient) -> None:
    fresh.send(id=1, method="shutdown")
    assert (await fresh.answer(1))["result"] is None
    fresh.execute(2, "probe.state")
    assert (await fresh.answer(2))["error"]["code"] == -32600


async def test_exit_without_shutdown_fails(fresh: RawClient) -> None:
    fresh.send(method="exit")
    assert await fresh.end() == 1


async def test_the_clients_progress_token_reaches_the_command(client: RawClient) -> None:
    client.execute(1, "probe.token", workDoneToken="mine")
    assert (await client.answer(1))["result"] == "mine"
    client.execute(2, "probe.token")
    assert (await client.answer(2))["result"] is None


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        ([{"seconds": 1, "mark": "x"}, {}], "takes one object, 2 were given"),
        ([], "seconds: Field required; mark: Field required"),
        ([None], "seconds: Field required; mark: Field required"),
        ([{"seconds": "soon", "mark": "x"}], "seconds: Input should be a valid number"),
        ([{"seconds": 1, "mark": "x", "more": 1}], "more: Extra inputs are not permitted"),
        (["text"], "Input should be a valid dictionary"),
    ],
)
async def test_a_payload_that_does_not_fit_is_refused_by_field(
    client: RawClient, arguments: list[Any], reason: str
) -> None:
    error = (await client.call("probe.work", *arguments))["error"]
    assert (error["code"], error["data"]["code"]) == (-32602, "INVALID_ARGUMENTS")
    assert error["message"].startswith("probe.work: ")
    assert reason in error["message"]


@pytest.mark.parametrize(("arguments", "is_fine"), [([], True), ([{}], True), ([None], True), ([{"a": 1}], False)])
async def test_a_command_without_payload_takes_nothing(client: RawClient, arguments: list[Any], is_fine: bool) -> None:
    assert ("result" in await client.call("probe.state", *arguments)) is is_fine


async def test_an_unknown_command_is_refused_with_those_there_are(client: RawClient) -> None:
    error = (await client.call("probe.wrok"))["error"]
    assert error["message"].startswith("no command named 'probe.wrok'. ")
    assert "probe.work" in error["data"]["hint"]


@pytest.mark.parametrize(
    ("message", "code"),
    [
        ({"method": "textDocument/hover", "params": {"position": 1}}, -32602),
        ({"method": "workspace/executeCommand", "params": []}, -32602),
        ({"method": "workspace/executeCommand"}, -32602),
        ({"method": "probe/echo", "params": {"wrong": 1}}, -32602),
        ({"method": "no/such", "params": {}}, -32601),
        ({"method": ["list"]}, -32602),
        ({"jsonrpc": "1.0", "method": "shutdown"}, -32600),
    ],
)
async def test_a_request_that_makes_no_sense_gets_an_answer(
    client: RawClient, message: dict[str, Any], code: int
) -> None:
    client.send(id="odd", **message) if "jsonrpc" not in message else client.send_bytes(
        json.dumps({"id": "odd", **message}).encode()
    )
    assert (await client.answer("odd"))["error"]["code"] == code
    assert (await client.call("probe.echo", {"data": 1}))["result"] == 1


@pytest.mark.parametrize("body", [b"{", b"\xff", b"[]", b"3", b"[" * 100_000])
async def test_what_is_no_message_gets_an_error_without_id(client: RawClient, body: bytes) -> None:
    client.send_bytes(body)
    answer = await client.read()
    assert answer["id"] is None
    assert answer["error"]["code"] in (-32700, -32600)
    assert (await client.call("probe.echo", {"data": 1}))["result"] == 1


async def test_an_answer_that_makes_no_sense_is_like_an_error(client: RawClient) -> None:
    refused = await ended_by(client, error={"code": -32603, "message": "no"})
    assert await ended_by(client, result=["nonsense"]) == refused


@pytest.mark.parametrize("answer", [{}, {"error": None}, {"result": None}])
async def test_an_answer_without_a_result_is_no_edit(tmp_path: Path, answer: dict[str, Any]) -> None:
    (tmp_path / "a.txt").write_text("one\n")
    document = {"uri": (tmp_path / "a.txt").as_uri(), "languageId": "text", "version": 1, "text": "one\n"}
    async with raw_client(tmp_path) as client:
        await client.initialize(capabilities={"workspace": {"applyEdit": True}})
        client.send(method="textDocument/didOpen", params={"textDocument": document})
        await client.call("probe.look", {"paths": ["a.txt"]})
        edit = {"path": "a.txt", "edits": [{"start": 0, "end": 3, "text": "ONE"}]}
        client.execute(1, "probe.apply", {"steps": [edit]})
        asked = await client.read()
        assert asked["method"] == "workspace/applyEdit"
        client.send(id=asked["id"], **answer)
        assert (await client.answer(1))["error"]["data"]["code"] == "EDIT_REFUSED"


async def test_a_cancelled_request_of_the_server_goes_on(client: RawClient) -> None:
    client.execute(1, "probe.ask", {"labels": ["a"]})
    asked = await client.read()
    client.send(method="$/cancelRequest", params={"id": asked["id"]})
    client.send(id=asked["id"], result={"title": "a"})
    assert (await client.answer(1))["result"] == await ended_by(client, id_=2, result={"title": "a"})


async def test_an_answer_to_a_request_of_the_clients_own_is_ignored(client: RawClient) -> None:
    client.execute(1, "probe.ask", {"labels": ["a"]})
    asked = await client.read()
    for msg_id in (1, "unknown", ["a"], None):
        client.send(id=msg_id, result={"title": "b"})
        client.send(id=msg_id, error={"code": "?"})
    assert await ended_by(client, id_=2, result={"title": "a"})
    client.send(method="$/cancelRequest", params={"id": 1})  # it still goes on, and so can be cancelled
    assert (await client.read())["params"] == {"id": asked["id"]}
    assert (await client.answer(1))["error"]["code"] == -32800


async def test_an_answer_counts_though_an_error_that_is_null_stands_beside_it(client: RawClient) -> None:
    assert await ended_by(client, result={"title": "a"}, error=None) == await ended_by(client, result={"title": "a"})
    client.execute(2, "probe.relay", {"data": STRANGE})
    asked = await client.read()
    client.send(id=asked["id"], result=STRANGE, error=None)
    assert (await client.answer(2))["result"] == STRANGE


async def ended_by(client: RawClient, id_: int = 1, **answer: Any) -> Any:
    """What comes of a question with that answer."""
    client.execute(id_, "probe.ask", {"labels": ["a"]})
    asked = await client.read()
    client.send(id=asked["id"], **answer)
    return (await client.answer(id_))["result"]


async def test_data_that_looks_like_a_message_stays_data(client: RawClient) -> None:
    assert (await client.call("probe.echo", {"data": STRANGE}))["result"] == STRANGE
    client.send(id=1, method="probe/echo", params={"data": STRANGE})
    assert (await client.answer(1))["result"] == {"data": STRANGE}
    client.execute(2, "probe.relay", {"data": STRANGE})
    asked = await client.read()
    assert asked["params"] == STRANGE
    client.send(id=asked["id"], result=STRANGE)
    assert (await client.answer(2))["result"] == STRANGE


async def test_nothing_is_kept_of_requests_notifications_and_progress(client: RawClient, tmp_path: Path) -> None:
    document = {"uri": "file:///x", "languageId": "x", "version": 1, "text": ""}
    client.send(method="textDocument/didOpen", params={"textDocument": document})
    for number in range(20):
        change = {"textDocument": {"uri": "file:///x", "version": number}, "contentChanges": [{"text": "x"}]}
        client.send(method="textDocument/didChange", params=change)
        work = {"seconds": 0, "mark": str(tmp_path / "mark")}
        client.execute(number, "probe.progress", work, workDoneToken=f"t{number}")
        assert (await client.answer(number))["result"] == "done"
    state = (await client.call("probe.state"))["result"]
    # The one request is that which asks.
    assert (state["progress"], state["requests"]) == (0, 1)


@pytest.mark.parametrize(
    ("kind", "expected"),
    [
        (
            "ours",
            {
                "code": -32803,
                "message": "the session is busy. Stop it first. [BUSY]",
                "data": {"code": "BUSY", "hint": "Stop it first."},
            },
        ),
        (
            "surprise",
            {
                "code": -32603,
                "message": "ZeroDivisionError: surprise. The server's log has the details. [INTERNAL_ERROR]",
                "data": {"code": "INTERNAL_ERROR", "hint": "The server's log has the details."},
            },
        ),
    ],
)
async def test_a_failure_has_a_stable_code(client: RawClient, kind: str, expected: dict[str, Any]) -> None:
    assert (await client.call("probe.fail", {"kind": kind}))["error"] == expected
    assert (await client.call("probe.echo", {"data": 1}))["result"] == 1
    assert client.others == []


async def test_a_result_that_cannot_be_sent_is_an_error(client: RawClient) -> None:
    assert (await client.call("probe.fail", {"kind": "unsendable"}))["error"]["data"]["code"] == "INTERNAL_ERROR"


async def test_only_what_is_served_is_advertised(tmp_path: Path) -> None:
    async with raw_client(tmp_path) as client:
        capabilities = (await client.initialize())["capabilities"]
    assert set(capabilities) == {"positionEncoding", "textDocumentSync", "executeCommandProvider", "workspace"}
    assert set(capabilities["workspace"]) == {"workspaceFolders", "fileOperations"}
    assert capabilities["textDocumentSync"] == {"openClose": True, "change": 2, "save": False}
