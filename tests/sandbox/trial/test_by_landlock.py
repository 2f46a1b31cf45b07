"""Commands on trial where nothing can be mounted: what Landlock can't say, and what the kernel asks planact about."""

import os
import subprocess
import time
from pathlib import Path

import psutil
import pytest

from planact.adapters.sandbox.runner.command_runner import CommandRunner
from planact.adapters.sandbox.runner.descendants import _GIVE_UP_SECONDS
from planact.model.rights.command import CommandResult
from tests.sandbox.trial.ground import on_ground, try_out
from tests.sandbox.yard import Yard

pytestmark = pytest.mark.parametrize("jail", ["landlock"], indirect=True)

IN_FOLDERS = (
    "sed -i s/x/y/ src/inner.py",
    "touch src/new && touch -d 2001-01-01 src/new && touch -t 200101010000 src/inner.py",
    "chmod +x src/inner.py && test -x src/inner.py",
    "cp -p src/inner.py d/ && cp -a src d/ && mv d/inner.py docs/other.py && rm -r d/src",
    "tar cf d/x.tar src && tar xf d/x.tar -C docs && test -e docs/src/inner.py",
    "install -m 755 src/inner.py d/installed && ln -s installed d/link && touch -h -d 2001-01-01 d/link",
    'python3 -c \'import shutil; shutil.copytree("src", "d/copied")\'',
    "chown $(id -u):$(id -g) src/inner.py && chown -h $(id -u) src/inner.py",
    "echo more >> f && chmod 700 f && touch f",  # it is there, and so can be written
    "mkdir -p d/a/b && chmod 755 d/a && cd d/a && chmod 700 b && touch . b",
    "echo x > $TMPDIR/x && chmod 600 $TMPDIR/x && mkdir -p ~/.config && touch ~/.config/x",
    "chmod -R u+r . && chmod $(stat -c %a .git/config) .git/config",  # which changes nothing
    "git status --short && git diff",
)


def test_what_programs_do_with_their_files_works_in_folders_without_anything_that_stays() -> None:
    async def run(yard: Yard, runner: CommandRunner) -> dict[str, str]:
        results = {command: await try_out(runner, yard, command) for command in IN_FOLDERS}
        return {command: result.output for command, result in results.items() if result.exit_code or result.refusal}

    assert on_ground(run, is_filled=False) == {}


AWAY = (
    "chmod 777 HOME_OF_USER/.bashrc HOME_OF_USER HOME_OF_USER/.ssh/id_rsa",
    "chmod 777 . .git .git/config .git/hooks .env; chmod -R 777 .git .planact",
    "touch HOME_OF_USER/.bashrc; touch -h HOME_OF_USER/.bashrc; touch . .git/config .env",
    "touch -d 2001-01-01 .git/HEAD; cd .git && touch -d 2001-01-01 HEAD && chmod 777 HEAD",
    "ln -s HOME_OF_USER/.bashrc d/link; chmod 777 d/link; touch -d 2001-01-01 d/link",
    "ln -s ../.git/config d/link; chmod 777 d/link; touch -d 2001-01-01 d/link",
    "ln .git/config d/hard; chmod 777 d/hard; ln HOME_OF_USER/.bashrc d/hard; chmod 777 d/hard",
    "exec 3< .git/config; chmod 777 /proc/self/fd/3; touch -d 2001-01-01 /proc/self/fd/3",
    "exec 3< HOME_OF_USER; chmod 777 /dev/fd/3; chmod 777 /proc/self/cwd/.git/config",
    "python3 -c 'import os; fd = os.open(\".git/config\", os.O_RDONLY); os.fchmod(fd, 0o777)'",
    "python3 -c 'import os; fd = os.open(\".git/config\", os.O_RDONLY); os.utime(fd, (1, 1))'",
    'python3 -c \'import os; fd = os.open(".git", os.O_PATH); os.chmod("config", 0o777, dir_fd=fd)\'',
    "python3 -c 'import os; os.chmod(\"/proc/thread-self/root/WORK/.git/config\", 0o777)'",
    "mv d e; mv .git d/; mv f g; rm f; mkdir new; echo x > new; ln -s f new",
    'python3 -c \'import os; os.rename("src/inner.py", ".git/hooks/x")\'',
    'python3 -c \'import os; os.setxattr("src/inner.py", "user.x", b"1")\'',
    "chmod 4755 src/inner.py; chmod u+s d/link; python3 -c 'import os; os.chown(\"src/inner.py\", 1, 1)'",
)


@pytest.mark.parametrize("stays_root", [False, True])
def test_modes_and_times_of_all_else_stay_as_they_are_and_so_do_names(*, stays_root: bool) -> None:
    async def change(yard: Yard, runner: CommandRunner) -> list[str]:
        before, wrong = looks(yard), []
        for command in AWAY:
            await try_out(runner, yard, command)
            await try_out(runner, yard, "rm -rf d/*")
            wrong += [f"{command}: {look}" for look in sorted(before ^ looks(yard))]
            before = looks(yard)
        return wrong

    assert on_ground(change, stays_root=stays_root) == []


def looks(yard: Yard) -> set[str]:
    """Modes, owners, times, sizes and links of all in the yard that is no folder to write in."""
    found = ("find", yard.base, "-not", "-path", f"{yard.workspace}/d")
    of_folder, of_file = "%p %M %U %G\\n", "%p %M %U %G %T@ %s %n %l\\n"
    shown = ("(", "-type", "d", "-printf", of_folder, "-o", "-printf", of_file, ")")
    return set(subprocess.run((*found, *shown), capture_output=True, text=True, check=True).stdout.splitlines())


REFUSED = {
    "echo x > new.txt": "`new.txt`",
    "mkdir -p dist/a": "`dist`",
    'python3 -c \'open("new.txt", "w")\'': "`new.txt`",
    "cd src && mv inner.py ../moved.py": "`inner.py`",
    "rm f": "`f`",
    "sed -i s/x/y/ f": None,
    "echo x > .git/x": "`.git`",
    "python3 -m http.server 8765": "the network",
    "echo 'Permission denied' && exit 1": "`WORK`",
    "echo x > /tmp/planact-test": "`/tmp/planact-test`",
    "false": "",
    "rm missing": "",
}


def test_it_says_what_it_wanted_of_a_folder_in_which_nothing_can_be_made() -> None:
    async def run(yard: Yard, runner: CommandRunner) -> dict[str, str]:
        work = str(yard.workspace)
        return {line: (await try_out(runner, yard, line)).held_back.replace(work, "WORK") for line in REFUSED}

    found = on_ground(run)
    assert found.pop("sed -i s/x/y/ f") != ""
    assert found == {line: wanted for line, wanted in REFUSED.items() if wanted is not None}


def test_a_failure_without_a_word_comes_with_the_folders_in_which_nothing_could_be_made() -> None:
    async def run(yard: Yard, runner: CommandRunner) -> list[tuple[str, ...]]:
        (yard.workspace / "src" / ".env").write_text("KEY=secret\n")
        return [(await try_out(runner, yard, line)).locked for line in ("mkdir new 2>&-", "mkdir d/new && ls d")]

    failed, went_well = on_ground(run)
    assert failed[0] == "."
    assert "src" in failed
    assert "d" not in failed
    assert went_well == ()


def test_another_name_of_what_stays_is_neither_read_nor_written() -> None:
    async def run(yard: Yard, runner: CommandRunner) -> tuple[str, list[str]]:
        for name in (".env", "CLAUDE.md"):
            (yard.workspace / f"other-{Path(name).name}").hardlink_to(yard.workspace / name)
        output = (await try_out(runner, yard, "cat other-.env; echo x | tee -a other-.env other-CLAUDE.md")).output
        return output, [(yard.workspace / name).read_text().splitlines()[-1] for name in (".env", "CLAUDE.md")]

    output, last = on_ground(run)
    assert "secret" not in output
    assert "x" not in last


HIDES = """
import os
os.setsid()
if os.fork():
    os._exit(0)
{}
os.execve("/bin/sleep", ["sleep", "600"], {})
"""
WAYS_TO_HIDE = {
    "no environment": ("", "{}"),
    "a token that is none": ("", "{'PLANACT_COMMAND': '1-1-0123456789abcdef-0123456789abcdef0123456789abcdef'}"),
}


@pytest.mark.parametrize("way", WAYS_TO_HIDE)
def test_a_process_that_hid_itself_is_ended_although_other_commands_run(way: str) -> None:
    async def run(yard: Yard, runner: CommandRunner) -> tuple[CommandResult, int, bool]:
        (yard.workspace / "hide.py").write_text(HIDES.format(*WAYS_TO_HIDE[way]))
        with runner._descendants.command(str(yard.base)):
            begun = time.monotonic()
            result = await try_out(runner, yard, "python3 hide.py; sleep 0.3")
            return result, len(_sleeping(yard.workspace)), time.monotonic() - begun < _GIVE_UP_SECONDS

    result, left, is_sure = on_ground(run, is_filled=False)
    assert (result.exit_code, left, is_sure) == (0, 0, True), result.output


BECOMES = """
import os
for name, *arguments in (("setgroups", [42]), ("setgid", 42), ("setuid", 1000), ("chown", "d", 1000, 42)):
    try:
        getattr(os, name)(*arguments)
    except PermissionError:
        continue
os.umask(0)
os.close(os.open("d/made", os.O_CREAT, 0o2755))
"""


def test_root_becomes_nobody_else_and_makes_no_file_of_others() -> None:
    """Else it could make a program that has the rights of any group for whoever starts it."""

    async def run(yard: Yard, runner: CommandRunner) -> tuple[str, int, int]:
        (yard.workspace / "d" / "become.py").write_text(BECOMES)
        output = (await try_out(runner, yard, "chmod 777 d; python3 d/become.py")).output
        made = (yard.workspace / "d" / "made").stat()
        return output, made.st_uid, made.st_gid

    assert on_ground(run, stays_root=True) == ("", os.getuid(), os.getgid())


def test_root_writes_where_others_may() -> None:
    """As in a container, where the workspace often belongs to a user outside."""

    async def run(yard: Yard, runner: CommandRunner) -> tuple[str, str]:
        folder = yard.workspace / "src"
        (folder / "closed").mkdir(0o700)
        for path in (folder, folder / "closed", folder / "inner.py"):
            if os.getuid() == 0:
                os.chown(path, 1000, 1000)
            path.chmod(0o700)
        line = "cd src && echo new > inner.py && chmod 600 inner.py && touch -d 2001-01-01 inner.py"
        output = (await try_out(runner, yard, f"{line} && cp inner.py closed/x && mv closed/x y && rm y")).output
        return output, (folder / "inner.py").read_text()

    assert on_ground(run, is_filled=False, stays_root=True) == ("", "new\n")


def _sleeping(folder: Path) -> list[psutil.Process]:
    found = []
    for process in psutil.process_iter():
        try:
            found += [process] if process.name() == "sleep" and process.cwd() == os.fspath(folder) else []
        except psutil.Error:
            continue
    return found
