"""What each jail refuses and what it lets through, on every rung that this machine holds."""

import asyncio
import os
import platform
import shutil
import subprocess
import sys
from collections.abc import Mapping

import psutil
import pytest

from planact.adapters.sandbox.linux.syscalls import MACHINES
from planact.model.rights.jail import Confinement, Network
from tests.fakes.ordinary_user import as_ordinary_user
from tests.sandbox.yard import Yard, abilities_of_each_rung

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="the jails that are tested here are Linux's")

RUNGS = abilities_of_each_rung()
ON_EACH_RUNG = pytest.mark.parametrize("rung", RUNGS)
NUMBER = MACHINES[platform.machine()].numbers if platform.machine() in MACHINES else {}
PYTHON = shutil.which("python3", path="/usr/bin:/bin") or sys.executable


def python(code: str) -> str:
    """A command that reaches the kernel directly, as no program at hand does; it fails unless all of it works."""
    start = "import ctypes, fcntl, os, socket, sys; libc = ctypes.CDLL(None); call = libc.syscall"
    return f"{PYTHON} -c '{start}\n{code}'"


def start_neighbour() -> subprocess.Popen[bytes]:
    return subprocess.Popen(["sleep", "300"], process_group=0)


async def outcomes(
    rung: str, profile: Confinement, commands: Mapping[str, str], network: Network = "inet"
) -> dict[str, tuple[int | None, str]]:
    """Exit code and output of each, run in the same tree; SERVER is this process, NEIGHBOUR another of the user's."""
    yard = Yard.make()
    neighbour = start_neighbour()
    found = {}
    try:
        runner = yard.runner(RUNGS[rung], profile, network)
        before = yard.picture()
        for name, command in commands.items():
            for word, value in (("HOME_OF_USER", yard.home), ("SERVER", os.getpid()), ("NEIGHBOUR", neighbour.pid)):
                command = command.replace(word, str(value))
            result = await yard.run(runner, command)
            found[name] = (result.exit_code, result.output)
            assert neighbour.poll() is None, name
            if profile != "act":
                assert yard.picture() == before, name
    finally:
        neighbour.kill()
        neighbour.wait()
        yard.remove()
    return found


def exit_codes(
    rung: str, profile: Confinement, commands: Mapping[str, str], network: Network = "inet"
) -> dict[str, int]:
    found = as_ordinary_user(lambda: outcomes(rung, profile, commands, network))
    return {name: code for name, (code, _) in found.items()}


REFUSED = {
    "write": "echo x > new",
    "append": "echo x >> f",
    "delete": "rm -f f",
    "rename": "mv f g",
    "link": "ln f g",
    "symbolic link": "ln -s f g",
    "folder": "mkdir new",
    "fifo": "mkfifo new",
    "mode": "chmod 600 f",
    "owner": "chgrp $(id -g) f",
    "times": "touch -c -d 2001-01-01 f",
    "attribute": python('os.setxattr("f", "user.x", b"1")'),
    "flags": python('fcntl.ioctl(os.open("f", 0), 0x40086602, bytes([64, 0, 0, 0, 0, 0, 0, 0]))'),
    "truncate": python('os.truncate("f", 0)'),
    "truncate by opening": python('os.open("f", os.O_RDONLY | os.O_TRUNC)'),
    "truncate by opening for nothing": python('os.open("f", 3 | os.O_TRUNC)'),
    "home": "echo x > HOME_OF_USER/new",
    "everybody's temporary files": "echo x > /tmp/planact-test",
    "shared memory": python(f"assert call({NUMBER['shmget']}, 0, 4096, 0o1600) >= 0"),
    "message queue": python(f"assert call({NUMBER['msgget']}, 0, 0o1600) >= 0"),
    "internet socket": python("socket.socket(socket.AF_INET)"),
    "datagram socket": python("socket.socket(socket.AF_INET6, socket.SOCK_DGRAM)"),
    "unix socket": python("socket.socket(socket.AF_UNIX)"),
    "pair that could be turned to others": python("socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM)"),
    "ring": python(f"assert call({NUMBER['io_uring_setup']}, 8, ctypes.create_string_buffer(120)) >= 0"),
    "new user namespace": "unshare -Ur true",
    "new user namespace by clone": python(f"assert call({NUMBER['clone']}, 0x10000000 | 17, 0, 0, 0, 0) >= 0"),
    "trace": python("assert libc.ptrace(0, 0, 0, 0) == 0"),
    "type into a terminal": python('fcntl.ioctl(0, 0x5412, b"x")'),
    "a call that came later": python("assert call(480) == 0"),
    "end the server": "kill -9 SERVER",
    "end another": "kill -9 NEIGHBOUR",
    "end another by its group": "kill -9 -- -NEIGHBOUR",
    "queue a signal": python(f"assert call({NUMBER['rt_sigqueueinfo']}, NEIGHBOUR, 9, bytes(128)) == 0"),
    "signal a descriptor": python(
        f"assert call({NUMBER['pidfd_send_signal']}, os.pidfd_open(NEIGHBOUR), 9, 0, 0) == 0"
    ),
    "memory of the server": "head -c1 /proc/SERVER/mem",
    "environment of another": "cat /proc/NEIGHBOUR/environ | grep .",
    "slow another down": "renice -n 19 NEIGHBOUR",
    "limit another": "prlimit --pid NEIGHBOUR --cpu=1",
    "bind another to a processor": "taskset -p 1 NEIGHBOUR",
    "signals by descriptor": python("r, w = os.pipe(); fcntl.fcntl(r, fcntl.F_SETOWN, NEIGHBOUR)"),
}


@ON_EACH_RUNG
def test_what_only_reads_can_change_or_reach_nothing(rung: str) -> None:
    found = exit_codes(rung, "local-read", REFUSED)
    assert {name for name, code in found.items() if code in (0, 127, None)} == set()


@ON_EACH_RUNG
def test_shared_memory_is_refused_or_the_commands_own(rung: str) -> None:
    # `outcomes` looks whether anything is left.
    as_ordinary_user(lambda: outcomes(rung, "local-read", {"write": "echo x > /dev/shm/planact-test"}))


@ON_EACH_RUNG
def test_ending_everything_ends_only_what_is_in_the_jail(rung: str) -> None:
    # `outcomes` looks after its neighbour itself; that it returns says that this process goes on.
    as_ordinary_user(lambda: outcomes(rung, "local-read", {"all": "kill -9 -1"}))
    as_ordinary_user(lambda: outcomes(rung, "act", {"all": "kill -9 -1"}))


WORKS = {
    "read": "cat f /etc/hostname > /dev/null",
    "git": "git log --oneline && git status --short && git diff && git show HEAD:f && git branch -a",
    "own temporary files": "echo x > $TMPDIR/x && cat $TMPDIR/x && echo y > ~/y && mktemp && sort -S 1k --parallel=1 f",
    "here document": "cat <<EOF\n$(seq 20000)\nEOF",
    "pipe into standard error": "ls -la / | tee /dev/stderr > /dev/null",
    "threads": python("import threading; t = threading.Thread(target=print); t.start(); t.join()"),
    "processes": python('import subprocess; subprocess.run([sys.executable, "-c", "1"], check=True)'),
    "pairs": python('a, b = socket.socketpair(); a.send(b"x"); assert b.recv(1) == b"x"'),
    "own group": "set -m; timeout 0.1 sleep 5; [ $? = 124 ]",
    "look for a process": "ps aux | grep -q sleep",
    "nice": "nice -n 5 true",
    "search": "find . -name '*.py' | xargs grep -l x | head -1",
}


@ON_EACH_RUNG
def test_what_only_reads_works(rung: str) -> None:
    found = as_ordinary_user(lambda: outcomes(rung, "local-read", WORKS))
    assert {name: outcome for name, outcome in found.items() if outcome[0] != 0} == {}


@ON_EACH_RUNG
def test_a_command_ends_its_own_where_the_rung_can_tell_them_from_others(rung: str) -> None:
    found = exit_codes(rung, "act", {"own": "sleep 5 & kill $!; wait $!; [ $? = 143 ]"})
    assert found == {"own": 0 if rung in ("landlock 7", "bubblewrap") else 1}


# --- the network

CONNECT = {
    "internet": "exec 3<>/dev/tcp/127.0.0.1/PORT",
    "unix": python('socket.socket(socket.AF_UNIX).connect("HOME_OF_USER/../daemon")'),
}


async def connections(rung: str, profile: Confinement, network: Network) -> dict[str, bool]:
    yard = Yard.make()
    server = await asyncio.start_server(lambda reader, writer: writer.close(), "127.0.0.1", 0)
    daemon = await asyncio.start_unix_server(lambda reader, writer: writer.close(), yard.base / "daemon")
    port = server.sockets[0].getsockname()[1]
    try:
        runner = yard.runner(RUNGS[rung], profile, network)
        found = {}
        for name, command in CONNECT.items():
            text = command.replace("PORT", str(port)).replace("HOME_OF_USER", str(yard.home))
            found[name] = (await yard.run(runner, text)).exit_code == 0
        return found
    finally:
        server.close()
        daemon.close()
        yard.remove()


@ON_EACH_RUNG
@pytest.mark.parametrize(
    ("profile", "network", "internet", "unix"),
    [
        ("local-read", "all", False, False),
        ("net-read", "none", True, False),
        ("act", "none", False, False),
        ("act", "inet", True, False),
        ("act", "all", True, True),
    ],
)
def test_a_command_connects_only_as_its_profile_says(
    rung: str, profile: Confinement, network: Network, internet: bool, unix: bool
) -> None:
    found = as_ordinary_user(lambda: connections(rung, profile, network))
    assert found == {"internet": internet, "unix": unix}


TO_SOCKET = {
    "named": 'socket.socket(socket.AF_UNIX).connect("BASE/daemon")',
    "named, by a link": 'socket.socket(socket.AF_UNIX).connect("BASE/link")',
    "named, from a thread": (
        "import threading; done = []\n"
        'def go(): socket.socket(socket.AF_UNIX).connect("BASE/daemon"); done.append(1)\n'
        "t = threading.Thread(target=go); t.start(); t.join(); assert done"
    ),
    "another": 'socket.socket(socket.AF_UNIX).connect("BASE/other")',
    "another, beside the way": 'os.chdir("BASE"); socket.socket(socket.AF_UNIX).connect("other")',
    "abstract": 'socket.socket(socket.AF_UNIX).connect("\\0abstract")',
    "no memory": "s = socket.socket(socket.AF_UNIX); assert libc.connect(s.fileno(), ctypes.c_void_p(-1), 110) == 0",
    "no socket": (
        'address = b"\\1\\0" + b"BASE/daemon\\0"\nassert libc.connect(os.open("f", 0), address, len(address)) == 0'
    ),
    "internet": 'socket.create_connection(("127.0.0.1", 9))',
    "datagrams": "socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)",
}


async def daemon_connections(rung: str) -> dict[str, str]:
    yard = Yard.make()
    accepted: list[str] = []

    def server(name: str) -> object:
        return asyncio.start_unix_server(
            lambda reader, writer: (accepted.append(name), writer.close()),
            yard.base / name,  # type: ignore[arg-type]
        )

    servers = [await server(name) for name in ("daemon", "other")]  # type: ignore[misc]
    (yard.base / "link").symlink_to(yard.base / "daemon")
    found = {}
    descriptors = psutil.Process().num_fds()
    try:
        runner = yard.runner(RUNGS[rung], "daemon-read")
        for name, code in TO_SOCKET.items():
            accepted.clear()
            result = await yard.run(runner, python(code.replace("BASE", str(yard.base))))
            found[name] = f"{result.exit_code} {' '.join(accepted)}".strip()
        assert psutil.Process().num_fds() <= descriptors
    finally:
        for each in servers:
            each.close()
        yard.remove()
    return found


@pytest.mark.parametrize("rung", [rung for rung in RUNGS if rung.startswith("landlock")])
def test_a_daemon_is_reached_by_its_socket_and_nothing_else_is(rung: str) -> None:
    reached = {"named": "0 daemon", "named, by a link": "0 daemon", "named, from a thread": "0 daemon"}
    assert as_ordinary_user(lambda: daemon_connections(rung)) == dict.fromkeys(TO_SOCKET, "1") | reached
