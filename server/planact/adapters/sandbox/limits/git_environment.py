"""The environment in which git starts no program that a repository names, but for its drivers (`git_drivers`)."""

import os
import re
from collections.abc import Mapping, Sequence

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
_OLD_FORM = "GIT_CONFIG_PARAMETERS"
_SETTINGS = (
    ("core.attributesFile", os.devnull),
    ("core.fsmonitor", "false"),
    ("core.hooksPath", os.devnull),
    ("core.pager", "cat"),
    ("credential.helper", ""),
    # Else a file that was made anew as it was counts as changed; the jails keep git from writing what it finds.
    ("diff.autoRefreshIndex", "true"),
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
    return {**with_git_settings({}, [*_SETTINGS, *more])}


def with_git_settings(environment: Mapping[str, str], settings: Sequence[tuple[str, str]]) -> dict[str, str]:
    """Return variables that give git these settings beside those in the `environment`. Each is there in two forms: git
    before version 2.31 knows only `GIT_CONFIG_PARAMETERS`, in which a key can't have a `=`.
    """
    first = int(environment.get("GIT_CONFIG_COUNT", "0"))
    variables = {"GIT_CONFIG_COUNT": str(first + len(settings))}
    for index, (key, value) in enumerate(settings, first):
        variables |= {f"GIT_CONFIG_KEY_{index}": key, f"GIT_CONFIG_VALUE_{index}": value}
    words = [environment.get(_OLD_FORM, ""), *(_quoted(f"{key}={value}") for key, value in settings)]
    return variables | {_OLD_FORM: " ".join(filter(None, words))}


def _quoted(text: str) -> str:
    """Return a text as git quotes it, which escapes a `!`, too."""
    return "'" + re.sub("(['!])", r"'\\\1'", text) + "'"
