"""Read the branch of the repository around a folder, without starting git."""

import re
from pathlib import Path

from planact.adapters.store.git.index import git_folder

_LONGEST = 1_000  # bytes
_BRANCH = re.compile(r"ref: refs/heads/((?!\.)[^\x00-\x20\x7f~^:?*\[\\]+)\n?")
_COMMIT = re.compile(r"([0-9a-f]{12})[0-9a-f]{28}(?:[0-9a-f]{24})?\n?")


def current_branch(folder: Path) -> str:
    """Return the branch, or where none is checked out the beginning of the commit's id; empty where there is no
    repository, and for a HEAD that git doesn't write: a repository may name a file elsewhere as its own.
    """
    try:
        git = git_folder(folder)
        if git is None or not (git / "HEAD").is_file():
            return ""
        with (git / "HEAD").open("rb") as file:
            head = file.read(_LONGEST).decode("utf-8", "replace")
    except (OSError, ValueError):
        return ""
    found = _BRANCH.fullmatch(head) or _COMMIT.fullmatch(head)
    return found[1] if found else ""
