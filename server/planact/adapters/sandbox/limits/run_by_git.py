"""Find what git's settings name, and so git loads or runs at once, perhaps as soon as an editor asks it."""

import os
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from planact.adapters.sandbox.limits.git_drivers import read_settings

_WHERE_HOOKS = "hookspath"
_RUN_UNASKED = re.compile(
    r"core\.(askpass|fsmonitor|gitproxy|sshcommand)|credential\.helper|diff\.(command|external|textconv)|filter\..*"
    r"|gpg\.program|hook\.command|trailer\.(cmd|command)"
)
"""Sections and keys of settings whose values are commands that git runs without being asked to merge."""

_HOOKS_UNASKED = ("fsmonitor-watchman", "post-index-change", "query-watchman", "reference-transaction")


@dataclass(slots=True)
class NamedByGit:
    """What settings name, as absolute paths that need not exist.

    Attributes:
        values: the folder of each repository and the value of a setting, which may name files.
        commands: those of the values that git runs unasked, and the hooks that are there.
        hooks: folders with hooks.
        included: further settings.
    """

    values: list[tuple[str, str]] = field(default_factory=list)
    commands: list[tuple[str, str]] = field(default_factory=list)
    hooks: list[str] = field(default_factory=list)
    included: list[str] = field(default_factory=list)


def named_by_git(repositories: Iterable[str]) -> NamedByGit:
    """Return the files that settings of `repositories` (each a `.git`), and the user's, name. Reads the disk."""
    found = NamedByGit()
    users = list(map(Path, _of_user()))
    for repository in repositories:
        top = os.path.dirname(repository)  # noqa: PTH120 - a plain text at hand
        hooks = []
        for settings, included in read_settings([repository], users):
            found.included += map(str, included)
            for each in settings:
                if each.key == _WHERE_HOOKS:
                    hooks.append(os.path.join(top, os.path.expanduser(each.value)))  # noqa: PTH111, PTH118
                    continue
                is_run = _RUN_UNASKED.fullmatch(f"{each.section}.{each.key}")
                (found.commands if is_run else found.values).append((top, each.value))
        found.hooks += hooks
        run = (f"{folder}/{name}" for folder in (f"{repository}/hooks", *hooks) for name in _HOOKS_UNASKED)
        found.commands += [(top, path) for path in run if os.path.isfile(path)]
    return found


def _of_user() -> Iterator[str]:
    yield os.environ.get("GIT_CONFIG_SYSTEM") or "/etc/gitconfig"
    yield os.path.join(os.environ.get("XDG_CONFIG_HOME") or os.path.expanduser("~/.config"), "git/config")  # noqa: PTH111, PTH118
    yield os.environ.get("GIT_CONFIG_GLOBAL") or os.path.expanduser("~/.gitconfig")  # noqa: PTH111
