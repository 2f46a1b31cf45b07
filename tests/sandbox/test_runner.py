import asyncio
import os
import re
import resource
import signal
import sys
import threading
from collections.abc import AsyncIterator, Callable
from pathlib import Path, PurePosixPath

import psutil
import pytest

from planact.adapters.sandbox.runner import command_runner, descendants
from planact.adapters.sandbox.runner.command_runner import CommandRunner
from planact.adapters.sandbox.runner.descendants import Descendants
from planact.adapters.sandbox.spawner import PlainSpawner
from planact.base.errors import CommandFailure
from planact.base.paths import Place
from planact.model.rights.command import CommandResult
from tests.workflows.scene import until

DESCENDANTS = Descendants()
ENVIRONMENT = {"PATH": os.environ["PATH"], "HOME": "/nonexistent"}


@pytest.fixture
def place(tmp_path: Path) -> Place:
    return Place(".", tmp_path, PurePosixPath(), exists=True, is_directory=True)


@pytest.fixture(autouse=True)
async def _nothing_is_left(tmp_path: Path) -> AsyncIterator[None]:
    """After every test: no process of it, no new zombie, no thread, no descriptor."""
    threads, descriptors, before = threading.active_count(), open_descriptors(), zombies()
    yield
    assert [process for process in psutil.process_iter() if lives_in(process, tmp_path)] == []
    assert zombies() <= before
    assert threading.active_count() <= threads
    assert open_descriptors() <= descriptors


def zombies() -> set[int]:
    return {child.pid for child in psutil.Process().children() if child.status() == psutil.STATUS_ZOMBIE}


def open_descriptors() -> int:
    return sum(1 for _ in Path("/proc/self/fd").iterdir())


def lives_in(process: psutil.Process, folder: Path) -> bool:
    try:
        return process.cwd() == str(folder)
    except (psutil.Error, OSError):  # a process of another user, or one that is just ending
        return False


def names_in(place: Place) -> list[str]:
    return [path.name for path in Path(place.real).iterdir()]


def ignore(text: str) -> None:
    """Nobody watches."""


async def run(
    place: Place,
    command: str,
    timeout: float = 20,
    limit: int = 10_000,
    on_output: Callable[[str], None] = ignore,
    environment: dict[str, str] = ENVIRONMENT,
) -> CommandResult:
    async with asyncio.timeout(180):
        return await CommandRunner(str(place.real), environment, DESCENDANTS, PlainSpawner()).run(
            command, place, timeout, limit, on_output
        )


def check_result(result: CommandResult, exit_code: int | None, output: str, ended: str = "exited") -> None:
    assert (result.exit_code, result.output, result.ended) == (exit_code, output, ended)
    assert 0 < result.duration < 20


# --- what comes back


@pytest.mark.parametrize(
    ("command", "exit_code", "output"),
    [
        ("echo one; echo two >&2; echo three; exit 3", 3, "one\ntwo\nthree\n"),
        ("true", 0, ""),
        ("no-such-command 2>/dev/null", 127, ""),
        ("cat; echo end of input", 0, "end of input\n"),
        ("printf 'Gr\\303\\274\\303\\237e \\377'", 0, "Grüße \ufffd"),
        ("kill -9 $$", 128 + signal.SIGKILL, ""),
        ("pwd -P", 0, None),
    ],
)
async def test_a_command_runs_in_the_shell(place: Place, command: str, exit_code: int, output: str | None) -> None:
    check_result(await run(place, command), exit_code, f"{place.real}\n" if output is None else output)


async def test_output_is_seen_while_the_command_runs(place: Place) -> None:
    seen: list[str] = []

    def see(text: str) -> None:
        seen.append(text)
        (place.real / "seen").touch()

    await run(place, "echo first; until [ -e seen ]; do sleep 0.05; done; echo last", on_output=see)
    assert seen == ["first\n", "last\n"]


async def test_no_keys_and_nothing_of_planacts_reach_the_command(place: Place) -> None:
    private = {
        "OPENAI_API_KEY": "a",
        "my_api_key": "b",
        "PLANACT_MODEL": "c",
        "ANTHROPIC_AUTH_TOKEN": "d",
        "HF_TOKEN": "e",
    }
    result = await run(place, "env", environment=ENVIRONMENT | private | {"KEPT": "1"})
    found = dict(line.split("=", 1) for line in result.output.splitlines())
    assert found.keys() & private.keys() == set()
    expected = {"KEPT": "1", "GIT_TERMINAL_PROMPT": "0", "PAGER": "cat", "GIT_PAGER": "cat", "NO_COLOR": "1"}
    assert {name: found.get(name) for name in expected} == expected


@pytest.mark.parametrize(
    ("command", "cause"), [("echo \0", "null byte"), ("echo " + "x" * 3_000_000, "Argument list too long")]
)
async def test_what_cannot_be_started_is_told(place: Place, command: str, cause: str) -> None:
    with pytest.raises(CommandFailure) as caught:
        await run(place, command)
    assert caught.value.code == "COMMAND_FAILED_TO_START"
    assert cause in caught.value.message
    assert len(caught.value.message) < 500


async def test_a_folder_that_is_not_there_is_told(place: Place) -> None:
    gone = Place("gone", place.real / "gone", PurePosixPath("gone"))
    with pytest.raises(CommandFailure) as caught:
        await run(gone, "true")
    assert caught.value.message == "`true` could not be started: gone is not a directory"


# --- how it ends


async def run_into_limit(place: Place, command: str, limit: int = 10_000) -> CommandResult:
    """Run a command that prints and then never ends, with more time where a busy machine gave it none to print."""
    for timeout in (0.5, 2, 10):
        result = await run(place, command, timeout, limit)
        if result.output:
            break
    assert result.ended == "timeout"
    return result


async def test_a_command_that_takes_too_long_is_ended(place: Place) -> None:
    check_result(await run_into_limit(place, "echo begun; sleep 600; echo more"), None, "begun\n", "timeout")


async def test_nothing_goes_on_after_the_end(place: Place) -> None:
    command = "(sleep 600; touch inner) | (sleep 600; touch piped); sh -c 'sleep 600; touch nested'; touch next"
    await run(place, command, timeout=0.5)
    assert names_in(place) == []


async def test_a_command_is_asked_to_end_before_it_is_killed(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(descendants, "_GRACE_SECONDS", 600)  # one that ends when asked isn't waited for any longer
    command = "trap 'echo tidied; exit' TERM; echo begun; while true; do sleep 0.05; done"
    result = await run_into_limit(place, command)
    assert result.exit_code is None
    assert result.output.startswith("begun\n")
    assert result.output.endswith("tidied\n")


async def test_a_command_that_will_not_end_is_killed(place: Place) -> None:
    result = await run(place, "trap '' TERM INT HUP; while true; do sleep 0.1; done", timeout=0.3)
    assert result.ended == "timeout"
    assert result.duration > 2


async def test_a_process_that_nothing_ends_is_named(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(descendants, "_GRACE_SECONDS", 0.1)
    monkeypatch.setattr(descendants, "_GIVE_UP_SECONDS", 0.2)
    monkeypatch.setattr(descendants, "_end", lambda *_, **__: None)  # as for one that sleeps in the kernel
    result = await run(place, "echo begun; sleep 5 & exit 3")
    assert result.exit_code == 3
    assert re.fullmatch(r"begun\n\n\[planact\] Still running, .*: \d+ \(sleep\)\.\n", result.output), result.output
    monkeypatch.undo()
    [process] = [process for process in psutil.process_iter() if lives_in(process, Path(place.real))]
    process.kill()
    process.wait()


async def test_a_stopped_command_is_killed_too(place: Place) -> None:
    assert (await run(place, "kill -STOP $$", timeout=0.3)).ended == "timeout"


async def test_endless_output_is_ended_in_bounded_memory(place: Place) -> None:
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    result = await run_into_limit(place, "yes 'all work and no play'", limit=2_000)
    assert result.output.startswith("all work and no play\n")
    assert len(result.output) < 2_100
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 20_000  # KiB


async def test_the_rest_of_the_program_runs_on_beside_endless_output(place: Place) -> None:
    running = asyncio.create_task(run(place, "yes", timeout=1))
    turns = 0
    while not running.done():
        await asyncio.sleep(0.01)
        turns += 1
    assert turns > 5


# --- what it started

ESCAPES = {
    "background": "sleep 600 &",
    "disowned": "nohup sleep 600 >/dev/null 2>&1 & disown",
    "own group": "set -m; sleep 600 & set +m",
    "own session": "setsid sleep 600 &",
    "orphan of its own session": "(setsid sh -c 'sleep 600 & sleep 600' &)",
    "daemon": f"""{sys.executable} -c '
import os, time
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        os.close(0); os.close(1); os.close(2)
        time.sleep(600)
    os._exit(0)
'""",
    "without environment": "env -i /bin/sh -c '(setsid sleep 600 &) '",
    "without environment, deaf": "env -i setsid /bin/sh -c 'trap \"\" TERM; sleep 600; sleep 600' &",
    "short-lived orphans": "for i in 1 2 3 4 5; do (setsid true &); done",
}


@pytest.mark.parametrize("escape", ESCAPES.values(), ids=ESCAPES)
async def test_what_runs_on_in_the_background_ends_with_the_command(place: Place, escape: str) -> None:
    result = await run(place, f"{escape}\nsleep 0.2; echo done; exit 4")
    assert (result.exit_code, result.ended) == (4, "exited")
    assert result.output.endswith("done\n")


@pytest.mark.parametrize("escape", ESCAPES.values(), ids=ESCAPES)
async def test_what_it_started_ends_with_a_cancelled_command(place: Place, escape: str) -> None:
    task = asyncio.create_task(run(place, f"{escape}\ntouch began; sleep 600"))
    await until((place.real / "began").exists)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task


async def test_a_fork_storm_is_ended(place: Place) -> None:
    (Path(place.real) / "storm.sh").write_text("trap '' TERM\nsleep 0.2\nsh storm.sh &\nsleep 0.5\n")
    assert (await run(place, "sh storm.sh; sleep 600", timeout=1)).ended == "timeout"


async def test_what_is_still_on_its_way_when_the_shell_exits_is_not_lost(
    place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(command_runner, "_DRAIN_SECONDS", 20)
    result = await run(place, "echo early; (sleep 0.2; echo late) &")
    check_result(result, 0, "early\nlate\n")


async def test_a_command_does_not_end_what_another_started(place: Place) -> None:
    runner = CommandRunner(str(place.real), ENVIRONMENT, DESCENDANTS, PlainSpawner())
    # Orphans without a token while both run: whose they are can't be told until the last one ends.
    long = asyncio.create_task(
        runner.run("env -i setsid sleep 600 & sleep 1.5; jobs -r | wc -l", place, 20, 1_000, ignore)
    )
    await asyncio.sleep(0.3)
    for _ in range(3):
        await runner.run("setsid sleep 600 & true", place, 20, 1_000, ignore)
    assert (await long).output.strip() == "1"


async def test_a_process_of_ours_is_not_taken_for_one_of_the_commands(place: Place) -> None:
    ours = await asyncio.create_subprocess_exec("sleep", "600")
    await run(place, "setsid sleep 600 & true")
    assert ours.returncode is None
    ours.terminate()
    assert await ours.wait() == -signal.SIGTERM


# --- cancelling


@pytest.mark.parametrize("turns", [*range(12), 50])
async def test_cancelling_at_any_await_ends_everything(place: Place, turns: int) -> None:
    task = asyncio.create_task(run(place, "sleep 600 & setsid sleep 600 & sleep 600"))
    for _ in range(turns):
        await asyncio.sleep(0)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task


async def test_cancelling_again_and_again_changes_nothing(place: Place) -> None:
    task = asyncio.create_task(run(place, "trap '' TERM; touch began; while true; do sleep 0.1; done"))
    await until(Path(place.real, "began").exists)
    for _ in range(20):
        task.cancel()
        await asyncio.sleep(0)
    assert not task.done()
    with pytest.raises(asyncio.CancelledError):
        await task


def test_a_program_that_ends_at_once_takes_its_commands_along(place: Place) -> None:
    async def main() -> None:
        running = asyncio.create_task(run(place, "trap '' TERM; sleep 600 & sleep 600"))
        await asyncio.sleep(0.3)
        assert not running.done()

    asyncio.run(main())


async def test_twenty_commands_run_side_by_side(place: Place) -> None:
    """Each waits for all others."""
    meet = "touch {0}; until [ $(ls | wc -l) = 20 ]; do sleep 0.2; done; echo {0}"
    results = await asyncio.gather(*(run(place, meet.format(number)) for number in range(20)))
    assert [result.output for result in results] == [f"{number}\n" for number in range(20)]
