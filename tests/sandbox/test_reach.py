"""What commands that read or are unknown can't reach on any rung: the user's home, the workspace from a registry's
command, a listener on this machine.
"""

import asyncio
import sys
from pathlib import Path

import pytest

from planact.model.rights.jail import Confinement
from tests.fakes.ordinary_user import as_ordinary_user
from tests.sandbox.yard import HOLDING_UNKNOWN, Yard, abilities_of_each_rung

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="the jails that are tested here are Linux's")

RUNGS = abilities_of_each_rung()
ON_EACH_RUNG = pytest.mark.parametrize("rung", RUNGS)
READING: tuple[Confinement, ...] = ("local-read", "outside-read", "registry-read")

WAYS_HOME = (
    "cat HOME_OF_USER/.ssh/id_rsa",
    "cat HOME_OF_USER/.aws/credentials",
    "cat HOME_OF_USER/.bashrc",
    "cat HOME_OF_USER/allowed/file",
    "ls HOME_OF_USER",
    "ls HOME_OF_USER/.ssh",
    "perl <<'E'\nopen(F, 'HOME_OF_USER/.ssh/id_rsa') or exit 1; print <F>;\nE",
    "python3 - <<'E'\nprint(open('HOME_OF_USER/.bashrc').read())\nE",
    "cat /proc/self/root/HOME_OF_USER/.bashrc",
    "cat ../home/.bashrc",
    "cat to_home/.bashrc",
    "tar -cf - HOME_OF_USER",
    "find HOME_OF_USER -type f -not -path '*/.cargo/bin/*' -exec cat {} +",
)


async def run_all(
    rung: str, profile: Confinement, commands: tuple[str, ...], outside: tuple[str, ...] = ()
) -> dict[str, str]:
    yard = Yard.make()
    try:
        (yard.workspace / "to_home").symlink_to(yard.home)
        (yard.workspace / ".env").write_text("secret\n")
        runner, found = yard.runner(RUNGS[rung], profile), {}
        for command in commands:
            named = tuple(path.replace("HOME_OF_USER", str(yard.home)) for path in outside)
            line = command.replace("HOME_OF_USER", str(yard.home)).replace("WORKSPACE", str(yard.workspace))
            found[command] = (await yard.run(runner, line, outside=named)).output
        return found
    finally:
        yard.remove()


@ON_EACH_RUNG
@pytest.mark.parametrize("profile", READING)
def test_the_home_is_out_of_reach(rung: str, profile: Confinement) -> None:
    found = as_ordinary_user(lambda: run_all(rung, profile, WAYS_HOME))
    assert [command for command, output in found.items() if "secret" in output or "id_rsa" in output.split()] == []


@ON_EACH_RUNG
def test_a_command_with_the_users_keys_reaches_it(rung: str) -> None:
    found = as_ordinary_user(lambda: run_all(rung, "net-read", WAYS_HOME))
    assert all("secret" in found[command] for command in WAYS_HOME[:4]), "else the other tests could not fail"


@ON_EACH_RUNG
def test_a_path_outside_is_opened_where_the_command_names_it_and_nothing_else(rung: str) -> None:
    commands = (
        "cat HOME_OF_USER/allowed/file",
        "cat HOME_OF_USER/allowed/state/db",
        "cat HOME_OF_USER/.bashrc",
        "cat f",
    )
    named = as_ordinary_user(lambda: run_all(rung, "outside-read", commands, ("HOME_OF_USER/allowed",)))
    assert ["secret" in output for output in named.values()] == [True, True, False, False]
    whole = as_ordinary_user(lambda: run_all(rung, "outside-read", WAYS_HOME, ("HOME_OF_USER",)))
    assert "secret" in whole["cat HOME_OF_USER/.bashrc"]
    assert "secret" not in whole["cat HOME_OF_USER/.ssh/id_rsa"] + whole["cat HOME_OF_USER/.aws/credentials"]
    keys = as_ordinary_user(lambda: run_all(rung, "outside-read", WAYS_HOME[:1], ("HOME_OF_USER/.ssh/id_rsa",)))
    assert "secret" not in keys[WAYS_HOME[0]]


@ON_EACH_RUNG
def test_a_command_that_asks_a_registry_sees_nothing_of_the_workspace(rung: str) -> None:
    commands = (
        "cat WORKSPACE/f",
        "ls WORKSPACE",
        "cat f",
        "cat WORKSPACE/.git/config",
        "pwd",
        "ls -A",
        "echo > x && ls",
    )
    found = as_ordinary_user(lambda: run_all(rung, "registry-read", commands))
    assert all(
        "foo" not in found[name] and "[core]" not in found[name] and "victim" not in found[name] for name in found
    )
    assert Path(found["pwd"].strip()).name.startswith("planact-")
    assert (found["ls -A"], found["echo > x && ls"]) == ("", "x\n")


CONNECT = (
    "exec 3<>/dev/tcp/127.0.0.1/PORT && echo hello >&3",
    'perl -MIO::Socket -e \'IO::Socket::INET->new("127.0.0.1:PORT")->print("hello")\'',
    'python3 -c \'import socket; socket.create_connection(("127.0.0.1", PORT)).send(b"hello")\'',
    'python3 -c \'import socket; socket.socket(socket.AF_INET, socket.SOCK_DGRAM).sendto(b"x", ("127.0.0.1", PORT))\'',
    "curl -s http://127.0.0.1:PORT/",
    "git ls-remote http://127.0.0.1:PORT/x",
)


async def heard(rung: str, profile: Confinement) -> int:
    yard = Yard.make()
    connections: list[object] = []

    def hear(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        connections.append(writer)
        writer.close()  # else `curl` and `git` wait for an answer

    server = await asyncio.start_server(hear, "127.0.0.1", 0)
    port = server.sockets[0].getsockname()[1]
    loop = asyncio.get_running_loop()

    class Datagrams(asyncio.DatagramProtocol):
        def datagram_received(self, data: bytes, addr: object) -> None:
            connections.append(data)

    datagrams, _ = await loop.create_datagram_endpoint(Datagrams, ("127.0.0.1", port))
    try:
        runner = yard.runner(RUNGS[rung], profile)
        for command in CONNECT:
            await yard.run(runner, command.replace("PORT", str(port)), 5)
        await asyncio.sleep(0.1)
        return len(connections)
    finally:
        datagrams.close()
        server.close()
        yard.remove()


HELD = [(rung, profile) for rung in RUNGS for profile in ("local-read", "outside-read")]
HELD += [(rung, "contain") for rung in RUNGS if rung in HOLDING_UNKNOWN]


@pytest.mark.parametrize(("rung", "profile"), HELD)
def test_a_listener_on_this_machine_never_hears_from_it(rung: str, profile: Confinement) -> None:
    assert as_ordinary_user(lambda: heard(rung, profile)) == 0


@ON_EACH_RUNG
def test_a_listener_hears_from_what_may_use_the_network(rung: str) -> None:
    assert as_ordinary_user(lambda: heard(rung, "net-read")) >= 3, "else the test above could not fail"
