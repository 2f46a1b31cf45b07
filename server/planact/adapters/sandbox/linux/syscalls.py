"""Numbers of system calls on each machine, and the filter's treatment of each call, read from `syscalls.txt`."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal, get_args

Treatment = Literal["never", "change", "absent", "looked-at", "own"]
"""How a call is treated.

`never`: for no command. It concerns the machine, its mounts, namespaces, clocks, modules and keys, or is a way around
the other checks: files by handle, descriptors and memory of others, calls by way of a ring.
`change`: for no command that may write nothing. Landlock doesn't see it (modes, owners, times and attributes of files),
or it outlives the process or reaches into another.
`absent`: its arguments can't be seen; answered "not there", upon which programs use the older call.
`looked-at`: depends on its arguments. `own`: called by the jail itself.
"""

NEWEST_CALL = 469
"""What came after it isn't known here. From 424 on all machines count alike."""

_TREATMENTS: Mapping[str, Treatment] = {treatment: treatment for treatment in get_args(Treatment)}


@dataclass(frozen=True, slots=True)
class Machine:
    """A kind of processor; `audit` is its name in filters."""

    audit: int
    numbers: Mapping[str, int]
    treatments: Mapping[str, Treatment] = field(repr=False)

    def all(self, treatment: Treatment) -> list[int]:
        """Return the numbers of all calls of one treatment."""
        return [number for name, number in self.numbers.items() if self.treatments[name] == treatment]


def read_machines(table: str) -> Mapping[str, Machine]:
    """Return the machines of a table, by the name that `platform.machine` gives.

    Raises:
        ValueError: a line has another form or an unknown treatment: a call that is left out would be allowed.
    """
    rows = [line.split() for line in table.splitlines() if not line.startswith("#")]
    if bad := [row for row in rows if len(row) != 4 or row[3] not in _TREATMENTS]:
        raise ValueError(f"no rows of system calls: {bad}")
    treatments = {name: _TREATMENTS[treatment] for name, *_, treatment in rows}
    audits = {"x86_64": (1, 0xC000003E), "aarch64": (2, 0xC00000B7)}
    return {
        name: Machine(audit, {row[0]: int(row[column]) for row in rows if row[column] != "-"}, treatments)
        for name, (column, audit) in audits.items()
    }


MACHINES = read_machines(Path(__file__).with_suffix(".txt").read_text("utf-8"))
