"""Hosts that pages may come from: those on the internet, and none of this machine or of a network that it is in."""

import asyncio
import ipaddress
import socket
from ipaddress import IPv4Address, IPv6Address

from planact.base.errors import PageFailure

IPAddress = IPv4Address | IPv6Address

_NAT64 = ipaddress.ip_network("64:ff9b::/96")


def is_public(address: IPAddress) -> bool:
    """Return whether an address is one of the internet, also by each IPv4 address that it stands for."""
    return _is_global(address) and all(_is_global(each) for each in _meant_by(address))


async def public_address(host: str, port: int) -> str:
    """Return one address of a host, to connect to and to no other: a name may lead elsewhere when it is asked again.

    Raises:
        PageFailure: PAGE_NOT_FETCHED, where the name isn't known, or any of its addresses isn't public.
    """
    try:
        found = await asyncio.get_running_loop().getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError) as error:
        raise PageFailure("PAGE_NOT_FETCHED", f"the host {host} isn't known", "Check the address.") from error
    addresses = [ipaddress.ip_address(str(where[0]).partition("%")[0]) for *_, where in found]
    if not addresses or not all(map(is_public, addresses)):
        message = f"{host} is on this machine or in a private network, where no page is fetched"
        raise PageFailure("PAGE_NOT_FETCHED", message, "Ask the user for what you need from there.")
    return str(addresses[0])


def _is_global(address: IPAddress) -> bool:
    return address.is_global and not (address.is_multicast or address.is_reserved or address.is_unspecified)


def _meant_by(address: IPAddress) -> list[IPv4Address]:
    """Return the IPv4 addresses that an IPv6 address stands for, by the ways of carrying one over the other."""
    if isinstance(address, IPv4Address):
        return []
    meant = [address.ipv4_mapped, address.sixtofour, *(address.teredo or ())]
    if address in _NAT64:
        meant.append(IPv4Address(int(address) & 0xFFFF_FFFF))
    return [each for each in meant if each is not None]
