"""Read git's index: the tracked files, and their `stat` when git last saw that they are as committed.

It is parsed here, since git's commands refresh it and start programs that a repository's config names.
"""

import os
import re
import stat
import struct
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

_LARGEST = 100_000_000
_FIELDS = struct.Struct(">10I")
_EXTENDED, _STAGE, _ASSUMED = 0x40, 0x30, 0x80  # of the first of two bytes
_SHA256 = re.compile(rb"(?im)^\s*objectformat\s*=\s*sha256\s*$")
_REGULAR = frozenset(mode.to_bytes(4, "big") for mode in (0o100644, 0o100755))
_ENCODING, _ON_ERROR = sys.getfilesystemencoding(), sys.getfilesystemencodeerrors()  # as `os.fsdecode`, which is slower


class Tracked(NamedTuple):
    """A regular file that git tracks: its `stat` when git last saw it, and the hash of its content, both as they are in
    the index, since most are never looked into.
    """

    seen: bytes
    hash: bytes

    @property
    def blob(self) -> str:
        """The hash in hex."""
        return self.hash.hex()

    @property
    def size(self) -> int:
        """Bytes of the file at that time, cut to 32 bits."""
        return int.from_bytes(self.seen[36:], "big")

    def is_clean(self, now: os.stat_result, written: int) -> bool:
        """Return True if the file is still as in git, with the index written at `written` ns: a change in the same
        moment can't be seen.
        """
        changed, changed_ns, modified, modified_ns, _, inode, _, _, _, size = _FIELDS.unpack(self.seen)
        return (
            now.st_mtime_ns == modified * 10**9 + modified_ns < written
            and now.st_ctime_ns == changed * 10**9 + changed_ns
            and now.st_size & 0xFFFFFFFF == size
            and now.st_ino & 0xFFFFFFFF == inode
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
    for above, git in _git_folders(folder):
        if (git / "index").is_file():
            prefix = folder.relative_to(above).as_posix()
            return git / "index", "" if prefix == "." else f"{prefix}/"
        if git.exists():
            return None
    return None


def git_folder(folder: Path) -> Path | None:
    """Return git's own folder of the repository around `folder`; None without one. Raises OSError, ValueError."""
    return next((git for _, git in _git_folders(folder) if git.is_dir()), None)


def _git_folders(folder: Path) -> Iterator[tuple[Path, Path]]:
    """Yield each folder upwards, and where git's own would be if it is the root of a repository."""
    for above in (folder, *folder.parents):
        git = above / ".git"
        if git.is_file():  # a worktree or a submodule
            line = git.read_bytes()[:4_096].decode("utf-8", "surrogateescape").strip()
            git = above / line.removeprefix("gitdir: ")
        yield above, git


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
    at, name, to_flags, cut = 12, b"", _FIELDS.size + width, len(prefix)
    for _ in range(count):
        begin, at = at, at + to_flags + 2
        flags = data[at - 2]
        at += 2 if flags & _EXTENDED else 0
        kept = 0
        if version == 4:
            dropped, at = _number(data, at)
            kept = len(name) - dropped
        end = data.index(b"\0", at)
        name = name[:kept] + data[at:end]
        at = end + 1 if version == 4 else begin + (end - begin + 8 & ~7)
        path = name.decode(_ENCODING, _ON_ERROR)
        if prefix:
            if not path.startswith(prefix):
                continue
            path = path[cut:]
        if (".." in path and ".." in path.split("/")) or path.startswith("/"):
            continue
        if data[begin + 24 : begin + 28] in _REGULAR and not flags & (_STAGE | _ASSUMED):
            found[path] = Tracked(data[begin : begin + 40], data[begin + 40 : begin + to_flags])
        else:
            others.add(path)
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
