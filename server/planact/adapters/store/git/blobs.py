"""Read git's contents of files, without changes and without starting programs that a repository's config names."""

import os
import subprocess
from collections.abc import Collection, Iterator, Mapping, Sequence
from pathlib import Path

from planact.adapters.store.git.index import Tracked
from planact.adapters.store.git.program import GitProgram

_CHANGES_CONTENT = ("filter", "working-tree-encoding")
"""Attributes with which a file on disk has other bytes than git, though as many."""

_AS_IT_IS = frozenset({b"unspecified", b"unset"})


class GitBlobs:
    """Blobs of the repository around one folder; `git` is the program's path, or None."""

    def __init__(self, folder: Path, git: str | None, environment: Mapping[str, str]) -> None:
        self.git = GitProgram(folder, git, environment)
        self._known_sizes: dict[bytes, int] = {}

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
            sizes = self._sizes({wanted[path][0] for path in same})
            fitting = [path for path in same if sizes.get(wanted[path][0]) == wanted[path][1]]
            blobs = self.contents({wanted[path][0] for path in fitting})
        except (OSError, subprocess.SubprocessError, ValueError, IndexError):
            return
        yield from ((path, blobs[wanted[path][0]]) for path in fitting if wanted[path][0] in blobs)

    def lost(self, files: Mapping[str, Tracked]) -> frozenset[str]:
        """Return the paths of clean files whose bytes on disk aren't those of their blobs. Sizes of blobs are
        remembered. Raises OSError, subprocess.SubprocessError, ValueError.
        """
        if not files:
            return frozenset()
        unknown = {tracked.hash for tracked in files.values()} - self._known_sizes.keys()
        sizes = self._sizes({each.hex() for each in unknown}) if unknown else {}
        self._known_sizes |= {bytes.fromhex(blob): size for blob, size in sizes.items()}
        known = self._known_sizes
        others = {path for path, tracked in files.items() if known.get(tracked.hash) != tracked.size}
        return frozenset(others | self._filtered(list(files)))

    def _filtered(self, paths: Sequence[str]) -> set[str]:
        """Return the paths with attributes by which the bytes on disk differ from git's."""
        asked = os.fsencode("\0".join([*paths, ""]))
        told = self.git.run(["check-attr", "-z", "--stdin", *_CHANGES_CONTENT], asked)
        words = told.split(b"\0")
        if {*words[2::3]} <= _AS_IT_IS:
            return set()
        pairs = zip(words[0::3], words[2::3], strict=False)
        return {os.fsdecode(path) for path, value in pairs if value not in _AS_IT_IS}

    def _sizes(self, blobs: set[str]) -> Mapping[str, int]:
        lines = self.git.run(["cat-file", "--batch-check", "--buffer"], _lines(blobs)).decode("ascii").splitlines()
        rows = (line.split(" ") for line in lines)
        return {row[0]: int(row[2]) for row in rows if len(row) == 3 and row[1] == "blob"}

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
