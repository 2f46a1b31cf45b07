"""Hosts that pages may come from: those on the internet, and none of this machine or of a network that it is in."""

import asyncio
import ipaddress
import socket
from collections.abc import Iterator
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network

import psutil

from planact.base.errors import PageFailure

IPAddress = IPv4Address | IPv6Address

_NAT64 = ipaddress.ip_network("64:ff9b::/96")
_NEAR = (
    ipaddress.ip_network("168.63.129.16/32"),  # Azure's services for the machine that asks
    *map(ipaddress.ip_network, ("192.0.0.0/24", "192.88.99.0/24", "3fff::/20", "5f00::/16")),
)
"""Networks that this Python may take for the internet, and that no page comes from."""


def is_public(address: IPAddress) -> bool:
    """Return whether an address is one of the internet and of no network that this machine is in, also by each IPv4
    address that it stands for.
    """
    near = [*_NEAR, *_own_networks()]
    meant = (address, *_meant_by(address))
    return all(_is_global(each) and not any(each in network for network in near) for each in meant)


def _own_networks() -> Iterator[IPv4Network | IPv6Network]:
    """Yield the networks that this machine is in. Their machines often have addresses of the internet, too, at which it
    reaches what others don't.
    """
    for addresses in psutil.net_if_addrs().values():
        for each in addresses:
            if each.family in (socket.AF_INET, socket.AF_INET6):
                own = ipaddress.ip_address(each.address.partition("%")[0])
                size = ipaddress.ip_address(each.netmask) if each.netmask else None
                bits = own.max_prefixlen if size is None else int(size).bit_count()
                yield ipaddress.ip_network((own, bits or own.max_prefixlen), strict=False)


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
    is_local = isinstance(address, IPv6Address) and address.is_site_local
    is_none = address.is_multicast or address.is_reserved or address.is_unspecified
    return address.is_global and not (is_local or is_none)


def _meant_by(address: IPAddress) -> list[IPv4Address]:
    """Return the IPv4 addresses that an IPv6 address stands for, by the ways of carrying one over the other."""
    if isinstance(address, IPv4Address):
        return []
    meant = [address.ipv4_mapped, address.sixtofour, *(address.teredo or ())]
    if address in _NAT64:
        meant.append(IPv4Address(int(address) & 0xFFFF_FFFF))
    return [each for each in meant if each is not None]
