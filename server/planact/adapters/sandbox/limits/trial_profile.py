"""The profiles of unknown commands that bubblewrap holds: in Plan, and those in Act whose outcome is judged later."""

import os
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path, PurePath

from planact.adapters.sandbox.limits.git_environment import settings_of_git_user, with_git_settings
from planact.adapters.sandbox.limits.lasting_home import lasting_home
from planact.adapters.sandbox.limits.public_files import LOGS, RUNNING
from planact.model.rights.jail import JailProfile

_TEMPORARY = (PurePath("/tmp"), PurePath("/var/tmp"))  # noqa: S108 - its own

# In these folders of the system, or beside them, its services listen.
_LISTENING = tuple(path for path in (*RUNNING, *LOGS) if path.startswith("/run/"))

# Beside the store of nix there is its daemon.
_INSTEAD = {"/nix": "/nix/store"}

# These would lead to the user's caches instead of its own.
_CACHES = (
    *("CCACHE_DIR", "GOCACHE", "GRADLE_USER_HOME", "NPM_CONFIG_CACHE", "npm_config_cache", "PIP_CACHE_DIR"),
    *("PRE_COMMIT_HOME", "SCCACHE_DIR", "UV_CACHE_DIR", "YARN_CACHE_FOLDER", "npm_config_userconfig"),
)

# Else `wants_network` would tell of programs that ask for a newer version of themselves, or tell how they are used.
_UNASKED = {
    "ASTRO_TELEMETRY_DISABLED": "1",
    "CHECKPOINT_DISABLE": "1",
    "DOTNET_CLI_TELEMETRY_OPTOUT": "1",
    "DO_NOT_TRACK": "1",
    "NEXT_TELEMETRY_DISABLED": "1",
    "NO_UPDATE_NOTIFIER": "1",
    "NPM_CONFIG_UPDATE_NOTIFIER": "false",
}

NO_RETRIES = {"CARGO_NET_RETRY": "0", "NPM_CONFIG_FETCH_RETRIES": "0", "PIP_RETRIES": "0", "UV_HTTP_RETRIES": "0"}
"""Variables of commands without a network, which have nothing to wait for."""

# What Python's tools keep beside the sources would be believed, or run, by later commands with more rights.
_VARIABLES = {
    "MYPY_CACHE_DIR": ".cache/mypy",
    "PYTHONPYCACHEPREFIX": ".cache/pycache",
    "RUFF_CACHE_DIR": ".cache/ruff",
}


def trial_profile(
    contain: JailProfile,
    readable: Sequence[PurePath],
    environment: Mapping[str, str],
    home: Path,
    workspace: Path,
    kept: tuple[PurePath, ...],
) -> JailProfile:
    """Return the profile that sees `readable` besides what unknown commands in Plan do, without what listens there, and
    writes the workspace. Its files `kept` stay as they are.
    """
    lasting = lasting_home(environment, home, workspace)
    variables: dict[str, str | None] = {**dict(contain.variables), **_UNASKED}
    variables |= dict.fromkeys(set(_CACHES) & {*environment})
    # git's index can't be written, and without this a file that was made anew as it was counts as changed.
    variables |= with_git_settings(_known(variables), [("diff.autoRefreshIndex", "true")])
    links = tuple((name, target) for name, target in contain.links if not name.startswith(".gradle/"))
    if len(links) < len(contain.links):
        # Gradle writes locks beside what it fetched, unless it is told that it can't.
        variables["GRADLE_RO_DEP_CACHE"] = str(home / ".gradle/caches")
    if lasting.is_relative_to(workspace):
        return replace(_common(contain, readable, workspace, kept), has_own_home=True, variables=_sorted(variables))
    options = f"{environment.get('PYTEST_ADDOPTS', '')} -o cache_dir={lasting}/.cache/pytest".strip()
    variables |= {"HOME": str(lasting), "PYTEST_ADDOPTS": options}
    variables |= {name: f"{lasting}/{path}" for name, path in _VARIABLES.items()}
    profile = _common(contain, readable, workspace, kept)
    user = settings_of_git_user(environment, home)
    return replace(
        profile,
        files=((".gitconfig", user),) if user else (),
        has_own_home=False,
        links=links,
        lasting=lasting,
        temporary=(*profile.temporary, lasting),
        variables=_sorted(variables),
    )


def with_mounts(contain: JailProfile) -> JailProfile:
    """Return the profile `contain` for a jail that mounts what it sees: with a network, a `/tmp` and devices of its
    own, and nothing that listens there.
    """
    return replace(contain, readable=_seen(contain.readable or ()), network="loopback", temporary=_TEMPORARY)


def without_mounts(trial: JailProfile, contain: JailProfile) -> JailProfile:
    """Return the profile `trial` for a jail that mounts nothing: with a home that is thrown away, caches for the
    session as in `contain`, and no network of its own.
    """
    common = dict(contain.variables)
    of_home = {"HOME", "PYTEST_ADDOPTS", *_VARIABLES}
    variables = {name: value for name, value in trial.variables if name not in of_home}
    return replace(
        trial,
        network="none",
        caches=contain.caches,
        has_own_home=True,
        links=contain.links,
        lasting=None,
        files=(),
        temporary=(),
        is_split=True,
        variables=_sorted(variables | {name: common[name] for name in of_home if name in common}),
    )


def _common(
    contain: JailProfile, readable: Sequence[PurePath], workspace: Path, kept: tuple[PurePath, ...]
) -> JailProfile:
    return replace(
        contain,
        name="trial",
        readable=_seen((*(contain.readable or ()), *readable)),
        writable=(workspace,),
        kept=kept,
        network="loopback",
        caches=(),
        guards=workspace,
        temporary=_TEMPORARY,
    )


def _seen(readable: Sequence[PurePath]) -> tuple[PurePath, ...]:
    paths = [PurePath(_INSTEAD.get(str(path), path)) for path in readable]
    listening = {PurePath(os.path.realpath(path)) for path in _LISTENING}
    return tuple(dict.fromkeys(path for path in paths if path not in listening and os.path.lexists(path)))


def _known(variables: Mapping[str, str | None]) -> Mapping[str, str]:
    return {name: value for name, value in variables.items() if value is not None}


def _sorted(variables: Mapping[str, str | None]) -> tuple[tuple[str, str | None], ...]:
    return tuple(sorted(variables.items()))
