"""Signs that a command failed because its jail refused it a path.

The kernel tells only the command, which may keep it to itself, or print the same words for another reason: so this is a
hint for people and models, and no decision rests on it.
"""

import os
import re
import signal
import stat
from collections.abc import Iterator, Sequence
from pathlib import PurePath, PurePosixPath

from planact.adapters.sandbox.limits.view import View
from planact.model.rights.credentials import holds_credentials
from planact.model.rights.jail import JailProfile

_SIGNS = re.compile(
    r"operation not permitted|permission denied|read-only file system|not permitted|\b(?:EPERM|EACCES|EROFS)\b",
    re.IGNORECASE,
)
_SIGNS_OF_NO_NETWORK = re.compile(
    r"could not resolve|name resolution|network is unreachable|failed to connect|could not connect", re.IGNORECASE
)
_SIGNS_OF_MOUNTS = re.compile(r"device or resource busy|cross-device link|\b(?:EBUSY|EXDEV)\b", re.IGNORECASE)
_SIGNS_OF_DATABASES = re.compile(
    r"readonly database|unable to open database|\bSQLITE_(?:READONLY|CANTOPEN)\b", re.IGNORECASE
)
_SIGN_OF_DATABASE = "readonly database"  # SQLite's, in each language, without the name of the file
_BEGIN_OF_DATABASE = b"SQLite format 3\0"
_SIGNS_OF_MISSING = re.compile(r"no such file|does not exist|not found|\bENOENT\b", re.IGNORECASE)
_WORDS = re.compile(r"[^\s\0'\"`,;:()<>\[\]{}=]+")
_QUOTED = re.compile(r"'([^'\0]+)'|‘([^’\0]+)’|\"([^\"\0]+)\"")
_AS_TAR_WRITES = re.compile(r"[^:]+: ([^:\0]+): Cannot [^:]+: ")
_LONGEST = 500
_MOST_LINES = 50


def find_hidden(credentials: Sequence[str], output: str) -> tuple[str, ...]:
    """Return the hidden files `credentials` that a line of the output says it couldn't open."""
    refused = [line for line in output.splitlines() if _SIGNS.search(line)]
    found = {path for line in refused[:_MOST_LINES] for path in _named(line, credentials)}
    return tuple(path for path in credentials if path in found)


def refused_path(
    profile: JailProfile | None,
    seen: View,
    directory: str,
    unchangeable: Sequence[str],
    exit_code: int | None,
    output: str,
) -> tuple[str, str]:
    """Return the path that a command on trial was kept from, and the one to open for it; empty where there is none.
    `directory` is where it ran, and `unchangeable` are paths that it mustn't change.
    """
    if profile is None or not profile.guards:
        return "", ""
    readable = [*map(str, (*(seen.readable or ()), *profile.writable)), "/dev", "/proc"]
    path = find_refused_path(output, directory, seen.fixed, readable, exit_code)
    if not path and profile.is_split and exit_code:
        return find_refused_entry(output, directory, str(profile.guards), [*seen.unchanging]), ""
    unseen = (*profile.hidden, *profile.closed)
    return path, openable_path(path, str(profile.guards), unchangeable, seen.found.guarded, unseen)


def find_refused_path(
    output: str, directory: str, fixed: Sequence[str], readable: Sequence[str], exit_code: int | None
) -> str:
    """Return the path that a line about a refusal names: below one of the paths `fixed`, which couldn't be changed, or
    one that exists and isn't below the `readable`, or of the `fixed` the only database that SQLite can have meant.
    Empty where there is none; never one with credentials.
    """
    if not exit_code:
        return ""
    lines = [line for line in output.splitlines() if _SIGNS.search(line) or _SIGNS_OF_MISSING.search(line)]
    for line in lines[: -_MOST_LINES - 1 : -1]:
        for word in _WORDS.findall(line):
            path = os.path.normpath(os.path.join(directory, word))  # noqa: PTH118 - a word of an output
            if holds_credentials(PurePosixPath(path)):
                continue
            if _SIGNS.search(line) and _is_below(path, fixed):
                # A name of the program's own making, which isn't there, says nothing to people.
                return path if os.path.lexists(path) else next(each for each in fixed if _is_below(path, [each]))
            if word.startswith("/") and _is_out_of_sight(path, readable):
                return path
    return _only_database(fixed) if _SIGN_OF_DATABASE in output else ""


def find_refused_entry(output: str, directory: str, root: str, unchanging: Sequence[str]) -> str:
    """Return the path that a line about a refusal names beyond `root`, or in a folder where no entry can be made or
    removed: that or one below it on the way to what is `unchanging`. Where no name is found it is `root` itself, and
    empty where nothing was refused.
    """
    lines = [line for line in output.splitlines() if _SIGNS.search(line) or _SIGNS_OF_DATABASES.search(line)]
    locked = {*locked_folders(root, unchanging)}
    for line in lines[: -_MOST_LINES - 1 : -1]:
        for word in _entries_in(line):
            path = os.path.normpath(os.path.join(directory, word))  # noqa: PTH118 - a word of an output
            is_inside = _is_below(path, [root])
            if os.path.relpath(os.path.dirname(path), root) in locked if is_inside else word.startswith("/"):  # noqa: PTH120
                return path
    return root if lines else ""


def locked_folders(root: str, unchanging: Sequence[str]) -> list[str]:
    """Return `root` and the folders below it, by path from there, that aren't `unchanging` themselves, and in which no
    entry can be made, removed or renamed, since such a path lies there or deeper.
    """
    kept = {path for path in unchanging if path != root and _is_below(path, [root])}
    around = {above for path in kept for above in PurePath(path).parents} | {PurePath(root)}
    inside = (path for path in around if _is_below(str(path), [root]))
    free = (path for path in inside if kept.isdisjoint(map(str, (path, *path.parents))))
    return sorted(os.path.relpath(path, root) for path in free)


def _entries_in(line: str) -> Iterator[str]:
    """Yield what a line about a refusal may call by its name: tar puts it first, others in quotes or at the end."""
    if found := _AS_TAR_WRITES.match(line):
        yield found[1]
    for quoted in _QUOTED.findall(line):
        yield from (word for word in quoted if word and not _SIGNS.fullmatch(word))
    before = _SIGNS.split(line)[0].rstrip()
    if before.endswith(":"):
        yield from _WORDS.findall(before)[-1:]


def _only_database(paths: Sequence[str]) -> str:
    found = [path for path in paths if not holds_credentials(PurePosixPath(path)) and _is_database(path)]
    return found[0] if len(found) == 1 else ""


def _is_database(path: str) -> bool:
    try:
        with open(path, "rb", buffering=0, opener=_open_at_once) as file:
            is_regular = stat.S_ISREG(os.fstat(file.fileno()).st_mode)
            return is_regular and file.read(len(_BEGIN_OF_DATABASE)) == _BEGIN_OF_DATABASE
    except OSError:
        return False


def _open_at_once(path: str, flags: int) -> int:
    return os.open(path, flags | os.O_NONBLOCK | os.O_NOFOLLOW)


def openable_path(
    path: str, folder: str, unchangeable: Sequence[str], guarded: Sequence[str], unseen: Sequence[PurePath]
) -> str:
    """Return the path to open for a command that was kept from `path`: one of the paths `unchangeable`, to be
    changed, or beyond the workspace's `folder` the path itself, to be read. Empty where that takes more rights: what
    programs load (`guarded`), and folders with the workspace or with what no such command sees.
    """
    if not path:
        return ""
    if _is_below(path, [folder]):
        return "" if _is_below(path, guarded) else next((each for each in unchangeable if _is_below(path, [each])), "")
    real = os.path.realpath(path)
    return "" if any(_is_below(each, [real]) for each in (folder, *map(str, unseen))) else real


def _is_out_of_sight(path: str, readable: Sequence[str]) -> bool:
    """Return whether a path exists that isn't readable, neither as it is called nor as `/bin/bash` in `/usr` is."""
    if _is_below(path, readable):
        return False
    try:
        real = os.path.realpath(path, strict=True)
    except OSError:
        return False
    return not _is_below(real, readable)


def _is_below(path: str, folders: Sequence[str]) -> bool:
    return any(path == folder or path.startswith(f"{folder.rstrip('/')}/") for folder in folders)


def _named(line: str, paths: Sequence[str]) -> list[str]:
    """Return the path that the line names, by the longest end of it in the line; of several the outermost."""
    lengths = {path: _common_end(line, path.split("/")) for path in paths if path.rpartition("/")[2] in line}
    longest = max(lengths.values(), default=0)
    return sorted((path for path, length in lengths.items() if length == longest > 0), key=len)[:1]


def _common_end(line: str, parts: Sequence[str]) -> int:
    count = 0
    while count < len(parts) and re.search(
        rf"(?<![\w.-]){re.escape('/'.join(parts[-count - 1 :]))}(?![\w-]|\.\w)", line
    ):
        count += 1
    return count


def find_refusal(profile: JailProfile | None, exit_code: int | None, output: str, hidden: Sequence[str] = ()) -> str:
    """Return the last line that tells of a refusal, or empty; lines about the files `hidden` don't count."""
    if profile is None or not exit_code:
        return ""
    if exit_code == 128 + signal.SIGSYS:
        return "a system call of another kind of machine"
    signs = [_SIGNS, *([_SIGNS_OF_NO_NETWORK] if profile.network in ("none", "loopback") else [])]
    signs += [_SIGNS_OF_MOUNTS] if profile.guards or profile.temporary else []
    signs += [_SIGNS_OF_DATABASES] if profile.guards or profile.is_read_only else []
    for line in reversed(output.splitlines()):
        if any(sign.search(line) for sign in signs) and not _named(line, hidden):
            return line.strip()[:_LONGEST]
    return ""
