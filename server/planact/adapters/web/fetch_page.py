"""Pages by plain GET requests: without cookies, keys or proxies, to the address that was checked, within bounds."""

import asyncio
import ssl
import zlib
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from urllib.parse import urlsplit

import certifi
import httpx

from planact.adapters.web.page_text import not_fetched, page_text
from planact.adapters.web.public_hosts import public_address
from planact.base.web_address import link_from, page_host
from planact.model.page import Page

_SECONDS = 20.0
_MOST_REDIRECTS = 5
_MOST_BYTES = 5_000_000
_PACKED = {"gzip": zlib.MAX_WBITS | 16, "x-gzip": zlib.MAX_WBITS | 16, "deflate": zlib.MAX_WBITS | 32}
_ACCEPTED = "text/html, application/xhtml+xml, text/markdown, text/plain;q=0.9, */*;q=0.1"


async def fetch_page(address: str, version: str) -> Page:
    """As `ports.Pages.fetch`; `version` is that of planact."""
    headers = {"user-agent": f"planact/{version}", "accept": _ACCEPTED, "accept-encoding": "identity"}
    try:
        async with asyncio.timeout(_SECONDS):
            return await _follow(address, headers)
    except TimeoutError as error:
        raise not_fetched(address, f"gave no page within {_SECONDS:g} seconds") from error
    except (httpx.HTTPError, httpx.InvalidURL, ssl.SSLError, OSError, zlib.error) as error:
        raise not_fetched(address, f"can't be fetched: {error or type(error).__name__}") from error


async def _follow(address: str, headers: Mapping[str, str]) -> Page:
    asked = address
    for _ in range(_MOST_REDIRECTS):
        async with _open(asked, headers) as response:
            if not response.is_redirect:
                if response.status_code >= 400:
                    raise not_fetched(asked, f"answers with HTTP {response.status_code}")
                data, is_cut = await _read(response, asked)
                text, is_more = await page_text(data, response.headers.get("content-type", ""), asked)
                return Page(asked, text, is_cut or is_more)
            target = link_from(asked, response.headers.get("location", ""))
        if not target or (asked.startswith("https:") and not target.startswith("https:")):
            raise not_fetched(asked, "redirects to where no page is fetched")
        if page_host(target) != page_host(asked):
            return Page(asked, "", leads_to=target)
        asked = target
    raise not_fetched(address, f"redirects more than {_MOST_REDIRECTS} times")


@asynccontextmanager
async def _open(address: str, headers: Mapping[str, str]) -> AsyncIterator[httpx.Response]:
    """Make one request over a connection for it alone, to the one address of the host that was checked."""
    parts = urlsplit(address)
    host, port = parts.hostname or "", parts.port or (443 if parts.scheme == "https" else 80)
    url = httpx.URL(address).copy_with(host=await public_address(host, port))
    async with httpx.AsyncClient(verify=_certificates(), trust_env=False, timeout=_SECONDS) as client:
        # The connection goes to the address in `url`; the name is for the server and its certificate.
        named = {**headers, "host": parts.netloc}
        async with client.stream("GET", url, headers=named, extensions={"sni_hostname": host}) as response:
            yield response


def _certificates() -> ssl.SSLContext:
    """Return the certificates that the system trusts, and those that come with the library where it has none."""
    context = ssl.create_default_context()
    context.load_verify_locations(certifi.where())
    return context


async def _read(response: httpx.Response, address: str) -> tuple[bytes, bool]:
    """Return the body, and whether it was cut."""
    packing = response.headers.get("content-encoding", "identity").strip().lower()
    if packing not in ("identity", "", *_PACKED):
        raise not_fetched(address, f"is packed as {packing[:40]}, unasked")
    data = bytearray()
    async for chunk in response.aiter_raw():
        data += chunk
        if len(data) > _MOST_BYTES:
            break
    if packing in _PACKED:
        data = bytearray(zlib.decompressobj(_PACKED[packing]).decompress(data[:_MOST_BYTES], _MOST_BYTES + 1))
    return bytes(data[:_MOST_BYTES]), len(data) > _MOST_BYTES
