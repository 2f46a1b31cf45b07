"""Run in a jail: makes every system call there is, with arguments that could change a file or another process.

It knows no names: what a table forgot is called all the same. The argument is the process to aim at, 0 for none.
"""

import ctypes
import itertools
import os
import platform
import signal
import sys
from collections.abc import Iterator

LAST = 470
# What would end or stop this process or wait for ever, and signals to groups, which are its own to end.
X86 = {7, 15, 23, 34, 56, 57, 58, 60, 61, 62, 128, 202, 219, 230, 231, 232, 247, 270, 271, 281, 435, 441, 449, 455}
GENERIC = {22, 72, 73, 93, 94, 95, 98, 115, 129, 137, 139, 220, 260, 435, 441, 449, 455}
LEFT_OUT = X86 if platform.machine() == "x86_64" else GENERIC
# Shared memory and queues would stay behind where nothing forbids them.
LASTING_X86 = {29, 30, 31, 64, 65, 66, 68, 69, 70, 71, 220, 240, 241}
LASTING_GENERIC = set(range(180, 198))
LASTING = LASTING_X86 if platform.machine() == "x86_64" else LASTING_GENERIC
FROM_HERE, EMPTY_PATH, TRUNCATE, CREATE = -100, 0x1000, 0o1000, 0o102

libc = ctypes.CDLL(None)
bytes_ = ctypes.create_string_buffer(b"\x01" * 256, 4_096)
times = (ctypes.c_long * 4)(1_000_000_000, 0, 1_000_000_000, 0)


def on_files(handles: list[int]) -> Iterator[tuple[object, ...]]:
    f, new, name, empty = b"f", b"new", b"user.test", b""
    yield from ((f,), (f, 0o600), (f, new), (f, times), (f, TRUNCATE), (f, TRUNCATE | 3), (f, name, b"v", 1))
    yield from ((new, 0o700), (new, CREATE, 0o600), (FROM_HERE, new, CREATE, 0o600), (FROM_HERE, new, 0o700))
    yield from ((FROM_HERE, f, times), (FROM_HERE, f, 0o600), (FROM_HERE, f, TRUNCATE), (f, FROM_HERE, new))
    yield from ((FROM_HERE, f, FROM_HERE, new), (FROM_HERE, f, FROM_HERE, new, 2), (FROM_HERE, f, bytes_, 32))
    yield (FROM_HERE, f, 0, name, bytes_, 16)
    for handle in handles:
        for rest in ((), (0o600,), (name, b"v", 1), (times,), (0, times), (bytes_, 10), (0, 0, 10), (new, 0o700)):
            yield (handle, *rest)
        yield from ((handle, f, handle, new), (f, handle, new), (handle, empty, handle, new, EMPTY_PATH))
        yield from ((handle, empty, 0o600, EMPTY_PATH), (handle, empty, times, EMPTY_PATH))
        yield from ((handle, empty, 99, 99, EMPTY_PATH), (handle, empty, bytes_, 32, EMPTY_PATH))
        yield (handle, empty, EMPTY_PATH, name, bytes_, 16)


def on_process(process: int) -> Iterator[tuple[object, ...]]:
    yield from itertools.product((process,), (0, 1, 8, 9, process), (0, 9, 19))
    yield from ((process, bytes_), (process, 1, bytes_), (process, 0, bytes_), (process, 8, bytes_))
    yield from ((0, process, 19), (1, process, 19), (1, process, 16_384))


def call(number: int, arguments: tuple[object, ...]) -> None:
    wide = [ctypes.c_long(argument) if isinstance(argument, int) else argument for argument in arguments]
    libc.syscall(ctypes.c_long(number), *wide, *[ctypes.c_long(0)] * (6 - len(wide)))


def main(process: int) -> None:
    handles = [os.open("f", os.O_RDONLY), os.open(".", os.O_RDONLY), os.open("f", os.O_PATH)]
    for number in set(range(LAST)) - LEFT_OUT - (set() if process else LASTING):
        child = os.fork()
        if child == 0:
            signal.alarm(1)
            os.umask(0)
            for arguments in itertools.chain(on_files(handles), on_process(process) if process else ()):
                call(number, arguments)
            os._exit(0)
        os.waitpid(child, 0)
    print("all made")


main(int(sys.argv[1]))
