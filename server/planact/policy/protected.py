"""Paths with rules of their own: planact's records, git's insides, and files that hold credentials."""

import fnmatch
from pathlib import PurePosixPath

PLAN_SUFFIX = ".plan"

CREDENTIAL_PATTERNS = (
    ".env",
    ".env.*",
    ".envrc",
    "*.pem",
    "*.key",
    "*.p12",
    "*.pfx",
    "*.keystore",
    "*.jks",
    "*.kdbx",
    "id_rsa*",
    "id_dsa*",
    "id_ecdsa*",
    "id_ed25519*",
    ".netrc",
    "_netrc",
    ".npmrc",
    ".pypirc",
    ".git-credentials",
    ".htpasswd",
    ".pgpass",
    "credentials.json",
    "service-account*.json",
)
"""File names, as gitignore patterns, that are refused in Plan, asked for in Act, and left out of searches."""

CREDENTIAL_FOLDERS = (".aws", ".ssh", ".gnupg", ".azure", ".kube", ".docker", "gcloud")

_HARMLESS_ENDINGS = (".example", ".sample", ".template", ".pub")

SEARCH_SKIPS = (
    *CREDENTIAL_PATTERNS,
    *(f"{folder}/" for folder in CREDENTIAL_FOLDERS),
    *(f"!*{ending}" for ending in _HARMLESS_ENDINGS),
)
"""What a search leaves out, as gitignore patterns in order."""


def holds_credentials(path: PurePosixPath) -> bool:
    """Whether a file of that name usually holds a secret. Case doesn't count: not every disk tells it apart."""
    parts = [part.casefold() for part in path.parts]
    if any(part in CREDENTIAL_FOLDERS for part in parts[:-1]):
        return True
    name = parts[-1] if parts else ""
    if name.endswith(_HARMLESS_ENDINGS):
        return False
    return any(fnmatch.fnmatchcase(name, pattern.casefold()) for pattern in CREDENTIAL_PATTERNS)


def may_begin_credentials(text: str) -> bool:
    """Whether `text` is most likely the beginning of a path to such a file: it lies in one of the folders, or its name
    is the better half of a hidden one of theirs, or begins as another.
    """
    *folders, name = text.casefold().split("/")
    heads = [head for pattern in CREDENTIAL_PATTERNS if (head := pattern.partition("*")[0])]
    halves = [head for head in heads if name.startswith(".") and 2 * len(name) >= len(head)]
    is_name = any(name.startswith(head) for head in heads) or any(head.startswith(name) for head in halves)
    return is_name or any(folder in CREDENTIAL_FOLDERS for folder in folders)


def is_git_internal(path: PurePosixPath) -> bool:
    """Whether the path is or lies in a `.git`, the folder or the file of a worktree; also as Windows spells it."""
    return any(_plain(part) in (".git", "git~1") for part in path.parts)


def is_planact_internal(path: PurePosixPath) -> bool:
    """Whether the path is or lies in `.planact/`."""
    return bool(path.parts) and any(_plain(part) in (".planact", "planac~1") for part in path.parts)


def is_below(path: PurePosixPath, folder: PurePosixPath) -> bool:
    """Whether `path` lies inside `folder` and isn't the folder itself."""
    return path != folder and path.is_relative_to(folder)


def _plain(part: str) -> str:
    # Windows drops trailing dots and blanks and opens `name::$DATA`; HFS+ ignores some invisible characters.
    visible = "".join(character for character in part if character not in "\u200c\u200d\u200e\u200f\ufeff")
    return visible.split(":", 1)[0].rstrip(". ").casefold()
