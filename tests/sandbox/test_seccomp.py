"""The filters, played on a machine made of numbers: so those for another processor are tested too."""

import struct
from collections.abc import Sequence
from pathlib import Path

import pytest

from planact.adapters.sandbox.linux import syscalls
from planact.adapters.sandbox.linux.seccomp import FilterLimits, bar_thread, make_filter
from planact.adapters.sandbox.linux.syscalls import MACHINES, NEWEST_CALL, Machine, read_machines

TABLE = Path(syscalls.__file__).with_suffix(".txt")
KILL, ALLOW, ASK, REFUSED, ABSENT = 0x80000000, 0x7FFF0000, 0x7FC00000, 0x00050001, 0x00050026
UNSUPPORTED = 0x0005005F
PLAN = FilterLimits(is_read_only=True, network="none")
CONTAINED = FilterLimits(is_read_only=True, network="none", asks_for_files=True)
NET = FilterLimits(is_read_only=True, network="inet")
DAEMON = FilterLimits(is_read_only=True, network="none", asks_for_sockets=True)
ACT = FilterLimits(is_read_only=False, network="inet")
ACT_ALL = FilterLimits(is_read_only=False, network="all")
TRIAL = FilterLimits(is_read_only=False, network="loopback", keeps_user=True)
OLD = FilterLimits(is_read_only=True, network="none", only_own_group=True, has_truncate=False)
HIGH = 1 << 32


def answer(program: bytes, audit: int, number: int, arguments: Sequence[int]) -> int:
    """What the program says of a call, as the kernel would run it."""
    steps = list(struct.iter_unpack("=HBBI", program))
    data = struct.pack("=IIQ6Q", number, audit, 0, *[*arguments, *[0] * 6][:6])
    register, at = 0, 0
    while True:
        code, when_true, when_false, value = steps[at]
        at += 1
        match code:
            case 0x20:
                register = struct.unpack_from("=I", data, value)[0]
            case 0x54:
                register &= value
            case 0x15:
                at += when_true if register == value else when_false
            case 0x25:
                at += when_true if register > value else when_false
            case 0x05:
                at += value
            case 0x06:
                return int(value)
            case _:
                raise AssertionError(hex(code))


CASES: list[tuple[FilterLimits, str, tuple[int, ...], int]] = [
    # in every jail
    *[(limits, "unshare", (0,), REFUSED) for limits in (PLAN, NET, DAEMON, ACT, ACT_ALL, OLD)],
    *[(limits, "mount", (), REFUSED) for limits in (PLAN, ACT_ALL)],
    *[(limits, "io_uring_setup", (), REFUSED) for limits in (PLAN, ACT_ALL)],
    *[(limits, "open_by_handle_at", (), REFUSED) for limits in (PLAN, ACT_ALL)],
    *[(limits, "clone3", (), ABSENT) for limits in (PLAN, ACT_ALL)],
    *[(limits, "pidfd_send_signal", (), ABSENT) for limits in (PLAN, ACT_ALL)],
    (ACT, "clone", (17,), ALLOW),
    (ACT, "clone", (0x10000000 | 17,), REFUSED),
    (ACT, "clone", (0x40000000 | 17,), REFUSED),
    (ACT, "prlimit64", (0, 7, 1), ALLOW),
    (ACT, "prlimit64", (5, 7, 0), ALLOW),
    (ACT, "prlimit64", (5, 7, 1), REFUSED),
    (ACT, "prlimit64", (5, 7, HIGH), REFUSED),
    (ACT, "fcntl", (0, 8), REFUSED),
    (ACT, "fcntl", (0, 15), REFUSED),
    (ACT, "fcntl", (0, 1030), ALLOW),
    (ACT, "ioctl", (0, 0x5412), REFUSED),
    (ACT, "ioctl", (0, HIGH | 0x5412), REFUSED),
    (ACT, "ioctl", (0, 0x50009401), REFUSED),
    (ACT, "ioctl", (0, 0x40049409), ALLOW),
    (ACT, "ioctl", (0, 0x40086602), ALLOW),
    # what changes something
    *[
        (PLAN, name, (), REFUSED)
        for name in ("fchmod", "fchmodat2", "utimensat", "setxattrat", "file_setattr", "ptrace", "shmat")
    ],
    *[
        (ACT, name, (), ALLOW)
        for name in ("fchmod", "fchmodat2", "utimensat", "setxattrat", "file_setattr", "ptrace", "shmat")
    ],
    *[(CONTAINED, name, (), ASK) for name in ("fchmod", "fchmodat2", "utimensat", "fchownat")],
    *[(CONTAINED, name, (), UNSUPPORTED) for name in ("setxattr", "fremovexattr")],
    *[(CONTAINED, "socket", (family, 1), REFUSED) for family in (1, 2, 10)],
    # on trial, attributes of files stay, and none runs as the user for whoever starts it
    *[(TRIAL, "ioctl", (0, control), UNSUPPORTED) for control in (0x40086602, 0x40806685, 0x401C5820, 0x40047211)],
    *[(TRIAL, "ioctl", (0, control), ALLOW) for control in (0x80086601, 0x801C581F, 0x40049409, 0x5401, 0x8933)],
    *[(TRIAL, name, (), UNSUPPORTED) for name in ("setxattr", "setxattrat", "fremovexattr", "file_setattr")],
    (TRIAL, "openat", (0, 0, 0o102, 0o4755), REFUSED),
    (TRIAL, "openat", (0, 0, 0o20200002, 0o4755), REFUSED),
    (TRIAL, "openat", (0, 0, 0o20200002, 0o755), ALLOW),
    (TRIAL, "openat", (0, 0, 0o2, 0o4755), ALLOW),
    (PLAN, "ioctl", (0, 0x5401), ALLOW),
    (PLAN, "ioctl", (0, 0x80086601), ALLOW),
    (PLAN, "ioctl", (0, 0x40086602), REFUSED),
    (PLAN, "ioctl", (0, 0xC0104800), REFUSED),
    (PLAN, "setpriority", (0, 0, 5), ALLOW),
    (PLAN, "setpriority", (0, 99, 5), REFUSED),
    (PLAN, "setpriority", (2, 0, 5), REFUSED),
    (PLAN, "ioprio_set", (1, 0, 5), ALLOW),
    (PLAN, "ioprio_set", (1, 99, 5), REFUSED),
    (PLAN, "sched_setaffinity", (99,), REFUSED),
    (ACT, "sched_setaffinity", (99,), ALLOW),
    # sockets: families are 1 unix, 2 and 10 internet, 16 netlink; types are 1 stream, 2 datagram, 5 packets
    *[(PLAN, "socket", (family, 1), REFUSED) for family in (1, 2, 10, 16, 17, 40)],
    *[(NET, "socket", (family, 1), ALLOW) for family in (2, 10, 16)],
    *[(ACT, "socket", (family, 1), REFUSED) for family in (1, 17, 40)],
    (NET, "socket", (HIGH | 1, 1), REFUSED),
    (NET, "socket", (16, 3, 15), REFUSED),
    (ACT_ALL, "socket", (1, 1), ALLOW),
    (DAEMON, "socket", (1, 1 | 0o2004000), ALLOW),
    (DAEMON, "socket", (1, 2), REFUSED),
    (DAEMON, "socket", (2, 1), REFUSED),
    (DAEMON, "connect", (3,), ASK),
    (ACT, "connect", (3,), ALLOW),
    *[(limits, "socketpair", (1, 1 | 0o2000000), ALLOW) for limits in (PLAN, NET, DAEMON, ACT)],
    *[(limits, "socketpair", (1, 2), REFUSED) for limits in (PLAN, NET, DAEMON, ACT)],
    # where Landlock doesn't see signals and shortening
    (OLD, "kill", (99, 9), REFUSED),
    (OLD, "kill", (2**32 - 1, 9), REFUSED),
    (OLD, "kill", (99, 0), ALLOW),
    (OLD, "kill", (0, 9), ALLOW),
    (OLD, "tgkill", (99, 99, 9), REFUSED),
    (OLD, "tkill", (99, 9), REFUSED),
    (OLD, "rt_sigqueueinfo", (99, 9), REFUSED),
    (OLD, "rt_tgsigqueueinfo", (99, 99, 9), REFUSED),
    (OLD, "truncate", (), REFUSED),
    (OLD, "openat2", (), ABSENT),
    (OLD, "openat", (0, 0, 0o1000), REFUSED),
    (OLD, "openat", (0, 0, 0o1003), REFUSED),
    (OLD, "openat", (0, 0, 0o1001), ALLOW),
    (PLAN, "kill", (99, 9), ALLOW),
    (PLAN, "truncate", (), ALLOW),
]


@pytest.mark.parametrize("machine", MACHINES.values(), ids=MACHINES)
def test_calls_are_answered_as_the_limits_say(machine: Machine) -> None:
    found = []
    for limits, name, arguments, _ in CASES:
        program = make_filter(machine, limits)
        found.append((limits, name, arguments, answer(program, machine.audit, machine.numbers[name], arguments)))
    assert found == CASES


@pytest.mark.parametrize("machine", MACHINES.values(), ids=MACHINES)
@pytest.mark.parametrize("limits", [PLAN, NET, DAEMON, ACT, ACT_ALL, TRIAL, OLD])
def test_what_is_not_known_is_not_there(machine: Machine, limits: FilterLimits) -> None:
    program = make_filter(machine, limits)
    assert answer(program, 0x40000003, 1, ()) == KILL
    for number in (470, 500, 0x40000000, 0x40000001, 0x7FFFFFFF, 0xFFFFFFFF):
        assert answer(program, machine.audit, number, ()) == ABSENT


@pytest.mark.parametrize("machine", MACHINES.values(), ids=MACHINES)
def test_ordinary_calls_pass(machine: Machine) -> None:
    judged = set(machine.numbers.values())
    for number in set(range(424)) - judged:
        assert answer(make_filter(machine, PLAN), machine.audit, number, (1, 2, 3)) == ALLOW


@pytest.mark.parametrize("machine", MACHINES.values(), ids=MACHINES)
@pytest.mark.parametrize("limits", [PLAN, NET, DAEMON, ACT, ACT_ALL])
def test_a_thread_is_barred_from_signals_by_its_number_alone(machine: Machine, limits: FilterLimits) -> None:
    program = bar_thread(make_filter(machine, limits), 4_242)
    assert len(program) == len(make_filter(machine, limits))

    def sees(name: str, *arguments: int) -> int:
        return answer(program, machine.audit, machine.numbers[name], arguments)

    assert [sees("kill", 4_242, 9), sees("tkill", 4_242, 9), sees("tgkill", 1, 4_242, 9)] == [REFUSED] * 3
    assert [sees("rt_sigqueueinfo", 4_242, 9), sees("rt_tgsigqueueinfo", 1, 4_242, 9)] == [REFUSED] * 2
    assert [sees("kill", 4_243, 9), sees("tgkill", 4_242, 1, 9), sees("clone", 4_242)] == [ALLOW] * 3


@pytest.mark.parametrize("row", ["mount 165 40", "mount 165 40 sometimes", "mount x 40 never", ""])
def test_a_table_of_calls_with_a_line_that_is_no_row_is_refused(row: str) -> None:
    with pytest.raises(ValueError):  # noqa: PT011
        read_machines(f"acct 163 89 never\n{row}\nadd_key 248 217 never\n")


def test_a_call_has_one_row_and_a_number_of_its_own() -> None:
    rows = [line.split() for line in TABLE.read_text("utf-8").splitlines()[1:]]
    names = [name for name, *_ in rows]
    assert names == sorted(set(names))
    for machine in MACHINES.values():
        assert len(set(machine.numbers.values())) == len(machine.numbers) > 100
        assert max(machine.numbers.values()) <= NEWEST_CALL
