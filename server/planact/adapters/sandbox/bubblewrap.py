"""Commands in namespaces made by bubblewrap, with a filter on top, where Landlock isn't to be had.

Other processes aren't there to be signalled. It must not be asked to die with its parent: to Linux that is the thread.
"""

import os
from collections.abc import Iterator

from planact.adapters.sandbox.seccomp import Limits, make_filter
from planact.adapters.sandbox.spawner import Start, Started, unavailable
from planact.adapters.sandbox.syscalls import Machine
from planact.model.jail import JailProfile

NAMESPACES = ("--unshare-user", "--unshare-pid", "--unshare-ipc", "--unshare-uts", "--unshare-cgroup-try")
MOUNTS = ("--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc")
_STATUS_BYTES = 4096


class BubblewrapSpawner:
    """`Spawner` for Linux with the program `bubblewrap`. Everything may be read."""

    def __init__(self, bubblewrap: str, machine: Machine, profile: JailProfile) -> None:
        self.profile = profile
        self._bubblewrap = bubblewrap
        limits = Limits(is_read_only=profile.is_read_only, network=profile.network)
        self._filter = make_filter(machine, limits)

    def start(self, start: Start) -> Started:
        """Start it in namespaces of its own. Raises CommandFailure SANDBOX_UNAVAILABLE when there is no filter."""
        filter_end, status = _memory(self._filter), _memory(b"")
        try:
            prefix = [*self._prefix(start, status), "--seccomp", str(filter_end), "--"]
            shell = start.open(prefix, pass_fds=(filter_end, status))
        except BaseException:
            os.close(status)
            raise
        finally:
            os.close(filter_end)
        # It reports the end of the command only where it came to start one.
        return Started(shell, lambda: os.close(status), lambda: b"exit-code" in os.pread(status, _STATUS_BYTES, 0))

    def _prefix(self, start: Start, status: int) -> Iterator[str]:
        yield from (self._bubblewrap, *NAMESPACES, "--json-status-fd", str(status))
        if self.profile.network == "none":
            yield "--unshare-net"
        yield from MOUNTS
        for path in (*self.profile.writable, *((start.scratch,) if start.scratch else ())):
            yield from ("--bind-try", str(path), str(path))
        for path in self.profile.kept:
            yield from ("--ro-bind-try", str(path), str(path))
        yield from ("--chdir", str(start.directory), "--cap-drop", "ALL")


def _memory(data: bytes) -> int:
    try:
        descriptor = os.memfd_create("planact")
        os.write(descriptor, data)
        os.lseek(descriptor, 0, os.SEEK_SET)
    except OSError as error:
        raise unavailable(str(error)) from error
    return descriptor
