"""Paths with rules of their own: planact's records, git's insides, and files that hold credentials."""

import unicodedata
from pathlib import PurePosixPath

from planact.model.rights.credentials import CREDENTIAL_FOLDERS, CREDENTIAL_PATTERNS
from planact.model.rights.credentials import holds_credentials as holds_credentials

PLAN_SUFFIX = ".plan"


def may_begin_credentials(text: str) -> bool:
    """Return True if `text` is most likely the beginning of a path to a file with credentials: it lies in one of
    the folders, or its name is the better half of a hidden one of theirs, or begins as another.
    """
    *folders, name = text.casefold().split("/")
    heads = [head for pattern in CREDENTIAL_PATTERNS if (head := pattern.partition("*")[0])]
    halves = [head for head in heads if name.startswith(".") and 2 * len(name) >= len(head)]
    is_name = any(name.startswith(head) for head in heads) or any(head.startswith(name) for head in halves)
    return is_name or any(folder in CREDENTIAL_FOLDERS for folder in folders)


def is_git_internal(path: PurePosixPath) -> bool:
    """The path is or lies in a `.git`, the folder or the file of a worktree; also as Windows spells it."""
    return any(_plain(part) in (".git", "git~1") for part in path.parts)


def is_planact_internal(path: PurePosixPath) -> bool:
    """The path is or lies in `.planact/`."""
    return bool(path.parts) and any(_plain(part) in (".planact", "planac~1") for part in path.parts)


def is_below(path: PurePosixPath, folder: PurePosixPath) -> bool:
    """`path` lies inside `folder` and isn't the folder itself."""
    return path != folder and path.is_relative_to(folder)


def _plain(part: str) -> str:
    # Windows drops trailing dots and blanks and opens `name::$DATA`; HFS+ ignores invisible characters.
    visible = "".join(character for character in part if unicodedata.category(character) != "Cf")
    return visible.split(":", 1)[0].rstrip(". ").casefold()
