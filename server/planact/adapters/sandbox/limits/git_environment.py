"""The environment in which git starts no program that a repository names, but for its drivers (`git_drivers`)."""

import os
from collections.abc import Sequence

GIT = {
    "GIT_ASKPASS": "true",
    "GIT_EDITOR": "true",
    "GIT_NO_LAZY_FETCH": "1",
    "GIT_OPTIONAL_LOCKS": "0",
    "GIT_PAGER": "cat",
    "GIT_SEQUENCE_EDITOR": "true",
    "GIT_SSH_COMMAND": "ssh -o BatchMode=yes",
    "GIT_TERMINAL_PROMPT": "0",
}
_SETTINGS = (
    ("core.attributesFile", os.devnull),
    ("core.fsmonitor", "false"),
    ("core.hooksPath", os.devnull),
    ("core.pager", "cat"),
    ("credential.helper", ""),
    ("diff.autoRefreshIndex", "false"),
    # git-lfs would write into the repository, and start the extensions that the repository names.
    ("filter.lfs.clean", ""),
    ("filter.lfs.process", ""),
    ("filter.lfs.required", "false"),
    ("filter.lfs.smudge", ""),
    ("gc.auto", "0"),
    ("gpg.program", "false"),
    ("gpg.ssh.program", "false"),
    ("gpg.x509.program", "false"),
    ("log.showSignature", "false"),
    ("maintenance.auto", "false"),
    # A folder that looks like a repository, and that any repository can contain, isn't taken for one.
    ("safe.bareRepository", "explicit"),
)


def git_settings(more: Sequence[tuple[str, str]] = ()) -> dict[str, str | None]:
    """Return variables that give git these settings and `more`."""
    return dict(numbered_settings([*_SETTINGS, *more]))


def numbered_settings(settings: Sequence[tuple[str, str]], first: int = 0) -> dict[str, str]:
    """Return the variables that give git these settings; `first` is the number of those that it has already."""
    variables = {"GIT_CONFIG_COUNT": str(first + len(settings))}
    for index, (key, value) in enumerate(settings, first):
        variables |= {f"GIT_CONFIG_KEY_{index}": key, f"GIT_CONFIG_VALUE_{index}": value}
    return variables
