"""Search the lines of text files, with ripgrep where it is installed and with planact's own program otherwise.

Both get the list of files (`walk`), and take Python's patterns: so the same tree gives the same hits.
"""

import asyncio
import os
import re
import shutil
import sys
import tempfile
import warnings
from asyncio.subprocess import DEVNULL, PIPE
from collections import Counter, deque
from collections.abc import AsyncGenerator, Callable, Iterator, Mapping, Sequence
from contextlib import aclosing, contextmanager, suppress
from dataclasses import dataclass, replace
from itertools import groupby
from pathlib import Path, PurePath

from planact.adapters.store.disk.atomic import read_regular
from planact.adapters.store.disk.ignore_rules import IgnoreRules
from planact.adapters.store.search.large_files import LARGEST_FILE
from planact.adapters.store.search.match_lines import LONGEST_SEEN
from planact.adapters.store.search.skipped import SkipList
from planact.base.errors import InvalidInput
from planact.base.filetext import decode_text
from planact.model.file import SearchHit, SearchPage, SearchResult, Skipped

LONGEST_LINE = 300
"""Characters of a line that are shown."""

_LONGEST_PATTERN = 2000
# What a command line holds on every system, and on those that hold more. A path takes a pointer there, too.
_FIRST_CHARACTERS = 20_000
PORTION_CHARACTERS = 20_000 if os.name == "nt" else 400_000
_BESIDE_PATH = 11
_AT_ONCE = min(4, os.cpu_count() or 1)
# So much of a line in the longest UTF-8 there is: ripgrep ends a line that it cuts with a remark.
_MOST_COLUMNS = 4 * LONGEST_SEEN
# Python and ripgrep both know these, and mean different things.
_OTHERWISE_IN_RIPGREP = re.compile(r"\\[<>]")
_MOST_GLOBS = 64


@dataclass(frozen=True, slots=True)
class Search:
    """A query: a Python regular expression, or text, for at most `limit` lines, `per_file` of one file, within
    `seconds`.
    """

    pattern: str
    limit: int
    per_file: int
    is_literal: bool
    seconds: float


def find_ripgrep(search_path: str, root: Path) -> str | None:
    """Return the absolute path of `rg`, by `find_program`."""
    return find_program("rg", search_path, root)


def find_program(name: str, search_path: str, root: Path) -> str | None:
    """Return the absolute path of a program on `search_path` (as in `PATH`); never one from the workspace, which may be
    hostile, nor one by a link in it.
    """
    folders = [folder for folder in search_path.split(os.pathsep) if Path(folder).is_absolute()]
    for folder in folders:
        found = shutil.which(str(Path(folder) / name))
        if found and not any(Path(each).resolve().is_relative_to(root) for each in (folder, found)):
            return found
    return None


def compile_search(pattern: str, page: SearchPage, seconds: float, *, is_literal: bool) -> Search:
    """Check a pattern. Raises InvalidInput INVALID_ARGUMENTS."""
    if "\n" in pattern or "\0" in pattern:
        raise InvalidInput(
            "INVALID_ARGUMENTS", "the pattern has a line break, and each line is searched alone", "Search for one line"
        )
    if len(pattern) > _LONGEST_PATTERN:
        raise _bad_pattern(pattern, f"it has more than {_LONGEST_PATTERN} characters")
    try:
        pattern.encode()
        with warnings.catch_warnings():
            # Nested sets mean something else in ripgrep, and soon in Python.
            warnings.simplefilter("error")
            re.compile(re.escape(pattern) if is_literal else pattern)
    except re.error as error:
        raise _bad_pattern(pattern, f"{error.msg} at position {error.pos}") from error
    except (Warning, OverflowError, RecursionError, UnicodeError) as error:
        raise _bad_pattern(pattern, str(error)) from error
    limit = page.skip + page.limit
    return Search(pattern, limit, min(page.per_file or limit, limit), is_literal, seconds)


def compile_glob(glob: str) -> IgnoreRules | None:
    """Return a filter for file names such as `*.py`, `src/**/*.{ts,tsx}` or `!*.md`; None when `glob` is empty."""
    if not glob:
        return None
    rules = [glob]
    while any("{" in rule for rule in rules) and len(rules) <= _MOST_GLOBS:
        rules = [expanded for rule in rules for expanded in _expand(rule)]
    # Whatever matches a filter that only leaves out passes by the first rule.
    return IgnoreRules(["*", *rules] if glob.startswith("!") else rules)


async def search_lines(
    root: Path, files: Iterator[str], wanted: Search, ripgrep: str | None, skipped: SkipList
) -> SearchResult:
    """Return the first lines that match in `files` (relative to `root`), in the order of files and lines. Binary files
    that match are added to `skipped`.

    Raises:
        InvalidInput: INVALID_ARGUMENTS when it takes too long.
    """
    hits: list[SearchHit] = []
    counted: Counter[str] = Counter()
    cut: dict[str, None] = {}
    try:
        async with asyncio.timeout(wanted.seconds), aclosing(_hits(root, files, wanted, ripgrep, skipped)) as found:
            async for hit in found:
                if counted[hit.path] == wanted.per_file < wanted.limit:
                    cut[hit.path] = None
                    continue
                if len(hits) == wanted.limit:
                    return SearchResult(tuple(hits), True, tuple(cut))
                counted[hit.path] += 1
                hits.append(hit)
    except TimeoutError as error:
        raise InvalidInput(
            "INVALID_ARGUMENTS",
            f"the search for {wanted.pattern[:80]!r} took more than {wanted.seconds:.0f} seconds",
            "Use a simpler pattern without nested repetition, a narrower path or a glob",
        ) from error
    return SearchResult(tuple(hits), False, tuple(cut))


def found_below(folder: PurePath, found: SearchResult) -> SearchResult:
    """Return what was found in a folder, with paths that begin with the folder's."""
    hits = tuple(replace(hit, path=f"{folder}/{hit.path}") for hit in found.hits)
    skipped = skipped_below(folder, found.skipped)
    return replace(found, hits=hits, cut_files=tuple(f"{folder}/{path}" for path in found.cut_files), skipped=skipped)


def skipped_below(folder: PurePath, skipped: Sequence[Skipped]) -> tuple[Skipped, ...]:
    """Return what was left out in a folder, likewise."""
    return tuple(replace(each, paths=tuple(f"{folder}/{path}" for path in each.paths)) for each in skipped)


@contextmanager
def texts_on_disk(texts: Mapping[str, str]) -> Iterator[Path]:
    """Yield a private folder with these texts at these relative paths."""
    with tempfile.TemporaryDirectory(prefix="planact-search-") as name:
        for path, text in texts.items():
            target = Path(name) / path
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(text.encode("utf-8", "replace"))
        yield Path(name)


def merged(one: SearchResult, other: SearchResult, limit: int) -> SearchResult:
    """Merge hits in the order of files and lines, up to the limit."""
    hits = sorted((*one.hits, *other.hits), key=lambda hit: (hit.path.split("/"), hit.line))
    is_cut = one.is_cut or other.is_cut or len(hits) > limit
    return SearchResult(tuple(hits[:limit]), is_cut, tuple(sorted((*one.cut_files, *other.cut_files))))


def excerpt(found: SearchResult, page: SearchPage, text_of: Callable[[str], str]) -> SearchResult:
    """Return the lines of the page, with their neighbours in `text_of` their file."""
    hits = found.hits[page.skip :]
    names = {hit.path for hit in hits}
    shown = [
        line
        for path, of_file in groupby(hits, lambda hit: hit.path)
        for line in _with_context(list(of_file), page.context, text_of(path) if page.context else "")
    ]
    cut_files = tuple(path for path in found.cut_files if path in names)
    return SearchResult(tuple(shown), found.is_cut, cut_files, found.skipped)


def _with_context(hits: Sequence[SearchHit], context: int, text: str) -> Sequence[SearchHit]:
    lines = text.removesuffix("\n").split("\n")
    by_line = {
        beside: SearchHit(hit.path, beside, shown_of(lines[beside - 1].removesuffix("\r")), is_context=True)
        for hit in hits
        for beside in range(max(1, hit.line - context), min(len(lines), hit.line + context) + 1)
        if context
    }
    by_line |= {hit.line: hit for hit in hits}
    return [by_line[line] for line in sorted(by_line)]


async def _hits(
    root: Path, files: Iterator[str], wanted: Search, ripgrep: str | None, skipped: SkipList
) -> AsyncGenerator[SearchHit, None]:
    """Yield the hits, of one portion of the files after the other, while further ones are searched beside."""
    program = None if not wanted.is_literal and _OTHERWISE_IN_RIPGREP.search(wanted.pattern) else ripgrep
    running: deque[asyncio.Task[Sequence[SearchHit]]] = deque()
    rooms = _rooms()

    def list_next() -> asyncio.Task[list[str]]:
        return asyncio.create_task(asyncio.to_thread(portion, files, next(rooms)))

    listing, at_once = list_next(), 1
    try:
        while True:
            while len(running) < at_once and (batch := await listing):
                running.append(asyncio.create_task(_hits_of(root, batch, wanted, program, skipped)))
                if at_once > 1:
                    listing = list_next()
            if not running:
                return
            for hit in await running[0]:
                yield hit
            running.popleft()
            if at_once == 1:  # the first hits weren't enough
                listing, at_once = list_next(), _AT_ONCE
    finally:
        for task in (listing, *running):
            task.cancel()
        await asyncio.gather(listing, *running, return_exceptions=True)


async def _hits_of(
    root: Path, batch: Sequence[str], wanted: Search, program: str | None, skipped: SkipList
) -> Sequence[SearchHit]:
    """Return the hits in some files, or so many that no more are wanted."""
    for engine in dict.fromkeys((program, None)):
        hits: list[SearchHit] = []
        is_text: dict[str, bool] = {}
        counted: Counter[str] = Counter()
        room = wanted.limit
        try:
            async with aclosing(_run(root, batch, wanted, engine)) as found:
                async for hit in found:
                    if hit.path not in is_text:
                        is_text = {hit.path: await asyncio.to_thread(_is_text, root / hit.path)}
                    if not is_text[hit.path]:
                        skipped.add("binary", hit.path)
                        continue
                    hits.append(hit)
                    counted[hit.path] += 1
                    room -= counted[hit.path] <= wanted.per_file
                    if room < 0:
                        break
            return hits
        except _UnusableError:
            continue  # look-around and the like; ripgrep says so before any hit
    return ()


class _UnusableError(Exception):
    """Ripgrep can't be started, or can't read the pattern."""


def _rooms() -> Iterator[int]:
    """Yield how many characters of paths the portions may have: few at first, for early hits."""
    room = _FIRST_CHARACTERS
    while True:
        yield room
        room = min(4 * room, PORTION_CHARACTERS)


def portion(files: Iterator[str], room: int) -> list[str]:
    """Return the next files that a command line holds, as arguments; some `room` characters of them."""
    batch: list[str] = []
    for path in files:
        batch.append(f"./{path}")
        room -= len(path) + _BESIDE_PATH
        if room < 0:
            break
    return batch


async def _run(
    root: Path, paths: Sequence[str], wanted: Search, ripgrep: str | None
) -> AsyncGenerator[SearchHit, None]:
    """Return the hits in `paths`, from one process that is gone when this ends, however it ends."""
    if ripgrep:
        arguments = [ripgrep, *_ripgrep_options(wanted), "--", *paths]
    else:
        pattern = re.escape(wanted.pattern) if wanted.is_literal else wanted.pattern
        program = "planact.adapters.store.search.match_lines"
        arguments = [sys.executable, "-I", "-m", program, pattern, str(wanted.per_file + 1)]
    try:
        process = await asyncio.create_subprocess_exec(
            *arguments,
            cwd=root,
            env={name: value for name, value in os.environ.items() if name != "RIPGREP_CONFIG_PATH"},
            stdin=DEVNULL if ripgrep else PIPE,
            stdout=PIPE,
            stderr=PIPE,
        )
    except OSError as error:
        if ripgrep:
            raise _UnusableError from error
        raise
    assert process.stdout
    assert process.stderr
    try:
        if process.stdin:
            with suppress(ConnectionError):
                process.stdin.write(os.fsencode("\0".join(paths)))
                await process.stdin.drain()
            process.stdin.close()
        rest = b""
        while chunk := await process.stdout.read(2**16):
            hits, rest = _hits_in(rest + chunk)
            for hit in hits:
                yield hit
        complaint = await process.stderr.read(2**16)
        if await process.wait() == 2 and ripgrep and complaint:
            raise _UnusableError
    finally:
        with suppress(ProcessLookupError):
            process.kill()
        # The rest is read and thrown away: with a pipe that is full, older Pythons see no end of the process.
        await process.communicate()


def _ripgrep_options(wanted: Search) -> Sequence[str]:
    return (
        *("--no-config", "--no-ignore", "--no-messages", "--no-mmap", "--text", "--crlf", "--color=never"),
        *("--no-heading", "--with-filename", "--line-number", "--column", "--null", "--threads=1", "--case-sensitive"),
        *(f"--max-count={wanted.per_file + 1}", f"--max-columns={_MOST_COLUMNS}", "--max-columns-preview"),
        *(["--fixed-strings"] if wanted.is_literal else []),
        f"--regexp={wanted.pattern}",
    )


def _hits_in(printed: bytes) -> tuple[Sequence[SearchHit], bytes]:
    """Return the hits, and the incomplete rest. The name of a file may have line breaks, and ends at its NUL."""
    hits: list[SearchHit] = []
    start = 0
    while (name := printed.find(b"\0", start)) >= 0 and (end := printed.find(b"\n", name)) >= 0:
        hits.append(_hit(printed[start:end]))
        start = end + 1
    return hits, printed[start:]


def _hit(line: bytes) -> SearchHit:
    path, _, rest = line.partition(b"\0")
    number, column, text = rest.split(b":", 2)
    name = os.fsdecode(path).removeprefix("./").replace(os.sep, "/")
    shown, at = text.decode("utf-8", "replace"), len(text[: int(column) - 1].decode("utf-8", "replace"))
    # Of a line without end, where ripgrep's remark stands at the cut, only the beginning is known for certain.
    return SearchHit(
        name, int(number), shown_of(shown.removesuffix("\r")[:LONGEST_SEEN], at if at < LONGEST_SEEN else 0)
    )


def shown_of(line: str, at: int = 0) -> str:
    """Return a line up to a length; of a longer one, as in minified code, the part around the character `at`."""
    if len(line) <= LONGEST_LINE:
        return line
    begin = max(0, at - LONGEST_LINE // 3)
    end = begin + LONGEST_LINE
    return f"{'…' * (begin > 0)}{line[begin:end]}{'…' * (end < len(line))}"


def _is_text(path: Path) -> bool:
    try:
        if path.stat().st_size > LARGEST_FILE:
            return True  # its lines were seen
        return decode_text(read_regular(path, LARGEST_FILE)) is not None
    except OSError:
        return False


def _expand(glob: str) -> Sequence[str]:
    """Return the alternatives of the first innermost braces."""
    braces = re.search(r"\{([^{}]*)\}", glob)
    if not braces:
        return (glob.replace("{", r"[{]"),)
    return [glob[: braces.start()] + choice + glob[braces.end() :] for choice in braces[1].split(",")]


def _bad_pattern(pattern: str, cause: str) -> InvalidInput:
    return InvalidInput(
        "INVALID_ARGUMENTS",
        f"the pattern {pattern[:80]!r} can't be read: {cause}",
        "Escape characters that are meant literally, or search for literal text",
    )
