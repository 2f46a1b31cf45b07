"""System calls about which a filter asks: each waits until it has its answer, given on the running event loop.

A filter can't read what is behind a pointer, and the command may change that memory meanwhile. So a call that is
allowed is made here, with what was read, and the command gets its result.
"""

import asyncio
import contextlib
import ctypes
import errno
import os
import select
import struct
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from planact.adapters.sandbox.linux.kernel import Kernel

_RECEIVE, _SEND, _IS_VALID = 0xC0502100, 0xC0182101, 0x40082102
_QUESTION = struct.Struct("=QIIiIQ6Q")
_ANSWER = struct.Struct("=QqiI")
_PIDFD_GETFD = 438  # the same on every machine
_INT = 0xFFFFFFFF


@dataclass(frozen=True, slots=True)
class AskedCall:
    """A call that waits: its number, its six `arguments`, and the thread `task` that made it."""

    number: int
    arguments: tuple[int, ...]
    task: int
    id: int
    kernel: Kernel
    listener: int

    def memory(self, address: int, size: int) -> bytes:
        """Return at most `size` bytes of the command's memory. Raises OSError, ValueError."""
        with Path(f"/proc/{self.task}/mem").open("rb", buffering=0) as memory:
            memory.seek(address)
            return memory.read(size)

    def descriptor(self, number: int) -> int:
        """Return a descriptor of this process for the command's; the caller closes it. Raises OSError."""
        process = os.pidfd_open(_process_of(self.task))
        try:
            self.check()
            return self.kernel.call("pidfd_getfd", _PIDFD_GETFD, process, number & _INT, 0)
        finally:
            os.close(process)

    def check(self) -> None:
        """Raise OSError if the thread doesn't wait any more: what has its number may be another by now."""
        still = ctypes.create_string_buffer(struct.pack("=Q", self.id), 8)
        self.kernel.ioctl("SECCOMP_IOCTL_NOTIF_ID_VALID", self.listener, _IS_VALID, still)


class CallJudge(Protocol):
    """What decides on the calls."""

    def judge(self, asked: AskedCall) -> int:
        """Make the call if it is allowed; return its error number, 0 for none. Raises OSError, or ValueError and
        OverflowError for what is no address of any memory.
        """


class CallListener:
    """Has each call judged until it is closed. Made in the thread that installed the filter."""

    def __init__(self, kernel: Kernel, listener: int, judge: CallJudge) -> None:
        self._kernel = kernel
        self._listener = listener
        self._judge = judge
        self._loop: asyncio.AbstractEventLoop | None = None

    def open(self) -> None:
        """Begin to answer."""
        self._loop = asyncio.get_running_loop()
        self._loop.add_reader(self._listener, self._answer)

    def close(self) -> None:
        """Stop; the kernel refuses all further requests of the command."""
        self._stop()
        os.close(self._listener)

    def is_over(self) -> bool:
        """Return True if no process with this filter is left."""
        return bool(self._events() & select.POLLHUP)

    def _answer(self) -> None:
        # When all that could ask are gone the descriptor is ready too, and receiving would wait for ever.
        if not self._events() & select.POLLIN:
            self._stop()
            return
        buffer = ctypes.create_string_buffer(_QUESTION.size)
        with contextlib.suppress(OSError):  # it was ended while it waited
            self._kernel.ioctl("SECCOMP_IOCTL_NOTIF_RECV", self._listener, _RECEIVE, buffer)
            question, task, _, call, _, _, *arguments = _QUESTION.unpack(buffer.raw)
            asked = AskedCall(call, tuple(arguments), task, question, self._kernel, self._listener)
            try:
                code = self._judge.judge(asked)
            except OSError as error:
                code = error.errno or errno.EPERM
            except (ValueError, OverflowError):
                code = errno.EFAULT
            answer = ctypes.create_string_buffer(_ANSWER.pack(question, 0, -code, 0), _ANSWER.size)
            self._kernel.ioctl("SECCOMP_IOCTL_NOTIF_SEND", self._listener, _SEND, answer)

    def _events(self) -> int:
        poll = select.poll()
        poll.register(self._listener, select.POLLIN)
        return next((events for _, events in poll.poll(0)), 0)

    def _stop(self) -> None:
        if self._loop is not None:
            self._loop.remove_reader(self._listener)
            self._loop = None


def _process_of(task: int) -> int:
    # The command's name stands there, its own choice: of all that ends lines, the kernel escapes only these in it.
    for line in Path(f"/proc/{task}/status").read_bytes().split(b"\n"):
        if line.startswith(b"Tgid:"):
            return int(line.split()[1])
    raise ProcessLookupError(errno.ESRCH, os.strerror(errno.ESRCH))
