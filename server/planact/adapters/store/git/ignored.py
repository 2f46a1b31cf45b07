"""Ask git which paths its ignore files name, while a folder is walked: one program answers for all of it."""

import os
import subprocess
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from planact.adapters.store.git.program import GIT_SECONDS, GitProgram

_AT_ONCE = 8_000
"""Bytes of paths that are sent before the answers to them are read: fewer than a pipe holds, so that neither waits."""

_FIELDS = 4
"""Of an answer: the ignore file, its line, the pattern, and the path."""

_ASK = ("check-ignore", "--no-index", "--stdin", "-z", "--verbose", "--non-matching")


class GitIgnores:
    """Git's ignore rules of the repository around a folder, as they are now."""

    def __init__(self, program: "subprocess.Popen[bytes]") -> None:
        self._program = program

    def among(self, paths: Sequence[str]) -> set[str]:
        """Return the ignored ones of `paths`, which are relative to the folder. Raises OSError."""
        ignored: set[str] = set()
        for some in _portions(paths):
            answers = self._ask(b"".join(b"./" + os.fsencode(path) + b"\0" for path in some), len(some))
            for path, at in zip(some, range(0, len(answers), _FIELDS), strict=True):
                if answers[at] and not answers[at + 2].startswith(b"!"):
                    ignored.add(path)
        return ignored

    def _ask(self, typed: bytes, count: int) -> list[bytes]:
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


def has_repository(folder: Path) -> bool:
    """Return whether git would look for ignore files around `folder`."""
    return any(os.path.lexists(above / ".git") for above in (folder, *folder.parents))


@contextmanager
def ignore_rules(git: GitProgram) -> Iterator[GitIgnores]:
    """Ask git until the block ends, or it has had its time. Raises OSError."""
    program = git.start(_ASK)
    watch = threading.Timer(GIT_SECONDS, program.kill)
    watch.start()
    try:
        yield GitIgnores(program)
    finally:
        watch.cancel()
        with program:  # closes its streams, and waits
            program.kill()


def _portions(paths: Sequence[str]) -> Iterator[Sequence[str]]:
    """Yield `paths` in order, in portions that a pipe holds."""
    begin = size = 0
    for at, path in enumerate(paths):
        length = len(os.fsencode(path)) + 3
        if at > begin and size + length > _AT_ONCE:
            yield paths[begin:at]
            begin, size = at, 0
        size += length
    if begin < len(paths):
        yield paths[begin:]
