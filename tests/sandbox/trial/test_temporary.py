"""The temporary files of commands on trial, which last as long as the session, and planact's own, which no command may
lead elsewhere.
"""

import contextlib
import tempfile
from pathlib import Path

import pytest

from planact.adapters.sandbox.choose import Jail
from planact.adapters.sandbox.limits.profiles import JailEnvironment, make_profiles
from planact.adapters.sandbox.runner.command_runner import CommandRunner
from planact.adapters.sandbox.runner.descendants import Descendants
from planact.adapters.store.disk.process_folder import ProcessFolder, SessionScratch
from planact.base.errors import CommandFailure
from planact.base.own_folders import temporary_beside
from tests.sandbox.trial.ground import SUPPORT, on_ground, try_out
from tests.sandbox.yard import Yard, abilities_of_each_rung

RUNGS = abilities_of_each_rung()


def scratch_of(yard: Yard, session_id: str = "s") -> str:
    return SessionScratch(yard.workspace, ProcessFolder("own-", yard.base)).of(session_id)


def test_files_in_tmp_last_as_long_as_the_session_and_are_no_others() -> None:
    async def do(yard: Yard, runner: CommandRunner) -> list[str]:
        own = SessionScratch(yard.workspace, ProcessFolder("own-", yard.base))
        one, other = own.of("one"), own.of("other")
        lines = (
            ("echo text > /tmp/out.txt; mkdir /tmp/d; ln -s out.txt /tmp/d/link", one),
            ("cat /tmp/out.txt; readlink /tmp/d/link; stat -c %a /tmp", one),
            ("ls /tmp/out.txt", other),
            ("ls /tmp/out.txt", ""),
        )
        found = [(await try_out(runner, yard, line, scratch=scratch)).output for line, scratch in lines]
        own.remove("one")
        own.clear()
        assert not [path for path in yard.base.glob("own-*/*") if not path.name.startswith(".")]
        return found

    missing = "ls: cannot access '/tmp/out.txt': No such file or directory\n"
    assert on_ground(do, is_filled=False) == ["", "text\nout.txt\n1777\n", missing, missing]


@pytest.mark.parametrize("part", ["scratch", "temporary files", "the folder around both"])
@pytest.mark.parametrize("jail", ["trial", *RUNGS])
def test_a_folder_of_planacts_that_a_link_took_the_place_of_leads_nowhere(jail: str, part: str) -> None:
    async def do(yard: Yard, runner: CommandRunner) -> list[str]:
        scratch = Path(scratch_of(yard))
        victim = yard.home / "victim"
        victim.mkdir()
        write = "echo x > $TMPDIR/scratch; echo x > /tmp/temporary"
        if jail == "trial":
            await try_out(runner, yard, write, scratch=str(scratch))
        taken = {
            "scratch": scratch,
            "temporary files": Path(f"{scratch}.tmp"),
            "the folder around both": scratch.parent,
        }[part]
        if taken.exists():
            taken.rename(f"{taken}.old")
        taken.symlink_to(victim)
        if jail == "trial":
            await try_out(runner, yard, write, scratch=str(scratch))
        else:
            for name in ("local-read", "net-read"):
                with contextlib.suppress(CommandFailure):  # bubblewrap mounts nothing on a link
                    await yard.run(yard.runner(RUNGS[jail], name), "echo x > $TMPDIR/scratch", scratch=str(scratch))
        return sorted(path.name for path in victim.rglob("*"))

    assert on_ground(do, is_filled=False) == []


def test_planacts_own_folders_are_not_seen() -> None:
    async def do(yard: Yard, _: CommandRunner) -> list[str]:
        state, inside = yard.home / ".local/state/planact", yard.workspace / "state"
        for folder in (state, inside):
            folder.mkdir(parents=True)
            (folder / "text").write_text("secret\n")
        around = JailEnvironment(yard.environment, yard.home, yard.workspace, kept=[state, inside])
        spawner = Jail(SUPPORT, "auto").spawner(make_profiles(around)["trial"])
        runner = CommandRunner(str(yard.workspace), yard.environment, Descendants(), spawner)
        lines = (f"cat {state}/text", f"echo x > {inside}/text", f"echo x > {state}/text")
        results = [await try_out(runner, yard, line) for line in lines]
        assert all(result.exit_code for result in results), results
        return [result.output for result in results if "secret" in result.output]

    assert on_ground(do, is_filled=False) == []


@pytest.mark.parametrize("target", ["../../{work}/.git", "../../{work}", "/etc", "", "missing"])
def test_what_lies_in_tmp_leads_no_mount_elsewhere(target: str) -> None:
    """An approved command can have put it there; others can't."""

    async def do(yard: Yard, runner: CommandRunner) -> list[str]:
        own = Path(tempfile.mkdtemp(dir="/tmp"))
        scratch = Path(SessionScratch(yard.workspace, ProcessFolder("own-", own)).of("s"))
        before = sorted(map(str, yard.workspace.rglob("*")))
        move = f"mv {own} /tmp/moved 2>&- || echo x > /tmp/left"
        told = []
        for line in (move, "cat /tmp/left; echo y > $TMPDIR/y"):
            result = await try_out(runner, yard, line, scratch=str(scratch))
            told.append(f"{result.exit_code} {result.output}")
            way = temporary_beside(scratch) / own.name
            if line == move:
                way.rmdir()
                way.symlink_to(target.format(work=yard.workspace)) if target else way.touch()
        assert sorted(map(str, yard.workspace.rglob("*"))) == before
        assert (scratch / "y").read_text() == "y\n"
        return told

    missing = "cat: /tmp/left: No such file or directory\n"
    assert on_ground(do, is_filled=False) == ["0 ", f"0 {missing}"]


def test_what_is_opened_in_tmp_is_seen_and_leaves_nothing_there() -> None:
    async def do(yard: Yard, runner: CommandRunner) -> list[str]:
        scratch = scratch_of(yard)
        write_users_files()
        lines: list[tuple[str, tuple[str, ...]]] = [
            ("echo own > /tmp/own", ()),
            ("cat /tmp/users/text /tmp/users.txt", ("/tmp/users", "/tmp/users.txt")),
            ("ls /tmp | grep -v own-", ()),
        ]
        return [(await try_out(runner, yard, line, scratch=scratch, outside=out)).output for line, out in lines]

    assert on_ground(do, is_filled=False) == ["", "the user's\nthe user's\n", "own\n"]


def write_users_files() -> None:
    Path("/tmp/users").mkdir()
    for path in ("/tmp/users/text", "/tmp/users.txt"):
        Path(path).write_text("the user's\n")


@pytest.mark.parametrize("rung", RUNGS)
def test_no_command_with_a_network_reads_what_others_left_in_tmp(rung: str) -> None:
    async def do(yard: Yard, runner: CommandRunner) -> list[str]:
        scratch = scratch_of(yard)
        await try_out(runner, yard, "echo marker > /tmp/left", scratch=scratch)
        lines = (f"cat {scratch}.tmp/left", f"grep -rs marker {Path(scratch).parent}", "cat /tmp/left")
        runs = [(name, line) for name in ("net-read", "registry-read") for line in lines]
        told = [(name, (await yard.run(yard.runner(RUNGS[rung], name), line, scratch=scratch))) for name, line in runs]
        return [name for name, result in told if "marker" in result.output]

    assert on_ground(do, is_filled=False) == []
