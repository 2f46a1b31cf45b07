"""The jails for unknown commands and for Act, jails that fail, and the thread that is in a jail itself."""

import asyncio
import os
import platform
import sys
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from subprocess import Popen

import psutil
import pytest

from planact.adapters.sandbox.choose import probe
from planact.adapters.sandbox.limits.view import View
from planact.adapters.sandbox.linux.jailed_thread import JailedThreadSpawner
from planact.adapters.sandbox.linux.kernel import Kernel
from planact.adapters.sandbox.linux.syscalls import MACHINES, Machine
from planact.adapters.sandbox.runner.command_runner import CommandRunner
from planact.adapters.sandbox.runner.descendants import Descendants
from planact.adapters.sandbox.spawner import Start
from planact.base.errors import CommandFailure
from planact.model.rights.jail import Confinement, JailProfile
from tests.fakes.ordinary_user import as_ordinary_user
from tests.sandbox.yard import HOLDING_UNKNOWN, SHARED, Yard, abilities_of_each_rung, own_in_tmp

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="the jails that are tested here are Linux's")

RUNGS = abilities_of_each_rung()
ON_EACH_RUNG = pytest.mark.parametrize("rung", RUNGS)
BEST = next(iter(RUNGS), "")


async def succeeding(rung: str, profile: Confinement, commands: tuple[str, ...]) -> list[str]:
    """Those that exit with 0."""
    yard = Yard.make()
    try:
        runner = yard.runner(RUNGS[rung], profile)
        found = []
        for command in commands:
            result = await yard.run(runner, command.replace("HOME_OF_USER", str(yard.home)))
            found += [command] if result.exit_code == 0 else []
        return found
    finally:
        yard.remove()


# --- unknown commands


@pytest.mark.parametrize("rung", [rung for rung in RUNGS if rung in HOLDING_UNKNOWN])
def test_an_unknown_command_reads_the_workspace_and_tool_chains_and_nothing_else_of_the_home(rung: str) -> None:
    fine = ("cat f", "cat HOME_OF_USER/.cargo/bin/tool", "git log -1", "python3 -c 1", "ls /usr", "cat $(mktemp)")
    refused = (
        *("cat HOME_OF_USER/.bashrc", "cat HOME_OF_USER/.ssh/id_rsa", "ls HOME_OF_USER/.ssh", "cat /tmp/of-the-host"),
        *("ls -A HOME_OF_USER | grep bashrc", "touch HOME_OF_USER/.cargo/bin/tool", "echo x > f", "touch new"),
        *("ls /run/systemd /run/dbus", "cat /dev/shm/of-the-host", "mkdir build/new", "rm f", "mv f g", "ln f g"),
    )
    # bubblewrap shows folders on the way to what can be read, and nothing in them.
    if rung != "bubblewrap":
        refused += ("ls HOME_OF_USER", "ls HOME_OF_USER/.cargo", "ls /tmp", "ls /dev/shm", "ls HOME_OF_USER/..")

    async def run() -> list[str]:
        for folder in SHARED:
            (folder / "of-the-host").touch()
        return await succeeding(rung, "contain", fine + refused)

    assert as_ordinary_user(run) == list(fine)


STEERED = (
    # What a repository can have started by commands that only look.
    "git config diff.evil.command 'cat HOME_OF_USER/.ssh/id_rsa #' && echo 'f diff=evil' > .gitattributes && echo >> f",
    "mkdir json && echo 'print(open(\"HOME_OF_USER/.ssh/id_rsa\").read())' | tee json/__init__.py > json/tool.py",
    "ln -s HOME_OF_USER/.ssh/id_rsa leak",
)


@pytest.mark.parametrize("profile", ["local-read", "registry-read"])
def test_what_a_repository_has_started_by_a_command_that_only_looks_sees_nothing_of_the_home(
    profile: Confinement,
) -> None:
    async def told(profile: Confinement) -> str:
        yard = Yard.make()
        try:
            for line in STEERED:
                prepared = line.replace("HOME_OF_USER", str(yard.home))
                assert (await yard.run(yard.runner(None, "act"), prepared)).exit_code == 0
            look = "git diff; echo {} | python3 -m json.tool; cat lea*"
            return (await yard.run(yard.runner(RUNGS[BEST], profile), look)).output
        finally:
            yard.remove()

    assert "secret" not in as_ordinary_user(lambda: told(profile))
    assert "secret" in as_ordinary_user(lambda: told("net-read")), "else this test could not fail"


@pytest.mark.parametrize("rung", [rung for rung in RUNGS if rung not in HOLDING_UNKNOWN])
def test_an_unknown_command_does_not_run_on_a_lower_rung(rung: str) -> None:
    yard = Yard.make()
    with pytest.raises(CommandFailure) as caught:
        asyncio.run(yard.run(yard.runner(replace(RUNGS[rung]), "contain"), "touch ran"))
    assert (caught.value.code, (yard.workspace / "ran").exists()) == ("SANDBOX_UNAVAILABLE", False)
    yard.remove()


# --- Act


@ON_EACH_RUNG
def test_a_command_in_act_writes_the_workspace_temporary_files_and_what_the_user_allows(rung: str) -> None:
    fine = (
        *("echo x > new", "mkdir -p deep/er && touch deep/er/new", "chmod 600 f", "touch -d 2001-01-01 f", "rm x"),
        *("mv a src/", "ln -s f g", "git add -A && git commit -qm three", "echo x > /tmp/new", "echo x > $(mktemp)"),
        *("echo x > /dev/shm/new && rm /dev/shm/new", "echo x >> HOME_OF_USER/allowed/file", "truncate -s 0 f"),
    )
    refused = (
        *("echo x > HOME_OF_USER/new", "rm HOME_OF_USER/.bashrc", "echo x >> HOME_OF_USER/.bashrc"),
        *("mv f HOME_OF_USER/", "echo x > HOME_OF_USER/allowed/state/db", "rm -r HOME_OF_USER/allowed/state"),
        *("mv HOME_OF_USER/allowed/state HOME_OF_USER/allowed/other", "truncate -s 0 HOME_OF_USER/.bashrc"),
    )
    found = as_ordinary_user(lambda: succeeding(rung, "act", fine + refused))
    # The first Landlock lets nothing move between folders; programs that can, copy instead.
    assert found == list(fine)


# --- what is started ends

SLEEP = f"sleep 3{os.getpid():08}"
"""Told apart from those of tests that run beside this."""


@ON_EACH_RUNG
@pytest.mark.parametrize("escape", ["SLEEP &", "(setsid SLEEP &)", "env -i setsid nohup SLEEP & disown"])
def test_what_a_command_leaves_running_ends_with_it(rung: str, escape: str) -> None:
    escape = escape.replace("SLEEP", SLEEP)

    async def left() -> tuple[int | None, str, list[str]]:
        yard = Yard.make()
        try:
            result = await yard.run(yard.runner(RUNGS[rung], "local-read"), f"{escape}\nsleep 0.2; exit 4")
            timed_out = await yard.run(yard.runner(RUNGS[rung], "local-read"), f"{escape}\n{SLEEP}", timeout=0.3)
            return result.exit_code, timed_out.ended, [name for name in running() if SLEEP in name]
        finally:
            yard.remove()

    assert as_ordinary_user(left) == (4, "timeout", [])


def running() -> list[str]:
    return [" ".join(process.info["cmdline"] or ()) for process in psutil.process_iter(["cmdline"])]


def test_what_a_command_left_in_its_own_folder_goes_however_it_resists() -> None:
    async def leave() -> tuple[str, set[str]]:
        yard, earlier = Yard.make(), own_in_tmp("planact-*")
        try:
            deep = "import os\nfor _ in range(3000): os.mkdir('d'); os.chdir('d')"
            text = f'cd $TMPDIR; (umask 777; mkdir shut); > loose; ln -s / root; python3 -c "{deep}"; echo done'
            result = await yard.run(yard.runner(RUNGS[BEST], "local-read"), text)
            return result.output, own_in_tmp("planact-*") - earlier
        finally:
            yard.remove()

    assert as_ordinary_user(leave) == ("done\n", set())


@pytest.mark.parametrize(
    ("rung", "profile"),
    [
        (rung, profile)
        for rung in RUNGS
        for profile in ("local-read", "daemon-read", "act")
        if (rung, profile) != ("bubblewrap", "daemon-read")  # refused there
    ],
)
def test_a_cancelled_command_leaves_no_process_no_descriptor_and_no_thread(rung: str, profile: Confinement) -> None:
    async def cancel() -> tuple[list[str], int, int, set[str]]:
        yard, earlier = Yard.make(), own_in_tmp("planact-*")
        runner = yard.runner(RUNGS[rung], profile)
        before = psutil.Process().num_fds()
        for turns in (0, 1, 3, 30):
            task = asyncio.create_task(yard.run(runner, f"{SLEEP} & setsid {SLEEP} & {SLEEP}"))
            for _ in range(turns):
                await asyncio.sleep(0.005)
            task.cancel()
            await asyncio.wait([task])
        yard.remove()
        still = [name for name in running() if SLEEP in name]
        return still, psutil.Process().num_fds() - before, len(own_threads()), own_in_tmp("planact-*") - earlier

    assert as_ordinary_user(cancel) == ([], 0, 1, set())


# --- jails that fail


@dataclass(frozen=True)
class Broken:
    """One way in which the restrictions can fail."""

    make: Callable[[JailProfile], JailedThreadSpawner]


def machine(**numbers: int) -> Machine:
    here = MACHINES[platform.machine()]
    return replace(here, numbers={**here.numbers, **numbers})


BROKEN = {
    "filter": Broken(lambda profile: JailedThreadSpawner(Kernel(), machine(seccomp=9_999), 7, profile)),
    "capabilities": Broken(lambda profile: JailedThreadSpawner(Kernel(), machine(capset=9_999), 7, profile)),
    "numbers": Broken(lambda profile: JailedThreadSpawner(Kernel(), MACHINES["aarch64"], 7, profile)),
    "landlock": Broken(lambda profile: JailedThreadSpawner(NoLandlock(), machine(), 7, profile)),
}


class NoLandlock(Kernel):
    """A kernel that promised Landlock and has none."""

    def call(self, name: str, number: int, *arguments: object) -> int:
        return super().call(name, 9_999 if name.startswith("landlock") else number, *arguments)  # type: ignore[arg-type]


@pytest.mark.parametrize("broken", BROKEN.values(), ids=BROKEN)
def test_a_command_does_not_run_when_its_jail_fails(broken: Broken) -> None:
    async def attempt() -> tuple[str, bool, int]:
        yard = Yard.make()
        profile = JailProfile("act", None, writable=(yard.workspace,))
        runner = CommandRunner(str(yard.workspace), yard.environment, Descendants(), broken.make(profile))
        code = "ran"
        try:
            await yard.run(runner, "touch ran")
        except CommandFailure as failure:
            code = failure.code
        found = (code, (yard.workspace / "ran").exists(), len(own_threads()))
        yard.remove()
        return found

    assert as_ordinary_user(attempt) == ("SANDBOX_UNAVAILABLE", False, 1)


def own_threads() -> list[str]:
    """Names of all threads but asyncio's, which it keeps for the next work."""
    return [thread.name for thread in threading.enumerate() if not thread.name.startswith("asyncio_")]


@pytest.mark.skipif("bubblewrap" not in RUNGS, reason="needs bubblewrap")
def test_a_command_does_not_run_when_bubblewrap_fails() -> None:
    yard = Yard.make()
    false = replace(RUNGS["bubblewrap"], bubblewrap="/bin/false")
    with pytest.raises(CommandFailure) as caught:
        asyncio.run(yard.run(yard.runner(false, "act"), "touch ran"))
    assert (caught.value.code, (yard.workspace / "ran").exists()) == ("SANDBOX_UNAVAILABLE", False)
    yard.remove()


# --- the thread in the jail


class SlowStart(Start):
    """Keeps the thread alive that started the command, as a busy machine would."""

    def open(self, *arguments: object, **more: object) -> Popen[bytes]:
        shell = super().open(*arguments, **more)  # type: ignore[arg-type]
        time.sleep(1)
        return shell


REACHING = {
    "signal": "kill -CONT ${t##*/}",
    "memory": "head -c1 $t/mem",
    "environment": "cat $t/environ | grep -q PATH",
    "open files": "ls $t/fd/",
}


@pytest.mark.parametrize("rung", [rung for rung in RUNGS if rung.startswith("landlock")])
@pytest.mark.parametrize("reach", REACHING.values(), ids=REACHING)
def test_a_command_cannot_reach_the_server_by_the_thread_that_starts_it(rung: str, reach: str) -> None:
    async def attempt() -> tuple[int, int]:
        yard = Yard.make()
        pid = os.getpid()
        each = f"for t in /proc/{pid}/task/*; do {reach} 2>&1 && exit 0; done; exit $(ls /proc/{pid}/task | wc -l)"
        output = os.open("/dev/null", os.O_WRONLY)
        started = yard.spawner(RUNGS[rung], "local-read").start(
            SlowStart(["/bin/bash", "-c", each], yard.workspace, yard.environment, output, (), View())
        )
        exit_code = started.shell.wait()
        yard.remove()
        return exit_code, threading.active_count()

    # The exit code is the number of threads there were: this one and the one in the jail.
    assert as_ordinary_user(attempt) == (2, 1)


def test_commands_in_the_same_jail_cannot_reach_each_other() -> None:
    async def attempt() -> tuple[int | None, int | None]:
        yard = Yard.make()
        runner = yard.runner(RUNGS[BEST], "act")
        victim = asyncio.create_task(yard.run(runner, "echo $$ > pid; sleep 1; exit 3"))
        await asyncio.sleep(0.4)
        killer = await yard.run(runner, "kill -9 $(cat pid)")
        found = (killer.exit_code, (await victim).exit_code)
        yard.remove()
        return found

    assert as_ordinary_user(attempt) == (1, 3)


@pytest.mark.skipif(os.getuid() != 0, reason="only root has powers to give up")
@pytest.mark.parametrize(("profile", "left"), [("local-read", "0000000000000004"), ("act", "00000000000004ff")])
def test_a_command_of_root_has_only_the_powers_over_files(profile: Confinement, left: str) -> None:
    async def powers() -> str:
        yard = Yard.make()
        try:
            result = await yard.run(
                yard.runner(probe(), profile), "grep CapEff /proc/self/status; grep CapPrm /proc/self/status"
            )
            return result.output
        finally:
            yard.remove()

    assert as_ordinary_user(powers, stays_root=True) == f"CapEff:\t{left}\nCapPrm:\t{left}\n"


KERNELS = "/proc/sys/kernel/core_pattern"
"""Names a program that the kernel starts as root, outside of all jails."""


@pytest.mark.parametrize("profile", ["local-read", "net-read", "act"])
@pytest.mark.parametrize("rung", RUNGS)
def test_a_command_of_root_changes_no_setting_of_the_kernel(rung: str, profile: Confinement) -> None:
    async def write() -> int | None:
        yard = Yard.make()
        try:
            same = f'known=$(cat {KERNELS}) && [ "$known" ] && echo "$known" > {KERNELS}'
            return (await yard.run(yard.runner(RUNGS[rung], profile), same)).exit_code
        finally:
            yard.remove()

    assert as_ordinary_user(write, stays_root=True) != 0
