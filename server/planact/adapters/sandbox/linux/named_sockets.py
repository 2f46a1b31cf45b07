"""Connections from a jailed command to the named unix sockets, and to no others.

A filter can't read the address behind a pointer, so the kernel asks here. The address that the command gave is only
compared: this process makes the connection, to the named path, since the command may change the memory behind the
pointer meanwhile.
"""

import asyncio
import contextlib
import ctypes
import errno
import os
import select
import socket
import struct
import sys
from collections.abc import Sequence
from pathlib import Path, PurePath

from planact.adapters.sandbox.linux.kernel import Kernel
from planact.adapters.sandbox.linux.syscalls import Machine

_RECEIVE, _SEND, _IS_VALID = 0xC0502100, 0xC0182101, 0x40082102
_QUESTION = struct.Struct("=QIIiIQ6Q")
_ANSWER = struct.Struct("=QqiI")
_PIDFD_GETFD = 438  # the same on every machine
_LONGEST_ADDRESS = 110
_INT = 0xFFFFFFFF


class NamedSockets:
    """A listener that answers on the running event loop until it is closed. Made in the thread that installed the
    filter.
    """

    def __init__(self, kernel: Kernel, machine: Machine, listener: int, named: Sequence[PurePath]) -> None:
        self._kernel = kernel
        self._connect = machine.numbers["connect"]
        self._listener = listener
        self._named = {os.path.realpath(path) for path in named}
        self._loop: asyncio.AbstractEventLoop | None = None

    def open(self) -> None:
        """Begin to answer."""
        self._loop = asyncio.get_running_loop()
        self._loop.add_reader(self._listener, self._answer)

    def close(self) -> None:
        """Stop; the kernel refuses all further requests of the command."""
        self._stop()
        os.close(self._listener)

    def _answer(self) -> None:
        if not self._is_asked():
            self._stop()
            return
        buffer = ctypes.create_string_buffer(_QUESTION.size)
        with contextlib.suppress(OSError):  # it was ended while it waited
            self._kernel.ioctl("SECCOMP_IOCTL_NOTIF_RECV", self._listener, _RECEIVE, buffer)
            question, task, _, call, _, _, *arguments = _QUESTION.unpack(buffer.raw)
            try:
                code = self._judge(question, task, arguments) if call == self._connect else errno.EPERM
            except OSError as error:
                code = error.errno or errno.EPERM
            except (ValueError, OverflowError):  # no address of any memory
                code = errno.EFAULT
            answer = ctypes.create_string_buffer(_ANSWER.pack(question, 0, -code, 0), _ANSWER.size)
            self._kernel.ioctl("SECCOMP_IOCTL_NOTIF_SEND", self._listener, _SEND, answer)

    def _is_asked(self) -> bool:
        # When all that could ask are gone the descriptor is ready too, and receiving would wait for ever.
        poll = select.poll()
        poll.register(self._listener, select.POLLIN)
        return any(events & select.POLLIN for _, events in poll.poll(0))

    def _judge(self, question: int, task: int, arguments: Sequence[int]) -> int:
        """Connect if that is allowed, and return the error number, 0 for none. Raises OSError."""
        descriptor, address, length = arguments[0] & _INT, arguments[1], arguments[2] & _INT
        path = _address(task, address, length)
        if path is None or path not in self._named:
            return errno.EPERM
        process = os.pidfd_open(_process_of(task))
        try:
            # What has this number may be another by now; if it still waits for this answer, it isn't.
            still = ctypes.create_string_buffer(struct.pack("=Q", question), 8)
            self._kernel.ioctl("SECCOMP_IOCTL_NOTIF_ID_VALID", self._listener, _IS_VALID, still)
            ours = self._kernel.call("pidfd_getfd", _PIDFD_GETFD, process, descriptor, 0)
        finally:
            os.close(process)
        return _connect(ours, path)

    def _stop(self) -> None:
        if self._loop is not None:
            self._loop.remove_reader(self._listener)
            self._loop = None


def _address(task: int, address: int, length: int) -> str | None:
    """Return the absolute path of the unix socket, with links followed; None when the address is no such socket."""
    with Path(f"/proc/{task}/mem").open("rb", buffering=0) as memory:
        memory.seek(address)
        data = memory.read(min(length, _LONGEST_ADDRESS))
    family, path = int.from_bytes(data[:2], sys.byteorder), data[2:].split(b"\0", 1)[0]
    if family != socket.AF_UNIX or not path.startswith(b"/"):
        return None
    return os.path.realpath(os.fsdecode(path))


def _process_of(task: int) -> int:
    for line in Path(f"/proc/{task}/status").read_text().splitlines():
        if line.startswith("Tgid:"):
            return int(line.split()[1])
    raise ProcessLookupError(errno.ESRCH, os.strerror(errno.ESRCH))


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
