"""Commands in a jail of Landlock and a filter: a thread restricts itself, starts the shell, and ends.

The restrictions are the thread's alone, and its children inherit them. A thread for each command costs little, and a
jail for each keeps commands from each other. While the thread lives it is in the jail itself, and the command could
reach this process through it: so its id is barred from signals, and this process is hidden from its equals, memory,
environment and open files (`Kernel.hide_process`).
"""

import errno
import subprocess
import threading
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import PurePath

from planact.adapters.sandbox.linux.kernel import CAP_READ_EVERYTHING, CAPS_FOR_FILES, CAPS_OF_ACCESS, Kernel
from planact.adapters.sandbox.linux.landlock import (
    ABI_OF_SIGNALS,
    ABI_OF_TRUNCATE,
    Paths,
    divide,
    restrict_paths,
    writable_parts,
)
from planact.adapters.sandbox.linux.listener import CallListener
from planact.adapters.sandbox.linux.named_sockets import NamedSockets
from planact.adapters.sandbox.linux.own_files import OwnFiles
from planact.adapters.sandbox.linux.seccomp import FilterLimits, bar_thread, install_filter, make_filter
from planact.adapters.sandbox.linux.syscalls import Machine
from planact.adapters.sandbox.spawner import Start, Started
from planact.adapters.sandbox.unavailable import unavailable
from planact.model.rights.jail import JailProfile


class JailedThreadSpawner:
    """`Spawner` for Linux with Landlock `abi`."""

    def __init__(self, kernel: Kernel, machine: Machine, abi: int, profile: JailProfile) -> None:
        self.profile = profile
        self._kernel = kernel
        self._machine = machine
        self._abi = abi
        self._is_on_trial = profile.is_split
        self._limits = FilterLimits(
            is_read_only=profile.is_read_only or self._is_on_trial,
            network=profile.network,
            asks_for_sockets=bool(profile.sockets),
            only_own_group=abi < ABI_OF_SIGNALS,
            has_truncate=abi >= ABI_OF_TRUNCATE,
            keeps_user=self._is_on_trial,
            asks_for_files=profile.sets_modes,
            asks_for_network=self._is_on_trial,
        )
        self._filter = make_filter(machine, self._limits)

    def start(self, start: Start) -> Started:
        """Start the shell in a jail of its own. Raises CommandFailure SANDBOX_UNAVAILABLE when any part of the jail
        fails.
        """
        attempt = _Attempt(lambda: self._restrict(start), start)
        try:
            thread = threading.Thread(target=attempt.make, daemon=True)
            thread.start()
        except RuntimeError as error:
            raise unavailable(str(error)) from error
        thread.join()
        if attempt.shell is None:
            raise attempt.error or unavailable("the thread that starts it ended early")
        if attempt.asked is None:
            return Started(attempt.shell)
        listener, own = attempt.asked
        listener.open()
        return Started(
            attempt.shell,
            listener.close,
            wanted_network=lambda: own is not None and own.wanted_network,
            is_over=listener.is_over,
        )

    def _restrict(self, start: Start) -> "_Asked | None":
        profile, kernel, numbers = self.profile, self._kernel, self._machine.numbers
        view = start.view
        readable = (PurePath("/"),) if view.readable is None and (view.closed or view.hidden) else view.readable
        parts = None if readable is None else divide(readable, view.closed, view.hidden).parts()
        kept = [*map(str, profile.kept), *(view.unchanging if self._is_on_trial else ())]
        writable = writable_parts((*profile.writable, *start.scratch), kept)
        kernel.forbid_new_privileges()
        to_change = CAPS_OF_ACCESS if self._is_on_trial else CAPS_FOR_FILES
        capabilities = (CAP_READ_EVERYTHING,) if profile.is_read_only else to_change
        kernel.keep_capabilities(capabilities, numbers["capget"], numbers["capset"])
        restrict_paths(kernel, self._abi, Paths(parts, writable), has_network=profile.network != "none")
        own = OwnFiles(numbers, writable) if profile.sets_modes else None
        judge = own or (NamedSockets(numbers["connect"], profile.sockets) if profile.sockets else None)
        program = bar_thread(self._filter, threading.get_native_id())
        try:
            listener = install_filter(kernel, self._machine, program, listens=judge is not None)
        except OSError as error:
            if error.errno != errno.EBUSY or own is None or self._is_on_trial:
                raise
            # A jail around this one is asked already, and the kernel has no two of them: modes stay as they are.
            program = make_filter(self._machine, replace(self._limits, asks_for_files=False))
            install_filter(kernel, self._machine, bar_thread(program, threading.get_native_id()), listens=False)
            return None
        return (CallListener(kernel, listener, judge), own) if judge is not None else None


_Asked = tuple[CallListener, OwnFiles | None]


@dataclass(slots=True)
class _Attempt:
    """One start, made in the thread, and its result."""

    restrict: Callable[[], _Asked | None]
    start: Start
    asked: _Asked | None = None
    shell: subprocess.Popen[bytes] | None = None
    error: Exception | None = None

    def make(self) -> None:
        try:
            self.asked = self.restrict()
        except Exception as error:  # noqa: BLE001 - whatever it is, it says that nothing may run
            self.error = unavailable(str(error))
            return
        try:
            self.shell = self.start.open()
        except Exception as error:  # noqa: BLE001 - raised by the one who waits
            self.error = error
            if self.asked:
                self.asked[0].close()
