"""Find what git's settings name in a folder, and so git loads or runs at once, perhaps as soon as an editor asks it."""

import os
import re
from collections.abc import Iterable, Iterator
from pathlib import Path

from planact.adapters.sandbox.limits.git_drivers import read_settings

_BETWEEN_WORDS = re.compile(r"[\s;|&!()`'\"<>=]+")
_OF_USER = ("/etc/gitconfig", "~/.gitconfig", "~/.config/git/config")


def run_by_git(root: str, repositories: Iterable[str]) -> list[str]:
    """Return the paths below `root` that the settings of `repositories` (each a `.git`), and the user's, name: hooks,
    further settings and the files among the words of all others. Links on the way to them are paths of their own.
    Reads the disk.
    """
    found: set[str] = set()
    for repository in repositories:
        top = os.path.dirname(repository)  # noqa: PTH120 - a plain text at hand
        named = list(_named(top, repository))
        for path in (*map(os.path.normpath, named), *map(os.path.realpath, named)):
            if path.startswith(f"{root}/"):
                found.update((path, *_links_above(path, root)))
    return sorted(filter(os.path.lexists, found))


def _named(top: str, repository: str) -> Iterator[str]:
    users = [os.path.expanduser(path) for path in _OF_USER]  # noqa: PTH111
    for settings, included in read_settings([repository], map(Path, users)):
        yield from map(str, included)
        for each in settings:
            if each.key == "hookspath":
                yield os.path.join(top, os.path.expanduser(each.value))  # noqa: PTH111, PTH118
                continue
            for word in _BETWEEN_WORDS.split(each.value):
                path = os.path.join(top, word)  # noqa: PTH118
                if word and not os.path.isdir(path):
                    yield path


def _links_above(path: str, root: str) -> Iterator[str]:
    while len(path := os.path.dirname(path)) > len(root):  # noqa: PTH120
        if os.path.islink(path):
            yield path
