"""Commands in namespaces made by bubblewrap, with a filter on top: unknown ones, and all where Landlock is missing.

Other processes are absent from the namespace and can't be signalled. bubblewrap must not be asked to die with its
parent: to Linux the parent is the thread.
"""

import contextlib
import os
import re
import subprocess
import time
from collections.abc import Collection, Iterator, Mapping
from dataclasses import replace

from planact.adapters.sandbox.devices import modes_of_devices, put_modes_back
from planact.adapters.sandbox.limits.view import View
from planact.adapters.sandbox.linux.mounts import Options, in_order, is_made, mounts_of_unknown, with_ways
from planact.adapters.sandbox.linux.refused_network import RefusedNetwork
from planact.adapters.sandbox.linux.seccomp import FilterLimits, make_filter
from planact.adapters.sandbox.linux.syscalls import Machine
from planact.adapters.sandbox.spawner import Start, Started
from planact.adapters.sandbox.unavailable import unavailable
from planact.base.own_folders import is_real_folder
from planact.model.rights.jail import JailProfile

NAMESPACES = ("--unshare-user", "--unshare-pid", "--unshare-ipc", "--unshare-uts", "--unshare-cgroup-try")
MOUNTS = ("--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc")
_STATUS_BYTES = 4096
_CHILD = re.compile(rb'"child-pid": (\d+)')
_SECONDS_TO_BEGIN = 5.0

# A name that has to be looked up is then one that wants the network: this address is nobody's.
_NAME_SERVERS = "/etc/resolv.conf"
_NO_NAME_SERVER = b"nameserver 192.0.2.1\n"


class BubblewrapSpawner:
    """`Spawner` for Linux with the program `bubblewrap`. Unreadable paths are missing or empty."""

    def __init__(self, bubblewrap: str, machine: Machine, profile: JailProfile) -> None:
        self.profile = profile
        self._bubblewrap = bubblewrap
        is_unchanging = profile.is_read_only and not profile.sets_modes
        limits = FilterLimits(is_unchanging, profile.network, keeps_user=profile.sets_modes)
        self._filter = make_filter(machine, limits)
        self._devices = {} if is_unchanging else modes_of_devices()

    def start(self, start: Start) -> Started:
        """Start the shell in namespaces of its own. Raises CommandFailure SANDBOX_UNAVAILABLE when there is no
        filter.
        """
        start = replace(start, scratch=[*filter(is_real_folder, start.scratch)])  # bubblewrap follows links
        with contextlib.ExitStack() as passed:
            descriptors = [_passed(passed, _memory(self._filter))]
            options = ["--seccomp", str(descriptors[0])]
            status = _memory(b"")
            try:
                own = _OwnNetwork(passed) if self.profile.network == "loopback" else None
                if own is not None:
                    descriptors += own.descriptors
                    options += own.options
                files = dict(self._files_of_home(passed, descriptors)) | (own.files if own else {})
                prefix = self._prefix(start, status, files)
                shell = start.open([*prefix, *options, "--"], (*descriptors, status))
            except BaseException:
                os.close(status)
                raise
            # Nothing is offered again to a contained command that wanted the network.
            refused = own.begin(shell, status) if own and self.profile.guards is not None else None

        def close() -> None:
            os.close(status)
            put_modes_back(self._devices)
            if refused is not None:
                refused.close()

        # It reports the end of the command only where it came to start one.
        return Started(
            shell,
            close,
            lambda: b"exit-code" in os.pread(status, _STATUS_BYTES, 0),
            refused.was_wanted if refused else lambda: False,
        )

    def _files_of_home(self, passed: contextlib.ExitStack, descriptors: list[int]) -> Iterator[tuple[str, Options]]:
        for name, text in self.profile.files:
            descriptors.append(_passed(passed, _memory(text.encode("utf-8", "surrogateescape"))))
            path = f"{self.profile.lasting}/{name}"
            yield path, ("--file", str(descriptors[-1]), path)

    def _prefix(self, start: Start, status: int, files: Mapping[str, Options]) -> Iterator[str]:
        yield from (self._bubblewrap, *NAMESPACES, "--json-status-fd", str(status))
        if self.profile.network in ("none", "loopback"):
            yield "--unshare-net"
        if self.profile.temporary:
            yield from ("--dev", "/dev", "--proc", "/proc", *_links_of_root())
            yield from mounts_of_unknown(self.profile, start, files)
        else:
            yield from self._mounts(start)
        # For root its settings of the whole kernel would lie open: which program starts when another one fails.
        yield from ("--remount-ro", "/proc")
        yield from ("--chdir", str(start.directory), "--cap-drop", "ALL")

    def _mounts(self, start: Start) -> Iterator[str]:
        empty = [path for path in (*map(str, start.view.closed), *start.view.hidden) if os.path.isdir(path)]
        yield from _reading(start.view, empty)
        for path in (*self.profile.writable, *start.scratch):
            yield from ("--bind-try", str(path), str(path))
        for path in self.profile.kept:
            yield from ("--ro-bind-try", str(path), str(path))
        for path in (*empty, *(() if start.view.readable is None else ("/",))):
            yield from ("--remount-ro", path)


class _OwnNetwork:
    """Options for a network of its own. The command waits until the context ends, so that its counters can be read
    (`begin`).
    """

    def __init__(self, passed: contextlib.ExitStack) -> None:
        reader, writer = os.pipe()
        passed.callback(os.close, writer)
        self.descriptors = [_passed(passed, reader)]
        self.options = ["--hostname", "localhost", "--block-fd", str(reader)]
        self.files: dict[str, Options] = {}
        servers = os.path.realpath(_NAME_SERVERS)
        if os.path.isfile(servers):
            self.descriptors.append(_passed(passed, _memory(_NO_NAME_SERVER)))
            self.files[servers] = ("--ro-bind-data", str(self.descriptors[-1]), servers)

    def begin(self, shell: subprocess.Popen[bytes], status: int) -> RefusedNetwork | None:
        """Wait for the command's process, which begins when the context ends. Return None where there is none."""
        until = time.monotonic() + _SECONDS_TO_BEGIN
        while not (found := _CHILD.search(os.pread(status, _STATUS_BYTES, 0))):
            if shell.poll() is not None or time.monotonic() > until:
                return None
            time.sleep(0.0005)
        return RefusedNetwork(int(found[1]))


def _passed(stack: contextlib.ExitStack, descriptor: int) -> int:
    stack.callback(os.close, descriptor)
    return descriptor


def _reading(view: View, empty: Collection[str]) -> Iterator[str]:
    """Yield the options that mount the readable paths, folders before their entries; `empty` are hidden folders."""
    mounts: dict[str, tuple[str, ...]] = {}
    for path in map(str, view.readable or ()):
        if not is_made(path):
            mounts[path] = ("--ro-bind-try", path, path)
    for path in (*map(str, view.closed), *view.hidden):
        mounts[path] = ("--tmpfs", path) if path in empty else ("--ro-bind-try", os.devnull, path)
    if view.readable is None:
        yield from MOUNTS
    else:
        yield from ("--dev", "/dev", "--proc", "/proc")
        yield from _links_of_root()
    there = {path: options for path, options in mounts.items() if os.path.lexists(path)}
    yield from in_order(there if view.readable is None else with_ways(there, view.ways))


def _links_of_root() -> Iterator[str]:
    """Yield the links such as `/bin`, which stand in no mounted folder."""
    with os.scandir("/") as entries:
        for entry in entries:
            if entry.is_symlink():
                yield from ("--symlink", os.readlink(entry.path), entry.path)  # noqa: PTH115 - each command waits


def _memory(data: bytes) -> int:
    try:
        descriptor = os.memfd_create("planact")
        os.write(descriptor, data)
        os.lseek(descriptor, 0, os.SEEK_SET)
    except OSError as error:
        raise unavailable(str(error)) from error
    return descriptor
