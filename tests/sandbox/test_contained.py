"""Unknown commands in Plan, where bubblewrap holds them: tests find a network, a `/tmp` and devices of their own, and
nothing that listens.
"""

import os
import socket
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import TypeVar

import pytest

from planact.adapters.sandbox.choose import JailSupport, probe
from planact.adapters.sandbox.runner.command_runner import CommandRunner
from planact.model.rights.jail import Confinement
from tests.fakes.ordinary_user import as_ordinary_user
from tests.sandbox.trial.test_reach import LISTENING, SERVERS, SERVES
from tests.sandbox.yard import Yard, abilities_of_each_rung

pytestmark = pytest.mark.skipif(not probe().bubblewrap, reason="no bubblewrap here")

T = TypeVar("T")

RUNGS = {"best": probe(), **{name: rung for name, rung in abilities_of_each_rung().items() if name == "bubblewrap"}}

OWN = {name: SERVES.format(code.replace('"s"', '"/tmp/s"')) for name, code in SERVERS.items()}
OWN |= {
    "terminal": "script -qec 'test -t 0' /dev/null",
    "shared memory": "echo x > /dev/shm/x && cat /dev/shm/x > /dev/null",
    "temporary": "echo x > /tmp/x && cp -p /tmp/x /var/tmp/y && cat /var/tmp/y > /dev/null",
}


@pytest.mark.parametrize("stays_root", [False, True])
@pytest.mark.parametrize("rung", RUNGS)
def test_what_tests_need_is_there(rung: str, stays_root: bool) -> None:
    async def serve(yard: Yard, runner: CommandRunner) -> dict[str, tuple[int | None, str]]:
        results = {name: await yard.run(runner, command) for name, command in OWN.items()}
        return {name: (result.exit_code, result.output) for name, result in results.items()}

    assert contained(RUNGS[rung], serve, stays_root=stays_root) == dict.fromkeys(OWN, (0, ""))


def test_commands_of_a_session_share_its_tmp() -> None:
    async def share(yard: Yard, runner: CommandRunner) -> list[str]:
        scratch, name = yard.base / "scratch", f"/tmp/{yard.base.name}"
        for folder in (scratch, yard.base / "scratch.tmp"):
            folder.mkdir(mode=0o700)
        await yard.run(runner, f"echo kept > {name}", scratch=str(scratch))
        later = await yard.run(runner, f"cat {name}", scratch=str(scratch))
        other = await yard.run(runner, f"cat {name} || echo none")
        return [later.output, other.output.splitlines()[-1], str(os.access(name, os.F_OK))]

    assert contained(probe(), share) == ["kept\n", "none", "False"]


@pytest.mark.parametrize("profile", ["contain", "trial"])
def test_folders_on_the_way_to_its_own_are_no_part_of_the_session_s_tmp(profile: Confinement) -> None:
    async def replace_way() -> tuple[str, list[str]]:
        scratch = Path("/tmp/way/deep/scratch")
        for folder in (scratch, scratch.with_name("scratch.tmp")):
            folder.mkdir(mode=0o700, parents=True)
        yard = Yard.make()
        try:
            lines = ("mv /tmp/way /tmp/gone 2>&- || echo held", "echo > /tmp/way/f; ls /tmp; echo > $TMPDIR/f")
            runner = yard.runner(probe(), profile)
            said = [(await yard.run(runner, line, scratch=str(scratch))).output for line in lines]
            return "".join(said), [path.name for path in scratch.with_name("scratch.tmp").rglob("*")]
        finally:
            yard.remove()

    assert as_ordinary_user(replace_way) == ("held\nway\n", ["way"])


def test_sockets_and_pipes_of_others_in_the_workspace_are_out_of_reach() -> None:
    async def speak(yard: Yard, runner: CommandRunner) -> tuple[list[int | None], bytes]:
        os.mkfifo(yard.workspace / "pipe")
        reader = os.open(yard.workspace / "pipe", os.O_RDONLY | os.O_NONBLOCK)
        server = socket.socket(socket.AF_UNIX)
        server.bind(str(yard.workspace / "socket"))
        server.listen()
        codes = []
        for name, code in zip(("socket", "pipe"), LISTENING.values(), strict=True):
            line = f"python3 -c '{code.format(yard.workspace / name)}'"
            codes.append((await yard.run(runner, line)).exit_code)
        found = os.read(reader, 10)
        os.close(reader)
        server.close()
        return codes, found

    assert contained(probe(), speak) == ([1, 1], b"")


def test_what_wants_the_network_is_told_so_by_its_failure_alone() -> None:
    async def ask(yard: Yard, runner: CommandRunner) -> tuple[bool, bool, str]:
        code = 'import socket; socket.create_connection(("192.0.2.7", 80))'
        result = await yard.run(runner, f"python3 -c '{code}'")
        return result.exit_code == 0, result.wants_network, result.refusal

    worked, wants, refusal = contained(probe(), ask)
    assert (worked, wants, "unreachable" in refusal) == (False, False, True)


def contained(rung: JailSupport, act: Callable[[Yard, CommandRunner], Awaitable[T]], *, stays_root: bool = False) -> T:
    """Return what `act` does in a yard of its own, whose files it must leave as they are."""

    async def run() -> T:
        yard = Yard.make()
        try:
            kept = look(yard)
            found = await act(yard, yard.runner(rung, "contain"))
            assert kept.items() <= look(yard).items()
            return found
        finally:
            yard.remove()

    return as_ordinary_user(run, stays_root=stays_root)


def look(yard: Yard) -> dict[Path, tuple[int, int, int]]:
    files = [path for path in yard.base.rglob("*") if not path.is_dir()]
    return {path: (path.lstat().st_mode, path.lstat().st_mtime_ns, path.lstat().st_size) for path in files}


def test_root_works_on_files_of_others_by_landlock() -> None:
    async def run() -> list[str]:
        yard = Yard.make()
        file = yard.workspace / "src/inner.py"
        try:
            file.chmod(0o600)
            for path in (yard.workspace, file.parent, file) if os.getuid() == 0 else ():
                os.chown(path, 1000, 1000)
            line = "cat src/inner.py && echo y > src/inner.py"
            told = [(await yard.run(yard.runner(probe(), jail), line)).output for jail in ("contain", "trial")]
            return [told[0].splitlines()[0], told[1], file.read_text()]
        finally:
            yard.remove()

    if probe().landlock_abi < 4:
        pytest.skip("this machine has no Landlock 4")
    assert as_ordinary_user(run, stays_root=True) == ["x = 1", "x = 1\n", "y\n"]
