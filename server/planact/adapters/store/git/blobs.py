"""Read git's contents of files, without changes and without starting programs that a repository's config names."""

import os
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

_SECONDS = 60.0
_STARTS_NOTHING = ("-c", "core.fsmonitor=false", "-c", f"core.hooksPath={os.devnull}")

_NEEDED = ("HOME", "PATH", "SYSTEMROOT", "XDG_CONFIG_HOME")
"""Of the environment: git works only with repositories that the user's own settings trust."""

_CHANGES_CONTENT = ("filter", "working-tree-encoding")
"""Attributes with which a file on disk has other bytes than git, though as many."""


class GitBlobs:
    """Blobs of the repository around one folder; `git` is the program's path, or None."""

    def __init__(self, folder: Path, git: str | None, environment: Mapping[str, str]) -> None:
        self._folder = folder
        self._git = git
        # A blob that is missing may make git fetch it, by whatever program the repository names.
        self._environment = {
            **{name: value for name, value in environment.items() if name in _NEEDED},
            "GIT_ALLOW_PROTOCOL": "none",
            "GIT_NO_LAZY_FETCH": "1",
            "GIT_NO_REPLACE_OBJECTS": "1",
            "GIT_OPTIONAL_LOCKS": "0",
            "GIT_TERMINAL_PROMPT": "0",
        }

    def read(self, wanted: Mapping[str, tuple[str, int]]) -> Iterator[tuple[str, bytes]]:
        """Return the bytes on disk of files, by path, from the hash of the blob and the size that the file had. Files
        whose bytes on disk differed from git's content are left out.
        """
        paths = [path for path, (_, size) in wanted.items() if _is_plain(path)]
        if self._git is None or not paths or any(path.rpartition("/")[2] == ".gitattributes" for path in paths):
            return
        try:
            same = self._without_filters(paths)
            sizes = self._sizes({wanted[path][0] for path in same})
            fitting = [path for path in same if sizes.get(wanted[path][0]) == wanted[path][1]]
            blobs = self._contents({wanted[path][0] for path in fitting})
        except (OSError, subprocess.SubprocessError, ValueError, IndexError):
            return
        yield from ((path, blobs[wanted[path][0]]) for path in fitting if wanted[path][0] in blobs)

    def _without_filters(self, paths: Sequence[str]) -> Sequence[str]:
        asked = b"".join(os.fsencode(path) + b"\0" for path in paths)
        words = self._run(["check-attr", "-z", "--stdin", *_CHANGES_CONTENT], asked).split(b"\0")
        filtered = {
            os.fsdecode(path)
            for path, value in zip(words[0::3], words[2::3], strict=False)
            if value not in (b"unspecified", b"unset")
        }
        return [path for path in paths if path not in filtered]

    def _sizes(self, blobs: set[str]) -> Mapping[str, int]:
        lines = self._run(["cat-file", "--batch-check"], _lines(blobs)).decode("ascii").splitlines()
        rows = (line.split(" ") for line in lines)
        return {row[0]: int(row[2]) for row in rows if len(row) == 3 and row[1] == "blob"}

    def _contents(self, blobs: set[str]) -> Mapping[str, bytes]:
        told = self._run(["cat-file", "--batch"], _lines(blobs))
        found: dict[str, bytes] = {}
        at = 0
        while at < len(told):
            end = told.index(b"\n", at)
            blob, kind, size = told[at:end].decode("ascii").split(" ")
            begin, at = end + 1, end + 1 + int(size) + 1
            if kind == "blob":
                found[blob] = told[begin : at - 1]
        return found

    def _run(self, words: Sequence[str], typed: bytes) -> bytes:
        assert self._git is not None
        ran = subprocess.run(
            [self._git, *_STARTS_NOTHING, *words],
            input=typed,
            capture_output=True,
            cwd=self._folder,
            env=self._environment,
            timeout=_SECONDS,
            check=True,
        )
        return ran.stdout


def _lines(blobs: set[str]) -> bytes:
    return "".join(f"{blob}\n" for blob in sorted(blobs)).encode("ascii")


def _is_plain(path: str) -> bool:
    return "\0" not in path
