"""Ask git which paths its ignore files name, while a folder is walked: one program answers for all of it."""

import errno
import os
import stat
import subprocess
import threading
from collections.abc import Mapping, Sequence
from pathlib import Path, PurePath

from planact.adapters.store.git.file_states import Stamp, stamp
from planact.adapters.store.git.program import GIT_SECONDS, GitProgram
from planact.base.portions import portions

_AT_ONCE = 8_000
"""Bytes of paths that are sent before the answers to them are read: fewer than a pipe holds, so that neither waits."""

_FIELDS = 4
"""Of an answer: the ignore file, its line, the pattern, and the path."""

_LARGEST = 10_000_000
"""Bytes of an ignore file: versions of git read one of any size into memory, also where it takes no room on disk."""

_NOT_ASKED = "git gave the answer to another question"
_PLACES = 3
"""Lines of an answer that names two places, with the empty one at the end."""

_ASK = ("check-ignore", "--no-index", "--stdin", "-z", "--verbose", "--non-matching")


class GitIgnores:
    """Git's ignore rules of the repository around a folder, as they are now. The program starts with the first
    question, and ends with `close` or when it has had its time.
    """

    def __init__(self, git: GitProgram) -> None:
        self._git = git
        self._program: subprocess.Popen[bytes] | None = None
        self._watch: threading.Timer | None = None
        self._fit: set[str] = set()

    def among(self, paths: Sequence[str]) -> set[str]:
        """Return the ignored ones of `paths`, which are relative to the folder. Raises OSError."""
        ignored: set[str] = set()
        self._check_files(paths)
        for some in portions(paths, lambda path: len(os.fsencode(path)) + 3, _AT_ONCE):
            asked = [b"./" + os.fsencode(path) for path in some]
            answers = self._ask(b"".join(path + b"\0" for path in asked), len(some))
            files, lines, patterns, told = (answers[at::_FIELDS] for at in range(_FIELDS))
            if told != asked or [*map(bool, files)] != [*map(bool, lines)]:
                raise OSError(_NOT_ASKED)
            found = zip(some, files, patterns, strict=True)
            ignored.update(path for path, file, pattern in found if file and not pattern.startswith(b"!"))
        return ignored

    def _check_files(self, paths: Sequence[str]) -> None:
        """Raise OSError where git would wait for a pipe in the place of an ignore file, or read one that is too large;
        each is looked at once.
        """
        top = os.fspath(self._git.folder)
        folders = {os.path.dirname(path) for path in paths}  # noqa: PTH120 - there may be thousands
        folders.update(str(parent) for folder in tuple(folders) for parent in PurePath(folder).parents)
        new = {f"{os.path.join(top, folder)}/.gitignore" for folder in folders}  # noqa: PTH118
        for above in (self._git.folder, *self._git.folder.parents):
            new |= {f"{above}/.gitignore", f"{above}/.git/info/exclude"}
        for file in new - self._fit:
            _check_file(file)
        self._fit |= new

    def close(self) -> None:
        if self._watch is not None:
            self._watch.cancel()
        if self._program is not None:
            with self._program:  # closes its streams, and waits
                self._program.kill()

    def _start(self) -> "subprocess.Popen[bytes]":
        program = self._git.start(_ASK)
        self._watch = threading.Timer(GIT_SECONDS, program.kill)
        self._watch.start()
        return program

    def _ask(self, typed: bytes, count: int) -> list[bytes]:
        self._program = self._program or self._start()
        stdin, stdout = self._program.stdin, self._program.stdout
        assert stdin is not None
        assert stdout is not None
        stdin.write(typed)
        told: list[bytes] = []
        ends = 0
        while ends < count * _FIELDS:
            piece = stdout.read(65_536)
            if not piece:
                raise OSError("git gave no answer")
            told.append(piece)
            ends += piece.count(b"\0")
        return b"".join(told).split(b"\0")[:-1]


def _check_file(path: str) -> None:
    try:
        found = os.stat(path)  # noqa: PTH116 - a plain text at hand
    except (OSError, ValueError):
        return
    if stat.S_ISFIFO(found.st_mode):
        raise OSError(errno.EINVAL, "an ignore file is a pipe", path)
    if found.st_size > _LARGEST:
        raise OSError(errno.EFBIG, "an ignore file is too large", path)


def has_repository(folder: Path) -> bool:
    """Return whether git would look for ignore files around `folder`."""
    return any(os.path.lexists(above / ".git") for above in (folder, *folder.parents))


def ignore_settings(folder: Path, git: GitProgram) -> Mapping[str, Stamp | None]:
    """Return the files beyond `folder` by which git ignores paths in it, settings of git included, by path with what
    changes when they do; nothing without a repository. Raises OSError, subprocess.SubprocessError.
    """
    if not has_repository(folder):
        return {}
    places = git.run(["rev-parse", "--git-path", "info/exclude", "--show-prefix"], b"").split(b"\n")
    if len(places) != _PLACES:
        raise OSError(_NOT_ASKED)
    exclude, prefix, _ = places
    told = git.run(["config", "--list", "--show-origin", "-z"], b"").split(b"\0")
    files = {os.fsdecode(origin.removeprefix(b"file:")) for origin in told[0:-1:2]}
    users = [value.partition(b"\n") for value in told[1::2]]
    files |= {git.expanded(os.fsdecode(value)) for name, _, value in users if name == b"core.excludesfile"}
    above = len(os.fsdecode(prefix).split("/")) - 1
    files |= {f"{'../' * count}.gitignore" for count in range(1, above + 1)}
    files |= {os.fsdecode(exclude), *git.usual_settings()}
    return {path: _stamp_of(folder / path) for path in sorted(files)}


def _stamp_of(path: Path) -> Stamp | None:
    try:
        return stamp(path.stat())
    except (OSError, ValueError):
        return None
