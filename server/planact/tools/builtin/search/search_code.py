"""Find lines in the files of the workspace, with those around them, or count them."""

from collections import Counter
from collections.abc import Iterator, Sequence

from pydantic import Field

from planact.base.text import first_few, named
from planact.model.file import SearchHit, SearchPage, SearchResult, describe_skipped
from planact.model.rights.permission import PathEffect, Permission
from planact.tools.permits.permit import Permit
from planact.tools.tool import Args, Tool

MAX_COUNTED = 10_000
"""Lines that are counted of one search."""

MAX_FOUND_CHARACTERS = 60_000
"""Of one result; the model goes on where it needs more."""

_NAMED_FILES = 10


class SearchCodeArgs(Args):
    """`glob` narrows the files, for example `*.py`; `skip` goes on behind so many hits; `count` tells files and numbers
    instead of lines.
    """

    pattern: str = Field(min_length=1, description="regular expression of ripgrep, for one line")
    path: str = Field(default=".", description="file or folder")
    glob: str = Field(default="", description="narrows the files: `*.py`, `src/**/*.ts`")
    is_literal: bool = Field(default=False, description="take `pattern` as plain text")
    context: int = Field(default=0, ge=0, le=20, description="lines around each hit")
    count: bool = Field(default=False, description="tell files and numbers instead of lines")
    limit: int = Field(default=100, ge=1, le=1_000, description="most hits")
    per_file: int = Field(default=0, ge=0, description="most hits of one file; 0 = all")
    skip: int = Field(default=0, ge=0, le=100_000, description="hits to leave out, since you have them")


async def _run(args: SearchCodeArgs, permit: Permit) -> str:
    page = SearchPage(MAX_COUNTED) if args.count else SearchPage(args.limit, args.skip, args.per_file, args.context)
    found = await permit.search(args.pattern, args.path, args.glob, page, is_literal=args.is_literal)
    none = (f"nothing{' more' if args.skip else ''} matches {args.pattern!r} below {args.path}",)
    lines = none if not found.hits else _counts(found) if args.count else _lines(found, args)
    return "\n".join((*lines, *(() if found.is_cut else describe_skipped(found.skipped))))


def _counts(found: SearchResult) -> Iterator[str]:
    counted = Counter(hit.path for hit in found.hits)
    yield f"{len(found.hits)} lines in {len(counted)} files"
    room = MAX_FOUND_CHARACTERS
    for at, (path, number) in enumerate(counted.items()):
        room -= len(path) + 8
        if room < 0:
            yield f"… and {len(counted) - at} files more; narrow the search"
            break
        yield f"{named(path)}: {number}"
    if found.is_cut:
        yield f"… stopped at {MAX_COUNTED:,} lines; narrow the search"


def _lines(found: SearchResult, args: SearchCodeArgs) -> Iterator[str]:
    room, shown, last = MAX_FOUND_CHARACTERS, 0, None
    for hit in found.hits:
        path = named(hit.path)
        line = f"{path}-{hit.line}- {hit.text}" if hit.is_context else f"{path}:{hit.line}: {hit.text}"
        room -= len(line) + 1
        if room < 0:
            break
        if args.context and last is not None and not _follows(last, hit):
            yield "--"
        yield line
        shown, last = shown + (not hit.is_context), hit
    if found.cut_files:
        yield f"… more in {_named(found.cut_files)}; search there alone, or with a larger per_file"
    if found.is_cut or room < 0:
        yield f"… stopped at {shown} hits; go on with skip={args.skip + shown}, or narrow the search"


def _follows(last: SearchHit, hit: SearchHit) -> bool:
    return (last.path, last.line + 1) == (hit.path, hit.line)


def _named(paths: Sequence[str]) -> str:
    return first_few([*map(named, paths)], _NAMED_FILES, "other files")


SEARCH_CODE = Tool(
    name="search_code",
    summary="Search file contents by regular expression (or literally), or count hits. Ignored files are left out.",
    args=SearchCodeArgs,
    required_permissions=frozenset({Permission.READ_FILES}),
    category="search",
    risk="low",
    effects=lambda args: (PathEffect("search", args.path),),
    run=_run,
    examples=('{"pattern": "def \\\\w+_limit", "path": "src", "glob": "*.py", "context": 2}',),
)
