"""Tell whether a command in a network of its own wanted to reach another: the kernel counts what had no route."""

import contextlib
import os
import re

_NO_ROUTES = re.compile(rb"^Ip6OutNoRoutes\s+(\d+)", re.MULTILINE)
_SIZE = 65_536


class RefusedNetwork:
    """The counters of the network of the process `pid`, which outlive it until `close`. Where they can't be read,
    nothing is told.
    """

    def __init__(self, pid: int) -> None:
        self._open: list[int] = []
        for name in ("snmp", "snmp6"):
            with contextlib.suppress(OSError):
                self._open.append(os.open(f"/proc/{pid}/net/{name}", os.O_RDONLY | os.O_CLOEXEC))

    def was_wanted(self) -> bool:
        """Return True if something was sent to an address outside, or to look up a name."""
        return any(_count(descriptor) for descriptor in self._open)

    def close(self) -> None:
        for descriptor in self._open:
            os.close(descriptor)
        self._open.clear()


def _count(descriptor: int) -> int:
    try:
        text = os.pread(descriptor, _SIZE, 0)
    except OSError:
        return 0
    rows = [line.split() for line in text.splitlines() if line.startswith(b"Ip:")]
    if len(rows) == 2 and b"OutNoRoutes" in rows[0]:
        return int(rows[1][rows[0].index(b"OutNoRoutes")])
    found = _NO_ROUTES.search(text)
    return int(found[1]) if found else 0
