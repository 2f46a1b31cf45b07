"""A server at an address, by an HTTP client that speaks with that origin alone, and reads a limited amount."""

import asyncio
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from typing import Any

import httpx2
from mcp.client.streamable_http import streamable_http_client

from planact.adapters.mcp.process import LARGEST_MESSAGE, FloodError, Meter

_CONNECT_SECONDS = 15.0


class HttpServer:
    """`trouble` is the last failure of the transport, or empty."""

    def __init__(self, url: str, headers: Mapping[str, str]) -> None:
        self._url = url
        # Packed, a little could become a lot.
        self._headers = {**headers, "accept-encoding": "identity"}
        self.trouble = ""

    @asynccontextmanager
    async def open(self, over: asyncio.Event) -> AsyncIterator[tuple[Any, Any]]:  # noqa: ARG002  it has no end of its own
        """Yield the streams of a session. Redirects to other origins aren't followed."""
        transport = _OneOrigin(httpx2.URL(self._url), self)
        timeout = httpx2.Timeout(None, connect=_CONNECT_SECONDS)  # who asks knows how long to wait
        async with (
            httpx2.AsyncClient(transport=transport, headers=self._headers, timeout=timeout) as client,
            streamable_http_client(self._url, http_client=client, max_sse_event_size=LARGEST_MESSAGE) as streams,
        ):
            yield streams


class _OneOrigin(httpx2.AsyncBaseTransport):
    def __init__(self, url: httpx2.URL, server: HttpServer) -> None:
        self._origin = (url.scheme, url.host, url.port)
        self._server = server
        self._meter = Meter()
        self._inner = httpx2.AsyncHTTPTransport()

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        if (request.url.scheme, request.url.host, request.url.port) != self._origin:
            raise httpx2.UnsupportedProtocol("a redirect to another origin is not followed")
        response = await self._inner.handle_async_request(request)
        if response.is_redirect:
            self._server.trouble = "it redirects to another address"
        elif response.status_code >= 400:
            self._server.trouble = f"it answers with HTTP {response.status_code}"
        elif response.headers.get("content-encoding", "identity") != "identity":
            self._server.trouble = "it packs its answers, unasked"
            await response.aclose()
            raise httpx2.DecodingError(self._server.trouble)
        is_endless = response.headers.get("content-type", "").startswith(
            "text/event-stream"
        )  # the SDK bounds its events
        stream = _Metered(response.stream, self._meter, self._server, is_endless=is_endless)
        return httpx2.Response(
            response.status_code, headers=response.headers, stream=stream, extensions=response.extensions
        )

    async def aclose(self) -> None:
        await self._inner.aclose()


class _Metered(httpx2.AsyncByteStream):
    def __init__(self, inner: Any, meter: Meter, server: HttpServer, *, is_endless: bool) -> None:
        self._inner = inner
        self._meter = meter
        self._server = server
        self._is_endless = is_endless

    async def __aiter__(self) -> AsyncIterator[bytes]:
        size = 0
        async for chunk in self._inner:
            size += len(chunk)
            try:
                self._meter.count(len(chunk), chunk.count(b"data:"), 0 if self._is_endless else size)
            except FloodError as flood:
                self._server.trouble = str(flood)
                raise httpx2.ReadError(str(flood)) from None
            yield chunk

    async def aclose(self) -> None:
        await self._inner.aclose()
