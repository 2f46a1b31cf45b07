"""The profiles of all kinds of commands, for one workspace folder and one user's environment.

Commands that only read get an environment in which programs run no code that a repository names, as far as variables
can achieve that; the jail alone holds the rest.
"""

import os
import re
import stat
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path, PurePath

from planact.adapters.sandbox.limits.caches_in_act import caches_in_act
from planact.adapters.sandbox.limits.git_drivers import path_named_in
from planact.adapters.sandbox.limits.git_environment import GIT, git_settings
from planact.adapters.sandbox.limits.lasting_home import lasting_homes
from planact.adapters.sandbox.limits.public_files import ADMINISTERED, KERNEL, LOGS, PACKAGED, RUNNING
from planact.adapters.sandbox.limits.scratch import PYTEST_CACHE
from planact.adapters.sandbox.limits.secret_variables import secret_variables
from planact.adapters.sandbox.limits.sources import links_in_home, outermost, ways_to
from planact.adapters.sandbox.limits.trial_profile import NO_RETRIES, trial_profile, with_mounts, without_mounts
from planact.model.rights.jail import Confinement, JailProfile, Network

_SYSTEM = (
    *(*PACKAGED, *ADMINISTERED, *KERNEL, *LOGS, *RUNNING, "/nix", "/snap"),
    *("/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom"),
)

# Of the system, what belongs to users and to what runs for them: where the jail can't open single folders.
_NOT_OF_SYSTEM = (
    *("/run/credentials", "/run/secrets", "/run/user", "/var/mail", "/var/spool/cron", "/var/spool/mail", "/var/tmp"),  # noqa: S108
)

# Below the home: what programs are made of, and nothing that holds keys.
_TOOL_CHAINS = (
    *(".asdf", ".bun/bin", ".cargo/bin", ".deno/bin", ".dotnet", ".ghcup", ".juliaup", ".local/bin", ".local/lib"),
    *(".local/pipx", ".local/share/mise", ".local/share/pipx", ".local/share/pnpm", ".local/share/uv", ".nodenv"),
    *(".nvm", ".pyenv", ".rbenv", ".rustup", ".sdkman", ".volta", "bin", "go/bin", "go/pkg", "miniconda3"),
    *("miniforge3", "n"),
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

_CACHES = {
    "CARGO_TARGET_DIR": "$TMPDIR/cargo-target",
    "COVERAGE_FILE": "$TMPDIR/coverage",
    "GOCACHE": "$TMPDIR/go-build",
    "MYPY_CACHE_DIR": "$TMPDIR/mypy",
    "PYTHONPYCACHEPREFIX": "$TMPDIR/pycache",
    "RUFF_CACHE_DIR": "$TMPDIR/ruff",
}

_TSBUILDINFO = Path(os.path.realpath(__file__)).with_name("tsbuildinfo.cjs")
_CARGO_FILES = ("config", "config.toml", "git", "registry")
_GIT_FILES = (".gitconfig", ".config/git/config", ".config/git/ignore", ".config/git/attributes", ".gitignore_global")
_RUST = re.compile(r'^\s*default_toolchain\s*=\s*"([^"]+)"', re.MULTILINE)
_NAMED = re.compile(r"^\s*(?:path|excludesfile|attributesfile)\s*=\s*(\"?~/[^\"\n]+\"?)", re.IGNORECASE | re.MULTILINE)

# Run before or instead of the command, or lead to what acts in the user's name.
_LOADED = re.compile(
    r"BASH_ENV|ENV|BASH_FUNC_.*|BASHOPTS|SHELLOPTS|CDPATH|OLDPWD|GLOBIGNORE|PROMPT_COMMAND|PYTHONSTARTUP|LESSOPEN"
    r"|LESSCLOSE|GIT_(?!(?:AUTHOR|COMMITTER)_(?:NAME|EMAIL)\Z).*"
    r"|SSH_AUTH_SOCK|SSH_ASKPASS|GPG_AGENT_INFO|DBUS_SESSION_BUS_ADDRESS|DISPLAY|WAYLAND_DISPLAY"
)
_PLACES_IN_HOME = re.compile(r"XDG_(CONFIG|CACHE|DATA|STATE)_HOME|XDG_RUNTIME_DIR")

# Else Java writes what it measures below /tmp, man keeps formatted pages, and others ask for a newer version.
_UNASKED = {
    "CHECKPOINT_DISABLE": "1",
    "JAVA_TOOL_OPTIONS": "-XX:-UsePerfData",
    "MANWIDTH": "100",
    "NPM_CONFIG_UPDATE_NOTIFIER": "false",
}
_KEEPS_NOTHING = {
    # A folder's `.npmrc` says where npm keeps these, and no setting says that it shall not: so there is no such place.
    "NPM_CONFIG_CACHE": f"{os.devnull}/npm",
    "NPM_CONFIG_LOGS_DIR": f"{os.devnull}/npm",
    "NPM_CONFIG_LOGS_MAX": "0",
    # Where the chosen Rust is missing, even `rustc --version` would install it; only newer ones know the first.
    "RUSTUP_AUTO_INSTALL": "0",
    "RUSTUP_DIST_SERVER": f"file://{os.devnull}",
}
# What these name can't be read where the home and the workspace are hidden.
_NAME_FILES = ("CARGO_HOME", "GIT_CONFIG_GLOBAL")
RECORDS_OF_RUNS = "executions"

_Variables = Mapping[str, str | None]


@dataclass(frozen=True, slots=True)
class JailEnvironment:
    """Input of the profiles.

    Attributes:
        kept: planact's own folders, of state and settings: no jail may write them.
        sockets: sockets of the daemons that `daemon-read` commands ask.
        network: hosts that commands may connect to in Act.
        writable: paths that the user lets commands write in Act, besides the workspace and temporary files.
        readable: folders outside the workspace that commands may read without a question.
        sources: readable folders of dependencies, in which no files with credentials are searched.
        temporary: folders for temporary files; `secrets`: names of variables with a secret value.
        can_mount: what unknown commands see can be mounted for each; `tracks_runs`: git tracks the records of runs.
    """

    environment: Mapping[str, str]
    home: Path
    workspace: Path
    kept: Sequence[Path]
    sockets: Sequence[Path] = ()
    network: Network = "inet"
    writable: Sequence[Path] = ()
    readable: Sequence[Path] = ()
    sources: Sequence[Path] = ()
    temporary: Sequence[Path] = (Path("/tmp"), Path("/var/tmp"), Path("/dev/shm"))  # noqa: S108 - named to be written
    secrets: Collection[str] = ()
    can_mount: bool = True
    tracks_runs: bool = False


def daemon_sockets(environment: Mapping[str, str], home: Path) -> tuple[Path, ...]:
    """Return the sockets on which container daemons listen for this user."""
    named = environment.get("DOCKER_HOST", "")
    runtime = environment.get("XDG_RUNTIME_DIR")
    candidates = [Path(named.removeprefix("unix://"))] if named.startswith("unix:///") else []
    candidates += [Path("/var/run/docker.sock"), home / ".docker/run/docker.sock"]
    candidates += [Path(runtime, "docker.sock"), Path(runtime, "podman/podman.sock")] if runtime else []
    return tuple(path for path in candidates if os.path.exists(path) and path.is_socket())


def own_records(workspace: PurePath, *, has_runs: bool = True) -> tuple[PurePath, ...]:
    """Return the folders of what planact itself writes down. A search that finds its own words in a transcript makes
    that grow with each time, so commands that only read don't see them, but for runs that git compares with its copy.
    """
    return tuple(workspace / ".planact" / name for name in ("sessions", RECORDS_OF_RUNS)[: 1 + has_runs])


def make_profiles(around: JailEnvironment) -> Mapping[Confinement, JailProfile]:
    """Return the profiles. Where the workspace contains the home, which would have to be hidden, there is no
    `contain` and no `trial`.
    """
    # A home behind a link is still the home.
    given_home = around.home
    ways = tuple(ways_to((given_home, around.workspace, *around.readable, *around.sources, *_named_tools(around))))
    home, workspace = (Path(os.path.realpath(path)) for path in (around.home, around.workspace))
    around = replace(around, home=home, workspace=workspace)
    common = {**_removed(around, _LOADED), "PYTHONDONTWRITEBYTECODE": "1", **GIT}
    # Without PYTHONSAFEPATH, `python -m` takes a module of the workspace for one of its own.
    pinned = {**common, "PATH": pinned_path(around), "PYTHONSAFEPATH": "1", **_UNASKED}
    own_home = dict.fromkeys(secret_variables(around.environment, around.secrets)) | _removed(around, _PLACES_IN_HOME)
    roots = dict(_roots(around, _ROOTS))
    local = {**own_home, **pinned, **roots, **dict(_roots(around, _ROOTS_WITH_KEYS)), **_git_user(around)}
    local |= {"RUFF_NO_CACHE": "true"}
    local |= _safe_directory(around) | _rustup(around)
    # Reading an object that a partial clone lacks would fetch it, by a program that the repository can name.
    local["GIT_ALLOW_PROTOCOL"] = "none"
    remote = {**pinned, **git_settings(), "GIT_ALLOW_PROTOCOL": "https:http:ssh"}
    # What Python compiles goes to the scratch folder: it would else compile all anew each time.
    unknown = {**own_home, **common, **roots, **_safe_directory(around), **NO_RETRIES, "PYTHONDONTWRITEBYTECODE": None}
    links = links_in_home((*around.readable, *around.sources), given_home)
    # What commands on trial left isn't for what can tell others of it.
    hidden = (lasting_homes(around.environment, home), *own_records(workspace))
    own = _outermost_own(around)
    asking = JailProfile("net-read", None, hidden=hidden, searched=own, network="inet", variables=_sorted(remote))
    profiles = [
        *_isolated(around, local, unknown, links),
        asking,
        replace(asking, name="daemon-read", network="none", sockets=_resolved(around.sockets)),
        _act(around),
    ]
    return {profile.name: replace(profile, ways=ways) for profile in profiles}


def _isolated(
    around: JailEnvironment, local: _Variables, unknown: _Variables, links: tuple[tuple[str, PurePath], ...]
) -> Iterator[JailProfile]:
    """Yield the profiles of commands that don't see the user's home, or only the part of it in the workspace."""
    tools = tuple(_tool_chains(around))
    system = [*_resolved(map(Path, _SYSTEM)), *tools]
    own = _own(around)
    holds_home = around.home.is_relative_to(around.workspace)
    records = own_records(around.workspace, has_runs=not around.tracks_runs)
    reading = JailProfile(
        "local-read",
        (),
        closed=() if holds_home or around.home == Path("/") else (around.home,),
        hidden=(*_resolved(map(Path, _NOT_OF_SYSTEM)), *records),
        searched=(*own, *filter(Path.is_dir, _resolved(map(Path, ADMINISTERED)))),
        shown=tools,
        has_own_home=True,
        variables=_sorted({**local, **_KEEPS_NOTHING}),
    )
    cuts = (*reading.closed, *reading.hidden)
    named = _resolved(around.readable)
    more = (*named, *_resolved(around.sources))
    reads = outermost([*system, *own, *more, *_settings_and_sources(around)], cuts)
    wider = replace(reading, searched=(*reading.searched, *named), links=links, shown=(*tools, *own, *more))
    yield replace(wider, readable=reads)
    yield replace(wider, name="outside-read", readable=reads)
    if not holds_home:
        contained = outermost([*system, *more, around.workspace, _TSBUILDINFO], cuts)
        contain = replace(wider, name="contain", readable=contained, caches=_caches(around), sets_modes=True)
        contain = replace(contain, variables=_sorted(unknown))
        yield with_mounts(contain) if around.can_mount else contain
        repository = outermost([*own, *_resolved(git_folders(around.workspace))], cuts)
        kept = _resolved(around.kept)
        trial = trial_profile(contain, repository, around.environment, around.home, around.workspace, kept)
        yield trial if around.can_mount else without_mounts(trial, contain)
    # Nothing of the workspace may steer whom it asks, or go there.
    own_folders = _outermost_own(around)
    closed = (*reading.closed, *own_folders)
    apart = [path for path in system if not any(path.is_relative_to(folder) for folder in own_folders)]
    yield replace(
        reading,
        name="registry-read",
        readable=outermost(apart, (*closed, *reading.hidden)),
        closed=closed,
        searched=tuple(path for path in reading.searched if path not in own),
        network="inet",
        starts_in_home=True,
        variables=_sorted({key: value for key, value in local.items() if key not in _NAME_FILES}),
    )


def pinned_path(around: JailEnvironment) -> str:
    """Return the folders of PATH that only the user or the system fills: absolute paths outside the workspace."""
    return os.pathsep.join(str(folder) for folder in _path(around) if _is_pinned(folder, around.workspace))


def git_folders(workspace: Path) -> tuple[Path, ...]:
    """Return the repository's folders if `workspace` is a worktree that git knows as such; else none."""
    link = workspace / ".git"
    try:
        if link.is_symlink() or not link.is_file():
            return ()
        own = Path(os.path.realpath(workspace / path_named_in(link)))
        # Anybody can write a link into a workspace; that the repository links back only git can have done.
        is_known = own.parent.name == "worktrees" and not own.is_relative_to(workspace)
        if is_known and Path(os.path.realpath(path_named_in(own / "gitdir"))) == link:
            return (own.parent.parent,)
    except (OSError, ValueError):  # there is nothing, or a path that can't be
        pass
    return ()


def _caches(around: JailEnvironment) -> tuple[tuple[str, str], ...]:
    """Return the folders of build caches outside the workspace, for unknown commands alone: a cache may be forged by
    one command, and run or believed by the next one.
    """
    file = str(_TSBUILDINFO).replace("\\", "\\\\").replace('"', '\\"')
    added = {"PYTEST_ADDOPTS": f"-o cache_dir=$TMPDIR/{PYTEST_CACHE}", "NODE_OPTIONS": f'--require "{file}"'}
    options = {name: f"{around.environment.get(name, '')} {option}".strip() for name, option in added.items()}
    return (*_CACHES.items(), *options.items())


def _act(around: JailEnvironment) -> JailProfile:
    own = around.environment.get("TMPDIR")
    temporary = [*around.temporary, *([Path(own)] if own else [])]
    writable = _resolved((around.workspace, *git_folders(around.workspace), *temporary, *around.writable))
    # A command that names `$TMPDIR` must not write to the root of the disk.
    variables = () if own else tuple(("TMPDIR", str(folder)) for folder in around.temporary[:1])
    caches = tuple(caches_in_act(around.environment, around.home, writable))
    profile = JailProfile("act", None, writable=writable, kept=_resolved(around.kept), network=around.network)
    return replace(profile, variables=variables, caches=caches)


def _tool_chains(around: JailEnvironment) -> Iterator[Path]:
    for path in _in_home(around.home, _TOOL_CHAINS):
        if path.is_relative_to(around.home):
            yield path
    for path in _resolved(Path(around.environment.get(variable) or "/") for variable in _ROOTS):
        if not around.home.is_relative_to(path):
            yield path
    for folder in _path(around):
        above = folder.parent
        if not folder.is_absolute() or around.home.is_relative_to(folder):
            continue
        # A virtual environment, conda's, Homebrew's or Go's is one folder, whose programs need the rest of it.
        is_whole = any(os.path.exists(above / mark) for mark in ("pyvenv.cfg", "conda-meta", "Cellar", "pkg/tool"))
        yield above if is_whole and not around.home.is_relative_to(above) else folder


def _settings_and_sources(around: JailEnvironment) -> Iterator[Path]:
    """Return further paths for programs that only read: the repository of a worktree, git's settings with the files
    they name, and the sources of cargo's packages.
    """
    yield from _resolved(git_folders(around.workspace))
    yield from _in_home(around.home, _GIT_FILES)
    for file in _git_files(around):
        yield from _resolved(
            around.home / Path(name.strip('"')).relative_to("~") for name in _NAMED.findall(_text(file))
        )
    cargo = Path(around.environment.get("CARGO_HOME") or around.home / ".cargo")
    yield from _resolved(cargo / name for name in _CARGO_FILES)


def _own(around: JailEnvironment) -> tuple[Path, ...]:
    """Return the workspace, or the repository around it where it is no repository itself."""
    return (around.workspace,) if os.path.isfile(around.workspace / ".git/HEAD") else _outermost_own(around)


def _outermost_own(around: JailEnvironment) -> tuple[Path, ...]:
    """Return the repository around the workspace, also around one that is a repository itself, else the workspace."""
    for folder in around.workspace.parents:
        if os.path.exists(folder / ".git") and not around.home.is_relative_to(folder):
            return (folder,)
    return (around.workspace,)


def _named_tools(around: JailEnvironment) -> Iterator[Path]:
    for variable in ("PATH", *_ROOTS, *_ROOTS_WITH_KEYS):
        yield from map(Path, around.environment.get(variable, "").split(os.pathsep))


def _path(around: JailEnvironment) -> list[Path]:
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


def _roots(around: JailEnvironment, roots: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    for variable, name in roots.items():
        if variable not in around.environment and os.path.isdir(around.home / name):
            yield variable, str(around.home / name)


def _rustup(around: JailEnvironment) -> dict[str, str | None]:
    """Return the user's own choice of a Rust: a folder's `rust-toolchain.toml` could name programs of its own."""
    home = Path(around.environment.get("RUSTUP_HOME") or around.home / ".rustup")
    found = _RUST.search(_text(home / "settings.toml"))
    return {"RUSTUP_TOOLCHAIN": found[1] if found else "stable"}


def _git_user(around: JailEnvironment) -> Mapping[str, str]:
    """Return the user's own settings of git, which the replaced home lacks."""
    found = next(iter(_git_files(around)), None)
    return {"GIT_CONFIG_GLOBAL": str(found)} if found else {}


def _git_files(around: JailEnvironment) -> list[Path]:
    return [file for name in (".gitconfig", ".config/git/config") if os.path.isfile(file := around.home / name)]


def _text(file: Path) -> str:
    try:
        return file.read_text("utf-8", "replace")
    except OSError:
        return ""


def _safe_directory(around: JailEnvironment) -> dict[str, str | None]:
    return git_settings([("safe.directory", str(around.workspace))])


def _removed(around: JailEnvironment, names: re.Pattern[str]) -> dict[str, str | None]:
    return {name: None for name in around.environment if names.fullmatch(name)}


def _in_home(home: Path, names: Iterable[str]) -> tuple[Path, ...]:
    """Resolve paths below a home that is resolved itself. What is missing there needs no look at each folder above."""
    paths = ((home / name, home / name.partition("/")[0]) for name in names)
    return tuple(dict.fromkeys(Path(os.path.realpath(path)) if os.path.lexists(top) else path for path, top in paths))


def _resolved(paths: Iterable[Path]) -> tuple[Path, ...]:
    return tuple(dict.fromkeys(Path(os.path.realpath(path)) for path in paths))


def _sorted(variables: Mapping[str, str | None]) -> tuple[tuple[str, str | None], ...]:
    return tuple(sorted(variables.items()))
