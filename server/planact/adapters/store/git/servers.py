"""Read the servers that a repository's own settings of git name, without starting git."""

import os
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from urllib.parse import urlsplit

from planact.base.git_settings import GitSetting, git_path, parse_git_settings

_LARGEST = 1_000_000
_SCP_LIKE = re.compile(r"(?:[^@/:]+@)?([^/:@]+):(?!//)")
_HEAD = re.compile(rb"ref:\s*refs/|[0-9a-f]{40}")
_UNKNOWN = b"[include]"
_FURTHER = ("remotes", "branches", "glab-cli")
"""Folders of a repository that may name other servers: with a file for each remote, as git made them once, and with
settings of `glab`.
"""


def git_servers(root: Path, paths: Iterable[str]) -> tuple[str, ...] | None:
    """Return the hosts of remotes and proxies in the settings of the repositories around `paths` (absolute, or relative
    to `root`), sorted; None where one isn't known: a path, an unreadable file, one that includes another.
    """
    folders = dict.fromkeys(git for path in paths for git in _repositories(Path(os.path.normpath(root / path))))
    servers = {server for git in folders for server in _servers(git)}
    return None if "" in servers else tuple(sorted(servers))


def _repositories(path: Path) -> Iterator[Path]:
    """Yield git's own folders around `path`, to the first that git is sure to take for one."""
    for folder in (path, *path.parents):
        git = folder / ".git"
        if os.path.isfile(git):
            own = git.parent / git_path(_content(git))
            yield own
            yield own / git_path(_content(own / "commondir"))
            return
        if os.path.isdir(git):
            yield git
            if is_surely_repository(git):
                return


def is_surely_repository(git: Path) -> bool:
    """Return whether a folder is one that git takes for its own, so that it looks at none further up."""
    return _HEAD.match(_content(git / "HEAD")) is not None and all(
        os.path.isdir(git / name) for name in ("objects", "refs")
    )


def _content(file: Path) -> bytes:
    """Return the bytes of a file; none for a missing one, an `[include]` for an unreadable one."""
    try:
        return _UNKNOWN if file.stat().st_size > _LARGEST else file.read_bytes()
    except FileNotFoundError:
        return b""
    except (OSError, ValueError):
        return _UNKNOWN


def settings_of(git: Path) -> Iterator[GitSetting]:
    """Yield the settings in git's own folder of a repository, those of an unreadable file as an `[include]`."""
    for file in (git / "config", git / "config.worktree"):
        yield from parse_git_settings(_content(file))


def _servers(git: Path) -> Iterator[str]:
    yield from _hosts(settings_of(git))
    if any(_has_entries(git / name) for name in _FURTHER):
        yield ""


def _hosts(settings: Iterable[GitSetting]) -> Iterator[str]:
    settings = [*settings]
    known = {".", *(each.name for each in settings if each.section == "remote")}
    for each in settings:
        if each.section in ("include", "includeif"):
            yield ""
        elif each.section == "url" and not each.key:
            yield _host(each.name)
        elif each.key == "proxy" or (each.section == "remote" and each.key in ("url", "pushurl")):
            yield _host(each.value)
        elif each.section == "branch" and each.key == "remote" and each.value not in known:
            yield _host(each.value)  # without a remote of that name, git takes it for an address


def _has_entries(folder: Path) -> bool:
    try:
        return any(folder.iterdir())
    except FileNotFoundError:
        return False
    except OSError:
        return True


def _host(address: str) -> str:
    if "://" in address:
        try:
            return urlsplit(address).hostname or ""
        except ValueError:
            return ""
    found = _SCP_LIKE.match(address)
    return found[1] if found else ""
