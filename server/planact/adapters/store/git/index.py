"""Read git's index: the tracked files, and their `stat` when git last saw that they are as committed.

It is parsed here, since git's commands refresh it and start programs that a repository's config names.
"""

import os
import stat
import struct
import sys
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from planact.base.git_settings import git_path, parse_git_settings

_LARGEST = 100_000_000
_FIELDS = struct.Struct(">10I")
_COMPARED = struct.Struct(">4I4xI12xI")  # of them: without device, mode and owner
_INODE = 20  # where it begins in them
_EXTENDED, _SPECIAL, _LENGTH = 0x4000, 0xB000, 0x0FFF  # special: in conflict, or assumed unchanged
_REGULAR = frozenset((0o100644, 0o100755))
_VERSION, _WITH_WHOLE_NAMES = slice(4, 8), (b"\0\0\0\2", b"\0\0\0\3")
_ENCODING, _ON_ERROR = sys.getfilesystemencoding(), sys.getfilesystemencodeerrors()  # as `os.fsdecode`, which is slower

Tracked = bytes
"""A regular file that git tracks: its `stat` when git last saw it, and the hash of its content, both as they are in the
index, since most are never looked into.
"""


SIZE = 4
"""Bytes of a size."""

SIZE_AND_HASH = slice(_FIELDS.size - SIZE, None)
"""Where it has the size that the file had, cut to 32 bits, and the hash of its blob, both as they are in the index."""


def blob_of(tracked: Tracked) -> str:
    """Return the hash of the blob in hex."""
    return tracked[_FIELDS.size :].hex()


def inode_of(tracked: Tracked) -> int:
    """Return the number that the file had on its disk, cut to 32 bits."""
    return int.from_bytes(tracked[_INODE : _INODE + SIZE], "big")


def size_of(tracked: Tracked) -> int:
    """Return the bytes that the file had, cut to 32 bits."""
    return int.from_bytes(tracked[_FIELDS.size - SIZE : _FIELDS.size], "big")


def larger_ones(files: Mapping[str, Tracked], size: int) -> frozenset[str]:
    """Return the files that had more than `size` bytes."""
    if not files:
        return frozenset()
    data = b"".join(files.values())  # each as long as the others
    form = struct.Struct(f">{_FIELDS.size - SIZE}xI{len(data) // len(files) - _FIELDS.size}x")
    sizes = form.iter_unpack(data)
    return frozenset(path for path, (had,) in zip(files, sizes, strict=True) if had > size)


def is_clean(tracked: Tracked, now: os.stat_result, written: int) -> bool:
    """Return True if the file is still as in git, with the index written at `written` ns: a change in the same moment
    can't be seen.
    """
    changed, changed_ns, modified, modified_ns, inode, size = _COMPARED.unpack_from(tracked)
    return (
        now.st_ctime_ns == changed * 10**9 + changed_ns
        and now.st_mtime_ns == modified * 10**9 + modified_ns < written
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


def changed_entries(old: Index, new: Index) -> Collection[str] | None:
    """Return the files of which a later index says something else; None where it has other paths."""
    if new is old:
        return ()
    if (new.files.keys(), new.others) != (old.files.keys(), old.others):
        return None
    return [path for path, tracked in new.files.items() if old.files[path] != tracked]


def index_file(folder: Path) -> tuple[Path, str] | None:
    """Return the index of the repository around `folder`, and the path of the folder in that; None without one."""
    for above, git in _git_folders(folder):
        if os.path.isfile(git / "index"):
            prefix = folder.relative_to(above).as_posix()
            return git / "index", "" if prefix == "." else f"{prefix}/"
        if os.path.exists(git):
            return None
    return None


def git_folder(folder: Path) -> Path | None:
    """Return git's own folder of the repository around `folder`; None without one. Raises OSError, ValueError."""
    return next((git for _, git in _git_folders(folder) if os.path.isdir(git)), None)


def _git_folders(folder: Path) -> Iterator[tuple[Path, Path]]:
    """Yield each folder upwards, and where git's own would be if it is the root of a repository."""
    for above in (folder, *folder.parents):
        git = above / ".git"
        if os.path.isfile(git):  # a worktree or a submodule
            git = above / git_path(git.read_bytes()[:4_096])
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


class TrackedBelow:
    """Tells whether git tracks files below `folder` of the folder `root`, as often as commands run: the index is read
    anew where its `stat` is another.
    """

    def __init__(self, root: Path, folder: str) -> None:
        self._root = root
        self._folder = folder
        self._known: tuple[object, bool] = (None, False)

    def __call__(self) -> bool:
        try:
            found = index_file(self._root) if os.path.isdir(self._root / self._folder) else None
            if found is None:
                return False
            path, prefix = found
            status = path.stat()
            about = (path, status.st_mtime_ns, status.st_size, status.st_ino)
            if about != self._known[0]:
                self._known = (about, self._is_in(path, prefix))
        except (OSError, ValueError):
            return False
        return self._known[1]

    def _is_in(self, path: Path, prefix: str) -> bool:
        name = f"{self._folder}/"
        if not _may_name(path, name):
            return False
        return any(each.startswith(name) for each in read_index(path, prefix).files)


def _may_name(path: Path, name: str) -> bool:
    """Return False where an index surely names no path with `name`, which is much faster than to parse it."""
    data = path.read_bytes() if path.stat().st_size <= _LARGEST else b""
    return data[_VERSION] not in _WITH_WHOLE_NAMES or os.fsencode(name) in data


def _is_sha256(folder: Path) -> bool:
    config = folder / "config"
    settings = parse_git_settings(config.read_bytes()[:1_000_000]) if config.is_file() else ()
    return any((each.key, each.value.lower()) == ("objectformat", "sha256") for each in settings)


def _parse(data: bytes, width: int, prefix: str) -> tuple[dict[str, Tracked], frozenset[str]]:
    mark, version, count = struct.unpack_from(">4sII", data)
    if mark != b"DIRC" or version not in (2, 3, 4):
        raise ValueError("it is no index")
    entries: list[Tracked] = []
    names: list[bytes] = []
    others: list[bytes] = []
    to_flags = _FIELDS.size + width
    mode_and_flags = struct.Struct(f">24xI{to_flags - 28}xH").unpack_from
    at, name = 12, b""
    for _ in range(count):  # of a large repository: what is done here is done often
        mode, flags = mode_and_flags(data, at)
        begin, at = at, at + to_flags + 2
        if flags & _EXTENDED:
            at += 2
        if version == 4:
            dropped, at = _number(data, at)
            end = data.index(b"\0", at)
            name = name[: len(name) - dropped] + data[at:end]
            at = end + 1
        else:
            length = flags & _LENGTH
            end = at + length if length < _LENGTH else data.index(b"\0", at)
            if data[end]:
                raise ValueError("a name has another length")
            name = data[at:end]
            at = begin + (end - begin + 8 & ~7)
        if flags & _SPECIAL or mode not in _REGULAR:
            others.append(name)
        else:
            names.append(name)
            entries.append(data[begin : begin + to_flags])
    _check_whole(data, at, width)
    found = dict(zip(_decoded(names), entries, strict=True))
    more = _decoded(others)
    every = "\0".join(("", *found, *more))
    if prefix or ".." in every or "\0/" in every:
        cut = len(prefix)
        found = {path[cut:]: found[path] for path in found if path.startswith(prefix) and not _is_odd(path[cut:])}
        more = [path[cut:] for path in more if path.startswith(prefix) and not _is_odd(path[cut:])]
    return found, frozenset(more)


def _decoded(names: Sequence[bytes]) -> Sequence[str]:
    return b"\0".join(names).decode(_ENCODING, _ON_ERROR).split("\0") if names else ()


def _is_odd(path: str) -> bool:
    """Return whether a path leads out of the folder: git makes none, other programs may."""
    return (".." in path and ".." in path.split("/")) or path.startswith("/")


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
