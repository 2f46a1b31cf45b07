"""Endpoints that send more than an answer can have: planact breaks them off before they take its memory."""

import asyncio
import contextlib
import zlib
from collections.abc import Callable

import pytest

from planact.adapters.llm.litellm_model import LitellmLoader, LitellmModel
from planact.adapters.llm.patches.bounds import MOST_OF_LINE
from planact.base.errors import ModelFailure
from tests.llm.test_litellm_model import REQUEST

pytestmark = pytest.mark.asyncio(loop_scope="module")

MEGABYTE = b"a" * 1_000_000
LARGEST = 2 * MOST_OF_LINE


def packed() -> Callable[[], bytes]:
    packer = zlib.compressobj(9, zlib.DEFLATED, 31)
    return lambda: packer.compress(MEGABYTE) + packer.flush(zlib.Z_SYNC_FLUSH)


def plain() -> Callable[[], bytes]:
    return lambda: MEGABYTE


@pytest.mark.parametrize(
    ("status", "headers", "form"),
    [
        ("200 OK", "content-type: text/event-stream\r\ncontent-encoding: gzip", packed),
        ("200 OK", "content-type: text/event-stream", plain),
        ("400 Bad Request", "content-type: application/json", plain),
        ("401 Unauthorized", "content-type: application/json\r\ncontent-encoding: gzip", packed),
    ],
)
async def test_a_response_without_an_end_is_broken_off(
    loader: LitellmLoader, status: str, headers: str, form: Callable[[], Callable[[], bytes]]
) -> None:
    sent, connections = 0, []

    async def flood(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        nonlocal sent
        connections.append(asyncio.current_task())
        await reader.readuntil(b"\r\n\r\n")
        writer.write(f"HTTP/1.1 {status}\r\n{headers}\r\ntransfer-encoding: chunked\r\n\r\n".encode())
        more = form()
        with contextlib.suppress(ConnectionError):
            while sent < 5 * LARGEST:
                data = more()
                writer.write(b"%x\r\n%s\r\n" % (len(data), data))
                sent += len(MEGABYTE)
                await writer.drain()
                await asyncio.sleep(0.01)  # else what is packed lies in the system's buffers
        writer.close()
        with contextlib.suppress(ConnectionError):
            await writer.wait_closed()

    server = await asyncio.start_server(flood, "127.0.0.1", 0)
    address = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"
    model = LitellmModel("openai/gpt-4o", address, {"timeout": 60.0}, loader)
    with pytest.raises(ModelFailure) as caught:
        _ = [piece async for piece in model.stream(REQUEST)]
    server.close()
    await asyncio.gather(*connections)
    assert "it sent more than" in caught.value.message or status.startswith("4")
    assert sent <= LARGEST
