"""The profiles of all kinds of commands, for one workspace folder and one user's environment.

Commands that only read get an environment in which programs run nothing that a repository names, as far as that can be
said from outside; what can't be is held by the jail alone.
"""

import contextlib
import os
import re
import stat
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path, PurePath

from planact.adapters.sandbox.landlock import open_up
from planact.model.jail import Confinement, JailProfile, Network

_CROWD = 64

_SYSTEM = (
    *("/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32", "/etc", "/opt", "/proc", "/sys"),
    *("/nix", "/gnu/store", "/snap", "/run/current-system"),
    *("/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom"),
)

# Below the home: what programs are made of, and nothing that holds keys.
_TOOL_CHAINS = (
    *(".asdf", ".bun/bin", ".cargo/bin", ".deno/bin", ".dotnet", ".ghcup", ".juliaup", ".local/bin", ".local/lib"),
    *(
        ".local/pipx",
        ".local/share/mise",
        ".local/share/pipx",
        ".local/share/pnpm",
        ".local/share/uv",
        ".nodenv",
        ".nvm",
    ),
    *(".pyenv", ".rbenv", ".rustup", ".sdkman", ".volta", "bin", "go/bin", "go/pkg", "miniconda3", "miniforge3", "n"),
)

# Where tool chains look for themselves when the home is another.
_ROOTS = {
    "ASDF_DATA_DIR": ".asdf",
    "GOMODCACHE": "go/pkg/mod",
    "NVM_DIR": ".nvm",
    "PYENV_ROOT": ".pyenv",
    "PYTHONUSERBASE": ".local",
    "RBENV_ROOT": ".rbenv",
    "RUSTUP_HOME": ".rustup",
    "SDKMAN_DIR": ".sdkman",
    "VOLTA_HOME": ".volta",
}
_ROOTS_WITH_KEYS = {"CARGO_HOME": ".cargo"}

_CARGO_FILES = ("config", "config.toml", "git", "registry")
_GIT_FILES = (".gitconfig", ".config/git/config", ".config/git/ignore", ".config/git/attributes", ".gitignore_global")
_NAMED = re.compile(r"^\s*(?:path|excludesfile|attributesfile)\s*=\s*(\"?~/[^\"\n]+\"?)", re.IGNORECASE | re.MULTILINE)

# Run before or instead of the command, or lead to what acts in the user's name.
_LOADED = re.compile(
    r"BASH_ENV|ENV|BASH_FUNC_.*|CDPATH|GLOBIGNORE|PROMPT_COMMAND|PYTHONSTARTUP|LESSOPEN|LESSCLOSE|GIT_.*"
    r"|SSH_AUTH_SOCK|SSH_ASKPASS|GPG_AGENT_INFO|DBUS_SESSION_BUS_ADDRESS|DISPLAY|WAYLAND_DISPLAY"
)
_PLACES_IN_HOME = re.compile(r"XDG_(CONFIG|CACHE|DATA|STATE)_HOME|XDG_RUNTIME_DIR")
_SECRETS = re.compile(r"TOKEN|SECRET|PASSW|PASSPHRASE|CREDENTIAL|PRIVATE_KEY|ACCESS_KEY", re.IGNORECASE)

_GIT = {
    "GIT_ASKPASS": "true",
    "GIT_EDITOR": "true",
    "GIT_NO_LAZY_FETCH": "1",
    "GIT_OPTIONAL_LOCKS": "0",
    "GIT_PAGER": "cat",
    "GIT_SEQUENCE_EDITOR": "true",
    "GIT_SSH_COMMAND": "ssh -o BatchMode=yes",
    "GIT_TERMINAL_PROMPT": "0",
}
_GIT_SETTINGS = (
    ("core.attributesFile", os.devnull),
    ("core.fsmonitor", "false"),
    ("core.hooksPath", os.devnull),
    ("core.pager", "cat"),
    ("credential.helper", ""),
    ("gc.auto", "0"),
    ("gpg.program", "false"),
    ("gpg.ssh.program", "false"),
    ("gpg.x509.program", "false"),
    ("log.showSignature", "false"),
    ("maintenance.auto", "false"),
)


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What profiles are made from.

    Attributes:
        kept: planact's own folders, of state and settings: no jail may write them.
        sockets: of the daemons that `daemon-read` commands ask.
        network: what commands may connect to in Act.
        writable: what the user allows commands in Act to write, besides the workspace and temporary files.
        temporary: where temporary files go.
    """

    environment: Mapping[str, str]
    home: Path
    workspace: Path
    kept: Sequence[Path]
    sockets: Sequence[Path] = ()
    network: Network = "inet"
    writable: Sequence[Path] = ()
    temporary: Sequence[Path] = (Path("/tmp"), Path("/var/tmp"), Path("/dev/shm"))  # noqa: S108 - named to be written


def daemon_sockets(environment: Mapping[str, str], home: Path) -> tuple[Path, ...]:
    """Where container daemons listen for this user, as far as they do."""
    named = environment.get("DOCKER_HOST", "")
    runtime = environment.get("XDG_RUNTIME_DIR")
    candidates = [Path(named.removeprefix("unix://"))] if named.startswith("unix:///") else []
    candidates += [Path("/var/run/docker.sock"), home / ".docker/run/docker.sock"]
    candidates += [Path(runtime, "docker.sock"), Path(runtime, "podman/podman.sock")] if runtime else []
    return tuple(path for path in candidates if path.is_socket())


def make_profiles(around: Surroundings) -> Mapping[Confinement, JailProfile]:
    """The profiles; what has to hide the home is missing, or hides nothing, where the workspace holds it."""
    # A home behind a link is still the home.
    home, workspace = (Path(os.path.realpath(path)) for path in (around.home, around.workspace))
    around = replace(around, home=home, workspace=workspace)
    common = {**_removed(around, _LOADED), "PYTHONDONTWRITEBYTECODE": "1", **_GIT}
    # Without PYTHONSAFEPATH, `python -m` takes a module of the workspace for one of its own.
    pinned = {**common, "PATH": pinned_path(around), "PYTHONSAFEPATH": "1"}
    own_home = _removed(around, _SECRETS) | _removed(around, _PLACES_IN_HOME)
    roots = dict(_roots(around, _ROOTS))
    local = {**own_home, **pinned, **roots, **dict(_roots(around, _ROOTS_WITH_KEYS)), **_git_user(around)}
    local |= _git_settings([("safe.directory", str(around.workspace))])
    remote = {**pinned, **_git_settings(), "GIT_ALLOW_PROTOCOL": "https:http:ssh"}
    holds_home = around.home.is_relative_to(around.workspace)
    own_reads = [around.workspace, *_tool_chains(around)]
    inside = None if holds_home else _outermost([*own_reads, *_settings_and_sources(around), *_beside(around.home)])
    profiles = [
        JailProfile("local-read", inside, has_own_home=True, variables=_sorted(local)),
        JailProfile("outside-read", None, has_own_home=True, variables=_sorted(local)),
        JailProfile("net-read", None, network="inet", variables=_sorted(remote)),
        JailProfile("daemon-read", None, sockets=_resolved(around.sockets), variables=_sorted(remote)),
        _act(around),
    ]
    if not holds_home:
        unknown = {**own_home, **common, **roots, **_git_settings([("safe.directory", str(around.workspace))])}
        contained = _outermost([*own_reads, *_system(around)])
        profiles.append(JailProfile("contain", contained, has_own_home=True, variables=_sorted(unknown)))
        registry = JailProfile("registry-read", inside, network="inet", has_own_home=True, variables=_sorted(local))
        profiles.append(registry)
    return {profile.name: profile for profile in profiles}


def pinned_path(around: Surroundings) -> str:
    """The folders of PATH that nobody but the user or the system fills: whole paths outside the workspace."""
    return os.pathsep.join(str(folder) for folder in _path(around) if _is_pinned(folder, around.workspace))


def git_folders(workspace: Path) -> tuple[Path, ...]:
    """The repository of a worktree, where `workspace` is one and git knows it as such; else none."""
    link = workspace / ".git"
    try:
        if link.is_symlink() or not link.is_file():
            return ()
        own = Path(os.path.realpath(workspace / _first_line(link).removeprefix("gitdir: ")))
        # Anybody can write a link into a workspace; that the repository links back only git can have done.
        is_known = own.parent.name == "worktrees" and not own.is_relative_to(workspace)
        if is_known and Path(os.path.realpath(_first_line(own / "gitdir"))) == link:
            return (own.parent.parent,)
    except (OSError, ValueError):  # there is nothing, or a path that can't be
        pass
    return ()


def _first_line(path: Path) -> str:
    with path.open("rb") as file:
        return os.fsdecode(file.readline(4_096)).strip()


def _act(around: Surroundings) -> JailProfile:
    own = around.environment.get("TMPDIR")
    temporary = [*around.temporary, *([Path(own)] if own else [])]
    writable = [around.workspace, *git_folders(around.workspace), *temporary, *around.writable]
    return JailProfile("act", None, writable=_resolved(writable), kept=_resolved(around.kept), network=around.network)


def _system(around: Surroundings) -> Iterator[PurePath]:
    for path in _resolved(map(Path, _SYSTEM)):
        yield from open_up(path, [around.home])


def _tool_chains(around: Surroundings) -> Iterator[Path]:
    for path in _resolved(around.home / name for name in _TOOL_CHAINS):
        if path.is_relative_to(around.home):
            yield path
    for path in _resolved(Path(around.environment.get(variable) or "/") for variable in _ROOTS):
        if not around.home.is_relative_to(path):
            yield path
    for folder in _path(around):
        above = folder.parent
        if not folder.is_absolute() or around.home.is_relative_to(folder):
            continue
        # A virtual environment, conda's or Homebrew's is one folder, whose programs need the rest of it.
        is_whole = any((above / mark).exists() for mark in ("pyvenv.cfg", "conda-meta", "Cellar"))
        yield above if is_whole and not around.home.is_relative_to(above) else folder


def _settings_and_sources(around: Surroundings) -> Iterator[Path]:
    """What else programs that only read need: the repository around the workspace, git's settings with what they
    name, and the sources of cargo's packages.
    """
    yield from _resolved(git_folders(around.workspace))
    for folder in around.workspace.parents:
        if (folder / ".git").exists() and not around.home.is_relative_to(folder):
            yield folder
            break
    yield from _resolved(around.home / name for name in _GIT_FILES)
    for file in _git_files(around):
        yield from _resolved(
            around.home / Path(name.strip('"')).relative_to("~") for name in _NAMED.findall(_text(file))
        )
    cargo = Path(around.environment.get("CARGO_HOME") or around.home / ".cargo")
    yield from _resolved(cargo / name for name in _CARGO_FILES)


def _path(around: Surroundings) -> list[Path]:
    names = around.environment.get("PATH", os.defpath).split(os.pathsep)
    return [Path(os.path.realpath(name)) if Path(name).is_absolute() else Path(name) for name in names]


def _is_pinned(folder: Path, workspace: Path) -> bool:
    if not folder.is_absolute() or folder.is_relative_to(workspace):
        return False
    try:
        mode = folder.stat().st_mode
    except OSError:
        return False
    return stat.S_ISDIR(mode) and not mode & stat.S_IWOTH


def _roots(around: Surroundings, roots: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    for variable, name in roots.items():
        if variable not in around.environment and (around.home / name).is_dir():
            yield variable, str(around.home / name)


def _git_user(around: Surroundings) -> Mapping[str, str]:
    """The user's own settings of git, which the other home hasn't."""
    found = next(iter(_git_files(around)), None)
    return {"GIT_CONFIG_GLOBAL": str(found)} if found else {}


def _git_files(around: Surroundings) -> list[Path]:
    return [file for name in (".gitconfig", ".config/git/config") if (file := around.home / name).is_file()]


def _text(file: Path) -> str:
    try:
        return file.read_text("utf-8", "replace")
    except OSError:
        return ""


def _git_settings(more: Sequence[tuple[str, str]] = ()) -> dict[str, str | None]:
    variables: dict[str, str | None] = {}
    settings = [*_GIT_SETTINGS, *more]
    for index, (key, value) in enumerate(settings):
        variables |= {f"GIT_CONFIG_KEY_{index}": key, f"GIT_CONFIG_VALUE_{index}": value}
    return variables | {"GIT_CONFIG_COUNT": str(len(settings))}


def _removed(around: Surroundings, names: re.Pattern[str]) -> dict[str, str | None]:
    is_meant = names.search if names is _SECRETS else names.fullmatch
    return {name: None for name in around.environment if is_meant(name)}


def _resolved(paths: Iterable[Path]) -> tuple[Path, ...]:
    return tuple(dict.fromkeys(Path(os.path.realpath(path)) for path in paths))


def _beside(home: Path) -> Iterator[Path]:
    """All that lies beside the home and beside the folders it is in; what is crowded is left out, since each entry
    costs time in every command.
    """
    inner = home
    for folder in home.parents:
        with contextlib.suppress(OSError), os.scandir(folder) as entries:
            # A link could lead into the home.
            found = [folder / entry.name for entry in entries if not entry.is_symlink() and entry.name != inner.name]
            yield from found if len(found) <= _CROWD else ()
        inner = folder


def _outermost(paths: Iterable[PurePath]) -> tuple[PurePath, ...]:
    """Those that are there and in none of the others: each costs time in every command."""
    found: list[PurePath] = []
    for path in sorted(set(paths)):  # a folder directly before what is in it
        if not (found and path.is_relative_to(found[-1])) and os.path.lexists(path):
            found.append(path)
    return tuple(found)


def _sorted(variables: Mapping[str, str | None]) -> tuple[tuple[str, str | None], ...]:
    return tuple(sorted(variables.items()))
