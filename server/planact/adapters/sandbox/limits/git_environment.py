"""The environment in which git starts no program that a repository names, but for its drivers (`git_drivers`), and
what commands that don't see the user's settings of git get of them: who commits, and how git writes files.
"""

import os
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from planact.base.git_settings import GitSetting, parse_git_settings

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
_WHO = [(section, key) for section in ("user", "author", "committer") for key in ("name", "email")]
_GIVEN = frozenset(
    (
        *_WHO,
        *(("core", key) for key in ("autocrlf", "eol", "quotepath", "safecrlf")),
        *(("init", "defaultbranch"), ("merge", "conflictstyle"), ("pull", "ff"), ("pull", "rebase")),
    )
)
"""None of them names a program, a file or a server."""

_MOST_BYTES = 1_000_000
_MOST_WITHIN = 10  # as git
_LONGEST = 1_000


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


def settings_of_git_user(environment: Mapping[str, str], home: Path) -> str:
    """Return the user's settings as a file of git's; empty where there are none. What holds only for some repositories
    (`includeIf`) isn't among them. Reads the disk.
    """
    known = Path(environment.get("XDG_CONFIG_HOME") or home / ".config")
    named = environment.get("GIT_CONFIG_GLOBAL")
    files = [Path(named)] if named else [known / "git/config", home / ".gitconfig"]
    last = {(each.section, each.key): each.value for file in files for each in _settings(file, _MOST_WITHIN)}
    given = {key: value for key, value in last.items() if len(value) <= _LONGEST}
    return "".join(f"[{section}]\n\t{key} = {_as_value(value)}\n" for (section, key), value in given.items())


def _settings(file: Path, within: int) -> Iterator[GitSetting]:
    try:
        with file.open("rb") as opened:
            data = opened.read(_MOST_BYTES)
    except OSError:
        return
    for each in parse_git_settings(data):
        if (each.section, each.name, each.key) == ("include", "", "path") and within:
            yield from _settings(file.parent / os.path.expanduser(each.value), within - 1)  # noqa: PTH111
        elif not each.name and (each.section, each.key) in _GIVEN:
            yield each


def _as_value(value: str) -> str:
    for plain, escaped in (("\\", "\\\\"), ('"', '\\"'), ("\n", "\\n"), ("\t", "\\t"), ("\b", "\\b")):
        value = value.replace(plain, escaped)
    return f'"{value}"'
