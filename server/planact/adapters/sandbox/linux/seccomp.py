"""Filters on system calls: changes that Landlock doesn't see, and the ways around both.

A filter sees numbers, never the memory behind a pointer; calls that hide their flags there are answered "not there",
upon which programs fall back to the older call. A call that is unknown to this module is not there either.
"""

import ctypes
import errno
import socket
import struct
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from planact.adapters.sandbox.linux.kernel import Kernel
from planact.adapters.sandbox.linux.own_files import ASKED_FOR_FILES
from planact.adapters.sandbox.linux.syscalls import NEWEST_CALL, Machine
from planact.model.rights.jail import JailNetwork

_NEW_NAMESPACES = 0x7E020000
_AF_NETLINK = 16
_F_SETOWN, _F_SETSIG, _F_SETOWN_EX = 8, 10, 15
_O_ACCMODE, _O_TRUNC = 0o3, 0o1000
_O_CREAT, _O_TMPFILE, _SET_USER_ID = 0o100, 0o20000000, 0o4000
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

# Which argument is a file's mode.
_SETTING_MODES = {"chmod": 1, "creat": 1, "fchmod": 1, "fchmodat": 2, "fchmodat2": 2, "mknod": 1, "mknodat": 2}

# Controls of terminals and sockets, but for those that type into a terminal or direct signals; of namespaces and
# process descriptors; and of files those that only look (flags, version, extents) or ask for write access (clones).
_TYPE_OF_CONTROL = 0xFF00
_CONTROLS = (0x5400, 0x8900, 0xB700, 0xFF00)
_FILE_CONTROLS = (0x80086601, 0x80087601, 0x801C581F, 0xC020660B, 0x40049409, 0x4020940D)
_BAD_CONTROLS = (0x5412, 0x541C, 0x8901, 0x8902)  # TIOCSTI, TIOCLINUX, FIOSETOWN, SIOCSPGRP
_VOLUME_CONTROLS = 0x9400  # a btrfs volume is made or removed through any open folder
_ATTRIBUTE_CONTROLS = (0x5800, 0x6600, 0x7200, 0x7600)  # of files: flags, encryption, being sealed for good
_SETS_ATTRIBUTES = ("setxattr", "removexattr", "file_setattr")  # in names of calls

_WHOLE = 0xFFFFFFFF
_LOAD, _AND, _EQUAL, _ABOVE, _JUMP, _RETURN = 0x20, 0x54, 0x15, 0x25, 0x05, 0x06
_KILL, _ALLOW, _NOTIFY = 0x80000000, 0x7FFF0000, 0x7FC00000
_REFUSE = 0x00050000 | errno.EPERM
_UNSUPPORTED = 0x00050000 | errno.ENOTSUP  # as a file system says that has no attributes, which programs expect
_ABSENT = 0x00050000 | errno.ENOSYS
_SET_FILTER, _WITH_LISTENER = 1, 8
_BARRED_THREAD = 0x7FEDCBA9  # stands for a thread's id, above all that the kernel gives out


@dataclass(frozen=True, slots=True)
class FilterLimits:
    """Refusals of a filter.

    Attributes:
        is_read_only: refuse changes that Landlock doesn't see.
        network: the allowed use of sockets.
        asks_for_sockets: unix sockets may be made, and the listener is asked about each connection.
        only_own_group: refuse signals to processes outside the own group; else another mechanism guards them.
        has_truncate: another mechanism guards against shortening files.
        asks_for_files: the listener is asked about modes, times and owners of files, which the others refuse. There
            seem to be no attributes, which programs that set these expect.
        asks_for_network: it is asked about sockets that would lead to the network, which the others refuse.
        keeps_user: refuse files that run as the user for whoever starts them, and attributes of files, which no undo
            brings back.
    """

    is_read_only: bool
    network: JailNetwork
    asks_for_sockets: bool = False
    only_own_group: bool = False
    has_truncate: bool = True
    keeps_user: bool = False
    asks_for_files: bool = False
    asks_for_network: bool = False


@dataclass(frozen=True, slots=True)
class _Test:
    """One test of an argument (0 to 5): its lower or higher half, masked, is `value`."""

    argument: int
    value: int
    mask: int = _WHOLE
    is_high: bool = False


@dataclass(frozen=True, slots=True)
class _Rule:
    """The answer of the first case whose tests all hold, else `otherwise`."""

    call: str
    cases: Sequence[tuple[Sequence[_Test], int]]
    otherwise: int


@dataclass(frozen=True, slots=True)
class _Span:
    """Numbers of calls with one answer, up to `last`; the steps of `answer` end with a return."""

    last: int
    answer: tuple[bytes, ...]


def make_filter(machine: Machine, limits: FilterLimits) -> bytes:
    """Return the filter as the kernel reads it, for `bar_thread` where it doesn't refuse all signals to others.

    It finds a call by halves, since the kernel plays each new filter once for every call that exists.
    """
    refused = machine.all("never") + (machine.all("change") if limits.is_read_only else [])
    answers = {machine.numbers[rule.call]: _assemble(rule) for rule in _rules(limits) if rule.call in machine.numbers}
    answers |= dict.fromkeys(refused, (_step(_RETURN, _REFUSE),))
    if limits.keeps_user or limits.asks_for_files:
        named = [name for name in machine.numbers if any(part in name for part in _SETS_ATTRIBUTES)]
        answers |= dict.fromkeys((machine.numbers[name] for name in named), (_step(_RETURN, _UNSUPPORTED),))
    if limits.asks_for_files:
        asked = (machine.numbers[name] for name in ASKED_FOR_FILES if name in machine.numbers)
        answers |= dict.fromkeys(asked, (_step(_RETURN, _NOTIFY),))
    answers |= dict.fromkeys(machine.all("absent"), (_step(_RETURN, _ABSENT),))
    spans: list[_Span] = []
    for number in range(NEWEST_CALL + 1):
        answer = answers.get(number, (_step(_RETURN, _ALLOW),))
        if spans and spans[-1].answer == answer:
            spans.pop()
        spans.append(_Span(number, answer))
    program: list[bytes | _Span] = [_step(_LOAD, 4), _step(_EQUAL, machine.audit, 1, 0), _step(_RETURN, _KILL)]
    program += [_step(_LOAD, 0), *_find([*spans, _Span(_WHOLE, (_step(_RETURN, _ABSENT),))])]
    return b"".join(_with_answers(program))


def bar_thread(program: bytes, thread: int) -> bytes:
    """Return the filter with signals refused to the thread, and to its process by way of it."""
    return program.replace(struct.pack("=I", _BARRED_THREAD), struct.pack("=I", thread))


def install_filter(kernel: Kernel, machine: Machine, program: bytes, *, listens: bool) -> int:
    """Put the filter on the calling thread, for good; it must have given up new privileges.

    Returns:
        With `listens`, the descriptor on which questions about calls arrive, else 0.

    Raises:
        OSError: the filter is not in force.
    """
    steps = ctypes.create_string_buffer(program, len(program))
    header = struct.pack("@HP", len(program) // 8, ctypes.addressof(steps))
    flags = _WITH_LISTENER if listens else 0
    return kernel.call("seccomp", machine.numbers["seccomp"], _SET_FILTER, flags, header)


def _rules(limits: FilterLimits) -> Iterator[_Rule]:
    yield _Rule("clone", [([_Test(0, 0, _NEW_NAMESPACES)], _ALLOW)], _REFUSE)
    is_look = [_Test(2, 0), _Test(2, 0, is_high=True)]
    yield _Rule("prlimit64", [([_Test(0, 0)], _ALLOW), (is_look, _ALLOW)], _REFUSE)
    yield _Rule("ioctl", list(_control_cases(limits)), _REFUSE if limits.is_read_only else _ALLOW)
    yield from _signal_rules(limits)
    yield from _socket_rules(limits)
    if limits.is_read_only:
        yield from _priority_rules()
    if limits.keeps_user:
        yield from _mode_rules()
    if not limits.has_truncate:
        # Emptied by opening it for reading, or (all bits set) for neither: Landlock has seen no writing.
        for call, flags in (("open", 1), ("openat", 2)):
            cases = [_Test(flags, _O_TRUNC | access, _O_TRUNC | _O_ACCMODE) for access in (0, _O_ACCMODE)]
            yield _Rule(call, [([case], _REFUSE) for case in cases], _ALLOW)
        yield _Rule("openat2", [], _ABSENT)
        yield _Rule("truncate", [], _REFUSE)


def _control_cases(limits: FilterLimits) -> Iterator[tuple[Sequence[_Test], int]]:
    for control in _BAD_CONTROLS:
        yield [_Test(1, control)], _REFUSE
    for control in _FILE_CONTROLS:
        yield [_Test(1, control)], _ALLOW
    yield [_Test(1, _VOLUME_CONTROLS, _TYPE_OF_CONTROL)], _REFUSE
    if limits.is_read_only:
        for kind in _CONTROLS:
            yield [_Test(1, kind, _TYPE_OF_CONTROL)], _ALLOW
    if limits.keeps_user:
        for kind in _ATTRIBUTE_CONTROLS:
            yield [_Test(1, kind, _TYPE_OF_CONTROL)], _UNSUPPORTED


def _signal_rules(limits: FilterLimits) -> Iterator[_Rule]:
    # Signals when a descriptor has data: to anybody, by way of the kernel.
    is_direct = [([_Test(1, command)], _REFUSE) for command in (_F_SETOWN, _F_SETOWN_EX, _F_SETSIG)]
    yield _Rule("fcntl", is_direct, _ALLOW)
    if limits.only_own_group:
        for call, (target, signal) in _SIGNALLING.items():
            to_own_group = [([_Test(target, 0)], _ALLOW)] if call == "kill" else []
            yield _Rule(call, [([_Test(signal, 0)], _ALLOW), *to_own_group], _REFUSE)
    else:
        for call, (target, _) in _SIGNALLING.items():
            yield _Rule(call, [([_Test(target, _BARRED_THREAD)], _REFUSE)], _ALLOW)


def _socket_rules(limits: FilterLimits) -> Iterator[_Rule]:
    if limits.network == "all":
        return
    families: list[tuple[Sequence[_Test], int]] = []
    if limits.network in ("inet", "loopback"):
        local = [socket.AF_UNIX] if limits.network == "loopback" else []
        families = [([_Test(0, family)], _ALLOW) for family in (socket.AF_INET, socket.AF_INET6, *local)]
        families.append(([_Test(0, _AF_NETLINK), _Test(2, 0)], _ALLOW))  # which addresses this machine has
    elif limits.asks_for_sockets:
        families = [([_Test(0, socket.AF_UNIX), _Test(1, socket.SOCK_STREAM, _TYPE_OF_SOCKET)], _ALLOW)]
        yield _Rule("connect", [], _NOTIFY)
    elif limits.asks_for_network:
        families = [([_Test(0, family)], _NOTIFY) for family in (socket.AF_INET, socket.AF_INET6)]
    yield _Rule("socket", families, _REFUSE)
    if limits.network == "loopback":
        return
    # A pair of datagram sockets could be turned to any other socket.
    lasting = [([_Test(1, kind, _TYPE_OF_SOCKET)], _ALLOW) for kind in (socket.SOCK_STREAM, socket.SOCK_SEQPACKET)]
    yield _Rule("socketpair", lasting, _REFUSE)


def _mode_rules() -> Iterator[_Rule]:
    for call, mode in _SETTING_MODES.items():
        yield _Rule(call, [([_Test(mode, _SET_USER_ID, _SET_USER_ID)], _REFUSE)], _ALLOW)
    for call, flags in (("open", 1), ("openat", 2)):
        runs = _Test(flags + 1, _SET_USER_ID, _SET_USER_ID)
        yield _Rule(call, [([_Test(flags, made, made), runs], _REFUSE) for made in (_O_CREAT, _O_TMPFILE)], _ALLOW)
    yield _Rule("openat2", [], _ABSENT)


def _priority_rules() -> Iterator[_Rule]:
    """Return rules that allow a process to change only its own priority, so that it slows no other."""
    own = [([_Test(0, which), _Test(1, 0)], _ALLOW) for which in (_PRIO_PROCESS, _PRIO_GROUP)]
    yield _Rule("setpriority", own, _REFUSE)
    own = [([_Test(0, which + 1), _Test(1, 0)], _ALLOW) for which in (_PRIO_PROCESS, _PRIO_GROUP)]
    yield _Rule("ioprio_set", own, _REFUSE)
    for call in ("sched_setaffinity", "sched_setattr", "sched_setparam", "sched_setscheduler"):
        yield _Rule(call, [([_Test(0, 0)], _ALLOW)], _REFUSE)


def _assemble(rule: _Rule) -> tuple[bytes, ...]:
    program: list[bytes] = []
    for tests, answer in rule.cases:
        # Backwards, since each test that fails skips what is left of its case.
        case = [_step(_RETURN, answer)]
        for test in reversed(tests):
            case.insert(0, _step(_EQUAL, test.value, 0, len(case)))
            if test.mask != _WHOLE:
                case.insert(0, _step(_AND, test.mask))
            case.insert(0, _step(_LOAD, 16 + 8 * test.argument + 4 * test.is_high))
        program += case
    return (*program, _step(_RETURN, rule.otherwise))


def _find(spans: Sequence[_Span]) -> list[bytes | _Span]:
    """Return steps that come to the span in which the loaded number lies."""
    if len(spans) == 1:
        return [spans[0]]
    half = len(spans) // 2
    lower, upper = _find(spans[:half]), _find(spans[half:])
    return [_step(_ABOVE, spans[half - 1].last, len(lower), 0), *lower, *upper]


def _with_answers(program: Sequence[bytes | _Span]) -> Iterator[bytes]:
    """Yield the program with the answers of one step in their place and jumps to the longer ones, which follow."""
    behind: list[bytes] = []
    for place, step in enumerate(program):
        if isinstance(step, bytes):
            yield step
        elif len(step.answer) == 1:
            yield step.answer[0]
        else:
            yield _step(_JUMP, len(program) + len(behind) - place - 1)
            behind += step.answer
    yield from behind


def _step(code: int, value: int, when_true: int = 0, when_false: int = 0) -> bytes:
    return struct.pack("=HBBI", code, when_true, when_false, value)
