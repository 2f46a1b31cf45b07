"""How a conversation begins and ends: pipes, dead clients, signals and stray output."""

import asyncio
import os
import signal
import sys
from pathlib import Path

import pytest

from tests.lsp.raw_client import PROBE, RawClient, raw_client
from tests.lsp.test_patches import read, text_of


async def busy(client: RawClient, mark: Path) -> None:
    client.execute("busy", "probe.work", {"seconds": 60, "mark": str(mark)})
    await client.call("probe.state")


async def test_end_of_file_ends_the_process_and_its_work(tmp_path: Path) -> None:
    async with raw_client(tmp_path) as client:
        await client.initialize()
        await busy(client, tmp_path / "mark")
        client.close()
        assert await client.end() == 1
    assert read(tmp_path / "mark") == "cleaned up"
    assert read(tmp_path / "closed") == "closed"


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
async def test_a_signal_ends_the_process_and_its_work(tmp_path: Path, number: signal.Signals) -> None:
    async with raw_client(tmp_path) as client:
        await client.initialize()
        await busy(client, tmp_path / "mark")
        client.process.send_signal(number)
        assert await client.end() == 1
    assert read(tmp_path / "mark") == "cleaned up"


async def test_a_client_that_no_longer_listens_ends_the_process(tmp_path: Path) -> None:
    async with raw_client(tmp_path) as client:
        await client.initialize()
        await busy(client, tmp_path / "mark")
        client._stdout._transport.close()
        # Closing takes a turn of the loop; what the server writes before lands in the pipe.
        await asyncio.sleep(0.1)
        client.execute(1, "probe.state")
        assert await client.end() == 1
    assert read(tmp_path / "mark") == "cleaned up"


@pytest.mark.parametrize("length", [b"99999999999999", b"9" * 5_000])
async def test_a_message_larger_than_any_ends_the_process_which_could_hear_no_other(
    tmp_path: Path, length: bytes
) -> None:
    async with raw_client(tmp_path) as client:
        await client.initialize()
        await busy(client, tmp_path / "mark")
        client._stdin.write(b"Content-Length: %b\r\n\r\n{}" % length)
        assert await client.end() == 1
    assert read(tmp_path / "mark") == "cleaned up"


CLIENT_THAT_DIES = """
import json, os, subprocess, sys
source, sink = os.pipe()
server = subprocess.Popen([sys.executable, sys.argv[1], sys.argv[2]], stdin=source, stdout=subprocess.PIPE)
holder = subprocess.Popen(["sleep", "60"], pass_fds=[sink])
def send(**message):
    body = json.dumps({"jsonrpc": "2.0", **message}).encode()
    os.write(sink, b"Content-Length: %d\\r\\n\\r\\n%b" % (len(body), body))
send(id=0, method="initialize", params={"processId": os.getpid(), "rootUri": None, "capabilities": {}})
work = {"seconds": 60, "mark": sys.argv[3]}
server.stdout.readline()
send(id=1, method="workspace/executeCommand", params={"command": "probe.work", "arguments": [work]})
send(id=2, method="workspace/executeCommand", params={"command": "probe.state"})
while b"documents" not in os.read(server.stdout.fileno(), 65536): pass
print(holder.pid, flush=True)
os._exit(0)
"""


async def test_a_client_that_died_is_noticed_though_its_pipe_lives_on(tmp_path: Path) -> None:
    mark = tmp_path / "mark"
    client = await asyncio.create_subprocess_exec(
        sys.executable, "-c", CLIENT_THAT_DIES, str(PROBE), str(tmp_path), str(mark), stdout=asyncio.subprocess.PIPE
    )
    assert client.stdout is not None
    holder = int(await asyncio.wait_for(client.stdout.readline(), 180))
    try:
        assert await text_of(mark) == "cleaned up"
        assert await text_of(tmp_path / "closed") == "closed"
    finally:
        os.kill(holder, signal.SIGKILL)
        await client.wait()
        client._transport.close()


async def test_stray_output_never_reaches_the_client(tmp_path: Path) -> None:
    async with raw_client(tmp_path) as client:
        await client.initialize()
        answer = await client.call("probe.print", {"text": "Content-Length: 3\r\n\r\nstray\n"})
        assert answer["result"] == "read ''"
        assert (await client.call("probe.echo", {"data": 1}))["result"] == 1
        assert client.others == []
        assert await client.leave() == 0


async def test_initialize_is_answered_before_anything_heavy(tmp_path: Path) -> None:
    async with raw_client(tmp_path, (str(PROBE), str(tmp_path))) as client:
        await client.initialize()
        assert (await client.call("probe.state"))["result"]["heavy"] == []


async def test_nothing_but_initialize_comes_first_and_only_once(tmp_path: Path) -> None:
    async with raw_client(tmp_path) as client:
        assert (await client.call("probe.state"))["error"]["code"] == -32002
        await client.initialize()
        client.send(id=5, method="initialize", params={"processId": None, "rootUri": None, "capabilities": {}})
        assert (await client.answer(5))["error"]["code"] == -32600


async def test_header_lines_are_read_as_http_has_them(tmp_path: Path) -> None:
    async with raw_client(tmp_path) as client:
        await client.initialize()
        body = b'{"jsonrpc":"2.0","id":1,"method":"shutdown"}'
        head = b"Content-Type: application/vscode-jsonrpc; charset=utf-8\r\ncontent-length:%d\r\n\r\n" % len(body)
        client._stdin.write(head + body)
        assert (await client.answer(1))["result"] is None


@pytest.mark.parametrize(
    ("offered", "chosen"),
    [
        (["utf-8", "utf-16"], "utf-8"),
        (["utf-32"], "utf-32"),
        (["utf-16"], "utf-16"),
        (None, "utf-16"),
        (["x"], "utf-16"),
    ],
)
async def test_the_clients_first_encoding_is_taken(tmp_path: Path, offered: list[str] | None, chosen: str) -> None:
    async with raw_client(tmp_path) as client:
        general = {} if offered is None else {"general": {"positionEncodings": offered}}
        result = await client.initialize(capabilities=general)
        assert result["capabilities"]["positionEncoding"] == chosen
        assert (await client.call("probe.state"))["result"]["encoding"] == chosen
