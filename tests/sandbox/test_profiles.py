import os
import socket
import subprocess
from dataclasses import replace
from pathlib import Path, PurePosixPath

import pytest

from planact.adapters.observe.redact import Redactor
from planact.adapters.sandbox.jails import Jails
from planact.adapters.sandbox.limits.profiles import JailEnvironment, daemon_sockets, make_profiles
from planact.adapters.sandbox.limits.readable import FoundReadableFolders
from planact.base.paths import Place
from planact.model.rights.jail import Confinement
from planact.model.settings import Settings

NAMES = (
    "GITHUB_TOKEN AWS_SECRET_ACCESS_KEY DB_PASSWORD SMTP_PASS MYSQL_PWD STRIPE_KEY GITHUB_PAT SENTRY_DSN COMPOSER_AUTH"
)
SECRETS = dict.fromkeys(NAMES.split(), "x") | {"DATABASE_URL": "told by its value"}
LOADED = {
    "BASH_ENV": "/x",
    "OLDPWD": "/x",
    "GIT_DIR": "/y",
    "GIT_EXTERNAL_DIFF": "/z",
    "SSH_AUTH_SOCK": "/s",
    "DISPLAY": ":0",
    "SHELLOPTS": "physical",
}


def surroundings(tmp_path: Path, **more: str) -> JailEnvironment:
    home, work = tmp_path / "home", tmp_path / "work"
    for folder in (home / ".pyenv", home / ".cargo/bin", home / "venv/bin", work / ".venv/bin", tmp_path / "open"):
        folder.mkdir(parents=True, exist_ok=True)
    (home / ".gitconfig").write_text("[user]\nname = A\n")
    (home / "venv/pyvenv.cfg").write_text("")
    (tmp_path / "open").chmod(0o777)
    path = f"{work}/.venv/bin:{home}/venv/bin:{tmp_path}/open:/usr/bin::.:bin:/nowhere"
    environment = {"PATH": path, "HOME": str(home), "XDG_CONFIG_HOME": "/c", **SECRETS, **LOADED, **more}
    return JailEnvironment(environment, home, work, kept=[home / "state"], secrets=["DATABASE_URL"])


def variables(around: JailEnvironment, name: Confinement) -> dict[str, str | None]:
    return dict(make_profiles(around)[name].variables)


def test_path_is_pinned_to_folders_that_no_repository_fills(tmp_path: Path) -> None:
    around = surroundings(tmp_path)
    for name in ("local-read", "outside-read", "net-read", "registry-read", "daemon-read"):
        assert variables(around, name)["PATH"] == f"{tmp_path}/home/venv/bin:/usr/bin"
    assert "PATH" not in variables(around, "contain")
    assert "PATH" not in variables(around, "act")


def test_what_would_be_loaded_first_is_taken_away_from_commands_that_only_read(tmp_path: Path) -> None:
    for name in ("local-read", "net-read", "daemon-read", "contain", "trial"):
        assert {variables(surroundings(tmp_path), name)[variable] for variable in LOADED} == {None}


def test_secrets_are_for_commands_that_have_a_use_for_them(tmp_path: Path) -> None:
    around = surroundings(tmp_path)
    hidden = {
        name: set(SECRETS) & {key for key, value in variables(around, name).items() if value is None}
        for name in make_profiles(around)
    }
    assert hidden == {
        "local-read": set(SECRETS),
        "outside-read": set(SECRETS),
        "registry-read": set(SECRETS),
        "contain": set(SECRETS),
        "trial": set(SECRETS),
        "net-read": set(),
        "daemon-read": set(),
        "act": set(),
    }


def test_package_managers_do_not_try_again_where_there_is_no_network(tmp_path: Path) -> None:
    """npm waits for 70 s between its tries."""
    kinds: tuple[Confinement, ...] = ("contain", "trial")
    for kind in kinds:
        given = variables(surroundings(tmp_path, NPM_CONFIG_FETCH_RETRIES="9"), kind)
        assert (given["NPM_CONFIG_FETCH_RETRIES"], given["PIP_RETRIES"]) == ("0", "0")


def test_tool_chains_are_found_from_another_home(tmp_path: Path) -> None:
    around = surroundings(tmp_path)
    found = variables(around, "local-read")
    assert (found["PYENV_ROOT"], found["CARGO_HOME"], "RUSTUP_HOME" in found) == (
        f"{tmp_path}/home/.pyenv",
        f"{tmp_path}/home/.cargo",
        False,
    )
    assert "CARGO_HOME" not in variables(around, "contain")
    assert "PYENV_ROOT" not in variables(surroundings(tmp_path, PYENV_ROOT="/mine"), "local-read")


def test_an_unknown_command_reads_environments_of_programs_whole(tmp_path: Path) -> None:
    around = surroundings(tmp_path)
    for folder in ("home/sdk/go1.22/bin", "home/sdk/go1.22/pkg/tool"):
        (tmp_path / folder).mkdir(parents=True)
    path = f"{around.environment['PATH']}:{tmp_path}/home/sdk/go1.22/bin"
    readable = make_profiles(replace(around, environment={**around.environment, "PATH": path}))["contain"].readable
    assert readable is not None
    below = {str(path.relative_to(tmp_path)) for path in readable if path.is_relative_to(tmp_path)}
    assert {"work", "home/.pyenv", "home/.cargo/bin", "home/venv", "home/sdk/go1.22"} <= below
    assert not {"home", "home/.cargo"} & below


def test_what_only_reads_sees_the_repository_around_it_and_what_gits_settings_name(tmp_path: Path) -> None:
    around = surroundings(tmp_path)
    for name in (".git/hooks", "home/settings", "home/.cargo/registry"):
        (tmp_path / name).mkdir(parents=True)
    for name in ("home/settings/git", "home/ignored", "home/.netrc", "home/.cargo/credentials.toml"):
        (tmp_path / name).write_text("")
    names = '[include]\n\tpath = ~/settings/git\n[core]\n\texcludesFile = "~/ignored"\n\teditor = ~/.netrc\n'
    (around.home / ".gitconfig").write_text(names)
    readable = make_profiles(around)["local-read"].readable
    assert readable is not None
    below = {str(path.relative_to(tmp_path)) for path in readable if path.is_relative_to(around.home)}
    assert below == {
        *("home/.pyenv", "home/venv", "home/.cargo/bin", "home/.cargo/registry"),
        *("home/.gitconfig", "home/settings/git", "home/ignored"),
    }
    assert tmp_path not in readable, "the home lies in it"
    inner = JailEnvironment(around.environment, around.home, around.workspace / "deep/er", kept=[])
    (around.workspace / ".git").mkdir()
    assert around.workspace in (make_profiles(inner)["local-read"].readable or ())
    (inner.workspace / ".git").mkdir(parents=True)
    assert around.workspace in (make_profiles(inner)["local-read"].readable or ()), "a folder that is no repository"
    (inner.workspace / ".git/HEAD").write_text("ref: refs/heads/main\n")
    within = make_profiles(inner)
    assert around.workspace not in (*(within["local-read"].readable or ()), *within["local-read"].searched)
    assert around.workspace in within["registry-read"].closed
    assert {within[name].searched for name in ("net-read", "daemon-read")} == {(around.workspace,)}


def test_where_the_workspace_holds_the_home_nothing_unknown_runs(tmp_path: Path) -> None:
    around = surroundings(tmp_path)
    link = tmp_path / "link"
    link.symlink_to(around.home)
    for home, workspace in (
        (around.home, around.home),
        (around.home, tmp_path),
        (link, around.home),
        (around.home, link),
    ):
        held = JailEnvironment(around.environment, home, workspace, kept=[])
        assert not {"contain", "trial"} & make_profiles(held).keys()


def test_daemons_are_found_where_they_listen(tmp_path: Path) -> None:
    listening = [tmp_path / "docker.sock", tmp_path / "podman/podman.sock", tmp_path / "named"]
    (tmp_path / "podman").mkdir()
    servers = [socket.socket(socket.AF_UNIX) for _ in listening]
    for server, path in zip(servers, listening, strict=True):
        server.bind(str(path))
    environment = {"XDG_RUNTIME_DIR": str(tmp_path), "DOCKER_HOST": f"unix://{tmp_path}/named"}
    found = daemon_sockets(environment, tmp_path)
    assert [path for path in found if path.is_relative_to(tmp_path)] == [listening[2], listening[0], listening[1]]
    assert [path for path in daemon_sockets({"DOCKER_HOST": "tcp://h"}, tmp_path) if path in listening] == []
    for server in servers:
        server.close()


# What a repository may name to be run when git only looks.
PROGRAMS = {
    "core.fsmonitor": "git status",
    "core.pager": "git -p log",
    "gpg.program": "git log --show-signature -1",
    "core.sshCommand": "git ls-remote ssh://nowhere.invalid/x",
    "credential.helper": "git credential fill < /dev/null",
    "core.askPass": "git ls-remote https://nowhere.invalid/x",
}


@pytest.mark.parametrize(("setting", "command"), PROGRAMS.items())
def test_git_runs_nothing_that_the_repository_names(tmp_path: Path, setting: str, command: str) -> None:
    around = surroundings(tmp_path)
    work = around.workspace
    plain = {"PATH": "/usr/bin:/bin", "HOME": str(around.home)}
    git = "git init -q && git -c user.email=a commit -q --allow-empty -m one"
    subprocess.run(git, shell=True, cwd=work, env=plain, check=True)
    (work / "evil").write_text(f"#!/bin/sh\ntouch {work}/ran\n")
    (work / "evil").chmod(0o755)
    subprocess.run(["git", "config", setting, f"{work}/evil"], cwd=work, env=plain, check=True)
    changes = variables(around, "local-read")
    environment = {key: value for key, value in {**plain, **changes}.items() if value is not None}
    subprocess.run(command, shell=True, cwd=work, env=environment, capture_output=True, timeout=180, check=False)
    assert not (work / "ran").exists()


def test_git_that_looks_starts_no_filter_of_lfs_and_writes_no_index(tmp_path: Path) -> None:
    around = surroundings(tmp_path)
    work = around.workspace
    (work / ".gitattributes").write_text("*.bin filter=lfs\n")
    (work / "a.bin").write_text("a\n")
    environment = {"PATH": "/usr/bin:/bin", "HOME": str(around.home), "GIT_CONFIG_NOSYSTEM": "1"}
    git = "git init -q && git add . && git -c user.name=A -c user.email=a commit -qm one"
    subprocess.run(git, shell=True, cwd=work, env=environment, check=True)
    for name in ("clean", "smudge", "process"):
        subprocess.run(["git", "config", f"filter.lfs.{name}", "touch ran"], cwd=work, env=environment, check=True)
    subprocess.run(["git", "config", "filter.lfs.required", "true"], cwd=work, env=environment, check=True)
    os.utime(work / "a.bin", (0, 0))  # git has to look again, and would remember that it did
    index = (work / ".git/index").read_bytes()
    changes = variables(around, "local-read")
    environment = {key: value for key, value in {**environment, **changes}.items() if value is not None}
    for command in ("git status --porcelain", "git diff"):
        done = subprocess.run(command.split(), cwd=work, env=environment, capture_output=True, text=True, check=True)
        assert (done.stdout, done.stderr) == ("", "")
    assert (work / ".git/index").read_bytes() == index
    assert not (work / "ran").exists()


def test_git_takes_no_lock_only_to_look(tmp_path: Path) -> None:
    assert variables(surroundings(tmp_path), "local-read")["GIT_OPTIONAL_LOCKS"] == "0"


def test_the_settings_of_git_are_whole(tmp_path: Path) -> None:
    around = surroundings(tmp_path)
    for name in ("local-read", "net-read", "contain"):
        environment = {**os.environ, **{key: value for key, value in variables(around, name).items() if value}}
        environment |= {key: "" for key, value in variables(around, name).items() if value == ""}
        found = subprocess.run(
            ["git", "config", "--get", "core.hooksPath"], env=environment, capture_output=True, text=True, check=True
        )
        assert found.stdout == "/dev/null\n"


async def test_a_variable_is_told_by_its_value_too(tmp_path: Path) -> None:
    environment = {"PATH": os.environ["PATH"], "PLACE": "https://host/x", "STORE": "postgres://app:word5@host/db"}
    jails = Jails(environment, tmp_path / "home", Redactor(environment).text)
    readable = FoundReadableFolders(environment, tmp_path / "home", tmp_path, [], lambda: ())
    runner = jails.runner(tmp_path, [], Settings(), readable, tmp_path / "guard")
    if "local-read" not in runner.enforced():
        pytest.skip("there is no jail here")
    place = Place(".", tmp_path, PurePosixPath(), exists=True, is_directory=True)
    result = await runner.run("echo $PLACE $STORE", place, "local-read", 60, 1_000, lambda _: None)
    assert result.output == "https://host/x\n"
