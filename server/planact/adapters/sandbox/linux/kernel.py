"""The Linux system calls that Python has no function for. Each works on the calling thread alone."""

import ctypes
import os
import struct

_PR_SET_DUMPABLE = 4
_PR_GET_SECCOMP = 21
_PR_SET_NO_NEW_PRIVS = 38
_CAPABILITY_VERSION_3 = 0x20080522
_OPENAT2 = 437  # the same on every machine
_O_PATH = 0o10000000

AT_CWD = -100
NO_MAGIC_LINKS, NO_LINKS = 2, 4  # to resolve a path by; magic ones are those in /proc to what processes have open

CAP_READ_EVERYTHING = 2  # CAP_DAC_READ_SEARCH
CAPS_OF_ACCESS = (1, 2, 3)  # to files of others, also to what only owners may do with them
CAPS_FOR_FILES = (0, 1, 2, 3, 4, 5, 6, 7, 10)  # owner, mode and access of files; kill, user and group ids, low ports


class Kernel:
    """System calls. Raises OSError with the name of the call where the kernel refuses."""

    def __init__(self) -> None:
        self._libc = ctypes.CDLL(None, use_errno=True)

    def call(self, name: str, number: int, *arguments: int | bytes | ctypes.Array[ctypes.c_char] | None) -> int:
        """Make a system call by number."""
        wide = [ctypes.c_long(argument) if isinstance(argument, int) else argument for argument in arguments]
        return self._checked(name, self._libc.syscall(ctypes.c_long(number), *wide))

    def open_path(self, path: bytes, resolved: int, *, at: int = AT_CWD, flags: int = 0) -> int:
        """Open what a path names, for no reading, where it can be `resolved` so. The caller closes it."""
        how = struct.pack("=QQQ", _O_PATH | getattr(os, "O_CLOEXEC", 0) | flags, 0, resolved)
        return self.call("openat2", _OPENAT2, at, path, how, len(how))

    def prctl(self, name: str, option: int, *arguments: int) -> int:
        """Control the calling thread or process."""
        wide = [ctypes.c_ulong(argument) for argument in (*arguments, 0, 0, 0, 0)[:4]]
        return self._checked(name, self._libc.prctl(ctypes.c_int(option), *wide))

    def ioctl(self, name: str, descriptor: int, request: int, data: ctypes.Array[ctypes.c_char]) -> int:
        """Control a descriptor, with `data` changed in place."""
        return self._checked(name, self._libc.ioctl(ctypes.c_int(descriptor), ctypes.c_ulong(request), data))

    def has_seccomp(self) -> bool:
        """Return True if the kernel was built with filters on system calls."""
        try:
            return self.prctl("PR_GET_SECCOMP", _PR_GET_SECCOMP) >= 0
        except OSError:
            return False

    def hide_process(self) -> None:
        """Keep memory, environment and open files of this process from all others of the same user."""
        self.prctl("PR_SET_DUMPABLE", _PR_SET_DUMPABLE, 0)

    def forbid_new_privileges(self) -> None:
        """Keep children of this thread from gaining rights by set-user-id programs; filters and Landlock require it."""
        self.prctl("PR_SET_NO_NEW_PRIVS", _PR_SET_NO_NEW_PRIVS, 1)

    def keep_capabilities(self, kept: tuple[int, ...], capget: int, capset: int) -> None:
        """Give up all powers of root but `kept`; an ordinary user has none. `capget` and `capset` are numbers of
        calls.
        """
        header = ctypes.create_string_buffer(struct.pack("=Ii", _CAPABILITY_VERSION_3, 0), 8)
        data = ctypes.create_string_buffer(24)
        self.call("capget", capget, header, data)
        _, low, _, _, high, _ = struct.unpack("=6I", data.raw)
        left = sum(1 << capability for capability in kept) & (low | high << 32)
        low, high = left & 0xFFFFFFFF, left >> 32
        data = ctypes.create_string_buffer(struct.pack("=6I", low, low, 0, high, high, 0), 24)
        self.call("capset", capset, header, data)

    def _checked(self, name: str, result: int) -> int:
        if result < 0:
            code = ctypes.get_errno()
            raise OSError(code, f"{name}: {os.strerror(code)}")
        return int(result)
