"""The home of commands on trial: caches last, settings don't, and nobody else sees it."""

import asyncio
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path, PurePosixPath

import psutil

from planact.adapters.sandbox.choose import Jail
from planact.adapters.sandbox.limits.lasting_home import drop_oldest_caches, lasting_home
from planact.adapters.sandbox.limits.profiles import JailEnvironment, make_profiles
from planact.adapters.sandbox.runner.command_runner import CommandRunner
from planact.adapters.sandbox.runner.descendants import Descendants
from planact.adapters.sandbox.runner.jailed_runner import JailedRunner
from planact.base.errors import CommandFailure
from planact.base.paths import Place
from tests.fakes.ordinary_user import as_ordinary_user
from tests.sandbox.trial.ground import SUPPORT, each_jail, on_ground, trial_runner, try_out
from tests.sandbox.yard import Yard, abilities_of_each_rung

RUNGS = abilities_of_each_rung()
SETTINGS = (".config/go/env", ".npmrc", ".gradle/init.d/x.gradle", ".cargo/config.toml", ".local/bin/git", ".bashrc")
CACHES = (
    *(".cache/go-build/00/x", ".npm/_cacache/index", ".gradle/caches/8/x", ".gradle/wrapper/dists/x", ".cache/pip/x"),
    *(".cargo/registry/cache/x", "go/pkg/mod/cache/x", ".m2/repository/x"),
)


def test_caches_last_and_settings_do_not() -> None:
    async def keep(yard: Yard, runner: CommandRunner) -> list[str]:
        for name in (*SETTINGS, *CACHES):
            result = await try_out(runner, yard, f"mkdir -p ~/{Path(name).parent} && echo x > ~/{name}")
            assert result.exit_code == 0, result.output
        found = await try_out(trial_runner(yard), yard, "cd ~ && find . -type f")
        return sorted(found.output.replace("./", "").split())

    assert on_ground(keep, is_filled=False) == sorted((*CACHES, ".gitconfig")), "what of the user's is made anew"


def test_each_workspace_has_its_own_and_no_command_with_network_reads_it() -> None:
    async def look(yard: Yard, runner: CommandRunner) -> dict[str, list[str]]:
        await try_out(runner, yard, "echo marker > ~/.cache/x")
        homes, found = yard.home / ".cache/planact/trial", {}
        assert any(path.is_file() for path in homes.rglob("x"))
        for rung, support in RUNGS.items():
            for name in ("net-read", "registry-read", "local-read"):
                for line in (f"cat {homes}/*/.cache/x", f"grep -r marker {yard.home}/.cache"):
                    output = (await yard.run(yard.runner(support, name), line)).output  # type: ignore[arg-type]
                    found.setdefault("told" if "marker" in output else "not told", []).append(f"{rung} {name}")
        other = Yard(yard.base / "other")
        other.workspace.mkdir(parents=True)
        other.home.symlink_to(yard.home)
        found["seen beside its own"] = (
            await try_out(trial_runner(other), other, "cat ~/.cache/x; ls ~/..")
        ).output.split()[:-1]
        return found

    found = on_ground(look, is_filled=False)
    seen = found.pop("seen beside its own")
    assert (set(found), seen[-4:]) == ({"not told"}, ["No", "such", "file", "or", "directory"][-4:])


def test_what_python_compiles_and_its_tools_keep_does_not_lie_in_the_workspace() -> None:
    async def run(yard: Yard, runner: CommandRunner) -> list[str]:
        (yard.workspace / "test_it.py").write_text("import app2\ndef test_it(): pass\n")
        (yard.workspace / "app2.py").write_text("x = 1\n")
        await try_out(runner, yard, "python3 -c 'import app2' && python3 -m pytest -q || python3 -m pytest --version")
        return [path.name for path in yard.workspace.rglob("*") if path.name in ("__pycache__", ".pytest_cache")]

    assert on_ground(run, is_filled=False) == []


def test_bytecode_that_it_forged_is_gone_and_other_stays() -> None:
    async def forge(yard: Yard, runner: CommandRunner) -> list[str]:
        folder = yard.workspace / "src/__pycache__"
        folder.mkdir()
        for name in ("old.cpython-311.pyc", "forged.cpython-311.pyc"):
            (folder / name).write_bytes(b"compiled")
        stamp = (folder / "forged.cpython-311.pyc").stat().st_mtime_ns
        same = f"python3 -c 'import os; os.utime(\"forged.cpython-311.pyc\", ns=({stamp}, {stamp}))'"
        await try_out(
            runner, yard, f"cd src/__pycache__; echo -n Compiled > forged.cpython-311.pyc; {same}; echo > new.pyc"
        )
        return sorted(path.name for path in folder.iterdir())

    assert on_ground(forge, is_filled=False) == ["old.cpython-311.pyc"]


def test_its_path_is_the_users_and_never_leads_there(tmp_path: Path) -> None:
    home, workspace = tmp_path / "home", tmp_path / "work"
    for folder in (home, workspace):
        folder.mkdir()
    around = JailEnvironment({"PATH": "/usr/bin", "GOCACHE": "/x", "PIP_CACHE_DIR": "/y"}, home, workspace, kept=[])
    profiles = make_profiles(around)
    own = dict(profiles["trial"].variables)
    assert ("PATH" in own, own["GOCACHE"], own["PIP_CACHE_DIR"]) == (False, None, None)
    assert own["HOME"] == str(lasting_home({}, home, workspace))
    told = [profile.name for profile in profiles.values() if profile.can_tell and profile.lasting]
    assert told == []


def test_the_caches_longest_unused_go_first(tmp_path: Path) -> None:
    for age, name in enumerate(("a/.cache/go-build", "b/.npm/_cacache", "a/.cache/pip")):
        (tmp_path / name).mkdir(parents=True)
        (tmp_path / name / "file").write_bytes(b"x" * 100_000)
        for path in (tmp_path / name / "file", tmp_path / name):
            os.utime(path, (1_000_000 + age, 1_000_000 + age))
    (tmp_path / "link").symlink_to(tmp_path / "b")
    for home in (tmp_path / "a", tmp_path / "b"):
        os.utime(home, (1_000_000, 1_000_000))
    drop_oldest_caches(tmp_path, most=250_000)
    assert sorted(path.parent.name for path in tmp_path.rglob("file")) == ["_cacache", "pip"]
    drop_oldest_caches(tmp_path, most=0)
    assert len([*tmp_path.rglob("file")]) == 2, "it looks once in a while"
    drop_oldest_caches(tmp_path, most=0, seconds=0)
    assert ([*tmp_path.rglob("file")], (tmp_path / "a").exists()) == ([], False)


def test_caches_without_rights_to_write_go_too_and_a_link_alone() -> None:
    async def drop() -> tuple[list[str], int]:
        with tempfile.TemporaryDirectory() as name:
            homes, elsewhere = Path(name) / "homes", Path(name) / "elsewhere"
            module = homes / "a/go/pkg/mod/x@v1"
            module.mkdir(parents=True)
            (module / "x.go").touch()
            module.chmod(0o555)  # as go makes it
            elsewhere.mkdir(mode=0o500)
            (homes / "a/.cache").mkdir()
            (homes / "a/.cache/link").symlink_to(elsewhere)
            (homes / "a/.cache/file").touch()
            drop_oldest_caches(homes, most=-1)
            left = sorted(each.name for each in homes.rglob("*") if not each.is_dir() or each.is_symlink())
            return left, elsewhere.stat().st_mode & 0o777

    assert as_ordinary_user(drop) == ([".checked"], 0o500)


def test_a_home_that_cannot_be_kept_is_still_the_commands_own() -> None:
    async def run(yard: Yard, runner: CommandRunner) -> tuple[str, int | None]:
        (yard.home / ".cache").write_text("no folder")
        result = await try_out(runner, yard, "echo x > ~/x && cat ~/x")
        return result.output, result.exit_code

    assert on_ground(run, is_filled=False) == ("x\n", 0)


_RUNS = """
import asyncio, sys
from pathlib import Path
from tests.sandbox.trial.ground import held_by, trial_runner, try_out
from tests.sandbox.yard import Yard
yard = Yard(Path(sys.argv[1]))
with held_by(sys.argv[3]):
    print(asyncio.run(try_out(trial_runner(yard), yard, sys.argv[2], seconds=60)))
"""


@each_jail
def test_a_kill_of_planact_leaves_no_process_no_mount_point_and_no_folder(jail: str) -> None:
    yard, sleep = Yard.make(), f"sleep 5{os.getpid():06}"
    hidden = f"env -i {sleep}" if jail == "bubblewrap" else sleep
    try:
        folders = {path.name for path in Path("/tmp").glob("planact-*")}
        command = f"(setsid {hidden} &); echo x > $TMPDIR/x; echo $TMPDIR > src/begun; {sleep}"
        process = subprocess.Popen([sys.executable, "-c", _RUNS, str(yard.base), command, jail])
        begun = yard.workspace / "src/begun"
        wait_until(lambda: begun.exists() and running(sleep) == 2)
        own = Path(begun.read_text().strip())
        assert own.exists()
        assert (yard.workspace / ".vscode").exists()
        process.send_signal(signal.SIGKILL)
        process.wait()
        wait_until(lambda: running(sleep) == 0 and not own.exists() and not (yard.workspace / ".vscode").exists())
        left = [name for name in (".vscode", ".zed", ".cursor") if (yard.workspace / name).exists()]
        assert (left, own.name in folders) == ([], False)
    finally:
        yard.remove()


def test_commands_at_the_same_time_hold_their_places_as_long_as_one_needs_them() -> None:
    async def both(yard: Yard, runner: CommandRunner) -> tuple[list[str], bool]:
        long = asyncio.create_task(try_out(runner, yard, "until [ -e go ]; do sleep 0.02; done; echo > .vscode/x"))
        await asyncio.sleep(0.3)
        await try_out(trial_runner(yard), yard, "true")
        between = (yard.workspace / ".vscode").exists()
        (yard.workspace / "go").touch()
        result = await long
        return [*result.removed, str((yard.workspace / ".vscode").exists())], between

    assert on_ground(both, is_filled=False) == (["False"], True)


def test_commands_of_one_workspace_run_one_after_the_other_and_never_in_the_background() -> None:
    async def run(yard: Yard, runner: CommandRunner) -> tuple[list[str], str, frozenset[str]]:
        around = JailEnvironment(environment=yard.environment, home=yard.home, workspace=yard.workspace, kept=[])
        jail, folder = Jail(SUPPORT, "auto"), str(yard.workspace)
        jailed = JailedRunner(folder, yard.environment, Descendants(), lambda: jail, lambda _: make_profiles(around))
        place = Place(".", yard.workspace, PurePosixPath(), exists=True, is_directory=True)
        code = ""
        try:
            jailed.start("true", place, "trial", 1_000)
        except CommandFailure as failure:
            code = failure.code
        line = "echo begin >> told; sleep 0.3; echo end >> told"
        await asyncio.gather(*(jailed.run(line, place, "trial", 9, 99, lambda text: None) for _ in range(2)))
        return (yard.workspace / "told").read_text().split(), code, jailed.enforced() & {"trial"}

    told, code, enforced = on_ground(run, is_filled=False)
    assert (told, code, enforced) == (["begin", "end"] * 2, "SANDBOX_UNAVAILABLE", {"trial"})


def running(command: str) -> int:
    found = 0
    for process in psutil.process_iter(["cmdline"]):
        found += process.info["cmdline"] == command.split()
    return found


def wait_until(is_so: Callable[[], bool]) -> None:
    end = time.monotonic() + 180
    while not is_so():
        assert time.monotonic() < end
        time.sleep(0.02)
