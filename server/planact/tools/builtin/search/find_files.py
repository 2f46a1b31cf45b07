"""Find files by their names, the newest first."""

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache, partial

from pydantic import Field

from planact.base.text import named
from planact.model.file import FileList, FoundFile, describe_skipped
from planact.model.rights.permission import PathEffect, Permission
from planact.tools.permits.permit import Permit
from planact.tools.tool import Args, Tool

_GLOB = frozenset("*?[{")


class FindFilesArgs(Args):
    """A `pattern` without signs of a glob is matched loosely: its characters stand in the path in this order."""

    pattern: str = Field(min_length=1, max_length=200, description="glob, or characters of the path in order")
    path: str = Field(default=".", description="folder")
    limit: int = Field(default=100, ge=1, le=1_000)
    skip: int = Field(default=0, ge=0, description="files to leave out, since you have them")


async def _run(args: FindFilesArgs, permit: Permit) -> str:
    is_glob = not _GLOB.isdisjoint(args.pattern)
    wanted = "" if is_glob else "".join(args.pattern.casefold().split())
    found = await permit.find_files(args.path, args.pattern if is_glob else "", partial(_fitting, wanted))
    return "\n".join((*_lines(_ranked(found, wanted), args), *describe_skipped(found.skipped)))


def _lines(files: list[FoundFile], args: FindFilesArgs) -> Iterator[str]:
    end = args.skip + args.limit
    if args.skip >= len(files):
        yield f"no{' more' if files else ''} file below {args.path} fits {args.pattern!r}"
    yield from (named(file.path) for file in files[args.skip : end])
    if len(files) > end:
        yield f"… and {len(files) - end} more; go on with skip={end}, or narrow the pattern"


def _ranked(found: FileList, wanted: str) -> list[FoundFile]:
    """Return the files that fit, the best first and of equal ones the newest; all are equal without letters."""
    ranks = {file: rank for file in found.files if (rank := _rank(wanted, file.path.casefold())) is not None}
    return sorted(ranks, key=lambda file: (ranks[file], -file.modified, file.path))


def _fitting(wanted: str, paths: Sequence[str]) -> Sequence[str]:
    """Return the paths in which the letters stand in this order."""
    text = "\n".join(paths)
    if not wanted:
        return paths
    if not text.isascii() or text.count("\n") != len(paths) - 1:
        return [path for path in paths if _scattered(wanted).match(path.casefold())]
    lines = _scattered(wanted, "\n").finditer(text.lower())  # of one length with the text
    return [text[found.start() : found.end()] for found in lines]


def _rank(wanted: str, path: str) -> int | None:
    """Return how well letters fit a path, 0 = best: its name, a part of it, of the path, or scattered over them."""
    name = path.rpartition("/")[2]
    scattered = _scattered(wanted)
    fits = (
        wanted in ("", name, path),
        name.startswith(wanted),
        wanted in name,
        wanted in path,
        scattered.match(name) is not None,
        scattered.match(path) is not None,
    )
    return fits.index(True) if any(fits) else None


@lru_cache(maxsize=8)
def _scattered(wanted: str, end: str = "") -> re.Pattern[str]:
    """Return a pattern for texts, or with an `end` for the parts of a text between such ones, in which these letters
    stand in this order; each takes its first place.
    """
    letters = "".join(f"[^{letter}{end}]*+{letter}" for letter in map(re.escape, wanted))
    return re.compile(f"^{letters}[^{end}]*" if end else letters, re.MULTILINE if end else 0)


FIND_FILES = Tool(
    name="find_files",
    summary="Find files by glob or loosely by name, newest first. Ignored ones are left out.",
    args=FindFilesArgs,
    required_permissions=frozenset({Permission.READ_FILES}),
    category="search",
    risk="low",
    effects=lambda args: (PathEffect("search", args.path),),
    run=_run,
)
