"""Read git's contents of files, without changes and without starting programs that a repository's config names."""

import os
import struct
import subprocess
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from pathlib import Path

from planact.adapters.store.git.index import SIZE, SIZE_AND_HASH, Tracked
from planact.adapters.store.git.program import GitProgram

_CHANGES_CONTENT = ("filter", "working-tree-encoding")
"""Attributes with which a file on disk has other bytes than git, though as many."""

_AS_IT_IS = frozenset({b"unspecified", b"unset"})


class GitBlobs:
    """Blobs of the repository around one folder; `git` is the program's path, or None."""

    def __init__(self, folder: Path, git: str | None, environment: Mapping[str, str]) -> None:
        self.git = GitProgram(folder, git, environment)
        self._asked: set[bytes] = set()
        self._differing: set[bytes] = set()

    def read(self, wanted: Mapping[str, tuple[str, int]]) -> Iterator[tuple[str, bytes]]:
        """Return the bytes on disk of files, by path, from the hash of the blob and the size that the file had. Files
        whose bytes on disk differed from git's content are left out.
        """
        paths = [path for path, (_, size) in wanted.items() if _is_plain(path)]
        if not self.git.is_there or not paths or any(path.rpartition("/")[2] == ".gitattributes" for path in paths):
            return
        try:
            filtered = self._filtered(paths)
            same = [path for path in paths if path not in filtered]
            hashes = sorted({wanted[path][0] for path in same})
            sizes = dict(zip(hashes, self._sizes([bytes.fromhex(each) for each in hashes]), strict=True))
            fitting = [path for path in same if sizes.get(wanted[path][0]) == wanted[path][1]]
            blobs = self.contents({wanted[path][0] for path in fitting})
        except (OSError, subprocess.SubprocessError, ValueError, IndexError):
            return
        yield from ((path, blobs[wanted[path][0]]) for path in fitting if wanted[path][0] in blobs)

    def lost(self, files: Mapping[str, Tracked], is_current: Callable[[], bool]) -> frozenset[str]:
        """Return the paths of clean files whose bytes on disk aren't those of their blobs. Sizes of blobs are
        remembered. `is_current` tells whether git's index still has exactly these files. Raises OSError,
        subprocess.SubprocessError, ValueError.
        """
        if not files:
            return frozenset()
        wanted = {tracked[SIZE_AND_HASH] for tracked in files.values()}
        unknown = wanted - self._asked
        if unknown:
            sizes = self._sizes([each[SIZE:] for each in unknown])
            seen = struct.unpack(f">{len(unknown)}I", b"".join([each[:SIZE] for each in unknown]))
            if tuple(sizes) != seen:
                told = zip(unknown, sizes, seen, strict=True)
                self._differing |= {each for each, size, then in told if size != then}
            self._asked |= unknown
        found = self._with_attributes(files, is_current)
        if self._differing.isdisjoint(wanted):
            return found
        return found.union(path for path, tracked in files.items() if tracked[SIZE_AND_HASH] in self._differing)

    def _with_attributes(self, files: Mapping[str, Tracked], is_current: Callable[[], bool]) -> frozenset[str]:
        """Return the files with attributes by which the bytes on disk differ from git's. Git names those with any such
        attribute among all that it tracks, which are few, so that it needn't be told all paths.
        """
        none = " ".join(f"!{name}" for name in _CHANGES_CONTENT)
        told = self.git.run(["ls-files", "-z", "--", ".", f":(exclude,attr:{none})"], b"")
        named = {os.fsdecode(path) for path in told.split(b"\0")[:-1]}
        asked = [path for path in files if path in named] if is_current() else [*files]
        return frozenset(self._filtered(asked)) if asked else frozenset()

    def _filtered(self, paths: Sequence[str]) -> set[str]:
        """Return the paths with attributes by which the bytes on disk differ from git's."""
        asked = os.fsencode("\0".join([*paths, ""]))
        told = self.git.run(["check-attr", "-z", "--stdin", *_CHANGES_CONTENT], asked)
        words = told.split(b"\0")
        if {*words[2::3]} <= _AS_IT_IS:
            return set()
        pairs = zip(words[0::3], words[2::3], strict=False)
        return {os.fsdecode(path) for path, value in pairs if value not in _AS_IT_IS}

    def _sizes(self, hashes: Collection[bytes]) -> Sequence[int]:
        """Return the sizes of blobs in the same order, -1 for missing ones."""
        width = len(next(iter(hashes), b""))
        asked = b"".join(hashes).hex("\n", width).encode("ascii") + b"\n"
        told = self.git.run(["cat-file", "--batch-check=%(objecttype) %(objectsize)", "--buffer"], asked)
        try:
            sizes = [*map(int, told.replace(b"blob ", b"").split())]
        except ValueError:
            lines = told.split(b"\n")[:-1]
            sizes = [int(line[5:]) if line.startswith(b"blob ") else -1 for line in lines]
        if len(sizes) != len(hashes):
            raise ValueError("git answered another question")
        return sizes

    def contents(self, blobs: Collection[str]) -> Mapping[str, bytes]:
        """Return the bytes of blobs by hash, without missing ones. Raises as `lost`, and IndexError."""
        told = self.git.run(["cat-file", "--batch", "--buffer"], _lines(blobs))
        found: dict[str, bytes] = {}
        at = 0
        while at < len(told):
            end = told.index(b"\n", at)
            blob, kind, size = told[at:end].decode("ascii").split(" ")
            begin, at = end + 1, end + 1 + int(size) + 1
            if kind == "blob":
                found[blob] = told[begin : at - 1]
        return found


def _lines(blobs: Collection[str]) -> bytes:
    return "".join(f"{blob}\n" for blob in sorted(blobs)).encode("ascii")


def _is_plain(path: str) -> bool:
    return "\0" not in path
