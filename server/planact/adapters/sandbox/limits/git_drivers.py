"""Switch off the programs that a repository's own settings name for its files, for git commands that only read.

git has no switch for them, so each driver that the settings name is replaced by a program that changes no file. The
user's own settings of git aren't a repository's: their drivers stay.
"""

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from planact.adapters.sandbox.limits.git_environment import with_git_settings
from planact.adapters.sandbox.unavailable import unavailable
from planact.base.git_settings import GitSetting, git_path, parse_git_settings

_MOST_BYTES = 1_000_000
_MOST_FILES = 2_000
_LONGEST_VARIABLE = 100_000
"""Bytes: Linux starts no program with one of 128 KiB."""

# A plain comparison of both versions, called as git calls programs for that: path, old file, hex, mode, new file, …
_COMPARE = 'compare() { [ -z "$5" ] || diff -u --label "a/$1" --label "b/$1" "$2" "$5"; true; }; compare'

_HARMLESS = {
    "diff": {"command": _COMPARE, "textconv": "cat", "cachetextconv": "false"},
    "filter": {"clean": "", "smudge": "", "process": "", "required": "false"},
    "merge": {"driver": "false"},
    "tar": {"command": "cat"},
}


class _Unclear(Exception):
    """There are too many settings, or too many files of them; one is too large, or its place isn't known; or old
    versions of git can't be told the name of a driver.
    """


def without_drivers(environment: Mapping[str, str], repositories: Iterable[str]) -> dict[str, str]:
    """Return variables that switch off the drivers of `repositories` (each a `.git`), beside the settings of git that
    `environment` has already. The repositories' settings are read; where they can't be, git finds no repository.
    """
    no_repository = {"GIT_DIR": os.devnull}
    try:
        settings = dict(_settings(repositories))
    except _Unclear:
        return no_repository
    told = with_git_settings(environment, [*settings.items()]) if settings else {}
    return no_repository if any(len(os.fsencode(each)) > _LONGEST_VARIABLE for each in told.values()) else told


def read_settings(
    repositories: Iterable[str], more: Iterable[Path] = ()
) -> Iterator[tuple[Sequence[GitSetting], Sequence[Path]]]:
    """Yield the settings of each file, and the files that it includes: of repositories and their submodules, and of
    `more` files. Raises CommandFailure SANDBOX_UNAVAILABLE where they can't be read.
    """
    try:
        yield from _files_of_settings(repositories, more)
    except _Unclear as error:
        raise unavailable("git has too many settings to be read, or names some by `%(prefix)`") from error


def path_named_in(file: Path) -> str:
    """Return the path that a file of git's names; empty where it can't be read."""
    try:
        with file.open("rb") as opened:
            return git_path(opened.read(_MOST_BYTES))
    except OSError:
        return ""


def _settings(repositories: Iterable[str]) -> Iterator[tuple[str, str]]:
    for settings, _ in _files_of_settings(repositories):
        for each in settings:
            if each.name and not each.key:
                if "=" in each.name and each.section in _HARMLESS:
                    raise _Unclear
                for key, value in _HARMLESS.get(each.section, {}).items():
                    yield f"{each.section}.{each.name}.{key}", value
            elif (each.section, each.name, each.key) == ("diff", "", "external"):
                yield "diff.external", _COMPARE


def _files_of_settings(
    repositories: Iterable[str], more: Iterable[Path] = ()
) -> Iterator[tuple[Sequence[GitSetting], Sequence[Path]]]:
    waiting: list[Path] = [*more, *(path for repository in repositories for path in _files(Path(repository)))]
    seen: set[str] = set()
    while waiting:
        if len(seen) > _MOST_FILES:
            raise _Unclear
        path = os.path.realpath(waiting.pop())
        if path in seen or not os.path.isfile(path):
            continue
        seen.add(path)
        try:
            with Path(path).open("rb") as file:
                data = file.read(_MOST_BYTES + 1)
        except OSError:
            continue
        if len(data) > _MOST_BYTES:
            raise _Unclear
        settings = tuple(parse_git_settings(data))
        included = [_included(Path(path).parent, each.value) for each in settings if _is_included(each)]
        waiting += included
        yield settings, included


def _files(repository: Path) -> Iterator[Path]:
    for folder in folders_of_repository(repository):
        yield from (folder / "config", folder / "config.worktree")
        for above, folders, files in os.walk(folder / "modules"):
            folders[:] = [name for name in folders if name not in ("objects", "refs", "logs", "hooks", "info")]
            yield from (Path(above, name) for name in files if name in ("config", "config.worktree"))


def folders_of_repository(repository: Path) -> list[Path]:
    """Return the folders of a repository (a `.git`) with settings: two where a file names the folder of a worktree."""
    if not os.path.isfile(repository):
        return [repository]
    own = repository.parent / path_named_in(repository)
    return [own, own / path_named_in(own / "commondir")]


def _is_included(setting: GitSetting) -> bool:
    return setting.section in ("include", "includeif") and setting.key == "path"


def _included(folder: Path, name: str) -> Path:
    if name.startswith("%(prefix)/"):  # where git is installed
        raise _Unclear
    try:
        return folder / Path(name).expanduser()
    except RuntimeError:
        return folder / name
