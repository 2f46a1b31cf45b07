"""Addresses of pages in one spelling, so that two that lead to the same page are the same text."""

import re
from collections.abc import Iterator
from ipaddress import IPv6Address
from urllib.parse import quote, urljoin, urlsplit, urlunsplit

MAX_ADDRESS = 2_000
"""Most characters of an address."""

_PORTS = {"http": 80, "https": 443}
_HOST = re.compile(r"[a-z0-9_-]+(\.[a-z0-9_-]+)*")
_SAFE = "/%:@!$&'()*+,;=~-._"
_WRITTEN = re.compile(r"https?://[^\s<>\"`\\]+", re.IGNORECASE)
_BARE = re.compile(r"(?<![\w@/.:-])(?:[a-z0-9-]+\.)+[a-z]{2,24}(?:/[^\s<>\"`\\]*)?(?![\w@-])", re.IGNORECASE)
_ENDS = ".,;:!?'*_"
_CLOSING = f"{_ENDS})]}}"


def web_address(text: str) -> str:
    """Return an http or https address in the one spelling: host in ASCII and small letters, without the scheme's own
    port and without the fragment, every character that an address can't have percent-encoded.

    Raises:
        ValueError: it is none, or one that could be read in two ways; says why.
    """
    if len(text) > MAX_ADDRESS:
        raise ValueError(f"is longer than {MAX_ADDRESS:,} characters")
    if any(each <= " " or each in "\\\x7f" for each in text):
        raise ValueError("holds spaces, control characters or a backslash")
    try:
        parts = urlsplit(text)
        scheme, host, port = parts.scheme, parts.hostname or "", parts.port
        host = f"[{IPv6Address(host)}]" if ":" in host else host.rstrip(".").encode("idna").decode("ascii").lower()
    except ValueError as error:
        raise ValueError("is no address") from error
    if scheme not in _PORTS:
        raise ValueError("begins neither with https:// nor with http://")
    if "@" in parts.netloc:
        raise ValueError("holds a user name or password")
    if not host.startswith("[") and not _HOST.fullmatch(host):
        raise ValueError("names no host")
    place = host if port in (None, _PORTS[scheme]) else f"{host}:{port}"
    path = quote(parts.path, safe=_SAFE) or "/"
    return urlunsplit((scheme, place, path, quote(parts.query, safe=f"{_SAFE}/?"), ""))


def page_host(address: str) -> str:
    """Return the host of an address in the one spelling, with its port where that isn't the scheme's own."""
    return urlsplit(address).netloc


def link_from(address: str, link: str) -> str:
    """Return the address that a link on the page at `address` leads to; empty where it leads to no page."""
    try:
        return web_address(urljoin(address, link.strip()))
    except ValueError:
        return ""


def written_addresses(text: str, *, also_bare: bool = False) -> Iterator[str]:
    """Yield the addresses that a text names, each with and without the closing characters that may belong to the
    sentence; `also_bare` = those that people write without a scheme, too.
    """
    found = [match[0] for match in _WRITTEN.finditer(text)]
    if also_bare:
        bare = [match[0] for match in _BARE.finditer(_WRITTEN.sub(" ", text))]
        found += [f"{scheme}://{each}" for each in bare for scheme in _PORTS]
    for each in found:
        ends = (each, each.rstrip(_ENDS), each.rstrip(_CLOSING), each.split(")")[0], each.split("]")[0])
        for spelling in dict.fromkeys(ends):
            try:
                yield web_address(spelling)
            except ValueError:
                continue
