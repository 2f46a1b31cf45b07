"""Find what git's settings name, and so git loads or runs at once, perhaps as soon as an editor asks it."""

import os
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from planact.adapters.sandbox.limits.git_drivers import folders_of_repository, read_settings
from planact.base.errors import CommandFailure

_WHERE_HOOKS = "hookspath"
_RUN_UNASKED = re.compile(
    r"core\.(askpass|fsmonitor|gitproxy|sshcommand)|credential\.helper|diff\.(command|external|textconv)|filter\..*"
    r"|gpg\.program|hook\.command|trailer\.(cmd|command)"
)
"""Sections and keys of settings whose values are commands that git runs without being asked to merge."""

_HOOKS_UNASKED = ("fsmonitor-watchman", "post-index-change", "query-watchman", "reference-transaction")
_HOOKS_OF_COMMITS = (*_HOOKS_UNASKED, "commit-msg", "post-commit", "pre-commit", "prepare-commit-msg", "pre-auto-gc")
_NO_COMMANDS = ("", "false", "true")
"""Values of `core.fsmonitor` that name no program, and what switches one off."""


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


def runs_more_than_git(root: Path, paths: Iterable[str]) -> bool:
    """Return whether it runs hooks, or other commands that settings there name, to stage and commit files at `paths`
    (absolute, or relative to `root`); True also where that can't be told. Reads the disk.
    """
    places = [os.path.realpath(root / path) for path in paths]
    marks = [folder / ".git" for place in places for folder in (Path(place), *Path(place).parents)]
    repositories = [git for git in dict.fromkeys(marks) if os.path.lexists(git)]
    try:
        named = named_by_git(map(str, repositories))
        own = [each for settings, _ in read_settings(map(str, repositories)) for each in settings]
    except CommandFailure:
        return True
    folders = [*named.hooks, *(str(folder / "hooks") for git in repositories for folder in folders_of_repository(git))]
    if any(os.path.lexists(os.path.join(folder, name)) for folder in folders for name in _HOOKS_OF_COMMITS):  # noqa: PTH118
        return True
    return any(
        _RUN_UNASKED.fullmatch(f"{each.section}.{each.key}") and each.value.lower() not in _NO_COMMANDS for each in own
    )


def _of_user() -> Iterator[str]:
    yield os.environ.get("GIT_CONFIG_SYSTEM") or "/etc/gitconfig"
    yield os.path.join(os.environ.get("XDG_CONFIG_HOME") or os.path.expanduser("~/.config"), "git/config")  # noqa: PTH111, PTH118
    yield os.environ.get("GIT_CONFIG_GLOBAL") or os.path.expanduser("~/.gitconfig")  # noqa: PTH111
