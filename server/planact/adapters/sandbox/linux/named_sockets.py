"""Connections from a jailed command to the named unix sockets, and to no others."""

import errno
import os
import socket
import sys
from collections.abc import Sequence
from pathlib import PurePath

from planact.adapters.sandbox.linux.listener import AskedCall

_LONGEST_ADDRESS = 110
_INT = 0xFFFFFFFF


class NamedSockets:
    """`CallJudge` of the call `connect`, by its number on this machine."""

    def __init__(self, connect: int, named: Sequence[PurePath]) -> None:
        self._connect = connect
        self._named = {os.path.realpath(path) for path in named}

    def judge(self, asked: AskedCall) -> int:
        """Connect if that is allowed. The address that the command gave is only compared: this process makes the
        connection, to the named path.
        """
        descriptor, address, length, *_ = asked.arguments
        if asked.number != self._connect:
            return errno.EPERM
        path = _path_in(asked.memory(address, min(length & _INT, _LONGEST_ADDRESS)))
        if path is None or path not in self._named:
            return errno.EPERM
        return _connect(asked.descriptor(descriptor), path)


def _path_in(address: bytes) -> str | None:
    """Return the absolute path of the unix socket, with links followed; None when the address is no such socket."""
    family, path = int.from_bytes(address[:2], sys.byteorder), address[2:].split(b"\0", 1)[0]
    if family != socket.AF_UNIX or not path.startswith(b"/"):
        return None
    return os.path.realpath(os.fsdecode(path))


def _connect(descriptor: int, path: str) -> int:
    try:
        found = socket.socket(fileno=descriptor)
    except OSError:
        os.close(descriptor)
        raise
    with found as ours:
        if ours.family != socket.AF_UNIX:
            return errno.EPERM
        # The event loop mustn't wait for a daemon that is busy; the command's descriptor shares the flag.
        was_blocking = os.get_blocking(descriptor)
        ours.setblocking(False)
        try:
            return ours.connect_ex(path)
        finally:
            os.set_blocking(descriptor, was_blocking)
