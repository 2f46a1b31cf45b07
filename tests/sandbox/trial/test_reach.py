"""What a command on trial can't reach: the network, other processes and their sockets, the user's home and keys."""

import asyncio
import os
import socket
import stat
from pathlib import Path

import psutil
import pytest

from planact.adapters.sandbox.runner.command_runner import CommandRunner
from tests.fakes.ordinary_user import as_ordinary_user
from tests.sandbox.test_confinement import KERNELS
from tests.sandbox.test_jail import python, start_neighbour
from tests.sandbox.test_reach import CONNECT, WAYS_HOME
from tests.sandbox.trial.ground import each_jail, on_ground, picture, trial_runner, try_out
from tests.sandbox.yard import Yard, own_in_tmp

SERVES = "python3 -c '{}'"
SERVERS = {
    "loopback": (
        'import socket; s = socket.create_server(("127.0.0.1", 0)); '
        'c = socket.create_connection(s.getsockname()); s.accept()[0].send(b"x"); assert c.recv(1) == b"x"'
    ),
    "unix, in the workspace": (
        'import socket; s = socket.socket(socket.AF_UNIX); s.bind("s"); s.listen(); '
        'c = socket.socket(socket.AF_UNIX); c.connect("s")'
    ),
    "unix, abstract": (
        'import socket; s = socket.socket(socket.AF_UNIX); s.bind("\\0own"); s.listen(); '
        'c = socket.socket(socket.AF_UNIX); c.connect("\\0own")'
    ),
    "datagrams": 'import socket; a, b = socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM); a.send(b"x")',
    "semaphores": "import multiprocessing; multiprocessing.Pool(2).map(abs, [1, -2])",
    "own name": 'import socket; assert socket.gethostbyname(socket.gethostname()).startswith("127.")',
}


def test_servers_of_its_own_work() -> None:
    async def serve(yard: Yard, runner: CommandRunner) -> dict[str, tuple[str, bool]]:
        results = {name: await try_out(runner, yard, SERVES.format(code)) for name, code in SERVERS.items()}
        return {name: (result.output, result.wants_network) for name, result in results.items()}

    assert on_ground(serve, is_filled=False) == dict.fromkeys(SERVERS, ("", False))


FROM_BEHIND = (
    "python3 -m http.server -b 127.0.0.1 8123 > log 2>&1 &\n"
    "for i in $(seq 50); do curl -sf -o page http://localhost:8123/ && break; sleep 0.1; done\n"
    "kill $! && wait; test -s page"
)


def test_a_line_can_fetch_from_what_it_starts_in_the_background_and_end_it() -> None:
    async def serve(yard: Yard, runner: CommandRunner) -> tuple[int | None, bool]:
        result = await try_out(runner, yard, FROM_BEHIND)
        return result.exit_code, result.wants_network

    assert on_ground(serve, is_filled=False) == (0, False)


NETWORK = {
    "address": ('socket.create_connection(("192.0.2.7", 80))', True),
    "address of IPv6": ('socket.create_connection(("2001:db8::7", 80))', True),
    "datagram": ('socket.socket(socket.AF_INET, socket.SOCK_DGRAM).sendto(b"x", ("192.0.2.7", 53))', True),
    "name": ('socket.create_connection(("example.org", 80))', True),
    "closed port here": ('socket.create_connection(("127.0.0.1", 9))', False),
    "datagram to a closed port here": (
        'socket.socket(socket.AF_INET, socket.SOCK_DGRAM).sendto(b"x", ("127.0.0.1", 8125)); raise OSError',
        False,
    ),
    "no file": ('open("example.org")', False),
}


def test_the_kernel_tells_when_it_wanted_the_network() -> None:
    async def ask(yard: Yard, runner: CommandRunner) -> dict[str, tuple[bool, bool]]:
        found = {}
        for name, (code, _) in NETWORK.items():
            result = await try_out(runner, yard, f"python3 -c 'import socket; {code}'")
            found[name] = (result.exit_code == 0, result.wants_network)
        return found

    assert on_ground(ask, is_filled=False) == {name: (False, wants) for name, (_, wants) in NETWORK.items()}


@each_jail
def test_a_command_that_has_ended_at_once_is_told_of_too() -> None:
    async def ask(yard: Yard, runner: CommandRunner) -> list[bool]:
        return [(await try_out(runner, yard, "exec 3<>/dev/tcp/192.0.2.7/80")).wants_network for _ in range(10)]

    assert on_ground(ask, is_filled=False) == [True] * 10


LISTENING = {
    "unix": 'import socket; socket.socket(socket.AF_UNIX).connect("{}")',
    "pipe": 'import os; os.write(os.open("{}", os.O_WRONLY | os.O_NONBLOCK), b"x")',
}


def test_no_listener_of_this_machine_hears_from_it() -> None:
    async def speak(yard: Yard, runner: CommandRunner) -> tuple[list[str], list[int | None]]:
        heard: list[str] = []

        async def hear(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            heard.append("connection")
            writer.close()

        served = [await asyncio.start_server(hear, "127.0.0.1", 0)]
        port = served[0].sockets[0].getsockname()[1]
        paths = [yard.home / "socket", Path("/tmp/planact-test-socket")]
        served += [await asyncio.start_unix_server(hear, path) for path in paths]
        abstract = socket.socket(socket.AF_UNIX)
        abstract.bind("\0planact-test")
        served.append(await asyncio.start_unix_server(hear, sock=abstract))
        codes = []
        for command in CONNECT:
            codes.append((await try_out(runner, yard, command.replace("PORT", str(port)))).exit_code)
        for path in (*paths, "\\0planact-test"):
            codes.append((await try_out(runner, yard, f"python3 -c '{LISTENING['unix'].format(path)}'")).exit_code)
        await asyncio.sleep(0.1)
        for each in served:
            each.close()
        return heard, codes

    heard, codes = on_ground(speak, is_filled=False)
    # A datagram is sent to nobody.
    assert (heard, [code for code in codes if code == 0]) == ([], [0])


@each_jail
def test_sockets_and_pipes_in_what_it_may_read_are_out_of_reach() -> None:
    async def speak(yard: Yard, runner: CommandRunner) -> tuple[list[int | None], bytes]:
        folder = yard.base / "sources"
        folder.mkdir()
        (folder / "plain").write_text("plain\n")
        os.mkfifo(folder / "pipe")
        reader = os.open(folder / "pipe", os.O_RDONLY | os.O_NONBLOCK)
        server = socket.socket(socket.AF_UNIX)
        server.bind(str(folder / "socket"))
        server.listen()
        jail = trial_runner(yard, readable=[folder])
        commands = [
            f"python3 -c '{code.format(folder / name)}'"
            for name, code in zip(("socket", "pipe"), LISTENING.values(), strict=True)
        ]
        codes = [(await try_out(jail, yard, command)).exit_code for command in (*commands, f"cat {folder}/plain")]
        found = os.read(reader, 10)
        os.close(reader)
        server.close()
        return codes, found

    codes, found = on_ground(speak, is_filled=False)
    assert (codes[0] != 0, codes[2], found) == (True, 0, b"")


DEVICES = tuple(f"/dev/{name}" for name in ("null", "zero", "full", "random", "urandom", "tty", "pts", "shm"))

REFUSED = {
    "end the server": "kill -9 SERVER",
    "end another": "kill -9 NEIGHBOUR",
    "see another": "ls /proc/NEIGHBOUR || ps -p NEIGHBOUR",
    "memory of the server": "head -c1 /proc/SERVER/mem",
    "files of another": "ls /proc/NEIGHBOUR/root/",
    "trace": python("assert libc.ptrace(16, NEIGHBOUR, 0, 0) == 0 or libc.ptrace(16, SERVER, 0, 0) == 0"),
    "mount": "mount -t tmpfs none src || mount --bind f .git/config || umount .git",
    "remount": "mount -o remount,rw,bind .git",
    "namespace": "unshare -Ur true || unshare -m true || bwrap --bind / / true",
    "chroot": python('os.chroot("src")'),
    "become another": python("os.setuid(0 if os.getuid() else 65534)"),
    "device": "mknod x b 8 0 || mknod x c 1 1",
    "set-user-id": "cp /bin/true x && chmod u+s x && test -u x",
    "set-user-id by making": python(
        'os.open("y", os.O_CREAT | os.O_WRONLY, 0o4755); assert os.stat("y").st_mode & 0o4000'
    ),
    "set-user-id by a file without a name": python(
        'y = os.open(".", os.O_TMPFILE | os.O_RDWR, 0o4755); assert os.fstat(y).st_mode & 0o4000'
    ),
    "flags of a file": python('fcntl.ioctl(os.open("f", 0), 0x40086602, bytes([64, 0, 0, 0, 0, 0, 0, 0]))'),
    "type into a terminal": python('fcntl.ioctl(0, 0x5412, b"x")'),
    "home": "ls HOME_OF_USER/.ssh || cat HOME_OF_USER/.bashrc || echo x > HOME_OF_USER/new",
    "outside": "echo x > /usr/new || echo x > /etc/new || mkdir /new",
    "beside the workspace": "echo x > HOME_OF_USER/../new && false",
    "outside by a link": "ln -s HOME_OF_USER out && echo x > out/new",
    "outside by a hard link": "ln HOME_OF_USER/.bashrc x || ln /etc/passwd x || ln /usr/bin/env x",
    "outside by its working folder": "cd .. && echo x > new && false",
    "services": "ls /run/dbus || ls /run/systemd || ls /run/user/$(id -u)/bus",
    "kernel": "echo 1 > /proc/sys/kernel/panic || echo x > /sys/power/state",
    "keys": "env | grep -i -E 'token|secret|SSH_AUTH|DBUS'",
    "host of a temporary file": "ls /tmp/of-the-host || ls /var/tmp/of-the-host",
}


def test_no_way_leads_out() -> None:
    async def attack(yard: Yard, runner: CommandRunner) -> list[str]:
        Path("/tmp/of-the-host").touch()  # noqa: ASYNC240
        keys = {"DEPLOY_TOKEN": "t", "SSH_AUTH_SOCK": "/x", "DBUS_SESSION_BUS_ADDRESS": "unix:path=/x"}
        jail, neighbour = trial_runner(yard, keys), start_neighbour()
        wrong = []
        try:
            before = {path: look for path, look in picture(yard).items() if not path.startswith("work/")}
            for name, command in REFUSED.items():
                line = command.replace("SERVER", str(os.getpid())).replace("NEIGHBOUR", str(neighbour.pid))
                result = await try_out(jail, yard, line)
                after = {path: look for path, look in picture(yard).items() if not path.startswith("work/")}
                if result.exit_code == 0 or before != after or neighbour.poll() is not None:
                    wrong.append(f"{name}: {result.output}")
        finally:
            neighbour.kill()
            neighbour.wait()
        return wrong

    assert on_ground(attack) == []


@each_jail
def test_the_home_and_files_with_credentials_are_out_of_reach() -> None:
    async def read(yard: Yard, runner: CommandRunner) -> list[str]:
        (yard.workspace / "to_home").symlink_to(yard.home)
        ways = (
            *(way for way in WAYS_HOME if "tar" not in way),  # which finds tool chains, too
            "cat .env deep/.env.local certs/*",
            "grep -r secret .env certs deep/.env.local",
            "tar cO .env",
        )
        return [way for way in ways if "secret" in (await try_out(runner, yard, way)).output]

    assert on_ground(read) == []


@each_jail
def test_ending_everything_ends_only_what_is_its_own() -> None:
    async def end(yard: Yard, runner: CommandRunner) -> int | None:
        return (await try_out(runner, yard, "kill -9 -1; exit 3")).exit_code

    assert on_ground(end) in (3, 137)


def test_a_socket_of_others_in_the_workspace_is_out_of_reach_and_a_stale_one_is_not() -> None:
    async def speak(yard: Yard, runner: CommandRunner) -> list[tuple[int | None, int]]:
        heard: list[str] = []

        async def hear(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            heard.append((await reader.read(10)).decode())
            writer.close()

        (yard.workspace / "run").mkdir()
        server = await asyncio.start_unix_server(hear, yard.workspace / "run/of-others")
        say = 'import socket; s = socket.socket(socket.AF_UNIX); s.connect("run/of-others"); s.send(b"x")'
        moved = f"python3 -c '{say.replace('run/', 'away/')}'; code=$?; mv away run; exit $code"
        codes = []
        for command in (f"python3 -c '{say}'", "rm run/of-others", f"mv run away; {moved}"):
            codes.append((await try_out(runner, yard, command)).exit_code)
        await asyncio.sleep(0.1)
        server.close()
        makes = 'import socket; s = socket.socket(socket.AF_UNIX); s.bind("run/own"); s.listen()'
        codes += [
            (await try_out(runner, yard, f"{before}python3 -c '{makes}'")).exit_code for before in ("", "rm run/own; ")
        ]
        return [(code, heard.count("x")) for code in codes]

    assert on_ground(speak, is_filled=False) == [(1, 0), (1, 0), (1, 0), (0, 0), (0, 0)]


@each_jail
@pytest.mark.parametrize("is_cancelled", [False, True])
def test_it_leaves_no_process_and_no_folder(is_cancelled: bool) -> None:
    sleep = f"sleep 4{os.getpid():06}{is_cancelled:d}"

    async def leave(yard: Yard, runner: CommandRunner) -> tuple[list[str], list[str], int]:
        before, files = {path.name for path in yard.workspace.iterdir()}, psutil.Process().num_fds()
        earlier = own_in_tmp()
        waits = sleep if is_cancelled else "true"
        task = asyncio.create_task(try_out(runner, yard, f"{sleep} & setsid {sleep} & env -i setsid {sleep} & {waits}"))
        if is_cancelled:
            await asyncio.sleep(0.5)
            task.cancel()
        await asyncio.wait([task])
        left = own_in_tmp() - earlier
        still = [" ".join(process.info["cmdline"] or ()) for process in psutil.process_iter(["cmdline"])]
        made = sorted({path.name for path in yard.workspace.iterdir()} - before)
        return [name for name in still if sleep in name], [*left, *made], psutil.Process().num_fds() - files

    assert on_ground(leave, is_filled=False) == ([], [], 0)


def test_a_command_of_root_changes_no_setting_of_the_kernel() -> None:
    async def write() -> tuple[int | None, str]:
        yard = Yard.make()
        try:
            same = f'known=$(cat {KERNELS}) && [ "$known" ] && echo "$known" > {KERNELS}'
            result = await try_out(trial_runner(yard), yard, f"echo begun; {same}")
            return result.exit_code, result.output.partition("\n")[0]
        finally:
            yard.remove()

    code, begun = as_ordinary_user(write, stays_root=True)
    assert (code != 0, begun) == (True, "begun")


@pytest.mark.skipif(os.getuid() != 0, reason="only root may change them")
@each_jail
def test_a_command_of_root_leaves_devices_as_they_are() -> None:
    async def close() -> tuple[str, list[str]]:
        yard, modes = Yard.make(), [os.stat(path).st_mode for path in DEVICES]  # noqa: PTH116
        try:
            chmod = f"for path in {' '.join(DEVICES)}; do chmod 667 $path 2>&-; done; echo over"
            output = (await try_out(trial_runner(yard), yard, chmod)).output
            return output, [path for path, mode in zip(DEVICES, modes, strict=True) if os.stat(path).st_mode != mode]  # noqa: PTH116
        finally:
            for path, mode in zip(DEVICES, modes, strict=True):
                os.chmod(path, stat.S_IMODE(mode))  # noqa: PTH101
            yard.remove()

    assert as_ordinary_user(close, stays_root=True) == ("over\n", [])


@each_jail
def test_what_is_opened_in_the_home_can_be_read_and_nothing_beside_it() -> None:
    async def read(yard: Yard, runner: CommandRunner) -> tuple[str, str]:
        home = yard.home
        for name in ("notes/a.txt", "notes/.env", "notes/id_rsa", "other/b.txt"):
            (home / name).parent.mkdir(exist_ok=True)
            (home / name).write_text(f"text of {name}\n")
        command = "cd HOME_OF_USER; cat notes/a.txt; cat notes/.env notes/id_rsa other/b.txt; echo x >> notes/a.txt; ls"
        told = (await try_out(runner, yard, command, outside=[str(home / "notes")])).output
        one = (
            await try_out(runner, yard, command, outside=[str(home / "notes/a.txt"), str(home / "notes/.env")])
        ).output
        assert (home / "notes/a.txt").read_text() == "text of notes/a.txt\n"
        return told, one

    for told in on_ground(read):
        assert [line for line in told.splitlines() if line.startswith("text of")] == ["text of notes/a.txt"]
        assert "other\n" not in told
