"""Find and end all processes of a command: its session, and processes that left it.

A process that left is known by a token in its environment, which also names this process and the workspace folder, so
that it is still known when this process was killed, and belongs to that folder alone. On Linux, a process that cleared
its environment as well is still found: while commands run, orphans become children of this process, and other children
of this process stay in its session.
"""

import asyncio
import contextlib
import ctypes
import hashlib
import os
import re
import secrets
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from time import monotonic, time

import psutil

TOKEN_VARIABLE = "PLANACT_COMMAND"  # noqa: S105 - the name, not the token
_OWNED = re.compile(r"(?P<pid>\d+)-(?P<birth>\d+)-(?P<folder>[0-9a-f]{16})-[0-9a-f]{32}")
_GRACE_SECONDS = 2.0
_GIVE_UP_SECONDS = 10.0
_ROUNDS = 20
_PR_SET_CHILD_SUBREAPER = 36


_valid: set[str] = set()
"""The tokens of all commands that this process runs. A process that hides may have made one up."""


class Descendants:
    """The running commands of the whole process, so that none is taken for another's."""

    def __init__(self) -> None:
        self._running: dict[str, subprocess.Popen[bytes] | None] = {}
        self._beside: set[str] = set()
        self._owner = f"{os.getpid()}-{_birth(os.getpid())}"
        self._since = 0.0

    @contextlib.contextmanager
    def command(self, folder: str, *, is_beside: bool = False) -> Iterator[str]:
        """Register one command of the workspace folder; yield the token for its environment. A program that goes on
        beside the work (`is_beside`) leaves it to the commands to end strays.
        """
        if not self._commands():
            self._since = time() - 1
        if not self._running:
            _adopt_orphans(True)
        token = f"{self._owner}-{_mark(folder)}-{secrets.token_hex(16)}"
        self._running[token] = None
        _valid.add(token)
        if is_beside:
            self._beside.add(token)
        try:
            yield token
        finally:
            self._forget(token)

    def started(self, token: str, shell: subprocess.Popen[bytes]) -> None:
        """Register the shell of a command, the leader of a session of its own."""
        self._running[token] = shell

    async def end(self, token: str, is_over: Callable[[], bool] | None = None) -> Sequence[str]:
        """End the shell and all its processes: asked first, then killed; cancelled, they are killed at once. They are
        gone when this returns, but for those of which it returns number and name. Until `is_over`, each orphan without
        the token of a command that runs, and that is no shell of one, is taken for one of them.
        """
        shell = self._running[token]
        if shell is None:
            return ()
        started = monotonic()
        asked: set[int] = set()
        killed: dict[int, float] = {}
        try:
            while True:
                is_alive = is_over is not None and not is_over()
                left, now = self._find(token, shell, takes_strays=is_alive), monotonic()
                if not left and (not is_alive or now - started > _GIVE_UP_SECONDS):
                    return ("a process that hides",) if is_alive else ()
                # A process that sleeps in the kernel outlives even SIGKILL. One that was born meanwhile doesn't.
                if left and all(now - killed.get(process.pid, now) > _GIVE_UP_SECONDS for process in left):
                    return [_shown(process) for process in left]
                if now - started > _GRACE_SECONDS:
                    _end(left, shell, kill=True)
                    killed |= {process.pid: now for process in left if process.pid not in killed}
                else:
                    _end([process for process in left if process.pid not in asked], shell, kill=False)
                    asked |= {process.pid for process in left}
                await asyncio.sleep(0.01)
        except asyncio.CancelledError:
            _end(self._find(token, shell), shell, kill=True)
            raise
        finally:
            shell.poll()
            # Here and not later: the last command to be forgotten has to find the strays of all.
            self._forget(token)

    def left_behind(self, folder: str, *, end: bool) -> int:
        """Count the processes of the workspace folder with the token of a dead process; kill them, if `end`. A process
        with the same number but another time of birth is another one.
        """
        mark = _mark(folder)
        ended: set[int] = set()
        for _ in range(_ROUNDS if end else 1):  # they may start others meanwhile
            left = [process for process in psutil.process_iter() if _is_left_behind(process, mark)]
            ended |= {process.pid for process in left}
            if not end or not left:
                break
            for process in left:
                with contextlib.suppress(psutil.Error):
                    process.kill()
            psutil.wait_procs(left, timeout=1)
        return len(ended)

    def _forget(self, token: str) -> None:
        self._beside.discard(token)
        _valid.discard(token)
        if self._running.pop(token, self) is not self and not self._running:
            _adopt_orphans(False)

    def _commands(self) -> set[str]:
        return self._running.keys() - self._beside

    def _find(self, token: str, shell: subprocess.Popen[bytes], *, takes_strays: bool = False) -> list[psutil.Process]:
        """Return the living processes of the command; reap adopted ones that are dead."""
        takes_strays |= len(self._commands()) == 1
        shell.poll()
        found = []
        for pid in psutil.pids():
            with contextlib.suppress(psutil.Error, OSError):
                is_it = partial(self._belongs, pid, token, shell, takes_strays=takes_strays)
                if not is_it():
                    continue
                process = psutil.Process(pid)
                if not is_it():  # the number went to another process meanwhile
                    continue
                if process.status() != psutil.STATUS_ZOMBIE:
                    found.append(process)
                elif process.ppid() == os.getpid() and process.pid not in self._shells():
                    os.waitpid(process.pid, os.WNOHANG)
        return found

    def _belongs(self, pid: int, token: str, shell: subprocess.Popen[bytes], *, takes_strays: bool) -> bool:
        """Dozens of processes are asked for each command: first what few have, and what the system tells at once."""
        if pid == shell.pid:
            return shell.returncode is None
        if sys.platform == "win32":
            process = psutil.Process(pid)
            return _token(pid) == token or shell.pid in (parent.pid for parent in process.parents())
        session = os.getsid(pid)
        if session == shell.pid:
            return True
        # Session 0 is the kernel's own threads, or of another container.
        if session in (0, os.getsid(0)):
            return False
        found = _token(pid)
        may_be_stray = takes_strays and token not in self._beside and (found == token or found not in _valid)
        if may_be_stray and self._is_stray(pid, session):  # also as another user, which root can become
            return True
        return found == token and psutil.Process(pid).uids().real == os.getuid()

    def _is_stray(self, pid: int, session: int) -> bool:
        """Return True for an orphan that can only be a command's."""
        is_adopted = _parent(pid) == os.getpid() and psutil.Process(pid).create_time() >= self._since
        return is_adopted and session not in self._shells()

    def _shells(self) -> set[int]:
        return {shell.pid for shell in self._running.values() if shell is not None}


def _mark(folder: str) -> str:
    """Return one mark for a folder, by whatever path it is reached."""
    return hashlib.sha256(os.fsencode(os.path.realpath(folder))).hexdigest()[:16]


def _is_left_behind(process: psutil.Process, mark: str) -> bool:
    owner = _OWNED.fullmatch(_token(process.pid))
    if owner is None or owner["folder"] != mark or _birth(int(owner["pid"])) == owner["birth"]:
        return False
    with contextlib.suppress(psutil.Error, OSError):
        # Numbers of another container mean nothing here.
        is_near = sys.platform != "linux" or _numbering(process.pid) == _numbering(os.getpid())
        is_mine = sys.platform == "win32" or process.uids().real == os.getuid()
        return is_near and is_mine and process.status() != psutil.STATUS_ZOMBIE
    return False


def _numbering(pid: int) -> str:
    return str(Path(f"/proc/{pid}/ns/pid").readlink())


def _birth(pid: int) -> str:
    """Return the time of a process's birth, in a measure that no change of the clock touches; empty when there is
    none.
    """
    with contextlib.suppress(psutil.Error, OSError):
        if sys.platform != "linux":
            return str(int(psutil.Process(pid).create_time() * 100))
        return _facts(pid)[19].decode("ascii", "replace")
    return ""


def _shown(process: psutil.Process) -> str:
    with contextlib.suppress(psutil.Error, OSError):
        return f"{process.pid} ({process.name()})"
    return str(process.pid)


def _parent(pid: int) -> int:
    return int(_facts(pid)[1]) if sys.platform == "linux" else psutil.Process(pid).ppid()


def _facts(pid: int) -> list[bytes]:
    """Return the fields that `/proc/<pid>/stat` has behind the name: the state, the parent and so on."""
    return _read_proc(pid, "stat").rpartition(b")")[2].split()


def _token(pid: int) -> str:
    try:
        if sys.platform != "linux":
            return psutil.Process(pid).environ().get(TOKEN_VARIABLE, "")
        variables = _read_proc(pid, "environ")
    except (psutil.Error, OSError):
        return ""
    return f"\0{variables.decode('ascii', 'replace')}".partition(f"\0{TOKEN_VARIABLE}=")[2].partition("\0")[0]


def _read_proc(pid: int, what: str) -> bytes:
    """Read a file of Linux about a process, in a quarter of the time that `Path.read_bytes` takes."""
    descriptor = os.open(f"/proc/{pid}/{what}", os.O_RDONLY | os.O_CLOEXEC)
    try:
        return b"".join(iter(partial(os.read, descriptor, 65_536), b""))
    finally:
        os.close(descriptor)


def _end(processes: list[psutil.Process], shell: subprocess.Popen[bytes], *, kill: bool) -> None:
    if sys.platform != "win32":
        # The group at once: one by one, the shell would go on with its next command when it loses the first.
        with contextlib.suppress(OSError):
            if any(os.getpgid(process.pid) == shell.pid for process in processes):
                os.killpg(shell.pid, signal.SIGKILL if kill else signal.SIGTERM)
    for process in processes:
        with contextlib.suppress(psutil.Error):
            process.kill() if kill else process.terminate()


def _adopt_orphans(is_on: bool) -> None:
    # Only while commands run: orphans of other children would never be reaped.
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_PR_SET_CHILD_SUBREAPER, int(is_on), 0, 0, 0)
