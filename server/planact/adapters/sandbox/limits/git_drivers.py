"""Switch off the programs that a repository's own settings name for its files, for git commands that only read.

git has no switch for them, so each driver that the settings name is replaced by a program that changes no file. The
user's own settings of git aren't a repository's: their drivers stay.
"""

import os
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from planact.adapters.sandbox.limits.git_environment import numbered_settings
from planact.adapters.sandbox.unavailable import unavailable

_MOST_BYTES = 1_000_000
_MOST_FILES = 2_000

# A plain comparison of both versions, called as git calls programs for that: path, old file, hex, mode, new file, …
_COMPARE = 'compare() { [ -z "$5" ] || diff -u --label "a/$1" --label "b/$1" "$2" "$5"; true; }; compare'

_HARMLESS = {
    "diff": {"command": _COMPARE, "textconv": "cat", "cachetextconv": "false"},
    "filter": {"clean": "", "smudge": "", "process": "", "required": "false"},
    "merge": {"driver": "false"},
    "tar": {"command": "cat"},
}
_LINES = re.IGNORECASE | re.MULTILINE
_SECTION = re.compile(r'^\s*\[\s*(diff|filter|merge|tar)(?:\s+"((?:[^"\\\n]|\\.)*)"|\.([^\]\s"]+))\s*\]', _LINES)
_INCLUDED = re.compile(r"^\s*path\s*=\s*(.+?)\s*$", _LINES)
_EXTERNAL = re.compile(r"^\s*(?:\[\s*diff\s*\]\s*)?external\s*=", _LINES)


class _TooMany(Exception):
    """More files of settings than are read, or one that is too large."""


def without_drivers(environment: Mapping[str, str], repositories: Iterable[str]) -> dict[str, str]:
    """Return variables that switch off the drivers of `repositories` (each a `.git`, folder or file), beside the
    settings of git that `environment` has already. The repositories' settings are read; past the limits, git finds no
    repository.
    """
    try:
        settings = dict(_settings(repositories))
    except _TooMany:
        return {"GIT_DIR": os.devnull}
    return numbered_settings([*settings.items()], int(environment.get("GIT_CONFIG_COUNT", "0")))


def read_settings(repositories: Iterable[str], more: Iterable[Path] = ()) -> Iterator[tuple[str, Sequence[Path]]]:
    """Yield the texts of settings, without broken lines, and the files that each includes: of repositories and their
    submodules, and of `more` files. Raises CommandFailure SANDBOX_UNAVAILABLE past the limits.
    """
    try:
        yield from _texts(repositories, more)
    except _TooMany as error:
        raise unavailable("git has too many settings to be read") from error


def _settings(repositories: Iterable[str]) -> Iterator[tuple[str, str]]:
    for text, _ in _texts(repositories):
        for section, name, old_name in _SECTION.findall(text):
            plain = re.sub(r"\\(.)", r"\1", name) if name else old_name.lower()
            for key, value in _HARMLESS[section.lower()].items():
                yield f"{section.lower()}.{plain}.{key}", value
        if _EXTERNAL.search(text):
            yield "diff.external", _COMPARE


def _texts(repositories: Iterable[str], more: Iterable[Path] = ()) -> Iterator[tuple[str, Sequence[Path]]]:
    waiting: list[Path] = [*more, *(path for repository in repositories for path in _files(Path(repository)))]
    seen: set[str] = set()
    while waiting:
        if len(seen) > _MOST_FILES:
            raise _TooMany
        path = os.path.realpath(waiting.pop())
        if path in seen or not os.path.isfile(path):
            continue
        seen.add(path)
        try:
            with Path(path).open("rb") as file:
                text = file.read(_MOST_BYTES + 1).decode("utf-8", "replace")
        except OSError:
            continue
        if len(text) > _MOST_BYTES:
            raise _TooMany
        included = [_included(Path(path).parent, name) for name in _INCLUDED.findall(text)]
        waiting += included
        yield text.replace("\\\n", ""), included


def _files(repository: Path) -> Iterator[Path]:
    for folder in _folders(repository):
        yield from (folder / "config", folder / "config.worktree")
        for above, folders, files in os.walk(folder / "modules"):
            folders[:] = [name for name in folders if name not in ("objects", "refs", "logs", "hooks", "info")]
            yield from (Path(above, name) for name in files if name in ("config", "config.worktree"))


def _folders(repository: Path) -> list[Path]:
    """Return the folders of a repository's settings: two where a file names the folder of a worktree."""
    if not os.path.isfile(repository):
        return [repository]
    own = repository.parent / _first_line(repository).removeprefix("gitdir: ")
    return [own, own / _first_line(own / "commondir")]


def _first_line(path: Path) -> str:
    try:
        with path.open("rb") as file:
            return os.fsdecode(file.readline(4_096)).strip().replace("\0", "")
    except OSError:
        return ""


def _included(folder: Path, name: str) -> Path:
    path = Path(name.strip('"'))
    try:
        return folder / path.expanduser()
    except RuntimeError:
        return folder / path
