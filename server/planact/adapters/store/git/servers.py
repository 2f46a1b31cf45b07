"""Read the servers that a repository's own settings of git name, without starting git."""

import os
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from urllib.parse import urlsplit

_LARGEST = 1_000_000
_HEADER = re.compile(r'\[\s*([\w.-]+)\s*(?:"((?:[^"\\]|\\.)*)")?\s*\]')
_SETTING = re.compile(r"([A-Za-z][\w-]*)\s*=\s*(.*)\Z")
_SCP_LIKE = re.compile(r"(?:[^@/:]+@)?([^/:@]+):(?!//)")


def git_servers(root: Path, paths: Iterable[str]) -> tuple[str, ...] | None:
    """Return the hosts of remotes and proxies in the settings of the repositories around `paths` (absolute, or relative
    to `root`), sorted; None where one isn't known: a path, an unreadable file, one that includes another.
    """
    files = dict.fromkeys(file for path in paths for file in _files(Path(os.path.normpath(root / path))))
    servers = {server for file in files for server in _servers(_text(file))}
    return None if "" in servers else tuple(sorted(servers))


def _files(path: Path) -> Iterator[Path]:
    """Return the files of settings of the repository around `path`."""
    for folder in (path, *path.parents):
        git = folder / ".git"
        if os.path.isdir(git):
            yield git / "config"
            return
        if os.path.isfile(git):
            own = git.parent / _text(git).strip().removeprefix("gitdir: ")
            yield own / "config"
            yield own / _text(own / "commondir").strip() / "config"
            return


def _text(file: Path) -> str:
    """Return the content; empty for a missing file, an `[include]` for an unreadable one."""
    try:
        return "[include]" if file.stat().st_size > _LARGEST else file.read_text("utf-8", "surrogateescape")
    except FileNotFoundError:
        return ""
    except (OSError, ValueError):
        return "[include]"


def _servers(text: str) -> Iterator[str]:
    section = name = ""
    for line in re.sub(r"\\\r?\n", "", text).splitlines():
        rest = line.strip()
        while header := _HEADER.match(rest):
            section, _, dotted = header[1].lower().partition(".")
            name, rest = header[2] or dotted, rest[header.end() :].strip()
            if section in ("include", "includeif"):
                yield ""
            elif section == "url":
                yield _host(name)
        if setting := _SETTING.match(rest):
            key, value = setting[1].lower(), re.sub(r"\\(.)", r"\1", setting[2].strip().replace('"', ""))
            if key == "proxy" or (section == "remote" and key in ("url", "pushurl")):
                yield _host(value)


def _host(address: str) -> str:
    if "://" in address:
        try:
            return urlsplit(address).hostname or ""
        except ValueError:
            return ""
    found = _SCP_LIKE.match(address)
    return found[1] if found else ""
