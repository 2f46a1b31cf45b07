"""Filters on system calls: what Landlock doesn't see, and the ways around both.

A filter sees numbers, never what a pointer leads to; calls that hide their flags behind one are answered "not there",
upon which programs fall back to the older call. A call this module doesn't know is not there either.
"""

import ctypes
import errno
import socket
import struct
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from planact.adapters.sandbox.kernel import Kernel
from planact.adapters.sandbox.syscalls import NEWEST_CALL, Machine
from planact.model.jail import Network

_NEW_NAMESPACES = 0x7E020000
_AF_NETLINK = 16
_F_SETOWN, _F_SETSIG, _F_SETOWN_EX = 8, 10, 15
_O_ACCMODE, _O_TRUNC = 0o3, 0o1000
_PRIO_PROCESS, _PRIO_GROUP = 0, 1
_TYPE_OF_SOCKET = 0xF

# Which argument says whom, and which is the signal; signal 0 does nothing.
_SIGNALLING = {
    "kill": (0, 1),
    "tkill": (0, 1),
    "tgkill": (1, 2),
    "rt_sigqueueinfo": (0, 1),
    "rt_tgsigqueueinfo": (1, 2),
}

# Controls of terminals and sockets, but for those that type into a terminal or direct signals; of namespaces and
# process descriptors; and of files those that only look (flags, version, extents) or ask for write access (clones).
_TYPE_OF_CONTROL = 0xFF00
_CONTROLS = (0x5400, 0x8900, 0xB700, 0xFF00)
_FILE_CONTROLS = (0x80086601, 0x80087601, 0x801C581F, 0xC020660B, 0x40049409, 0x4020940D)
_BAD_CONTROLS = (0x5412, 0x541C, 0x8901, 0x8902)  # TIOCSTI, TIOCLINUX, FIOSETOWN, SIOCSPGRP
_VOLUME_CONTROLS = 0x9400  # a btrfs volume is made or removed through any open folder

_WHOLE = 0xFFFFFFFF
_LOAD, _AND, _EQUAL, _ABOVE, _RETURN = 0x20, 0x54, 0x15, 0x25, 0x06
_KILL, _ALLOW, _NOTIFY = 0x80000000, 0x7FFF0000, 0x7FC00000
_REFUSE = 0x00050000 | errno.EPERM
_ABSENT = 0x00050000 | errno.ENOSYS
_SET_FILTER, _WITH_LISTENER = 1, 8


@dataclass(frozen=True, slots=True)
class Limits:
    """What a filter is to refuse.

    Attributes:
        is_read_only: refuse what Landlock doesn't see of changes.
        network: what sockets are for.
        asks_for_sockets: unix sockets may be made, and connecting one is asked of whoever listens.
        only_own_group: refuse signals to others than the own process group; else somebody else watches over them.
        has_truncate: somebody else watches over shortening files.
    """

    is_read_only: bool
    network: Network
    asks_for_sockets: bool = False
    only_own_group: bool = False
    has_truncate: bool = True


@dataclass(frozen=True, slots=True)
class _Test:
    """One look at an argument (0 to 5): its lower or higher half, masked, is `value`."""

    argument: int
    value: int
    mask: int = _WHOLE
    is_high: bool = False


@dataclass(frozen=True, slots=True)
class _Rule:
    """What the first case answers all of whose tests hold, else `otherwise`."""

    call: str
    cases: Sequence[tuple[Sequence[_Test], int]]
    otherwise: int


def make_filter(machine: Machine, limits: Limits) -> bytes:
    """The filter as the kernel reads it."""
    program = [_step(_LOAD, 4), _step(_EQUAL, machine.audit, 1, 0), _step(_RETURN, _KILL), _step(_LOAD, 0)]
    program += [_step(_ABOVE, NEWEST_CALL, 0, 1), _step(_RETURN, _ABSENT)]
    refused = machine.all("never") + (machine.all("change") if limits.is_read_only else [])
    program += _answer(machine.all("absent"), _ABSENT) + _answer(refused, _REFUSE)
    for rule in _rules(limits):
        if rule.call in machine.numbers:
            body = _assemble(rule)
            program += [_step(_EQUAL, machine.numbers[rule.call], 0, len(body)), *body]
    program.append(_step(_RETURN, _ALLOW))
    return b"".join(program)


def make_thread_filter(machine: Machine, thread: int) -> bytes:
    """A further filter: no signals to the thread, nor to its process by way of it."""
    program = [_step(_LOAD, 0)]
    for call, (target, _) in _SIGNALLING.items():
        body = _assemble(_Rule(call, [([_Test(target, thread)], _REFUSE)], _ALLOW))
        program += [_step(_EQUAL, machine.numbers[call], 0, len(body)), *body]
    return b"".join([*program, _step(_RETURN, _ALLOW)])


def install_filter(kernel: Kernel, machine: Machine, program: bytes, *, listens: bool = False) -> int:
    """Put the filter on the calling thread, for good; it must have given up new privileges.

    Returns:
        The descriptor on which questions about calls arrive, with `listens`, else 0.

    Raises:
        OSError: it is not in force.
    """
    steps = ctypes.create_string_buffer(program, len(program))
    header = struct.pack("@HP", len(program) // 8, ctypes.addressof(steps))
    flags = _WITH_LISTENER if listens else 0
    return kernel.call("seccomp", machine.numbers["seccomp"], _SET_FILTER, flags, header)


def _rules(limits: Limits) -> Iterator[_Rule]:
    yield _Rule("clone", [([_Test(0, 0, _NEW_NAMESPACES)], _ALLOW)], _REFUSE)
    is_look = [_Test(2, 0), _Test(2, 0, is_high=True)]
    yield _Rule("prlimit64", [([_Test(0, 0)], _ALLOW), (is_look, _ALLOW)], _REFUSE)
    yield _Rule("ioctl", list(_control_cases(limits)), _REFUSE if limits.is_read_only else _ALLOW)
    yield from _signal_rules(limits)
    yield from _socket_rules(limits)
    if limits.is_read_only:
        yield from _priority_rules()
    if not limits.has_truncate:
        # Emptied by opening it for reading, or (all bits set) for neither: Landlock has seen no writing.
        for call, flags in (("open", 1), ("openat", 2)):
            cases = [_Test(flags, _O_TRUNC | access, _O_TRUNC | _O_ACCMODE) for access in (0, _O_ACCMODE)]
            yield _Rule(call, [([case], _REFUSE) for case in cases], _ALLOW)
        yield _Rule("openat2", [], _ABSENT)
        yield _Rule("truncate", [], _REFUSE)


def _control_cases(limits: Limits) -> Iterator[tuple[Sequence[_Test], int]]:
    for control in _BAD_CONTROLS:
        yield [_Test(1, control)], _REFUSE
    for control in _FILE_CONTROLS:
        yield [_Test(1, control)], _ALLOW
    yield [_Test(1, _VOLUME_CONTROLS, _TYPE_OF_CONTROL)], _REFUSE
    if limits.is_read_only:
        for kind in _CONTROLS:
            yield [_Test(1, kind, _TYPE_OF_CONTROL)], _ALLOW


def _signal_rules(limits: Limits) -> Iterator[_Rule]:
    # Signals when a descriptor has data: to anybody, by way of the kernel.
    is_direct = [([_Test(1, command)], _REFUSE) for command in (_F_SETOWN, _F_SETOWN_EX, _F_SETSIG)]
    yield _Rule("fcntl", is_direct, _ALLOW)
    if limits.only_own_group:
        for call, (target, signal) in _SIGNALLING.items():
            to_own_group = [([_Test(target, 0)], _ALLOW)] if call == "kill" else []
            yield _Rule(call, [([_Test(signal, 0)], _ALLOW), *to_own_group], _REFUSE)


def _socket_rules(limits: Limits) -> Iterator[_Rule]:
    if limits.network == "all":
        return
    families: list[tuple[Sequence[_Test], int]] = []
    if limits.network == "inet":
        families = [([_Test(0, family)], _ALLOW) for family in (socket.AF_INET, socket.AF_INET6)]
        families.append(([_Test(0, _AF_NETLINK), _Test(2, 0)], _ALLOW))  # which addresses this machine has
    elif limits.asks_for_sockets:
        families = [([_Test(0, socket.AF_UNIX), _Test(1, socket.SOCK_STREAM, _TYPE_OF_SOCKET)], _ALLOW)]
        yield _Rule("connect", [], _NOTIFY)
    yield _Rule("socket", families, _REFUSE)
    # A pair of datagram sockets could be turned to any other socket.
    lasting = [([_Test(1, kind, _TYPE_OF_SOCKET)], _ALLOW) for kind in (socket.SOCK_STREAM, socket.SOCK_SEQPACKET)]
    yield _Rule("socketpair", lasting, _REFUSE)


def _priority_rules() -> Iterator[_Rule]:
    """Priorities only of oneself, so that others aren't slowed down."""
    own = [([_Test(0, which), _Test(1, 0)], _ALLOW) for which in (_PRIO_PROCESS, _PRIO_GROUP)]
    yield _Rule("setpriority", own, _REFUSE)
    own = [([_Test(0, which + 1), _Test(1, 0)], _ALLOW) for which in (_PRIO_PROCESS, _PRIO_GROUP)]
    yield _Rule("ioprio_set", own, _REFUSE)
    for call in ("sched_setaffinity", "sched_setattr", "sched_setparam", "sched_setscheduler"):
        yield _Rule(call, [([_Test(0, 0)], _ALLOW)], _REFUSE)


def _assemble(rule: _Rule) -> list[bytes]:
    program = []
    for tests, answer in rule.cases:
        # Backwards, since each test that fails skips what is left of its case.
        case = [_step(_RETURN, answer)]
        for test in reversed(tests):
            case.insert(0, _step(_EQUAL, test.value, 0, len(case)))
            if test.mask != _WHOLE:
                case.insert(0, _step(_AND, test.mask))
            case.insert(0, _step(_LOAD, 16 + 8 * test.argument + 4 * test.is_high))
        program += case
    return [*program, _step(_RETURN, rule.otherwise)]


def _answer(numbers: Sequence[int], answer: int) -> list[bytes]:
    """All of them jump to the one answer, and whatever is none of them past it."""
    last = len(numbers) - 1
    jumps = [_step(_EQUAL, number, last - index, index == last) for index, number in enumerate(numbers)]
    return [*jumps, _step(_RETURN, answer)]


def _step(code: int, value: int, when_true: int = 0, when_false: int = 0) -> bytes:
    return struct.pack("=HBBI", code, when_true, when_false, value)
