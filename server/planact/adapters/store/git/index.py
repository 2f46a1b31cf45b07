"""Read git's index: the tracked files, and their `stat` when git last saw that they are as committed.

It is parsed here, since git's commands refresh it and start programs that a repository's config names.
"""

import os
import re
import stat
import struct
from dataclasses import dataclass
from pathlib import Path

_LARGEST = 100_000_000
_FIELDS = struct.Struct(">10I")
_EXTENDED, _STAGE, _ASSUMED = 0x4000, 0x3000, 0x8000
_SHA256 = re.compile(rb"(?im)^\s*objectformat\s*=\s*sha256\s*$")
_REGULAR = (0o100644, 0o100755)


@dataclass(frozen=True, slots=True)
class Tracked:
    """A regular file that git tracks: the hash of its content, and its `stat` at that time (in nanoseconds; size and
    inode cut to 32 bits, as git does).
    """

    blob: str
    modified: int
    changed: int
    inode: int
    size: int

    def is_clean(self, now: os.stat_result, written: int) -> bool:
        """Return True if the file is still as in git, with the index written at `written` ns: a change in the same
        moment can't be seen.
        """
        return (
            now.st_mtime_ns == self.modified
            and now.st_ctime_ns == self.changed
            and now.st_size & 0xFFFFFFFF == self.size
            and now.st_ino & 0xFFFFFFFF == self.inode
            and self.modified < written
            and stat.S_ISREG(now.st_mode)
        )


@dataclass(frozen=True, slots=True)
class Index:
    """The tracked files below a folder, by path relative to it; `written` in nanoseconds. `others` are tracked too, and
    git's index doesn't tell whether they are as committed: links, submodules, files in conflict or assumed unchanged.
    """

    files: dict[str, Tracked]
    written: int
    others: frozenset[str] = frozenset()


NO_INDEX = Index({}, 0)


def index_file(folder: Path) -> tuple[Path, str] | None:
    """Return the index of the repository around `folder`, and the path of the folder in that; None without one."""
    for above in (folder, *folder.parents):
        git = above / ".git"
        if git.is_file():  # a worktree or a submodule
            line = git.read_bytes()[:4_096].decode("utf-8", "surrogateescape").strip()
            git = above / line.removeprefix("gitdir: ")
        if (git / "index").is_file():
            prefix = folder.relative_to(above).as_posix()
            return git / "index", "" if prefix == "." else f"{prefix}/"
        if git.exists():
            return None
    return None


def read_index(path: Path, prefix: str) -> Index:
    """Return the tracked files whose paths begin with `prefix`, without it. An index that can't be parsed counts as
    none.
    """
    try:
        status = path.stat()
        if status.st_size > _LARGEST:
            return NO_INDEX
        width = 32 if _is_sha256(path.parent) else 20
        files, others = _parse(path.read_bytes(), width, prefix)
        return Index(files, status.st_mtime_ns, others)
    except (OSError, ValueError, IndexError, struct.error):
        return NO_INDEX


def _is_sha256(folder: Path) -> bool:
    config = folder / "config"
    return config.is_file() and bool(_SHA256.search(config.read_bytes()[:1_000_000]))


def _parse(data: bytes, width: int, prefix: str) -> tuple[dict[str, Tracked], frozenset[str]]:
    mark, version, count = struct.unpack_from(">4sII", data)
    if mark != b"DIRC" or version not in (2, 3, 4):
        raise ValueError("it is no index")
    found: dict[str, Tracked] = {}
    others: set[str] = set()
    at, name = 12, b""
    for _ in range(count):
        begin = at
        changed, changed_ns, modified, modified_ns, _, inode, mode, _, _, size = _FIELDS.unpack_from(data, at)
        at += _FIELDS.size
        blob = data[at : at + width]
        (flags,) = struct.unpack_from(">H", data, at + width)
        at += width + (4 if flags & _EXTENDED else 2)
        kept = 0
        if version == 4:
            cut, at = _number(data, at)
            kept = len(name) - cut
        end = data.index(b"\0", at)
        name = name[:kept] + data[at:end]
        at = end + 1 if version == 4 else begin + (end - begin + 8 & ~7)
        path = os.fsdecode(name)
        own = path[len(prefix) :]
        if not path.startswith(prefix) or own.startswith("/") or ".." in own.split("/"):
            continue
        if mode in _REGULAR and not flags & (_STAGE | _ASSUMED):
            found[own] = Tracked(blob.hex(), modified * 10**9 + modified_ns, changed * 10**9 + changed_ns, inode, size)
        else:
            others.add(own)
    _check_whole(data, at, width)
    return found, frozenset(others)


def _number(data: bytes, at: int) -> tuple[int, int]:
    """Return a number of varying length, as version 4 has them, and its end."""
    value = data[at] & 0x7F
    while data[at] & 0x80:
        at += 1
        value = (value + 1 << 7) | (data[at] & 0x7F)
    return value, at + 1


def _check_whole(data: bytes, at: int, width: int) -> None:
    """Raise ValueError where the rest of the entries is in another file."""
    while at + 8 <= len(data) - width:
        name, length = struct.unpack_from(">4sI", data, at)
        if name == b"link":
            raise ValueError("it is split")
        at += 8 + length
