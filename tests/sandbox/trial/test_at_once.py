"""What git, shells and the PATH run at once of a workspace stays as it is on trial, however its settings name it."""

import os
import subprocess
from pathlib import Path

import pytest

from planact.adapters.sandbox.limits.find_credentials import CredentialFinder
from planact.adapters.sandbox.limits.run_at_once import run_at_once
from planact.adapters.sandbox.runner.command_runner import CommandRunner
from tests.sandbox.trial.ground import each_jail, on_ground, try_out
from tests.sandbox.yard import Yard

FILTER = '[filter "x"]\n\tclean = "{}"\n'
WATCH = '[core]\n\tfsmonitor = "{}"\n'
CASES = {
    "hooks in the folder itself": ({".git/config": "[core]\n\thooksPath = .\n"}, "post-index-change"),
    "hooks in the folder by another name": ({".git/config": "[core]\n\thooksPath = ../work\n"}, "post-index-change"),
    "a path by a variable": ({".git/config": WATCH.format("$PWD/tools/watch")}, "tools/watch"),
    "a path by a command": ({".git/config": FILTER.format("$(git rev-parse --show-toplevel)/tools/x")}, "tools/x"),
    "a path in a folder gone to": ({".git/config": FILTER.format("cd tools && ./x")}, "tools/x"),
    "a module": ({".git/config": FILTER.format('\\"/usr/bin/python3\\" -m stripout')}, "json.py"),
    "a target": ({".git/config": FILTER.format("make -s clean")}, "Makefile"),
    "a script of a package": ({".git/config": FILTER.format("npm run -s clean")}, "package.json"),
    "beside a script": (
        {".git/config": FILTER.format("python3 tools/x.py"), "tools/x.py": "import json\n"},
        "tools/json.py",
    ),
    "of a script": (
        {
            ".git/config": WATCH.format("tools/watch.sh"),
            "tools/watch.sh": "#!/bin/sh\n. src/lib.sh\n",
            "src/lib.sh": "",
        },
        "src/lib.sh",
    ),
    "of a hook": (
        {".git/hooks/post-index-change": "#!/bin/sh\nexec tools/index\n", "tools/index": "#!/bin/sh\n"},
        "tools/index",
    ),
    "of direnv": ({".envrc": "source_env tools/env.sh\n", "tools/env.sh": "true\n"}, "tools/env.sh"),
    "of direnv, once it is there": ({".envrc": "source_env_if_exists .envrc.local\n"}, ".envrc.local"),
    "programs of direnv": ({".envrc": "PATH_add tools\n", "tools/x": ""}, "tools/git"),
    "programs of direnv by a variable": ({".envrc": "export PATH=$PWD/tools:$PATH\n", "tools/x": ""}, "tools/git"),
    "a shell of nix": ({".envrc": "use flake\n", "flake.nix": "{}\n"}, "flake.nix"),
    "a module for direnv": ({".envrc": "export A=$(python3 -m settings)\n"}, "settings.py"),
    "of mise": ({"mise.toml": "[env]\n_.source = 'tools/env.sh'\n", "tools/env.sh": "true\n"}, "tools/env.sh"),
    "programs of mise": ({"mise.toml": "[env]\n_.path = ['tools']\n", "tools/x": ""}, "tools/git"),
    "programs on the PATH": ({"own/bin/tool": ""}, "own/bin/git"),
}


@each_jail
@pytest.mark.parametrize("case", CASES)
def test_what_runs_at_once_is_neither_changed_nor_made(case: str) -> None:
    files, target = CASES[case]

    async def change(yard: Yard, runner: CommandRunner) -> list[str]:
        work = yard.workspace
        os.environ["PATH"] = f"{work}/own/bin:{os.environ['PATH']}"
        for name, text in {"src/a": "", "tools/a": "", **files}.items():
            (work / name).parent.mkdir(parents=True, exist_ok=True)
            (work / name).write_text(text)
        before = (work / target).read_text() if (work / target).exists() else ""
        ways = (
            "echo evil >> {0}",
            "rm -f {0}; echo evil > {0}",
            "mv $(dirname {0}) x; mkdir -p {0}; rmdir {0}; echo evil > {0}",
        )
        for way in ways:
            await try_out(runner, yard, way.format(target))
        now = (work / target).read_text() if (work / target).exists() else ""
        return [each for each in (now,) if each != before]

    assert on_ground(change, is_filled=False) == []


def git_in(yard: Yard, words: str) -> None:
    subprocess.run(["git", "-C", str(yard.workspace), *words.split()], check=True, capture_output=True)


@each_jail
def test_nothing_made_on_trial_runs_when_an_editor_asks_git() -> None:
    async def attack(yard: Yard, runner: CommandRunner) -> list[str]:
        told = yard.base / "ran"
        git_in(yard, "config core.hooksPath src/..")
        git_in(yard, "add f")
        await try_out(
            runner,
            yard,
            f"printf '#!/bin/sh\\ntouch {told}\\n' > post-index-change; chmod +x post-index-change; touch f",
        )
        git_in(yard, "status")
        return [told.name] if told.exists() else []

    assert on_ground(attack, is_filled=False) == []


def test_a_folder_is_written_beside_what_runs_at_once() -> None:
    async def change(yard: Yard, runner: CommandRunner) -> int | None:
        work = yard.workspace
        for name, text in {".git/config": WATCH.format("tools/watch.sh"), "tools/watch.sh": "true\n"}.items():
            (work / name).parent.mkdir(parents=True, exist_ok=True)
            (work / name).write_text(text)
        (work / ".envrc").write_text("export A=src\nlayout python3\nPATH_add tools\n")
        return (await try_out(runner, yard, "echo x > src/new && echo x > new && mkdir made")).exit_code

    assert on_ground(change, is_filled=False) == 0


def test_beside_a_module_of_python_folders_are_written_that_are_no_modules() -> None:
    async def change(yard: Yard, runner: CommandRunner) -> list[bool]:
        work = yard.workspace
        (work / ".git").mkdir(exist_ok=True)
        (work / ".git/config").write_text(FILTER.format("python3 -m stripout"))
        for folder in ("src", "json", "docs"):
            (work / folder).mkdir(exist_ok=True)
        lines = ("> src/new.py", "mkdir docs/more", "> new.py", "mkdir made", "> json/__init__.py", "mv docs html")
        return [(await try_out(runner, yard, line)).exit_code == 0 for line in lines]

    assert on_ground(change, is_filled=False) == [True, True, False, False, False, False]


@each_jail
def test_what_stays_whole_is_not_opened_by_a_module_a_link_or_settings_in_it() -> None:
    async def change(yard: Yard, runner: CommandRunner) -> list[str]:
        work = yard.workspace
        files = {
            ".git/config": FILTER.format("python3 -m stripout"),
            "json/.vscode/settings.json": "{}",
            "tools/.envrc": "make\npython3 -m stripout\n",
            "tools/deep/inner/a": "",
        }
        for name, text in files.items():
            (work / name).parent.mkdir(parents=True, exist_ok=True)
            (work / name).write_text(text)
        (work / "tools/deep/inner/.envrc").symlink_to("a")
        paths = ("json/__init__.py", "tools/deep/new", "tools/deep/inner/new")
        for path in paths:
            await try_out(runner, yard, f"echo x > {path}")
        return [path for path in paths if (work / path).exists()]

    assert on_ground(change, is_filled=False) == []


LONG = {"blank": "\n" * 199_000, "values": "A=1\n" * 49_000, "one line": "(" * 199_000, "folders": "cd a b\n" * 25_000}


@pytest.mark.timeout(120)
@pytest.mark.parametrize("kind", LONG)
def test_settings_of_any_length_are_looked_through_soon_and_what_may_name_too_much_closes_the_folder(
    tmp_path: Path, kind: str
) -> None:
    (tmp_path / ".envrc").write_text(LONG[kind])
    found = run_at_once(str(tmp_path), CredentialFinder().find((tmp_path,)))
    assert (str(tmp_path) in found.whole) == (kind != "blank")


@pytest.mark.parametrize(
    "line",
    [
        "echo 'source src/a' > .envrc",
        "mkdir -p n/objects n/refs && echo x > n/HEAD && printf '[core]\\n\\tfsmonitor = touch /tmp/src/a' > n/config",
        "git init -q --bare n; git -C n config alias.x ../src/a",
    ],
)
def test_settings_that_a_command_makes_cost_the_user_no_file(line: str) -> None:
    async def change(yard: Yard, runner: CommandRunner) -> tuple[bool, tuple[str, ...]]:
        (yard.workspace / "src/a").write_text("mine")
        removed = (await try_out(runner, yard, line)).removed
        return (yard.workspace / "src/a").exists(), removed

    is_there, removed = on_ground(change, is_filled=False)
    assert is_there
    assert removed in ((".envrc",), ("n",))
