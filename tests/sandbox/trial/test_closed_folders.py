"""What a command on trial made is also taken away where it closed the folders around it: it is found by its name."""

import os
from pathlib import Path

from planact.adapters.sandbox.runner.command_runner import CommandRunner
from tests.sandbox.trial.ground import each_jail, on_ground, try_out
from tests.sandbox.yard import Yard

FOLDERS = ("src", "src/one", "src/one/two")
CLOSED = {
    f"{mode} {name}": (name, f"chmod {mode} {' '.join(reversed(FOLDERS))}")
    for mode in ("555", "444", "300", "100", "000")
    for name in (".envrc", ".vscode/tasks.json", ".git/config", "__pycache__/inner.cpython-311.pyc")
}


@each_jail
def test_nothing_that_loads_by_itself_is_left_in_a_folder_that_was_closed() -> None:
    async def make(yard: Yard, runner: CommandRunner) -> dict[str, tuple[int | None, list[str]]]:
        wrong = {}
        for which, (name, close) in CLOSED.items():
            path = Path(FOLDERS[-1], name)
            command = f"mkdir -p {path.parent}; echo x > {path}; echo x > src/free; chmod 500 {path.parent}; {close}"
            result = await try_out(runner, yard, command)
            open_all(yard.workspace)
            left = [found for found in (str(path), "src/free") if (yard.workspace / found).exists()]
            if left != ["src/free"]:
                wrong[which] = (result.exit_code, left)
        return wrong

    assert on_ground(make, is_filled=False) == {}


@each_jail
def test_folders_that_were_open_are_so_again_or_keep_the_mode_they_got() -> None:
    async def make(yard: Yard, runner: CommandRunner) -> tuple[bool, list[int]]:
        for name in ("m", "n"):
            (yard.workspace / name).mkdir()
        await try_out(runner, yard, "echo x > m/.envrc; chmod 555 m; chmod 000 n")
        return (yard.workspace / "m/.envrc").exists(), [(yard.workspace / name).stat().st_mode & 0o777 for name in "mn"]

    assert on_ground(make, is_filled=False) == (False, [0o555, 0o700])


@each_jail
def test_a_folder_that_was_closed_before_stays_so() -> None:
    async def make(yard: Yard, runner: CommandRunner) -> tuple[int, bool]:
        closed = yard.workspace / "closed"
        closed.mkdir()
        (closed / ".envrc").write_text("mine\n")
        closed.chmod(0)
        await try_out(runner, yard, "echo x > free")
        mode = closed.stat().st_mode & 0o777
        closed.chmod(0o700)
        return mode, (closed / ".envrc").exists()

    assert on_ground(make, is_filled=False) == (0, True)


@each_jail
def test_a_link_is_put_back_in_a_folder_that_was_closed() -> None:
    async def make(yard: Yard, runner: CommandRunner) -> tuple[str, bool]:
        folder = yard.workspace / "deep"
        folder.mkdir()
        (yard.workspace / "plain.md").write_text("plain\n")
        (folder / "CLAUDE.md").symlink_to("../plain.md")
        await try_out(runner, yard, "rm deep/CLAUDE.md; echo x > deep/CLAUDE.md; chmod 555 deep")
        link = folder / "CLAUDE.md"
        return link.read_text(), link.is_symlink()

    assert on_ground(make, is_filled=False) == ("plain\n", True)


def open_all(folder: Path) -> None:
    folder.chmod(0o700)
    for inner in [Path(entry.path) for entry in os.scandir(folder) if entry.is_dir(follow_symlinks=False)]:
        open_all(inner)
