"""Read the branch of the repository around a folder, without starting git."""

import os
import re
from pathlib import Path

from planact.adapters.store.git.index import git_folder

_LONGEST = 1_000  # bytes
_BRANCH = re.compile(r"ref: refs/heads/((?!\.)[^\x00-\x20\x7f~^:?*\[\\]+)\n?")
_COMMIT = re.compile(r"([0-9a-f]{12})[0-9a-f]{28}(?:[0-9a-f]{24})?\n?")


_BEGUN = {
    "rebase-merge": "rebase",
    "rebase-apply": "rebase",
    "MERGE_HEAD": "merge",
    "CHERRY_PICK_HEAD": "cherry-pick",
    "REVERT_HEAD": "revert",
    "BISECT_LOG": "bisect",
}
"""Files and folders of git's own that are there while the user is in the middle of that."""


def current_branch(folder: Path) -> str:
    """Return the branch, or where none is checked out the beginning of the commit's id, and what git is in the middle
    of; empty where there is no repository, and for a HEAD that git doesn't write: a repository may name a file
    elsewhere as its own.
    """
    try:
        git = git_folder(folder)
        if git is None or not (git / "HEAD").is_file():
            return ""
        with (git / "HEAD").open("rb") as file:
            head = file.read(_LONGEST).decode("utf-8", "replace")
    except (OSError, ValueError):
        return ""
    branch, commit = _BRANCH.fullmatch(head), _COMMIT.fullmatch(head)
    at = branch[1] if branch else f"none, at {commit[1]}" if commit else ""
    begun = next((deed for name, deed in _BEGUN.items() if os.path.exists(git / name)), "")  # never raises
    return f"{at}, in the middle of a {begun}" if at and begun else at
